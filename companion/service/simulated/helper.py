"""A helping hand at the simulated table: it carries out what the companion asks people to do.

Whenever the board is to be put as the game has it, a scripted person really lifts, carries and puts
one thing after the other. It makes way for a visitor who holds something, and is never in a hurry:
what it does is meant to be watched.
"""

import threading
from collections.abc import Callable, Iterator

from companion.board import Board, Change
from companion.referee.verdict import Kind
from companion.service.snapshot import Snapshot
from companion.sim.hands import Person, Step
from companion.sim.table import SimTable

#: How often it looks whether there is something to do.
LOOK_SECONDS = 0.15

#: How long an instruction stands before it is followed, so that it can be read.
READ_SECONDS = 0.6

#: How long it waits for the referee to see what it did before it tries again.
SEEN_SECONDS = 8.0

Wait = Callable[[float], bool]


class HelpingHand:
    """Follows the referee's instructions, one at a time, while it is wanted.

    ``wait`` lets some seconds pass and tells whether to stop; ``busy`` is held while hands
    are at work, by this one or by a scene. Until somebody says otherwise it is wanted in games in
    which the companion plays.
    """

    def __init__(
        self,
        table: SimTable,
        board: Board,
        look: Callable[[], Snapshot],
        busy: threading.Lock,
        wait: Wait,
    ) -> None:
        self._table = table
        self._look = look
        self._busy = busy
        self._wait = wait
        self._person = Person(table, board, "north")
        self._said: bool | None = None
        self._holds: str | None = None
        self._at = (0.0, 0.0)  # where the hand has it

    @property
    def wanted(self) -> bool:
        """Tell whether it helps."""
        if self._said is not None:
            return self._said
        return any(seat.level is not None for seat in self._look().seats)

    def ask(self, on: bool) -> None:
        """Ask for help, or for none."""
        self._said = on

    def run(self) -> None:
        """Help until told to stop."""
        while not self._wait(LOOK_SECONDS):
            if self.attend():
                return

    def attend(self) -> bool:
        """Do the next thing that is asked for, if there is one; tell whether to stop."""
        change = self._asked()
        if change is None:
            return False
        if self._wait(READ_SECONDS):
            return True
        if self._asked() != change or not self._busy.acquire(blocking=False):
            return False  # somebody was quicker
        asked = self._look().verdict
        try:
            ended = self._carry_out(change)
        finally:
            self._busy.release()
        for _ in range(round(SEEN_SECONDS / LOOK_SECONDS)):
            if ended or self._look().verdict != asked:
                break
            ended = self._wait(LOOK_SECONDS)
        return ended

    def _asked(self) -> Change | None:
        """Return what is to be done now, None when there is nothing or hands are on the table."""
        snapshot = self._look()
        verdict = snapshot.verdict
        if snapshot.setting_up or not self.wanted or verdict.kind is not Kind.SET_UP:
            return None
        if self._table.scene().hands:
            return None
        return verdict.repair[0] if verdict.repair else None

    def _carry_out(self, change: Change) -> bool:
        """Do one change; what is held when a visitor steps in goes back. Tell whether to stop."""
        homes = {body.id: (body.x, body.y) for body in self._table.scene().bodies}
        self._holds = None
        try:
            for step in self._steps(change):
                ended = self._wait(step.seconds)
                if ended or self._must_give_way():
                    self._put_back(homes)
                    return ended
        except ValueError:
            return self._wait(LOOK_SECONDS)  # a visitor took what was to be moved
        finally:
            self._table.no_hand()
        return False

    def _steps(self, change: Change) -> Iterator[Step]:
        """Yield the steps, and keep in mind what the hand holds and where."""
        for step in self._person.change(change):
            held = self._held()
            if step.what == "lift" and len(held) == 1:
                self._holds = held[0]
            elif step.what == "put":
                self._holds = None
            if self._holds is not None:
                body = self._table.body(self._holds)
                self._at = (body.x, body.y)
            yield step

    def _held(self) -> list[str]:
        return [body.id for body in self._table.scene().bodies if body.state == "held"]

    def _must_give_way(self) -> bool:
        """Tell whether the help is not wanted any more, or a visitor has something in the hand."""
        if not self.wanted or any(id != self._holds for id in self._held()):
            return True
        if self._holds is None:
            return False
        body = self._table.body(self._holds)
        if body.state == "held" and (body.x, body.y) == self._at:
            return False
        self._holds = None  # it was taken out of the hand: let go of it
        return True

    def _put_back(self, homes: dict[str, tuple[float, float]]) -> None:
        if self._holds is not None:
            self._table.put(self._holds, *homes[self._holds])
            self._holds = None
