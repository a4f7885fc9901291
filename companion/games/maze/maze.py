"""Maze boards as values: spots, the paths between them, walls; and their drawing in letters.

The rules get a :class:`Maze` and decide what its spots mean. Files are read by
:mod:`companion.games.maze.data`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.board import Marker, Position, Spot, Thing
from companion.games.game import Effect

Colour = tuple[int, int, int]

_SIGNS = {
    "hole": "o",
    "ringed": "O",
    "home": "H",
    "square": "o",
    "power": "O",
    "circle": "c",
    "centre": "x",
}
#: Exits point away from the spot they belong to: across, up.
_ARROWS = {(0, 1): "↑", (1, 0): "→", (0, -1): "↓", (-1, 0): "←"}

#: A straight wall, x and y of one end and of the other, in millimetres.
Wall = tuple[float, float, float, float]


@dataclass(frozen=True)
class MazeSpot:
    """A place in a maze: its kind, whose it is (a name of ``owners``, or none), its marks."""

    name: Spot
    x_mm: float
    y_mm: float
    kind: str
    owner: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Maze:
    """A board of paths. ``owners`` are the colours people play, in the order of their seats.

    ``counts`` says how many spots of each kind there should be, ``chance`` what dice or spinner
    of this edition can show. Pieces are ``pawn_mm`` across. A camera finds the board by its
    ``markers``, if it has any.
    """

    name: str
    title: str
    board_mm: float
    pitch_mm: float
    colours: Mapping[str, Colour]
    owners: Mapping[str, Colour]
    spots: Mapping[Spot, MazeSpot]
    links: Mapping[Spot, tuple[Spot, ...]]
    walls: tuple[Wall, ...] = ()
    counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    chance: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    provenance: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    pawn_mm: float = 0.0
    marker_dictionary: str = "4x4_50"
    marker_mm: float = 0.0
    markers: tuple[Marker, ...] = ()

    def of_kind(self, *kinds: str) -> tuple[Spot, ...]:
        """Return the names of all spots of some kinds, in the order of the board."""
        return tuple(name for name, spot in self.spots.items() if spot.kind in kinds)

    def owned(self, kind: str, owner: str) -> tuple[Spot, ...]:
        """Return the spots of a kind that belong to somebody."""
        return tuple(name for name in self.of_kind(kind) if self.spots[name].owner == owner)


@dataclass(frozen=True)
class Meeting(Effect):
    """A walk that comes upon another piece: the last one that it ``meets``."""

    meets: Thing = ""


def draw_maze_text(
    maze: Maze, position: Position | None = None, marks: Mapping[str, str] | None = None
) -> str:
    """Return a maze as lines of text: its paths, a sign for each spot or what stands there.

    ``marks`` has the sign of each thing; others show the first letter of their name.
    """
    position, marks = position or {}, marks or {}
    signs = {}
    for name, spot in maze.spots.items():
        signs[name] = _ARROWS[outward(maze, spot)] if spot.kind == "exit" else _SIGNS[spot.kind]
        if name in position:
            signs[name] = marks.get(position[name], position[name][0].upper())
    links = [(name, end) for name, ends in maze.links.items() for end in ends]
    drawn, letters = draw_lattice(signs, links)
    return "\n".join([letters, *drawn, letters]) + "\n"


def draw_lattice(
    signs: Mapping[Spot, str], links: Iterable[tuple[Spot, Spot]]
) -> tuple[list[str], str]:
    """Return spots by their signs and straight links between them as lines of text, and the line
    of letters below or above them."""
    places = {name: _column_row(name) for name in signs}
    columns, rows = (max(numbers) + 1 for numbers in zip(*places.values(), strict=True))
    lines = [[" "] * (4 * columns - 3) for _ in range(2 * rows - 1)]
    for (c, r), (tc, tr) in ((places[one], places[other]) for one, other in links):
        if r == tr and c < tc:
            lines[2 * (rows - 1 - r)][4 * c + 1 : 4 * tc] = "─" * (4 * (tc - c) - 1)
        elif c == tc:
            for line in lines[2 * (rows - 1 - max(r, tr)) + 1 : 2 * (rows - 1 - min(r, tr))]:
                line[4 * c] = "│"
    for name, (c, r) in places.items():
        lines[2 * (rows - 1 - r)][4 * c] = signs[name]
    labels = [f"{rows - number // 2:>2}" if number % 2 == 0 else "" for number in range(len(lines))]
    drawn = [
        f"{label:4}{''.join(line)}".rstrip() for label, line in zip(labels, lines, strict=True)
    ]
    return drawn, "    " + "   ".join("abcdefghijklmnopqrstuvwxyz"[:columns])


def is_beside(one: Spot, other: Spot) -> bool:
    """Tell whether two spots are next to each other in a row or column."""
    (c, r), (tc, tr) = _column_row(one), _column_row(other)
    return abs(c - tc) + abs(r - tr) == 1


def _column_row(name: Spot) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def outward(maze: Maze, spot: MazeSpot) -> tuple[int, int]:
    """Return which way an exit points: away from the first spot beside it, else north."""
    for other in (maze.spots[name] for name in maze.links.get(spot.name, ())):
        across, up = spot.x_mm - other.x_mm, spot.y_mm - other.y_mm
        if abs(across) > abs(up):
            return (1 if across > 0 else -1), 0
        return 0, (1 if up >= 0 else -1)
    return 0, 1
