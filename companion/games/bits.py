"""A 9×9 field with fences as bitboards: one bit for each square, one for each fence slot.

Squares count from bit 0, a1, by b1 to bit 80, i9. In a mask of fences, the slot ``e3h`` has the
bit of e3, and ``e3v`` the one 81 places higher. What fences leave open is two masks of squares:
``north``, those one can leave northwards, and ``east``, those one can leave eastwards; every way
is open in both directions.

Nothing here knows a game: no turns, no pawns' names, no goals but those handed in.
"""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from companion.board import Spot, column_row, square

SIZE = 9
CELLS = SIZE * SIZE
SQUARES: tuple[Spot, ...] = tuple(square(c, r) for r in range(SIZE) for c in range(SIZE))
BIT: dict[Spot, int] = {name: 1 << number for number, name in enumerate(SQUARES)}

FIELD = (1 << CELLS) - 1
ROW_1 = (1 << SIZE) - 1
ROW_9 = ROW_1 << CELLS - SIZE
COLUMN_A = sum(1 << SIZE * row for row in range(SIZE))
COLUMN_I = COLUMN_A << SIZE - 1
NORTH = FIELD & ~ROW_9
EAST = FIELD & ~COLUMN_I

#: Where a fence parts exactly two squares from two others: a1 to h8, across and upright.
SLOTS = NORTH & EAST | (NORTH & EAST) << CELLS
_NAMES = [name + way for way in "hv" for name in SQUARES]
SLOT_BIT: dict[Spot, int] = {n: 1 << i for i, n in enumerate(_NAMES) if 1 << i & SLOTS}


