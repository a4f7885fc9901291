"""What fences make of the race in Quoridor: how far everybody has to go, where fences may go.

Distances come from breadth-first searches over bitboards, all squares of a ring at once. A
:class:`Track` remembers what it found out for a set of fences, for a search comes back to the same
ones all the time. Pawns, squares and slots are bits, as in the rules. The race without fences is
solved by retrograde analysis.
"""

from collections.abc import Iterator

from companion.games.bits import AROUND, FIT, Room, each_bit, find_route, layers, room_beside, ways
from companion.games.quoridor.rules import Table, pawn_targets

Pawns = tuple[int, ...]

_MOST_KEPT = 60_000


class Track:
    """The board of one game, seen as a race."""

    def __init__(self, table: Table) -> None:
        self.goals = table.goals
        self.diagonal = table.pawn_behind == "diagonal"
        self._ways: dict[int, tuple[int, int]] = {}
        self._within: dict[tuple[int, int], tuple[int, ...]] = {}
        self._rooms: dict[int, Room] = {}
        self._cuts: dict[tuple[int, int, int], int] = {}

    def ways(self, fenced: int) -> tuple[int, int]:
        """Return what these fences leave open."""
        found = self._ways.get(fenced)
        if found is None:
            if len(self._ways) > _MOST_KEPT:
                self._ways.clear()
                self._within.clear()
                self._rooms.clear()
                self._cuts.clear()
            found = self._ways[fenced] = ways(fenced)
        return found

    def distance(self, fenced: int, seat: int, pawn: int) -> int:
        """Return how many steps a pawn is from its goal, -1 when it is shut in."""
        key = fenced, seat
        within = self._within.get(key)
        if within is None:
            within = self._within[key] = layers(self.goals[seat], *self.ways(fenced))
        for steps, squares in enumerate(within):
            if squares & pawn:
                return steps
        return -1

    def targets(self, fenced: int, turn: int, at: Pawns) -> int:
        """Return where the pawn of a seat may go."""
        mine, taken = at[turn], sum(at)
        around, parting = AROUND[mine]
        if not (fenced & parting or taken & around):
            return around
        return pawn_targets(mine, taken, *self.ways(fenced), self.diagonal)

    # -- fences

    def room(self, fenced: int) -> Room:
        """Return what room these fences leave."""
        found = self._rooms.get(fenced)
        if found is None:
            found = self._rooms[fenced] = room_beside(fenced)
        return found

    def with_fence(self, fenced: int, slot: int, at: Pawns) -> int:
        """Return the fences with one more, 0 if that would shut somebody in; there is room."""
        more = fenced | slot
        free, once, twice = self.room(fenced)
        if more not in self._rooms:
            keeps, touches = FIT[slot]
            self._rooms[more] = free & keeps, once | touches, twice | once & touches
        if twice & slot:
            for seat, pawn in enumerate(at):
                if self.distance(more, seat, pawn) < 0:
                    return 0
        return more

    def cuts(self, fenced: int, seat: int, pawn: int) -> int:
        """Return the slots that cut a shortest way of a pawn, whether there is room or not."""
        key = fenced, seat, pawn
        found = self._cuts.get(key)
        if found is None:
            route = find_route(pawn, self.goals[seat], *self.ways(fenced))
            found = self._cuts[key] = route.cut if route else 0
        return found

    def nearby(self, fenced: int, at: Pawns) -> int:
        """Return the slots beside the pawns and those that touch a fence."""
        slots = 0
        for pawn in at:
            slots |= AROUND[pawn][1]
        for fence in each_bit(fenced):
            slots |= FIT[fence].touches
        return slots


def solve_race(track: Track, fenced: int, at: Pawns, turn: int, most: int) -> dict[int, int] | None:
    """Return what each move of a race of two without fences comes to, None if it gets too wide.

    A move is the bit of its target. Positive: the mover wins, after so many plies; negative: it
    loses; 0: nobody can force a win. The positions that can come up are found first, then decided
    backwards from the wins (retrograde analysis).
    """
    start = (at[0], at[1], turn)
    following: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    before: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    decided: dict[tuple[int, int, int], int] = {}  # plies to the end, odd: the mover wins
    edge = [start]
    following[start] = []
    ended = []
    for here in edge:
        if len(following) > most:
            return None
        for there in _moves(track, fenced, here):
            following[here].append(there)
            before.setdefault(there, []).append(here)
            if there not in following:
                following[there] = []
                mover = here[2]
                if there[mover] & track.goals[mover]:
                    ended.append(there)
                else:
                    edge.append(there)
    wave = ended
    for each in ended:
        decided[each] = 0
    open_moves = {here: len(moves) for here, moves in following.items()}
    while wave:
        further = []
        for there in wave:
            plies = decided[there]
            for here in before.get(there, ()):
                if here in decided:
                    continue
                open_moves[here] -= 1
                if plies % 2 == 0 or not open_moves[here]:
                    decided[here] = plies + 1
                    further.append(here)
        wave = further
    values = {}
    for there in following[start]:
        end = decided.get(there)
        won = end is not None and end % 2 == 0
        values[there[turn]] = 0 if end is None else end + 1 if won else -end - 1
    return values


def _moves(track: Track, fenced: int, here: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    one, other, turn = here
    for bit in each_bit(track.targets(fenced, turn, (one, other))):
        yield (bit, other, 1) if turn == 0 else (one, bit, 0)
