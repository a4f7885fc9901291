"""The special variant of Quoridor PAC-MAN once more: slow, and straight from the rule text.

It shares nothing with the real rules but the notation and the file of the set-up, so that the two
can be held against each other. Squares are their names, the board is a dictionary, moves are found
by writing down every path and asking whether it keeps the rules.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

COLUMNS, ROWS = "abcdefghi", "123456789"
SQUARES = [column + row for column in COLUMNS for row in ROWS]
LETTERS = {"B": "blinky", "I": "inky", "P": "pinky", "C": "clyde"}
DIRECTIONS = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def beside(square: str, direction: tuple[int, int]) -> str | None:
    """The square next to this one, None when that would be off the board."""
    column = COLUMNS.index(square[0]) + direction[0]
    row = ROWS.index(square[1]) + direction[1]
    return COLUMNS[column] + ROWS[row] if 0 <= column < 9 and 0 <= row < 9 else None


@cache
def parted(fence: str) -> list[set[str]]:
    """The two pairs of squares that a fence stands between (Q-8)."""
    along, across = ((1, 0), (0, 1)) if fence[2] == "h" else ((0, 1), (1, 0))
    near = fence[:2]
    far = beside(near, along)
    assert far is not None
    return [{near, beside(near, across) or ""}, {far, beside(far, across) or ""}]


class NaivePacman:
    """A game that changes as it is played."""

    def __init__(self, layout: Mapping[str, Any], options: Mapping[str, str]) -> None:
        self.options = options
        self.homes: dict[str, str] = {"pacman": layout["pacman"], **layout["ghosts"]}  # SV-2
        self.fences: list[str] = list(layout["fences"]["slots"])  # SV-4: they stay as they are
        self.walls = [pair for fence in self.fences for pair in parted(fence)]
        self.pellets: set[str] = set(layout["pellets"])
        self.eaten = 0
        self.lives = int(self.options["lives"])  # SV-3, or the handicap
        self.pieces = dict(self.homes)
        self.waiting: list[
            str
        ] = []  # ghosts that have not moved in this round; none: Pac-Man's turn
        self.draw = False
        self.seen: Counter[Any] = Counter()
        self.remember()

    # What is asked of it

    def to_act(self) -> int | None:
        if self.winners() is not None:
            return None
        return 1 if self.waiting else 0

    def winners(self) -> tuple[int, ...] | None:
        if self.eaten == 4:  # SV-15, SV-A8
            return (0,)
        if self.lives == 0:  # SV-15, SV-A25
            return (1,)
        return () if self.draw else None

    def tallies(self) -> dict[str, tuple[int, ...]]:
        return {"lives": (self.lives, 0), "pellets": (self.eaten, 0)}

    def position(self) -> dict[str, str]:
        board = {fence: "fence" for fence in self.fences}
        board |= {square: "pellet" for square in self.pellets}
        return board | {square: name for name, square in self.pieces.items()}

    def legal(self) -> set[str]:
        if self.winners() is not None:
            return set()
        if not self.waiting:
            walks = {"-".join(path) for path in self.walks()}
            return walks or {"pass"}  # SV-A4
        letters = [letter for letter in LETTERS if LETTERS[letter] in self.waiting]
        if self.options["ghostOrder"] == "fixed":  # SV-A12: Blinky, Inky, Pinky, Clyde
            letters = letters[:1]
        found = set()
        for letter in letters:
            hunts = self.hunts(LETTERS[letter])
            found |= {letter + "-".join(path) for path in hunts} or {letter + "="}  # SV-A13
        return found

    # Ways

    def steps(self, square: str) -> list[tuple[str, tuple[int, int]]]:
        """Where one step leads: along a row or a column, not across a fence (SV-6, SV-9)."""
        found = []
        for direction in DIRECTIONS:
            target = beside(square, direction)
            if target and {square, target} not in self.walls:
                found.append((target, direction))
        return found

    def ghost_squares(self) -> set[str]:
        return {square for name, square in self.pieces.items() if name != "pacman"}

    def walks(self) -> Iterator[list[str]]:
        """Pac-Man's ways: two squares, fewer when a pellet stops him, then the bonus."""
        for first, _ in self.steps(self.pieces["pacman"]):
            if first in self.ghost_squares():  # SV-A3
                continue
            if first in self.pellets:  # SV-A5: the second step is lost
                yield from self.with_bonus([first], self.pellets)
                continue
            for second, _ in self.steps(first):  # SV-A1, SV-A2: back again is as good
                if second in self.ghost_squares():
                    continue
                if second in self.pellets:
                    yield from self.with_bonus([first, second], self.pellets)
                else:
                    yield [first, second]

    def with_bonus(self, path: list[str], pellets: set[str]) -> Iterator[list[str]]:
        """The ways that go on from the pellet at the end of a path."""
        left = pellets - {path[-1]}
        if not left:  # SV-A8: the fourth one ends the game
            yield path
            return
        yield from self.bonus(path, left, 3)

    def bonus(self, path: list[str], pellets: set[str], steps: int) -> Iterator[list[str]]:
        """None to three squares (SV-A6), over ghosts too (SV-8, SV-A9)."""
        if not steps or self.options["exactBonus"] == "no":
            yield path
        if steps:
            for target, _ in self.steps(path[-1]):
                if target in pellets:  # SV-A7: a fresh bonus
                    yield from self.with_bonus([*path, target], pellets)
                else:
                    yield from self.bonus([*path, target], pellets, steps - 1)

    def sees(self, ghost: str) -> bool:
        """SV-11: a straight line without a fence; nothing else is in the way (SV-12, SV-A21)."""
        for direction in DIRECTIONS:
            square: str | None = self.pieces[ghost]
            while square:
                onward = dict((way, target) for target, way in self.steps(square)).get(direction)
                if onward == self.pieces["pacman"]:
                    return True
                square = onward
        return False

    def hunts(self, ghost: str) -> list[list[str]]:
        """A ghost's ways; none when it has to stay."""
        pacman = self.pieces["pacman"]
        others = {self.pieces[name] for name in self.pieces if name not in (ghost, "pacman")}

        def may_end(square: str) -> bool:
            return square not in self.pellets and square not in others  # SV-10, SV-A19

        one = [[first] for first, _ in self.steps(self.pieces[ghost]) if may_end(first)]
        if not self.sees(ghost):
            return one  # SV-9
        caught = [path for path in one if path == [pacman]]  # SV-A22
        two = []
        for first, direction in self.steps(self.pieces[ghost]):
            if first == pacman:
                continue
            for second, onward in self.steps(first):  # SV-A17, SV-A18, SV-A19: it may cross
                if self.options["frenzyStraight"] == "yes" and onward != direction:  # SV-A15
                    continue
                if may_end(second):
                    two.append([first, second])
        if self.options["frenzyUpTo"] == "yes":  # SV-A14
            return one + two
        return two + caught if two else one

    # What happens

    def play(self, move: str) -> None:
        if not self.waiting:
            if move != "pass":
                self.walk(move.split("-"))
            if self.eaten < 4:
                self.waiting = [name for name in LETTERS.values() if name in self.pieces]  # SV-5
        else:
            ghost = LETTERS[move[0]]
            self.waiting.remove(ghost)
            if move[1:] != "=":
                self.pieces[ghost] = move.split("-")[-1][-2:]
            if self.pieces[ghost] == self.pieces["pacman"]:
                self.catch()
        self.remember()

    def walk(self, path: list[str]) -> None:
        bonus = False
        for square in path:
            if bonus:  # SV-8, SV-A10: eaten until the next life is lost
                for name in LETTERS.values():
                    if self.pieces.get(name) == square:
                        del self.pieces[name]
            if square in self.pellets:  # SV-7
                self.pellets.remove(square)
                self.eaten += 1
                bonus = True
            self.pieces["pacman"] = square

    def catch(self) -> None:
        self.lives -= 1  # SV-13
        self.waiting = []  # SV-A23
        if self.lives:
            self.pieces = dict(self.homes)  # SV-14; SV-A24: pellets stay eaten
        else:
            del self.pieces["pacman"]  # SV-A25: the ghost stands where he was

    def remember(self) -> None:
        """SV-A29, where it is switched on: the third time that all is the same."""
        where = sorted(self.pieces.items())
        now = repr((where, sorted(self.pellets), self.lives, sorted(self.waiting)))
        self.seen[now] += 1
        if self.options["noProgress"] == "3" and self.seen[now] == 3:
            self.draw = True
