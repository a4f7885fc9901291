"""Reads a maze that somebody drew with letters: where the spots are, what joins them, the walls.

    o---o---o
    |       |
    O---o   H

Every ``step`` characters there may be a spot: any sign but space, ``-`` and ``|``. An unbroken run
of ``-`` or ``|`` from one spot to the next is a path between them, however long. Columns are named
a, b, c … from the left, rows 1, 2, 3 … from the bottom. What no path comes through is walled.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.text import counted

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_ROWS = 99

#: Column and row of the lattice, counted from 0 at the bottom left.
Cell = tuple[int, int]
#: Two ends on the lattice of corners; corner (c, r) is the bottom left one of cell (c, r).
Segment = tuple[Cell, Cell]


@dataclass(frozen=True)
class Picture:
    """What a picture shows: signs by cell, the two ends of every path, and the walls.

    ``problems`` are pairs of what was expected and what came, each naming line and column.
    """

    columns: int
    rows: int
    signs: Mapping[Cell, str]
    paths: tuple[tuple[Cell, Cell], ...]
    walls: tuple[Segment, ...]
    problems: tuple[tuple[str, str], ...]


def spot_name(cell: Cell) -> str:
    """Return the name of the spot in a cell."""
    return f"{LETTERS[cell[0]]}{cell[1] + 1}"


def read_picture(text: str, step: tuple[int, int], open_cells: str = "") -> Picture:
    """Return what a picture shows; cells with a sign among ``open_cells`` have no outer wall."""
    reader = _Reader(text, *step)
    signs = reader.signs()
    paths = reader.paths(signs)
    columns, rows = reader.columns, reader.rows
    outward = {cell for cell, sign in signs.items() if sign in open_cells}
    walls = tuple(_walls(columns, rows, signs, paths, outward))
    return Picture(columns, rows, signs, paths, walls, tuple(reader.problems))


class _Reader:
    def __init__(self, text: str, across: int, down: int) -> None:
        self.lines = [line.rstrip() for line in text.strip("\n").split("\n")]
        self.across, self.down = across, down
        self.problems: list[tuple[str, str]] = []
        width = max(map(len, self.lines))
        self.columns = (width - 1) // across + 1 if width else 0
        self.rows = (len(self.lines) - 1) // down + 1
        if not 2 <= self.columns <= len(LETTERS) or not 2 <= self.rows <= MOST_ROWS:
            expected = f"2 to {MOST_ROWS} rows and 2 to {len(LETTERS)} columns"
            self.problems.append((expected, f"{self.rows} and {self.columns}"))
            self.lines, self.columns, self.rows = [], 0, 0

    def sign(self, x: int, y: int) -> str:
        if not 0 <= y < len(self.lines) or not 0 <= x < len(self.lines[y]):
            return " "
        return self.lines[y][x]

    def cell(self, x: int, y: int) -> Cell | None:
        """Return the cell whose middle is a character, None for one beside all middles."""
        if x % self.across or y % self.down:
            return None
        return x // self.across, self.rows - 1 - y // self.down

    def signs(self) -> dict[Cell, str]:
        found = {}
        for y, line in enumerate(self.lines):
            for x, sign in enumerate(line):
                if sign in " -|":
                    continue
                cell = self.cell(x, y)
                if cell is None:
                    every = f"{counted(self.across, 'column')} and {counted(self.down, 'line')}"
                    self.wrong(x, y, f"spots every {every}")
                else:
                    found[cell] = sign
        return dict(sorted(found.items(), key=lambda item: (item[0][1], item[0][0])))

    def paths(self, signs: Mapping[Cell, str]) -> tuple[tuple[Cell, Cell], ...]:
        """Return the ends of every path; note every stroke that does not join two spots."""
        found = []
        for y, line in enumerate(self.lines):
            for x, sign in enumerate(line):
                for stroke, dx, dy in (("-", 1, 0), ("|", 0, 1)):
                    if sign != stroke or self.sign(x - dx, y - dy) == stroke:
                        continue  # no stroke, or not the first of its run
                    length = 1
                    while self.sign(x + dx * length, y + dy * length) == stroke:
                        length += 1
                    start = self.cell(x - dx, y - dy)
                    end = self.cell(x + dx * length, y + dy * length)
                    if start in signs and end in signs and start and end:
                        found.append((start, end))
                    else:
                        self.wrong(x, y, "a path from spot to spot")
        return tuple(found)

    def wrong(self, x: int, y: int, expected: str) -> None:
        got = f"{self.sign(x, y)} at line {y + 1}, column {x + 1}"
        self.problems.append((expected, got))


def _walls(
    columns: int,
    rows: int,
    signs: Mapping[Cell, str],
    paths: Sequence[tuple[Cell, Cell]],
    outward: set[Cell],
) -> Iterator[Segment]:
    """Yield the walls around all spots and paths, each as long as can be."""
    crossed: set[tuple[Cell, Cell]] = set()
    used = set(signs)
    for (c, r), (tc, tr) in paths:
        way = [
            (x, y)
            for x in range(min(c, tc), max(c, tc) + 1)
            for y in range(min(r, tr), max(r, tr) + 1)
        ]
        used.update(way)
        crossed.update(pairwise(way))

    def wall(one: Cell, other: Cell) -> bool:
        if (one, other) in crossed or not {one, other} & used:
            return False
        inside = all(0 <= c < columns and 0 <= r < rows for c, r in (one, other))
        return inside or not {one, other} & outward

    for line in range(columns + 1):  # the upright ones, between columns line - 1 and line
        for start, end in _runs([wall((line - 1, r), (line, r)) for r in range(rows)]):
            yield (line, start), (line, end)
    for line in range(rows + 1):
        for start, end in _runs([wall((c, line - 1), (c, line)) for c in range(columns)]):
            yield (start, line), (end, line)


def _runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start = None
    for number, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = number
        elif not flag and start is not None:
            yield start, number
            start = None
