"""Dash as everybody else sees it."""

from collections.abc import Sequence

from companion.board import FENCE
from companion.games.game import Effect, Move, Seat, State
from companion.games.kit import Kit, Meter, Scene, Trial, Words
from companion.players.lookahead import Ahead
from tests.games.dash.rules import COLUMNS, Dash, DashGame


def worth(state: State, seat: Seat) -> float:
    """Return how far a seat is ahead."""
    assert isinstance(state, Dash)
    return float(state.rows[seat] - state.rows[1 - seat])


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what is good about a move."""
    return "keeps the other back" if state.effect(move).fence else "gets you on"


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return the fence that a seat has left."""
    assert isinstance(state, Dash)
    left = state.left[seat]
    return (Meter(((FENCE, left > 0),), f"{left} of 1 fence left", gauge=True),)


def too_far(state: State) -> Trial:
    """Return a walk of a square more than the die says."""
    assert isinstance(state, Dash)
    column, row = COLUMNS[state.turn], state.rows[state.turn]
    return Trial(Effect(f"pawn{state.turn + 1}", (f"{column}{row + state.rolled + 1}",)))


KITS = (
    Kit(
        game=DashGame(),
        title="Dash",
        note="a die and a fence",
        rulebook="games/quoridor.md",
        player=lambda level: Ahead(Dash, worth, 1.0, level),
        reason=reason,
        at_table=True,
        usual=("pacman", "blinky"),
        words={"head": Words("The second pawn has a head start")},
        advice=lambda state, names: "drag your pawn as far as the die says",
        meters=meters,
        scenes={"far": Scene("A square too far", "Somebody goes on and on: watch.", too_far)},
    ),
)
