"""Quoridor as everybody else sees it, for two and for four."""

from collections.abc import Sequence

from companion.board import FENCE, Thing
from companion.games.game import Seat, State
from companion.games.kit import Kit, Meter, Scene, Words
from companion.games.quoridor.hint import reason
from companion.games.quoridor.player import Racer
from companion.games.quoridor.rules import FENCES, PASS, Quoridor, QuoridorGame
from companion.games.quoridor.scenes import jump, shut_in
from companion.text import counted

BEHIND = Words(
    "With a pawn behind the one you face",
    {"blocked": "you cannot jump", "diagonal": "step aside diagonally"},
    house=True,
)
SCENES = {
    "jump": Scene(
        "An illegal jump",
        "Somebody tries to jump over nothing: watch it being refused.",
        jump,
    ),
    "fence": Scene(
        "A fence that shuts a player in",
        "Somebody tries to shut a pawn in: it is refused, and all is taken back.",
        shut_in,
    ),
}
BY_LOT = Words(asked=False)  # the page draws lots for who is first


def advice(state: State, names: Sequence[str]) -> str:
    """Return what to drag on the simulated table."""
    assert isinstance(state, Quoridor)
    name = names[state.turn]
    fence = state.fences_left[state.turn] and ", or drag a fence from the tray into a groove"
    return f"drag {name} to a neighbouring square{fence or ''}"


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return the fences that a seat has left."""
    assert isinstance(state, Quoridor)
    left, share = state.fences_left[seat], FENCES // state.seats
    tokens = tuple((FENCE, number < left) for number in range(share))
    return (Meter(tokens, f"{counted(left, FENCE)} left", str(left), gauge=True),)


def _kit(name: str, seats: int, usual: tuple[Thing, ...], behind: Words) -> Kit:
    return Kit(
        game=QuoridorGame(name, seats),
        title="Quoridor",
        note=f"{seats} players",
        rulebook="games/quoridor.md",
        player=Racer,
        reason=reason,
        at_table=True,
        usual=usual,
        write=lambda effect: effect.end or (effect.thing and PASS),
        words={"first": BY_LOT, "pawnBehind": behind},
        advice=advice,
        meters=meters,
        scenes=SCENES,
    )


KITS = (
    _kit("quoridor", 2, ("pacman", "blinky"), Words(asked=False)),  # nobody is behind: Q-A2
    _kit("quoridor4", 4, ("pacman", "inky", "blinky", "clyde"), BEHIND),
)
