"""Quoridor once more, slow and straight from the rule text: sets of pairs and a plain search.

It shares nothing with the real rules but the notation, so that the two can be held against each
other.
"""

from dataclasses import dataclass, field

COLUMNS, ROWS = "abcdefghi", "123456789"
Square = tuple[int, int]


def to_square(text: str) -> Square:
    return COLUMNS.index(text[0]), ROWS.index(text[1])


def to_text(square: Square) -> str:
    return COLUMNS[square[0]] + ROWS[square[1]]


@dataclass
class NaiveQuoridor:
    seats: int
    pawn_behind: str = "blocked"
    pawns: list[Square] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    fences: set[str] = field(default_factory=set)
    turn: int = 0

    def __post_init__(self) -> None:
        starts = ["e1", "e9"] if self.seats == 2 else ["e1", "a5", "e9", "i5"]
        self.pawns = [to_square(text) for text in starts]
        self.left = [20 // self.seats] * self.seats

    def has_won(self, seat: int, square: Square) -> bool:
        column, row = square
        if self.seats == 2:
            return row == (8 if seat == 0 else 0)
        return [row == 8, column == 8, row == 0, column == 0][seat]

    def over(self) -> bool:
        return any(self.has_won(seat, pawn) for seat, pawn in enumerate(self.pawns))

    def walls(self, fences: set[str]) -> set[tuple[Square, Square]]:
        """Pairs of neighbours with a fence between them, both ways round."""
        shut = set()
        for fence in fences:
            c, r = to_square(fence)
            if fence[2] == "h":
                pairs = [((c, r), (c, r + 1)), ((c + 1, r), (c + 1, r + 1))]
            else:
                pairs = [((c, r), (c + 1, r)), ((c, r + 1), (c + 1, r + 1))]
            for one, other in pairs:
                shut |= {(one, other), (other, one)}
        return shut

    def open(self, a: Square, b: Square, shut: set[tuple[Square, Square]]) -> bool:
        return 0 <= b[0] < 9 and 0 <= b[1] < 9 and (a, b) not in shut

    def pawn_moves(self) -> set[str]:
        shut = self.walls(self.fences)
        me = self.pawns[self.turn]
        found = set()
        for dc, dr in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = (me[0] + dc, me[1] + dr)
            if not self.open(me, near, shut):
                continue
            if near not in self.pawns:
                found.add(near)
                continue
            far = (near[0] + dc, near[1] + dr)
            if self.open(near, far, shut):
                if far not in self.pawns:
                    found.add(far)
                    continue
                if self.pawn_behind == "blocked":
                    continue
            for side in ((near[0] + dr, near[1] + dc), (near[0] - dr, near[1] - dc)):
                if self.open(near, side, shut) and side not in self.pawns:
                    found.add(side)
        return {to_text(square) for square in found}

    def reaches_goal(self, seat: int, shut: set[tuple[Square, Square]]) -> bool:
        waiting, seen = [self.pawns[seat]], {self.pawns[seat]}
        while waiting:
            here = waiting.pop()
            if self.has_won(seat, here):
                return True
            for dc, dr in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                there = (here[0] + dc, here[1] + dr)
                if self.open(here, there, shut) and there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return False

    def fence_moves(self) -> set[str]:
        if self.left[self.turn] == 0:
            return set()
        shut = self.walls(self.fences)
        found = set()
        for c in range(8):
            for r in range(8):
                for way in "hv":
                    slot = to_text((c, r)) + way
                    crossing = slot[:2] + ("v" if way == "h" else "h")
                    more = self.walls({slot})
                    if crossing in self.fences or more & shut:
                        continue
                    if all(self.reaches_goal(seat, shut | more) for seat in range(self.seats)):
                        found.add(slot)
        return found

    def legal_moves(self) -> list[str]:
        if self.over():
            return []
        return sorted(self.pawn_moves() | self.fence_moves()) or ["pass"]

    def play(self, move: str) -> None:
        if len(move) == 2:
            self.pawns[self.turn] = to_square(move)
        elif move != "pass":
            self.fences.add(move)
            self.left[self.turn] -= 1
        self.turn = (self.turn + 1) % self.seats
