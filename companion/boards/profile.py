"""Physical boards as data: reads a profile, checks all of it, and hands out a ``Board``.

``docs/boards.md`` explains the format. The profiles that come along lie in ``companion/boards``.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board import (
    COLUMNS,
    FENCE,
    PELLET,
    Board,
    Fence,
    Hall,
    Lights,
    Marker,
    Piece,
    square,
)
from companion.boards.files import (
    FOLDER,
    find_file,
    known_files,
    read_file,
    read_provenance,
    sound,
)
from companion.boards.fit import misfits
from companion.errors import UnknownBoard
from companion.toml_table import Table, read_toml

SECTIONS = ("geometry", "colours", "fence", "pieces", "pellet", "markers", "lights", "hall")
CONFIDENCES = ("measured", "rulebook", "report", "reference design", "estimate", "stand-in")

#: Facts that are good enough to begin with, and no more.
UNSURE = ("estimate", "stand-in")
SHAPES = ("ball", "ghost")
SURFACES = ("cell", "groove", "rim", "frame", "table")
ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")

#: What lights and drawings use where a profile names no colour, pieces in their order.
PLAIN = {
    "cell": "#b8b8b8",
    "groove": "#707070",
    "rim": "#909090",
    "frame": "#505050",
    "table": "#8a6a4a",
}
PLAIN_FENCE = "#404040"
PLAIN_PIECES = ("#e8e8e8", "#d04040", "#4060d0", "#40a050", "#d0b030", "#a050b0")

#: How far below or above the tops of the cells markers may lie.
MOST_STEP_MM = 100


def names() -> list[str]:
    """Return the names of the profiles, those of one's own included."""
    return sorted(name for name, path in known_files(FOLDER).items() if kind_of(path) == "grid")


def kind_of(path: Path) -> str:
    """Return what kind of data a file says it holds; "grid" when it says nothing or is broken."""
    try:
        return str(read_toml(path).get("kind", "grid"))
    except ValueError:
        return "grid"


def load(name_or_path: str | Path) -> Board:
    """Return the board of a profile, given by name or as a file; ProfileError if it is wrong."""
    return sound(*read_file(_find(name_or_path), _board, misfits))


def check(path: str | Path) -> list[str]:
    """Return everything that is wrong with a profile, a sentence each; none when it is fine."""
    return read_file(Path(path), _board, misfits)[1]


def _find(name_or_path: str | Path) -> Path:
    other = str(name_or_path) in known_files(FOLDER) and str(name_or_path) not in names()
    path = None if other else find_file(name_or_path)
    if path is not None:
        return path
    expected = ", ".join(map(repr, names()))
    raise UnknownBoard(f"unknown board {str(name_or_path)!r}: expected {expected} or a .toml file")


def _board(name: str, top: Table) -> Board:
    top.text("kind", "grid", choices=("grid",))
    geometry, colours = top.table("geometry"), top.table("colours", {})
    markers = top.table("markers", {})
    columns, rows = geometry.whole("columns"), geometry.whole("rows")
    for key, count in (("columns", columns), ("rows", rows)):
        if key in geometry and count != 9:
            geometry.note(key, "9", count)
    cell_mm, groove_mm = geometry.number("cell_mm"), geometry.number("groove_mm")
    board = Board(
        name=name,
        title=top.text("title"),
        columns=9,
        rows=9,
        cell_mm=cell_mm,
        groove_mm=groove_mm,
        groove_depth_mm=geometry.number("groove_depth_mm"),
        board_mm=geometry.number("board_mm"),
        frame_mm=geometry.number("frame_mm"),
        colours=MappingProxyType({key: colours.colour(key, PLAIN[key]) for key in SURFACES}),
        fence=_fence(top.table("fence")),
        pieces=_pieces(top.table("pieces")),
        pellet=_piece("pellet", top.table("pellet"), 0) if "pellet" in top else None,
        marker_dictionary=markers.text("dictionary", "4x4_50", choices=("4x4_50",)),
        marker_mm=markers.number("size_mm", 30) if "markers" in top else 0.0,
        markers=read_markers(markers) if "markers" in top else (),
        lights=_lights(top.table("lights", {}), (cell_mm + groove_mm)),
        hall=_hall(top.table("hall", {})),
        provenance=read_provenance(top, SECTIONS, CONFIDENCES, keys=True),
    )
    geometry.known()
    colours.known()
    top.known(*SECTIONS, "provenance")
    return board


def _fence(table: Table) -> Fence:
    own = table.table("colours", {})
    colours = {name: own.colour(name) for name in own}
    for name in colours:
        if not _is_name(name):
            own.note(name, "a piece, or another name of lower-case letters", name)
    if "colour" in table and "colours" in table:
        table.note("colour", "either colour or colours", "both")
    if "colours" in table and not colours:
        table.note("colours", "a colour for each piece's fences", {})
    first = next(iter(colours.values()), None)
    fence = Fence(
        colour=table.colour("colour", PLAIN_FENCE) if first is None else first,
        length_mm=table.number("length_mm"),
        thickness_mm=table.number("thickness_mm"),
        height_mm=table.number("height_mm"),
        count=table.whole("count"),
        colours=MappingProxyType(colours),
        learned="colour" not in table and not colours,
    )
    table.known("colour")
    return fence


