"""A hint for somebody who asks: a good move, and in plain words what is good about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from companion.players import hint_pacman, hint_table
from companion.players.level import HIGHEST
from companion.players.ours import player_for
from companion.players.player import Limits, Player
from companion.rules.advanced import Advanced
from companion.rules.cards import Cards
from companion.rules.game import CHANCE, Move, State
from companion.rules.marbles import Marbles
from companion.rules.mspacman import MsPacMan
from companion.rules.pacman import Pacman
from companion.rules.quoridor import Quoridor


@dataclass(frozen=True)
class Hint:
    """A move and the reason for it: a sentence without a full stop, said to who is to move."""

    move: Move
    reason: str


Reason = Callable[[State, Move, Sequence[str]], str]

_REASONS: tuple[tuple[type[State], Reason], ...] = (
    (Pacman, hint_pacman.reason),
    (Quoridor, hint_table.in_quoridor),
    (Advanced, hint_table.in_advanced),
    (Marbles, hint_table.in_marbles),
    (MsPacMan, hint_table.in_mspacman),
    (Cards, hint_table.in_cards),
)


def why(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what is good about a legal move, in words; names stand for the seats."""
    for kind, reason in _REASONS:
        if isinstance(state, kind):
            return reason(state, move, names)
    raise TypeError(f"expected a state of a game that we play, not {type(state).__name__}")


def hint(
    state: State,
    rng: Random,
    limits: Limits,
    names: Sequence[str] = (),
    player: Player | None = None,
) -> Hint:
    """Return what our player would do for the seat to act, and why.

    A hint looks at no more than that seat may see. Without a player the best of ours is asked.
    """
    if state.to_act is None or state.to_act == CHANCE:
        raise ValueError("nobody is to move, so there is no hint to give")
    asked = player or player_for(_game(state), HIGHEST)
    move = asked.choose(state, rng, limits)
    return Hint(move, why(state, move, names))


def _game(state: State) -> str:
    names = {
        Pacman: "pacman",
        Quoridor: "quoridor",
        Advanced: "pacman-advanced",
        Marbles: "marbles",
        MsPacMan: "mspacman",
        Cards: "cards",
    }
    return names.get(type(state), type(state).__name__)
