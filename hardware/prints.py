"""Printed parts: the shared dimensions, and models turned into STL files by OpenSCAD."""

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from companion.board import Board
from hardware.camera import tilt_deg
from hardware.solid import Solid, read_stl

FOLDER = Path(__file__).with_name("prints")
DIMENSIONS = FOLDER / "dimensions.scad"
SUMS = FOLDER / "made-from.txt"


def dimensions(board: Board, plan: dict[str, Any]) -> str:
    """Return the file that all models share, from profile and plan."""
    printed, camera = plan["printed"], plan["camera"]
    side = max(abs(y) for name, (_, y) in board.lights.at_mm.items() if name[0] == "S")
    lives = max(abs(y) for name, (_, y) in board.lights.at_mm.items() if name[0] == "L")
    values: dict[str, Any] = {
        "cell": board.cell_mm,
        "groove": board.groove_mm,
        "groove_depth": board.groove_depth_mm,
        "pitch": board.pitch_mm,
        "field": board.field_mm,
        "board": board.board_mm,
        "frame": board.frame_mm,
        "fence": [board.fence.length_mm, board.fence.thickness_mm, board.fence.height_mm],
        "marker_at": max(abs(marker.x_mm) for marker in board.markers),
        "paper": printed["marker_paper_mm"],
        "strip_at": side - board.board_mm / 2,
        "lives_at": lives - board.board_mm / 2,
        "base": printed["base_mm"],
        "top": printed["base_mm"] + board.groove_depth_mm + printed["lip_height_mm"],
        "lip": printed["lip_mm"],
        "lip_height": printed["lip_height_mm"],
        "leg": printed["leg_mm"],
        "strip": printed["strip_mm"],
        "strip_deep": printed["strip_deep_mm"],
        "diffuser": printed["diffuser_mm"],
        "lives_long": printed["lives_mm"],
        "tile_cells": printed["tile_cells"],
        "sensor": printed["sensor_mm"],
        "post": printed["post_mm"],
        "behind_frame": camera["behind_frame_mm"],
        "tongue_hole": printed["tongue_hole_mm"],
        "tilt": round(tilt_deg(board, plan, printed["tilt_height_mm"]), 1),
        "fit": printed["fit_mm"],
        "screw": printed["screw_mm"],
        "pilot": printed["pilot_mm"],
        "pilot_deep": printed["pilot_deep_mm"],
        "screw_rows": printed["screw_rows_mm"],
        "joiner_at": printed["joiner_at_mm"],
        "leg_at": printed["leg_at_mm"],
        "leg_top": printed["leg_top_mm"],
        "tongue_thick": printed["tongue_mm"],
        "tile": printed["tile_mm"],
        "tile_pilot": printed["tile_pilot_mm"],
        "fence_foot": [printed["fence_foot_mm"], printed["fence_chamfer_mm"]],
        "felt": plan["stack"]["felt"],
    }
    lines = ["// Sizes in millimetres, from the board's profile and plan.toml: `make hardware`."]
    lines += [f"{name} = {_scad(value)};" for name, value in values.items()]
    lines.append("// name, shape, diameter, height, diameter and height of the magnet")
    lines.append("pieces = [")
    for piece in board.pieces.values():
        magnet = plan["magnets"][piece.name]
        row = [piece.name, piece.shape, piece.diameter_mm, piece.height_mm]
        lines.append(f"  {_scad([*row, magnet['diameter_mm'], magnet['height_mm']])},")
    return "\n".join([*lines, "];"]) + "\n"


def _scad(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_scad, value))}]"
    return f"{value:g}"


def openscad() -> str | None:
    """Return the path of OpenSCAD, None where it is not installed."""
    return shutil.which("openscad")


def render(part: dict[str, Any]) -> Solid:
    """Return one part as OpenSCAD makes it."""
    program = openscad()
    if program is None:
        raise RuntimeError("expected openscad on the PATH: on Debian, apt-get install openscad")
    values = [f"-D{name}={_scad(value)}" for name, value in part.get("set", {}).items()]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "part.stl"
        command = [program, "-q", "-o", str(out), *values, str(FOLDER / f"{part['model']}.scad")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or done.stderr.strip():
            raise RuntimeError(f"openscad cannot make {part['name']}: {done.stderr.strip()}")
        return read_stl(out.read_bytes())


def sources(part: dict[str, Any], shared: str) -> str:
    """Return a sum over all that a part is made from, to see whether its file is out of date."""
    model = (FOLDER / f"{part['model']}.scad").read_text(encoding="utf-8")
    text = "\n".join([model, shared, repr(sorted(part.get("set", {}).items()))])
    return _sum(text)


def sums(plan: dict[str, Any], shared: str) -> str:
    """Return the lines of the file that says from what the STL files were made."""
    lines = [f"{part['name']} {sources(part, shared)}\n" for part in plan["prints"]]
    drawn = [Path(__file__).with_name(name).read_text() for name in ("assembly.py", "solid.py")]
    lines.append(f"table.png {_sum(''.join([*lines, *drawn]))}\n")
    return "".join(lines)


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
