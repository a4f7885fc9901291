"""Hints for people who ask: a good move for the seat to act, and why it is one.

They are found in the thread of the request, in little time and one at a time, so that a house full
of phones does not keep the table from refereeing.
"""

import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any

from companion.errors import CompanionError
from companion.games import find_game
from companion.players import Hint, Limits, hint
from companion.rules.game import State
from companion.web.guard import Refused

#: How long to look for a move.
HINT_SECONDS = 0.8


class Hints:
    """Looks for one hint at a time; ``clock`` tells when there was enough of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looking = threading.Lock()

    def hint(self, state: dict[str, Any]) -> Hint:
        """Return a hint for a table as ``/api/state`` tells it; refuse when nobody could use it."""
        to_act = state["to_act"]
        if to_act is None:
            raise CompanionError("the game is over, there is no move to hint at")
        if state["seats"][to_act]["level"] is not None:
            raise CompanionError("it is the companion's turn; wait for its move")
        if not self._looking.acquire(blocking=False):
            raise Refused(503, "a hint is being looked for; try again in a moment", 1)
        try:
            return self._look(state)
        finally:
            self._looking.release()

    def _look(self, state: dict[str, Any]) -> Hint:
        names = [seat["name"] for seat in state["seats"]]
        until = self._clock() + HINT_SECONDS
        limits = Limits(stop=lambda: self._clock() >= until)
        return hint(_replayed(state), Random(state["number"]), limits, names)


def _replayed(state: dict[str, Any]) -> State:
    game = find_game(state["game"]).start(state["options"])
    for move in state["moves"]:
        game = game.play(move)
    return game
