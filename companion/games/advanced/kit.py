"""Quoridor PAC-MAN, the advanced variant, as everybody else sees it."""

from collections.abc import Sequence

from companion.board import FENCE, PELLET
from companion.games.advanced.data import CHAMBERS, FOLDER, load_chambers
from companion.games.advanced.hint import reason
from companion.games.advanced.rules import Advanced, AdvancedGame
from companion.games.advanced.setup import (
    ENTER,
    FENCES,
    LETTERS,
    LIVES,
    NAMES,
    PLACE,
    SHIFT,
    SPEED,
    STAY,
)
from companion.games.advanced.setup import PACMAN as FIRST
from companion.games.advanced.worth import sift, worth
from companion.games.game import Effect, Move, Seat, State
from companion.games.kit import Kit, Meter, Part, Words
from companion.games.layout import GHOSTS, PACMAN
from companion.players.lookahead import Ahead
from companion.text import counted

#: A move that is worse by this much still looks good to a player who errs.
SLACK = 40.0

CHAMBER = {
    "d4": "the block of d4, d5, e4 and e5",
    "e4": "the block of e4, e5, f4 and f5",
    "d5": "the block of d5, d6, e5 and e6",
    "e5": "the block of e5, e6, f5 and f6",
    "pinwheel": "a pinwheel round the middle nine",
}


def write(effect: Effect) -> Move:
    """Return what was tapped as a move is written, legal or not."""
    if effect.fence:
        return ">".join([*effect.path, effect.fence])
    letter = LETTERS[NAMES.index(effect.thing)] if effect.thing in NAMES else ""
    return letter + ("-".join(effect.path) or STAY)


def advice(state: State, names: Sequence[str]) -> str:
    """Return what to drag on the simulated table."""
    assert isinstance(state, Advanced)
    if state.phase == ENTER:
        return "drag him from beside the board to the middle of a side"
    if state.phase == SHIFT:
        return "drag one fence of the chamber to another groove"
    fence = "drag a fence from the tray into a groove"
    if state.phase == PLACE:
        return f"{fence}, or press Confirm for no fence"
    if state.turn != FIRST:
        squares = ("one square", "one or two squares", "up to three squares")
        return f"drag one of them {squares[state.speed - 1]}"
    if state.owes_move:
        both = f", or {fence}" if state.may_place else ""
        return f"drag him one or two squares along rows and columns{both}"
    return f"drag him on, {fence}, or press Confirm for no fence"


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return lives, pellets and fences of Pac-Man; the ghosts on the board and their fences."""
    assert isinstance(state, Advanced)
    left = state.fences_left[seat]
    tokens = tuple((FENCE, number < left) for number in range(FENCES[seat]))
    fences = Meter(tokens, f"{counted(left, FENCE)} left", str(left), gauge=True)
    if seat != FIRST:
        here = [name for name, bit in zip(NAMES, state.ghosts, strict=True) if bit]
        eaten = [name.title() for name in NAMES if name not in here]
        text = f"Eaten for good: {', '.join(eaten)}" if eaten else "All four are on the board"
        speed = f"speed {state.speed}" if state.pellets else ""
        return (fences, Meter(tuple((name, name in here) for name in NAMES), text, speed))
    eaten_text = f"{state.collected} of {len(SPEED)} pellets eaten"
    pellets = tuple((PELLET, number >= state.collected) for number in range(len(SPEED)))
    spare = f"{state.reserve} to spend" if state.reserve else ""
    return (
        fences,
        Meter(
            tuple((PACMAN, number < state.lives) for number in range(LIVES)),
            "one life left" if state.lives == 1 else f"{state.lives} lives left",
        ),
        Meter(pellets, f"{eaten_text}, {spare}" if spare else eaten_text, spare),
    )


KITS = (
    Kit(
        game=AdvancedGame(lambda: load_chambers("pacman-advanced")),
        title="Pac-Man, advanced",
        note="fences of both sides",
        rulebook="games/pacman-advanced.md",
        player=lambda level: Ahead(Advanced, worth, SLACK, level, sift),
        reason=reason,
        at_table=True,
        parts=(Part("Pac-Man", PACMAN), Part("The ghosts", GHOSTS[0])),
        others=(PACMAN, *GHOSTS),
        seen=PACMAN,
        words={
            "chamber": Words("The ghosts' chamber", CHAMBER),
            "respawnConsumesMove": Words("Coming in after a catch is Pac-Man's move", house=True),
            "exactSpeed": Words(
                "Every move is as many squares as the speed says, no fewer", house=True
            ),
            "exactBonus": Words("A pellet that is spent is two squares, no fewer", house=True),
            "noProgress": Words(
                "When nothing is eaten, caught or built for 50 rounds",
                {"off": "the game goes on", "50": "it is a draw"},
                house=True,
            ),
        },
        house={"noProgress": "50"},
        entry="walk",
        write=write,
        advice=advice,
        meters=meters,
        moves_a_turn=4,
        folder=FOLDER,
        data=(CHAMBERS,),
    ),
)
