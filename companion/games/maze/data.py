"""Maze boards: spots, the paths between them and the walls, read from a drawing with letters.

``docs/boards.md`` explains the format (``kind = "maze"``). Millimetres count from the middle of
the board, x to the east, y to the north, as for every board. The rules get a :class:`Maze` and
decide what its spots mean; nothing here knows a game.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board import Spot
from companion.boards.files import described, read_file, read_provenance, sound
from companion.boards.paper import Prints
from companion.boards.profile import read_markers
from companion.errors import ProfileError
from companion.games.kit import DataKind
from companion.games.maze.maze import Maze, MazeSpot, Wall, draw_maze_text
from companion.games.maze.picture import read_picture, spot_name
from companion.games.maze.svg import draw_maze_svg
from companion.toml_table import Colour, Table

KINDS = ("hole", "ringed", "home", "square", "power", "circle", "exit", "centre")
SURFACES = ("board", "wall", "dot", "ring", "arrow", "table")
SECTIONS = ("geometry", "colours", "owners", "maze", "counts", "chance", "markers")
CONFIDENCES = ("measured", "rulebook", "reference design", "stand-in")

#: White around a marker, and how much of the pitch a piece takes where no file says it.
QUIET_MM = 5.0
PAWN_SHARE = 0.7


def load_maze(path: Path) -> Maze:
    """Return the maze in a file; ProfileError if it is wrong."""
    return sound(*read_maze(path))


def read_maze(path: Path) -> tuple[Maze | None, list[str]]:
    """Return the maze in a file and everything that is wrong with it, a sentence each."""
    return read_file(path, _maze, faults)


def maze_kind(
    fits: Callable[[Maze], bool],
    make_field: Callable[[Maze], object],
    prints: Prints | None = None,
) -> DataKind:
    """Return mazes as a kind of file of a game that plays on those that fit.

    Every such game has a kind of this name, and they differ in one thing: what is wrong with a
    sound maze is told by the game that it fits, and by no other.
    """

    def check(path: Path) -> list[str]:
        maze, problems = read_maze(path)
        if maze is None or problems or not fits(maze):
            return problems
        try:
            make_field(maze)
        except ProfileError as error:
            return [f"{path}: {error}"]
        return []

    return DataKind(
        "maze", load_maze, check, _facts, _size, draw_maze_text, draw_maze_svg, prints, fits
    )


def _size(maze: Maze) -> str:
    parts = ", ".join(f"{count} {kind}" for kind, count in maze.counts.items())
    return f"maze of {len(maze.spots)} spots, board {maze.board_mm:g} mm; {parts}"


def _facts(maze: Maze) -> dict[str, Any]:
    return described(
        maze,
        board_mm=maze.board_mm,
        spots=dict(maze.counts),
        owners=list(maze.owners),
        walls=len(maze.walls),
        chance={name: list(faces) for name, faces in maze.chance.items()},
        pawn_mm=maze.pawn_mm,
        markers=len(maze.markers),
    )


# -- the laws of every maze


def faults(maze: Maze) -> list[str]:
    """Return what cannot be in a maze, a sentence each that names the spot."""
    found = [
        f"counts.{kind}: expected {count} in the picture, got {len(maze.of_kind(kind))}"
        for kind, count in maze.counts.items()
        if count != len(maze.of_kind(kind))
    ]
    half = maze.board_mm / 2
    for spot in maze.spots.values():
        if max(abs(spot.x_mm), abs(spot.y_mm)) > half:
            found.append(
                f"{spot.name}: expected a place on the board, at most {half:g} mm from the middle, "
                f"got [{spot.x_mm:g}, {spot.y_mm:g}]"
            )
    for name in maze.spots:
        for other in maze.links.get(name, ()):
            if other not in maze.spots or name not in maze.links.get(other, ()):
                found.append(f"{name}: expected the path to {other} to lead back as well")
            elif name < other:
                found += _walled(maze, name, other)
    return found + _covered(maze) + _unreachable(maze)


def _covered(maze: Maze) -> list[str]:
    """Return what to say of markers that are not whole on the board, or lie on a spot."""
    half, found = maze.marker_mm / 2 + QUIET_MM, []
    for number, marker in enumerate(maze.markers):
        key, at = f"markers.at_mm[{number}].at", f"[{marker.x_mm:g}, {marker.y_mm:g}]"
        if max(abs(marker.x_mm), abs(marker.y_mm)) + half > maze.board_mm / 2:
            found.append(
                f"{key}: expected the whole marker and {QUIET_MM:g} mm of white on the board, "
                f"got {at}"
            )
        clear = half + maze.pawn_mm / 2
        found += [
            f"{key}: expected a place {clear:g} mm or more from {spot.name}, got {at}"
            for spot in maze.spots.values()
            if max(abs(spot.x_mm - marker.x_mm), abs(spot.y_mm - marker.y_mm)) < clear
        ]
    return found


def _walled(maze: Maze, name: Spot, other: Spot) -> list[str]:
    one, two = maze.spots[name], maze.spots[other]
    path = (one.x_mm, one.y_mm, two.x_mm, two.y_mm)
    return [
        f"{name}: expected an open path to {other}, got the wall from [{x1:g}, {y1:g}] to "
        f"[{x2:g}, {y2:g}] across it"
        for x1, y1, x2, y2 in maze.walls
        if _cross(path, (x1, y1, x2, y2))
    ]


def _unreachable(maze: Maze) -> list[str]:
    """Return what to say of the spots outside the connected component of the first."""
    if not maze.spots:
        return ["maze.picture: expected spots, got none"]
    first = next(iter(maze.spots))
    reached, edge = {first}, [first]
    while edge:
        fresh = [other for other in maze.links.get(edge.pop(), ()) if other not in reached]
        reached.update(fresh)
        edge += fresh
    return [
        f"{name}: expected a way to {first}, got none" for name in maze.spots if name not in reached
    ]


def _cross(one: Wall, two: Wall) -> bool:
    """Tell whether two straight lines meet (by the signs of cross products and bounding boxes)."""

    def side(line: Wall, x: float, y: float) -> float:
        return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])

    return (
        side(one, *two[:2]) * side(one, *two[2:]) <= 0
        and side(two, *one[:2]) * side(two, *one[2:]) <= 0
        and max(one[0], one[2]) >= min(two[0], two[2])
        and max(two[0], two[2]) >= min(one[0], one[2])
        and max(one[1], one[3]) >= min(two[1], two[3])
        and max(two[1], two[3]) >= min(one[1], one[3])
    )


# -- reading


def _maze(name: str, top: Table) -> Maze:
    top.text("kind", choices=("maze",))
    geometry, colours, owners = (top.table(key) for key in ("geometry", "colours", "owners"))
    board_mm, pitch_mm = geometry.number("board_mm"), geometry.number("pitch_mm")
    own = {owner: owners.colour(owner) for owner in owners}
    markers = top.table("markers", {})
    spots, links, walls = _drawn(top.table("maze"), pitch_mm, own)
    maze = Maze(
        name=name,
        title=top.text("title"),
        board_mm=board_mm,
        pitch_mm=pitch_mm,
        colours=MappingProxyType({key: colours.colour(key) for key in SURFACES}),
        owners=MappingProxyType(own),
        spots=MappingProxyType(spots),
        links=MappingProxyType(links),
        walls=walls,
        counts=MappingProxyType(_counts(top.table("counts"), spots)),
        chance=MappingProxyType(_chance(top.table("chance", {}))),
        provenance=read_provenance(top, SECTIONS, CONFIDENCES),
        pawn_mm=geometry.number("pawn_mm", round(PAWN_SHARE * pitch_mm, 1)),
        marker_dictionary=markers.text("dictionary", "4x4_50", choices=("4x4_50",)),
        marker_mm=markers.number("size_mm", 30) if "markers" in top else 0.0,
        markers=read_markers(markers) if "markers" in top else (),
    )
    geometry.known()
    colours.known()
    top.known(*SECTIONS, "provenance")
    return maze


def _drawn(
    table: Table, pitch_mm: float, owners: Mapping[str, Colour]
) -> tuple[dict[Spot, MazeSpot], dict[Spot, tuple[Spot, ...]], tuple[Wall, ...]]:
    step = table.take(
        "step", "[columns, lines] from one spot to the next", _is_step, [4, 2], [4, 2]
    )
    legend = _legend(table.table("legend"), owners)
    exits = "".join(sign for sign, spot in legend.items() if spot.kind == "exit")
    picture = read_picture(table.text("picture"), (step[0], step[1]), exits)
    for expected, got in picture.problems:
        table.note("picture", expected, got)
    own = table.table("at_mm", {})

    def at(column: float, row: float) -> tuple[float, float]:
        return (
            (column - (picture.columns - 1) / 2) * pitch_mm,
            (row - (picture.rows - 1) / 2) * pitch_mm,
        )

    spots: dict[Spot, MazeSpot] = {}
    for cell, sign in picture.signs.items():
        name = spot_name(cell)
        if sign not in legend:
            table.note("picture", "signs of the legend", f"{sign} at {name}")
            continue
        like = legend[sign]
        x, y = own.point(name) if name in own else at(*cell)
        spots[name] = MazeSpot(name, x, y, like.kind, like.owner, like.marks)
    links: dict[Spot, list[Spot]] = {name: [] for name in spots}
    for ends in picture.paths:
        one, other = map(spot_name, ends)
        if one in links and other in links:
            links[one].append(other)
            links[other].append(one)
    walls = [(*at(a - 0.5, b - 0.5), *at(c - 0.5, d - 0.5)) for (a, b), (c, d) in picture.walls]
    more = table.take("walls_mm", "a list of [x, y, x, y]", _are_walls, [], [])
    walls += [(float(x), float(y), float(u), float(v)) for x, y, u, v in more]
    own.known(*spots)
    table.known()
    return spots, {name: tuple(sorted(ends)) for name, ends in links.items()}, tuple(walls)


def _legend(table: Table, owners: Mapping[str, Colour]) -> dict[str, MazeSpot]:
    legend = {}
    for sign in table:
        entry = table.table(sign)
        if len(sign) != 1 or sign in " -|":
            table.note(sign, "a single sign, neither a space nor '-' nor '|'", sign)
        kind = entry.text("kind", choices=KINDS)
        owner = entry.text("owner", "", choices=tuple(owners)) if "owner" in entry else ""
        marks = [str(mark) for mark in entry.array("marks", "a list")] if "marks" in entry else []
        entry.known("kind", "owner", "marks")
        legend[sign] = MazeSpot("", 0, 0, kind, owner, tuple(marks))
    return legend


def _counts(table: Table, spots: Mapping[Spot, MazeSpot]) -> dict[str, int]:
    used = {spot.kind for spot in spots.values()}
    counts = {kind: table.whole(kind) for kind in KINDS if kind in used or kind in table}
    table.known(*KINDS)
    return counts


def _chance(table: Table) -> dict[str, tuple[str, ...]]:
    expected = "a list of what it can show"
    return {name: tuple(str(face) for face in table.array(name, expected)) for name in table}


def _is_step(value: Any) -> bool:
    return _is_list(value, 2) and all(type(number) is int and 2 <= number <= 20 for number in value)


def _are_walls(value: Any) -> bool:
    return isinstance(value, list) and all(
        _is_list(wall, 4) and all(type(number) in (int, float) for number in wall) for wall in value
    )


def _is_list(value: Any, length: int) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == length
