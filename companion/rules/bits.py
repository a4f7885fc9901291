"""A 9×9 field with fences as whole numbers: one bit a square, one bit a fence slot.

Bit 0 is a1, bit 1 b1, bit 80 i9. A fence slot has the bit of the square it is named after, in one
of two masks: ``across`` for the fences ``e3h`` and ``upright`` for the fences ``e3v``. What a set
of fences leaves open is again two masks: ``north``, the squares one can leave northwards, and
``east``, those one can leave eastwards; every way is open in both directions.

Nothing here knows a game: no turns, no pawns' names, no goals but those handed in.
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.board import Spot, square

SIZE = 9
SQUARES: tuple[Spot, ...] = tuple(square(c, r) for r in range(SIZE) for c in range(SIZE))
BIT: dict[Spot, int] = {name: 1 << number for number, name in enumerate(SQUARES)}

FIELD = (1 << SIZE * SIZE) - 1
ROW_1 = (1 << SIZE) - 1
ROW_9 = ROW_1 << SIZE * (SIZE - 1)
COLUMN_A = sum(1 << SIZE * row for row in range(SIZE))
COLUMN_I = COLUMN_A << SIZE - 1
NORTH = FIELD & ~ROW_9
EAST = FIELD & ~COLUMN_I
#: The slots in which a fence parts exactly two squares from two others: a1 to h8.
SLOTS = NORTH & EAST
#: Crossings of grooves that lie on the rim, in the numbering of :func:`closing_slots`.
RIM = ROW_9 | COLUMN_I


def each_bit(mask: int) -> Iterator[int]:
    """Yield the bits of a mask one by one, from a1 on."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def name_of(bit: int) -> Spot:
    """Return the name of the square that a single bit stands for."""
    return SQUARES[bit.bit_length() - 1]


def ways(across: int, upright: int) -> tuple[int, int]:
    """Return what these fences leave open, northwards and eastwards."""
    return NORTH & ~(across | across << 1), EAST & ~(upright | upright << SIZE)


def neighbours(squares: int, north: int, east: int) -> int:
    """Return all squares one step away from any of these."""
    return (
        (squares & north) << SIZE | squares >> SIZE & north | (squares & east) << 1
    ) | squares >> 1 & east


def step(bit: int, direction: int, north: int, east: int) -> int:
    """Return the square one step north (0), east (1), south (2) or west (3), 0 if it is shut."""
    if direction == 0:
        return (bit & north) << SIZE
    if direction == 1:
        return (bit & east) << 1
    if direction == 2:
        return bit >> SIZE & north
    return bit >> 1 & east


def free_slots(across: int, upright: int) -> tuple[int, int]:
    """Return the slots where a fence overlaps and crosses none of these."""
    return (
        SLOTS & ~(across | across << 1 | across >> 1 | upright),
        SLOTS & ~(upright | upright << SIZE | upright >> SIZE | across),
    )


def closing_slots(across: int, upright: int) -> tuple[int, int]:
    """Return the slots where a fence touches these fences or the rim at two points or more.

    Only such a fence can close a way around: with a single touch one can walk round its free end.
    The crossing north-east of a square has that square's bit, so a fence's middle has its own bit
    and its ends lie one column or one row to either side; beyond a1 the rim is added by hand.
    """
    touched = across | across << 1 | across >> 1 | upright | upright << SIZE | upright >> SIZE | RIM
    west, east = touched << 1 | COLUMN_A, touched >> 1
    south, north = touched << SIZE | ROW_1, touched >> SIZE
    return west & east | touched & (west | east), south & north | touched & (south | north)


def connected(start: int, goal: int, north: int, east: int) -> bool:
    """Tell whether any square of ``goal`` can be reached from ``start``."""
    seen = start
    while not seen & goal:
        grown = seen | (seen & north) << SIZE | seen >> SIZE & north
        grown |= (grown & east) << 1 | grown >> 1 & east
        if grown == seen:
            return False
        seen = grown
    return True


class Route(NamedTuple):
    """A shortest way to a goal: its length, and the slots where a fence would cut it."""

    length: int
    across: int
    upright: int


def find_route(start: int, goal: int, north: int, east: int) -> Route | None:
    """Return a shortest route from a square to a goal, None when there is none."""
    seen = goal
    nearer: list[int] = []  # nearer[n]: every square at most n steps from the goal
    while not seen & start:
        nearer.append(seen)
        grown = (
            seen
            | (seen & north) << SIZE
            | seen >> SIZE & north
            | (seen & east) << 1
            | seen >> 1 & east
        )
        if grown == seen:
            return None
        seen = grown
    here, ups, rights = start, 0, 0
    for squares in reversed(nearer):
        if there := (here & north) << SIZE & squares:
            ups |= here
        elif there := here >> SIZE & north & squares:
            ups |= there
        elif there := (here & east) << 1 & squares:
            rights |= here
        else:
            there = here >> 1 & east & squares
            rights |= there
        here = there
    return Route(len(nearer), ups | ups >> 1, rights | rights >> SIZE)
