"""The board of the advanced variant: open ways with two tunnels, and where a fence may still go.

A :class:`Ground` is what a set of fences makes of the board. Positions with the same fences share
one, so that what was found out once is not searched for again.
"""

from functools import lru_cache

from companion.board import Spot
from companion.games.bits import (
    AROUND,
    BIT,
    CELLS,
    COVERED,
    RIM_CROSSINGS,
    SIZE,
    each_bit,
    neighbours,
    room_beside,
    square_name,
    step,
    ways,
)

#: AV-3: the middle of each side.
RESPAWN: tuple[Spot, ...] = ("a5", "e1", "e9", "i5")
#: AV-12: opposite ones are neighbours; no groove lies between them, so no fence either (AV-A18).
TUNNELS = (BIT["e1"] | BIT["e9"], BIT["a5"] | BIT["i5"])
_MOUTHS = TUNNELS[0] | TUNNELS[1]


def _beside(bit: int) -> tuple[tuple[int, Spot], ...]:
    around = AROUND[bit][0]
    for tunnel in TUNNELS:
        if bit & tunnel:
            around |= tunnel ^ bit
    return tuple((each, square_name(each)) for each in each_bit(around))


#: The neighbours of each square on the bare board, with their names.
OPEN = {bit: _beside(bit) for bit in BIT.values()}


class Ground:
    """The board under a set of fences."""

    __slots__ = ("_near", "_slots", "east", "fenced", "north")

    def __init__(self, fenced: int) -> None:
        self.fenced = fenced
        self.north, self.east = ways(fenced)
        self._near: dict[int, tuple[tuple[int, Spot], ...]] = {}
        self._slots: int | None = None

    def near(self, bit: int) -> tuple[tuple[int, Spot], ...]:
        """Return the squares one step away from a square, with their names (AV-11, AV-12)."""
        around, parting = AROUND[bit]
        if not self.fenced & parting:
            return OPEN[bit]  # no fence beside it: as on the bare board
        known = self._near.get(bit)
        if known is None:
            shut = around & ~neighbours(bit, self.north, self.east)
            known = tuple(each for each in OPEN[bit] if not each[0] & shut)
            self._near[bit] = known
        return known

    def ahead(self, bit: int, way: int) -> int:
        """Return the square ahead in one of four ways, 0 where a fence or the rim is (AV-11)."""
        return step(bit, way, self.north, self.east)

    def reach(self, start: int) -> int:
        """Return every square reached from here, tunnels included (AV-A19), by flood fill."""
        north, east = self.north, self.east
        seen = start
        while True:
            grown = seen | (seen & north) << SIZE | seen >> SIZE & north
            grown |= (grown & east) << 1 | grown >> 1 & east
            if grown & _MOUTHS:
                for tunnel in TUNNELS:
                    if grown & tunnel:
                        grown |= tunnel
            if grown == seen:
                return seen
            seen = grown

    @property
    def slots(self) -> int:
        """Return the slots where one more fence may go (AV-19, AV-20)."""
        if self._slots is None:
            free, _, twice = room_beside(self.fenced)
            walls = self._walls()
            for bit in each_bit(free & twice):
                crossings = COVERED[bit][0]
                # On a flat board a fence parts squares exactly when it closes a ring of walls.
                # Then it is searched whether the tunnels still join them.
                if any((crossings & wall).bit_count() > 1 for wall in walls) and self.cut_off(bit):
                    free ^= bit
            self._slots = free
        return self._slots

    def cut_off(self, fence: int) -> int:
        """Return the squares that one more fence would part from the rest, 0 if none.

        Only what hangs together now is looked at: squares that were shut off before, as in the
        closed chamber, do not count (AV-A20).
        """
        parted = ground(self.fenced | fence)
        for one, other in _sides(fence):
            reached = parted.reach(one)
            if not reached & other:
                beyond = parted.reach(other)
                return min(reached, beyond, key=int.bit_count)
        return 0

    def _walls(self) -> list[int]:
        """Return what hangs together of rim and fences, each wall as the crossings it covers."""
        walls = [RIM_CROSSINGS]
        for fence in each_bit(self.fenced):
            joined = COVERED[fence][0]
            apart = []
            for wall in walls:
                if wall & joined:
                    joined |= wall
                else:
                    apart.append(wall)
            walls = [*apart, joined]
        return walls


@lru_cache(maxsize=512)
def ground(fenced: int) -> Ground:
    """Return the board under these fences."""
    return Ground(fenced)


def _sides(fence: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two pairs of squares that a fence parts."""
    if fence >> CELLS:
        near = fence >> CELLS
        return (near, near << 1), (near << SIZE, near << SIZE + 1)
    return (fence, fence << SIZE), (fence << 1, fence << SIZE + 1)