def _is_name(name: str) -> bool:
    return re.fullmatch("[a-z][a-z0-9]*", name) is not None


def _pieces(table: Table) -> Mapping[str, Piece]:
    pieces = {name: _piece(name, table.table(name), at) for at, name in enumerate(table)}
    for name in pieces:
        if not _is_name(name) or name in (FENCE, PELLET):
            table.note(name, f"a name of lower-case letters, not {FENCE!r} or {PELLET!r}", name)
    if len(pieces) < 2:
        table.note("", "two pieces or more", list(pieces))
    return MappingProxyType(pieces)


def _piece(name: str, table: Table, number: int) -> Piece:
    piece = Piece(
        name=name,
        title=table.text("title"),
        colour=table.colour("colour", PLAIN_PIECES[number % len(PLAIN_PIECES)]),
        shape=table.text("shape", choices=SHAPES),
        diameter_mm=table.number("diameter_mm"),
        height_mm=table.number("height_mm"),
        magnet=table.whole("magnet", 0, low=-4096, high=4096),
        learned="colour" not in table,
    )
    table.known()
    return piece


def read_markers(table: Table) -> tuple[Marker, ...]:
    """Return the markers that a table lists, each number once; their size is read before."""
    markers = []
    plane_mm = table.number("plane_mm", 0, low=-MOST_STEP_MM, high=MOST_STEP_MM)
    for item in table.tables("at_mm"):
        x, y = item.point("at")
        markers.append(Marker(item.whole("id", high=49), x, y, plane_mm))
        item.known()
    table.known()
    ids = [marker.id for marker in markers]
    for id in sorted({id for id in ids if ids.count(id) > 1}):
        table.note("at_mm", "every id once", f"{id} {ids.count(id)} times")
    return tuple(markers)


def _lights(table: Table, pitch_mm: float) -> Lights:
    if not table:
        return Lights(0, "GRB", 0, {}, {})
    order = table.text("order", "GRB", choices=ORDERS)
    milliamps = table.whole("milliamps", low=1)
    side_mm = table.number("side_mm", 0, low=0)
    wire = " ".join(map(str, table.array("wire", "a list of light names"))).split()
    own = table.table("at_mm", {})
    names: dict[str, int] = {}
    at_mm: dict[str, tuple[float, float]] = {}
    for number, name in enumerate(wire):
        if name == "-":  # an LED that faces nothing
            continue
        if name in names:
            table.note("wire", "every light once", f"{name} again at {number}")
        names[name] = number
        if name in own:
            at_mm[name] = own.point(name)
        elif re.fullmatch("[NESWa-i][1-9]", name):
            if name[0] in "NESW" and not side_mm:
                table.note("side_mm", f"a positive number, since there is a light {name}")
                side_mm = 1.0  # noted once
            at_mm[name] = _light_at(name, pitch_mm, side_mm)
        else:
            table.note("wire", "N1, E1, S1, W1 …, a square, or a name in lights.at_mm", name)
    own.known(*names)
    table.known()
    return Lights(len(wire), order, milliamps, MappingProxyType(names), MappingProxyType(at_mm))


def _light_at(name: str, pitch_mm: float, side_mm: float) -> tuple[float, float]:
    along = (int(name[1]) - 5) * pitch_mm
    sides = {
        "N": (along, side_mm),
        "S": (along, -side_mm),
        "E": (side_mm, along),
        "W": (-side_mm, along),
    }
    under = ((COLUMNS.find(name[0]) - 4) * pitch_mm, along)
    return sides.get(name[0], under)


def _hall(table: Table) -> Hall:
    if not table:
        return Hall({}, 0, 0, 0.0)
    full_scale = table.whole("full_scale", low=1)
    rest = table.whole("rest", high=full_scale)
    noise = table.number("noise", low=0)
    lines = table.take("channels", "9 rows of 9 channel numbers", _is_grid, instead=[])
    table.known()
    channels: dict[str, int] = {}
    owner: dict[int, str] = {}
    for row, line in enumerate(reversed(lines)):
        for column, channel in enumerate(line):
            spot = square(column, row)
            if type(channel) is not int or not 0 <= channel < 81:
                table.note("channels", f"a number from 0 to 80 for {spot}", channel)
            elif channel in owner:
                table.note(
                    "channels", f"a channel of its own for {spot}", f"{channel} of {owner[channel]}"
                )
            else:
                owner[channel] = spot
                channels[spot] = channel
    return Hall(MappingProxyType(channels), rest, full_scale, noise)


def _is_grid(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 9
        and all(isinstance(line, list) and len(line) == 9 for line in value)
    )