def each_bit(mask: int) -> Iterator[int]:
    """Yield the bits of a mask one by one, the lowest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def square_name(bit: int) -> Spot:
    """Return the name of the square that a single bit stands for."""
    return SQUARES[bit.bit_length() - 1]


def slot_names(fences: int) -> list[Spot]:
    """Return the names of the slots in a mask of fences."""
    return [_NAMES[bit.bit_length() - 1] for bit in each_bit(fences)]


def slot_mask(slots: Iterable[Spot]) -> int:
    """Return the mask of fences in these slots."""
    mask = 0
    for slot in slots:
        mask |= SLOT_BIT[slot]
    return mask


# -- fences among each other


class Fit(NamedTuple):
    """What a fence in a slot does to the others: those that stay free, those that touch it."""

    keeps: int
    touches: int


def _crossings(slot: int) -> tuple[int, int]:
    """Return the three crossings of grooves a fence covers as a mask, and the middle one alone.

    Crossings are counted from the field's south-west corner, ten to a row: the rim has them too.
    """
    number = slot.bit_length() - 1
    row, column = divmod(number % CELLS, SIZE)
    middle = 1 << (row + 1) * (SIZE + 1) + column + 1
    along = 1 if number < CELLS else SIZE + 1
    return middle >> along | middle | middle << along, middle


#: For each slot the crossings a fence in it covers and the middle one; those along the rim.
COVERED = {slot: _crossings(slot) for slot in SLOT_BIT.values()}
RIM_CROSSINGS = sum(
    1 << row * (SIZE + 1) + column
    for row in range(SIZE + 1)
    for column in range(SIZE + 1)
    if row in (0, SIZE) or column in (0, SIZE)
)


def _fit(slot: int) -> Fit:
    covered, middle = COVERED[slot]
    taken = touches = 0
    for other, (others, others_middle) in COVERED.items():
        if shared := covered & others:
            touches |= other
            if middle == others_middle or shared.bit_count() == 2:  # they cross or overlap
                taken |= other
    return Fit(SLOTS & ~taken, touches)


FIT: dict[int, Fit] = {slot: _fit(slot) for slot in COVERED}
_TOUCHING_RIM = sum(slot for slot, (covered, _) in COVERED.items() if covered & RIM_CROSSINGS)

#: The slots that are free, those touched by a fence or the rim, those touched twice or more. Only
#: a fence touching two others, or one and the rim, can close a way: round the rest one can walk.
Room = tuple[int, int, int]
EMPTY_ROOM: Room = (SLOTS, _TOUCHING_RIM, 0)


def room_beside(fences: int) -> Room:
    """Return what room a set of fences leaves for more."""
    room = EMPTY_ROOM
    for bit in each_bit(fences):
        free, once, twice = room
        keeps, touches = FIT[bit]
        room = free & keeps, once | touches, twice | once & touches
    return room


# -- squares and the ways between them


def ways(fences: int) -> tuple[int, int]:
    """Return what these fences leave open, northwards and eastwards."""
    across, upright = fences & FIELD, fences >> CELLS
    return NORTH & ~(across | across << 1), EAST & ~(upright | upright << SIZE)


def neighbours(squares: int, north: int, east: int) -> int:
    """Return all squares one step away from any of these."""
    return (
        (squares & north) << SIZE
        | squares >> SIZE & north
        | (squares & east) << 1
        | squares >> 1 & east
    )


def step(bit: int, direction: int, north: int, east: int) -> int:
    """Return the square one step north (0), east (1), south (2) or west (3), 0 if it is shut."""
    if direction == 0:
        return (bit & north) << SIZE
    if direction == 1:
        return (bit & east) << 1
    if direction == 2:
        return bit >> SIZE & north
    return bit >> 1 & east


def cutting(ups: int, rights: int) -> int:
    """Return the slots where a fence shuts a way north from ``ups`` or east from ``rights``."""
    return (ups | ups >> 1 | (rights | rights >> SIZE) << CELLS) & SLOTS


#: For the bit of each square: its neighbours, and the slots that part it from any of them.
AROUND: dict[int, tuple[int, int]] = {
    bit: (
        neighbours(bit, NORTH, EAST),
        cutting(bit & NORTH | bit >> SIZE, bit & EAST | bit >> 1 & EAST),
    )
    for bit in BIT.values()
}


def connected(start: int, goal: int, north: int, east: int) -> bool:
    """Tell whether any square of ``goal`` can be reached from ``start`` (flood fill)."""
    seen = start
    while not seen & goal:
        grown = seen | (seen & north) << SIZE | seen >> SIZE & north
        grown |= (grown & east) << 1 | grown >> 1 & east
        if grown == seen:
            return False
        seen = grown
    return True


def layers(start: int, north: int, east: int, joined: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the squares within 0, 1, 2 … steps of ``start``, up to all that can be reached: a
    breadth-first search, all squares of a ring at once.

    ``joined`` are sets of squares that are neighbours although they are far apart.
    """
    seen, found = start, [start]
    while True:
        grown = (
            seen
            | (seen & north) << SIZE
            | seen >> SIZE & north
            | (seen & east) << 1
            | seen >> 1 & east
        )
        if joined:
            for far in joined:
                if seen & far:
                    grown |= far
        if grown == seen:
            return tuple(found)
        found.append(grown)
        seen = grown


def fence_between(fences: Container[Spot], one: Spot, other: Spot) -> Spot | None:
    """Return the fence that parts two neighbouring squares, None when the way is open."""
    (c, r), (oc, orow) = column_row(one), column_row(other)
    way, (left, down) = ("h", (1, 0)) if c == oc else ("v", (0, 1))
    c, r = min(c, oc), min(r, orow)
    for column, row in ((c, r), (c - left, r - down)):
        if column >= 0 and row >= 0 and (slot := square(column, row) + way) in fences:
            return slot
    return None


class Route(NamedTuple):
    """A shortest way to a goal: its length, and the slots where a fence would cut it."""

    length: int
    cut: int


def find_route(start: int, goal: int, north: int, east: int) -> Route | None:
    """Return a shortest route from a square to a goal, None when there is none.

    A breadth-first search goes back from the goal, ring by ring; the route descends its rings.
    """
    seen = goal
    nearer: list[int] = []  # nearer[n]: every square at most n steps from the goal
    while not seen & start:
        nearer.append(seen)
        grown = seen | neighbours(seen, north, east)
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
    return Route(len(nearer), cutting(ups, rights))
