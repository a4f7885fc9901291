"""Quoridor PAC-MAN, the special variant, as everybody else sees it."""

from collections.abc import Sequence

from companion.board import PELLET
from companion.games.game import Effect, Move, Seat, State
from companion.games.kit import Kit, Meter, Part, Words
from companion.games.layout import GHOSTS, PACMAN
from companion.games.pacman.data import FOLDER, LAYOUT, load_layout
from companion.games.pacman.ground import GHOST_OF, PASS, SORTED_GHOSTS, STAY
from companion.games.pacman.hint import reason
from companion.games.pacman.player import Hunter
from companion.games.pacman.rules import Pacman, PacmanGame

LAYOUTS = {
    "pacman": "the usual one",
    "pacman-short": "a short game, pellets in pairs",
    "pacman-even": "Even at level 6, fences in the west",
    "pacman-flank": "Even at level 6, fences on two flanks",
}
LETTERS = {SORTED_GHOSTS[ghost]: letter for letter, ghost in GHOST_OF.items()}

#: What Pac-Man may call himself, by the pellets he has eaten.
RANKS = ("no pellet yet", "beginner", "promising", "advanced", "elite")

DRAG = (
    "drag him two squares along rows and columns; a pellet gives him three more",
    "drag each of them one square, or two if it sees Pac-Man",
)


def write(effect: Effect) -> Move:
    """Return a walk as it is written, legal or not."""
    letter = LETTERS.get(effect.thing, "")
    staying = STAY if letter else effect.thing and PASS
    return letter + ("-".join(effect.path) or staying)


def advice(state: State, names: Sequence[str]) -> str:
    """Return what to drag on the simulated table."""
    return DRAG[0] if state.to_act == 0 else DRAG[1]


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return Pac-Man's lives and pellets, and which ghosts are on the board."""
    assert isinstance(state, Pacman)
    here = set(state.position().values())
    if seat:
        away = [ghost.title() for ghost in GHOSTS if ghost not in here]
        text = f"Beside the board: {', '.join(away)}" if away else "All four are on the board"
        return (Meter(tuple((ghost, ghost in here) for ghost in GHOSTS), text),)
    lives, whole = state.lives, int(state.options["lives"])
    eaten, pellets = state.eaten, state.ground.pellet_count
    return (
        Meter(
            tuple((PACMAN, number < lives) for number in range(whole)),
            "one life left" if lives == 1 else f"{lives} lives left",
        ),
        Meter(
            tuple((PELLET, number >= eaten) for number in range(pellets)),
            f"{eaten} of {pellets} pellets eaten",
            RANKS[min(eaten, len(RANKS) - 1)],
            gauge=True,
        ),
    )


KITS = (
    Kit(
        game=PacmanGame(tuple(LAYOUTS), load_layout),
        title="Pac-Man",
        note="4 ghosts",
        rulebook="games/pacman.md",
        player=Hunter,
        reason=reason,
        at_table=True,
        parts=(Part("Pac-Man", PACMAN), Part("The ghosts", GHOSTS[0])),
        others=(PACMAN, *GHOSTS),
        seen=PACMAN,
        words={
            "layout": Words("Set-up", LAYOUTS),
            "lives": Words(
                "Pac-Man's lives",
                {
                    "3": "three, as usual",
                    "1": "one: a handicap for him",
                    "2": "two",
                    "4": "four",
                    "5": "five: a handicap for the ghosts",
                },
            ),
            "frenzyUpTo": Words(
                "A ghost that sees Pac-Man may also move a single square", house=True
            ),
            "frenzyStraight": Words(
                "A ghost that sees Pac-Man moves both squares in one direction", house=True
            ),
            "ghostOrder": Words(
                "The ghosts move",
                {"free": "in any order", "fixed": "Blinky, Inky, Pinky, Clyde"},
                house=True,
            ),
            "exactBonus": Words("A pellet's bonus is three squares, no fewer", house=True),
            "noProgress": Words(
                "When all is the same for the third time",
                {"off": "the game goes on", "3": "it is a draw"},
                house=True,
            ),
        },
        house={"noProgress": "3"},
        entry="walk",
        write=write,
        advice=advice,
        meters=meters,
        moves_a_turn=len(GHOSTS),
        folder=FOLDER,
        data=(LAYOUT,),
    ),
)
