"""Everything that is made: which file holds what. The tests hold the files against it."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards.sheets import sheets
from companion.commands.boards import marker_bits
from hardware import (
    assembly,
    griddrawings,
    make_pins,
    prints,
    sizedrawings,
    strips,
    tabledrawings,
    tables,
)
from hardware.circuit import to_kicad
from hardware.plan import Build
from hardware.solid import Solid, picture, read_stl, write_stl

HERE = Path(__file__).parent
TOP = HERE.parent
PICTURES = TOP / "docs/pictures/hardware"
PAGES = (HERE / "README.md", HERE / "wiring.md", TOP / "docs/build.md")
PAPERS = ("a4", "letter")
PLASTIC = (96, 132, 176)


def drawings(build: Build) -> dict[str, str]:
    """Return the pictures by name."""
    board, pins, plan, budget = build.board, build.pins, build.plan, build.budget
    return {
        "overview": tabledrawings.overview(budget),
        "grid-above": griddrawings.grid(board, pins, from_below=False),
        "grid-below": griddrawings.grid(board, pins, from_below=True),
        "multiplexers": griddrawings.multiplexers(board, pins),
        "pico": griddrawings.pico(pins),
        "pi": tabledrawings.pi(pins, budget),
        "power": tabledrawings.power(budget),
        "sensor": sizedrawings.sensor(plan),
        "stack": sizedrawings.stack(
            plan, board, max(build.magnets, key=lambda disc: disc.diameter_mm)
        ),
        "strip": sizedrawings.strip(board),
        "camera": sizedrawings.camera(board, plan),
    }


def sheet(build: Build, paper: str) -> bytes:
    """Return the sheets of the board on this paper."""
    board = build.board
    bits = {marker.id: marker_bits(board.marker_dictionary, marker.id) for marker in board.markers}
    return sheets(board, bits, paper)


def files(build: Build) -> Iterator[tuple[Path, bytes]]:
    """Yield every file that is made in a moment, with its content."""
    yield make_pins.MADE, make_pins.text().encode()
    yield HERE / "table.net", to_kicad(build.circuit).encode()
    for per_metre in tables.LIGHTS_A_METRE:
        strip = strips.ready(build.board, per_metre)
        made = strips.profile_section(build.board, strip)
        yield HERE / f"lights-{per_metre}.toml", made.encode()
    for name, drawn in drawings(build).items():
        yield PICTURES / f"{name}.svg", drawn.encode()
    for paper in PAPERS:
        yield HERE / f"sheets/{build.board.name}-{paper}.pdf", sheet(build, paper)
    yield prints.DIMENSIONS, prints.dimensions(build.board, build.plan).encode()
    for page in PAGES:
        yield page, tables.fill(page.read_text(encoding="utf-8"), build).encode()


def shown(build: Build, part: dict[str, object], solid: Solid) -> bytes:
    """Return the picture of a printed part."""
    piece = build.board.pieces.get(str(part.get("colour", "")))
    turn = part.get("turn", 32)
    assert isinstance(turn, int)
    return _png(picture(solid, np.asarray(piece.colour if piece else PLASTIC), turn))


def whole(build: Build) -> bytes:
    """Return the picture of the whole table, put together of its printed parts."""
    return _png(assembly.view(build.board, build.plan))


def _png(drawn: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".png", drawn, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    assert done
    return data.tobytes()


def parts_to_print(build: Build, *, all_of_them: bool) -> Iterator[tuple[Path, bytes]]:
    """Yield STL file and picture of every part whose model or sizes have changed."""
    shared = prints.dimensions(build.board, build.plan)
    known = prints.SUMS.read_text().splitlines() if prints.SUMS.exists() else []
    for part in build.plan["prints"]:
        if not all_of_them and f"{part['name']} {prints.sources(part, shared)}" in known:
            continue
        made = write_stl(prints.render(part))
        yield prints.FOLDER / f"{part['name']}.stl", made
        yield PICTURES / f"{part['name']}.png", shown(build, part, read_stl(made))
    new = prints.sums(build.plan, shared)
    if all_of_them or new.splitlines()[-1] not in known:
        yield PICTURES / "table.png", whole(build)
    yield prints.SUMS, new.encode()
