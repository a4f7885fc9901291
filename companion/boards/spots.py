"""Boards of spots: where the holes of a board of any shape are, as a file that teaching writes.

``docs/boards.md`` explains the format (``kind = "spots"``). Millimetres count from the middle of
the board, x to the east, y to the north, as for every board.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from companion.board import Spot
from companion.boards.files import read_file, read_provenance, sound
from companion.toml_table import Colour, Table

KINDS = ("square", "hole", "slot", "home")
SECTIONS = ("geometry", "colours", "spots")
CONFIDENCES = ("measured", "estimate", "stand-in")
SURFACES = ("board", "hole")
MOST_SPOTS = 1000
#: Nearer than this, in spacings, two spots are one.
LEAST_APART = 0.4


@dataclass(frozen=True)
class PlainSpot:
    """A place on a board: what it is, and where, in millimetres from the middle."""

    kind: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class SpotBoard:
    """A board of spots, of any shape; ``provenance`` says where its facts are from."""

    name: str
    title: str
    spacing_mm: float
    hole_mm: float
    colours: Mapping[str, Colour]
    spots: Mapping[Spot, PlainSpot]
    provenance: Mapping[str, str]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many spots of each kind there are."""
        kinds = [spot.kind for spot in self.spots.values()]
        return {kind: kinds.count(kind) for kind in KINDS if kind in kinds}


def load_spots(path: Path) -> SpotBoard:
    """Return the board in a file; ProfileError if it is wrong."""
    return sound(*read_file(path, _board, faults))


def check_spots(path: Path) -> list[str]:
    """Return everything that is wrong with a file, a sentence each."""
    return read_file(path, _board, faults)[1]


def faults(board: SpotBoard) -> list[str]:
    """Return what cannot be on a board, a sentence each that names the spot."""
    if not 1 <= len(board.spots) <= MOST_SPOTS:
        return [f"spots: expected 1 to {MOST_SPOTS} spots, got {len(board.spots)}"]
    found = []
    least = LEAST_APART * board.spacing_mm
    spots = list(board.spots.items())
    for number, (name, one) in enumerate(spots):
        for other_name, other in spots[:number]:
            if abs(one.x_mm - other.x_mm) < least and abs(one.y_mm - other.y_mm) < least:
                found.append(
                    f"spots.{name}: expected a place of its own, got one beside {other_name}"
                )
    return found


def spots_toml(board: SpotBoard) -> str:
    """Return the file of a board."""

    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    lines = [
        'kind = "spots"',
        f"title = {quoted(board.title)}",
        "",
        "[geometry]",
        f"spacing_mm = {board.spacing_mm:.2f}",
        f"hole_mm = {board.hole_mm:.2f}",
        "",
        "[colours]",
        *(f'{key} = "#{r:02x}{g:02x}{b:02x}"' for key, (r, g, b) in board.colours.items()),
        "",
        "[spots]",
    ]
    for name, spot in board.spots.items():
        lines.append(
            f'{name} = {{ kind = "{spot.kind}", at_mm = [{spot.x_mm:.2f}, {spot.y_mm:.2f}] }}'
        )
    lines += ["", "[provenance]"]
    for section, fact in board.provenance.items():
        sure, _, source = fact.partition(": ")
        lines.append(f"{section} = {{ confidence = {quoted(sure)}, source = {quoted(source)} }}")
    return "\n".join(lines) + "\n"


def draw_spots_text(board: SpotBoard) -> str:
    """Return the board drawn with letters, a sign for each spot."""
    half = board.spacing_mm / 2
    rows: dict[int, dict[int, str]] = {}
    left = min(spot.x_mm for spot in board.spots.values())
    for spot in board.spots.values():
        row = rows.setdefault(round(-spot.y_mm / half), {})
        row[round((spot.x_mm - left) / half * 1.5)] = "H" if spot.kind == "home" else "o"
    lines = ["".join(rows[r].get(c, " ") for c in range(max(rows[r]) + 1)) for r in sorted(rows)]
    return "\n".join(lines) + "\n"


def draw_spots_svg(board: SpotBoard) -> str:
    """Return the board drawn to scale."""
    reach = max(max(abs(s.x_mm), abs(s.y_mm)) for s in board.spots.values()) + board.spacing_mm
    paints = {key: "#{:02x}{:02x}{:02x}".format(*board.colours[key]) for key in SURFACES}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * reach:.1f}mm" '
        f'height="{2 * reach:.1f}mm" viewBox="{-reach:.1f} {-reach:.1f} {2 * reach:.1f} '
        f'{2 * reach:.1f}">',
        f'<rect x="{-reach:.1f}" y="{-reach:.1f}" width="{2 * reach:.1f}" '
        f'height="{2 * reach:.1f}" fill="{paints["board"]}"/>',
    ]
    for name, spot in board.spots.items():
        parts.append(
            f'<circle cx="{spot.x_mm:.2f}" cy="{-spot.y_mm:.2f}" r="{board.hole_mm / 2:.2f}" '
            f'fill="{paints["hole"]}"><title>{name}</title></circle>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _board(name: str, top: Table) -> SpotBoard:
    top.text("kind", choices=("spots",))
    geometry, colours, table = (top.table(key) for key in SECTIONS)
    spots = {}
    for spot in table:
        entry = table.table(spot)
        kind = entry.text("kind", choices=KINDS)
        x, y = entry.point("at_mm")
        spots[spot] = PlainSpot(kind, x, y)
        entry.known()
        if not (spot.isascii() and spot.isalnum()):
            table.note(spot, "a name of letters and digits", spot)
    board = SpotBoard(
        name=name,
        title=top.text("title"),
        spacing_mm=geometry.number("spacing_mm"),
        hole_mm=geometry.number("hole_mm"),
        colours=MappingProxyType({key: colours.colour(key) for key in SURFACES}),
        spots=MappingProxyType(spots),
        provenance=read_provenance(top, SECTIONS, CONFIDENCES),
    )
    geometry.known()
    colours.known()
    top.known(*SECTIONS, "provenance")
    return board
