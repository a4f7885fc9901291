"""Positions of the advanced variant for tests, put up by hand instead of played."""

from companion.games.advanced.rules import Advanced
from companion.games.bits import BIT, SLOT_BIT
from companion.games.catalogue import find_game
from companion.games.game import replay

PARKED = "b9 c9 g9 h9"  # Blinky, Inky, Pinky and Clyde far from the middle


def start(**options: str) -> Advanced:
    """Return the first position."""
    state = find_game("pacman-advanced").start(options)
    assert isinstance(state, Advanced)
    return state


def after(moves: str, state: Advanced | None = None, **options: str) -> Advanced:
    """Return the position after some moves, from the start or from another position."""
    return replay(state or start(**options), moves.split())


def put_up(
    pacman: str = "e3",
    ghosts: str = PARKED,
    fences: str = "",
    *,
    pellets: str = "a1 a9 i1 i9",
    reserve: int = 0,
    lives: int = 3,
    round: int = 5,
    left: tuple[int, int] = (12, 4),
    previous: str = "",
    memory: str = "- - - -",
    hunting: str = "",
    **options: str,
) -> Advanced:
    """Return a position without a chamber, Pac-Man to walk, or the ghosts named to hunt.

    A dash stands for a ghost that is out and for a piece that remembers nothing.
    """
    state = start(**options)
    return state._replace(
        pacman=_bit(pacman),
        ghosts=tuple(map(_bit, ghosts.split())),
        fenced=sum(SLOT_BIT[slot] for slot in fences.split()),
        chamber=0,
        pellets=sum(BIT[square] for square in pellets.split()),
        reserve=reserve,
        lives=lives,
        round=round,
        fences_left=left,
        previous=_bit(previous or "-"),
        memory=tuple(map(_bit, memory.split())),
        waiting=sum(1 << "BIPC".index(letter) for letter in hunting),
        turn=1 if hunting else 0,
        phase="hunt" if hunting else "walk" if pacman != "-" else "enter",
        fresh=not hunting,
    )


def _bit(square: str) -> int:
    return 0 if square == "-" else BIT[square]
