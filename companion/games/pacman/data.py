"""Layouts as data: reads a set-up of the 9×9 board, checks all of it, and hands out a ``Layout``.

``docs/boards.md`` explains the format (``kind = "layout"``). The ones that come along lie beside
this module. A layout that breaks a law of the game is refused with the spot named.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board import Spot, patches
from companion.boards import profile
from companion.boards.drawing import draw_svg
from companion.boards.files import described, load_file, read_file, read_provenance, read_square
from companion.games.bits import BIT, SQUARES, layers, slot_mask, ways
from companion.games.drawing import draw
from companion.games.kit import DataKind
from companion.games.layout import GHOSTS, Layout
from companion.games.pacman.sheets import PRINTS
from companion.toml_table import Table

__all__ = ["GHOSTS", "Layout", "faults", "load_layout", "read_layout"]

#: The files that come along.
FOLDER = Path(__file__).parent

SECTIONS = ("pacman", "ghosts", "pellets", "fences")
CONFIDENCES = ("measured", "rulebook", "report", "stand-in")

#: SV-2: so many pellets, and fences across and upright unless the file says otherwise.
PELLETS = 4
ACROSS = UPRIGHT = 3


def load_layout(name_or_path: str | Path) -> Layout:
    """Return the layout in a file, given by name or path; ProfileError if it is wrong."""
    return load_file(name_or_path, "layout", read_layout, FOLDER)


def read_layout(path: Path) -> tuple[Layout | None, list[str]]:
    """Return the layout in a file and everything that is wrong with it, a sentence each."""
    return read_file(path, _layout, faults)


# -- telling of one


def _size(layout: Layout) -> str:
    start = ", ".join(f"{ghost} {spot}" for ghost, spot in layout.ghosts.items())
    rest = f"pellets {' '.join(layout.pellets)}; fences {' '.join(layout.fences)}"
    return f"set-up: pacman {layout.pacman}, {start}; {rest}"


def _facts(layout: Layout) -> dict[str, Any]:
    return described(
        layout,
        pacman=layout.pacman,
        ghosts=dict(layout.ghosts),
        pellets=list(layout.pellets),
        fences=list(layout.fences),
    )


def _text(layout: Layout) -> str:
    return draw(layout.position()) + "\n"


def _svg(layout: Layout) -> str:
    return draw_svg(profile.load("reference"), layout.position())


LAYOUT = DataKind(
    "layout", load_layout, lambda path: read_layout(path)[1], _facts, _size, _text, _svg, PRINTS
)


# -- the laws of every layout


def faults(layout: Layout) -> list[str]:
    """Return what cannot be in a layout, a sentence each that names the spot."""
    return [*_crowded(layout), *_colliding(layout), *_cut_off(layout)]


def _crowded(layout: Layout) -> Iterator[str]:
    """Yield the squares on which two things stand."""
    standing: dict[Spot, str] = {}
    for thing, spot in [
        ("pacman", layout.pacman),
        *(layout.ghosts.items()),
        *(("a pellet", spot) for spot in layout.pellets),
    ]:
        if spot in standing:
            yield f"{spot}: expected one thing on a square, got {standing[spot]} and {thing}"
        standing.setdefault(spot, thing)


def _colliding(layout: Layout) -> Iterator[str]:
    """Yield the fences that cross or overlap."""
    for number, fence in enumerate(layout.fences):
        for other in layout.fences[:number]:
            if fence == other:
                yield f"{fence}: expected one fence in a slot, got two"
            elif fence[:2] == other[:2]:
                yield f"{fence}: expected fences that do not cross, got {other} across it"
            elif set(patches(fence)) & set(patches(other)):
                yield f"{fence}: expected fences that do not overlap, got {other} along it"


def _cut_off(layout: Layout) -> Iterator[str]:
    """Yield the pellets and squares to which no way leads from Pac-Man's start."""
    reached = layers(BIT[layout.pacman], *ways(slot_mask(layout.fences)))[-1]
    for spot in SQUARES:
        if not BIT[spot] & reached:
            what = "the pellet" if spot in layout.pellets else "the square"
            yield f"{spot}: expected a way from {layout.pacman} to {what}, got none"


# -- reading


def _layout(name: str, top: Table) -> Layout:
    top.text("kind", choices=("layout",))
    ghosts = top.table("ghosts")
    layout = Layout(
        name=name,
        title=top.text("title"),
        pacman=read_square(top, "pacman"),
        ghosts=MappingProxyType({ghost: read_square(ghosts, ghost) for ghost in GHOSTS}),
        pellets=_spots(top, "pellets", "squares", "[a-i][1-9]", "e5"),
        fences=_fences(top.table("fences")),
        provenance=read_provenance(top, SECTIONS, CONFIDENCES),
    )
    ghosts.known()
    top.known(*SECTIONS, "provenance")
    if "pellets" in top and len(layout.pellets) != PELLETS:
        top.note("pellets", f"{PELLETS} squares", list(layout.pellets))
    return layout


def _fences(table: Table) -> tuple[Spot, ...]:
    slots = _spots(table, "slots", "fences", "[a-h][1-8][hv]", "e3h or e3v")
    wanted = {
        "h": table.whole("across", ACROSS, high=20),
        "v": table.whole("upright", UPRIGHT, high=20),
    }
    for way, key in (("h", "across"), ("v", "upright")):
        these = [slot for slot in slots if slot[2] == way]
        if "slots" in table and len(these) != wanted[way]:
            table.note("slots", f"{wanted[way]} fences {key}", these)
    table.known()
    return slots


def _spots(table: Table, key: str, what: str, form: str, like: str) -> tuple[Spot, ...]:
    expected = f"a list of {what} such as {like}"
    spots = []
    for item in table.array(key, expected):
        if isinstance(item, str) and re.fullmatch(form, item):
            spots.append(item)
        else:
            table.note(key, expected, item)
    return tuple(spots)
