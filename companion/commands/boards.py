"""``companion boards``: lists, checks and draws board profiles."""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from companion import profile
from companion.board import Board
from companion.drawing import draw_svg, draw_text
from companion.errors import CompanionError
from companion.lights.strip import CHANNEL_MILLIAMPS, IDLE_MILLIAMPS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(action=list_boards)
    actions = parser.add_subparsers(metavar="ACTION")
    check = actions.add_parser("check", help="check profile files, a line for each problem")
    check.add_argument("files", nargs="+", metavar="FILE", help="a .toml file or a known name")
    check.set_defaults(action=check_boards)
    draw = actions.add_parser("draw", help="draw a profile")
    draw.add_argument("name", metavar="NAME", help="a known name or a .toml file")
    draw.add_argument("--out", metavar="FILE.svg", help="draw it to scale into this file")
    draw.set_defaults(action=draw_board)


def run(options: argparse.Namespace) -> int:
    """Do what was asked; 1 when a profile is wrong."""
    return int(options.action(options))


def list_boards(options: argparse.Namespace) -> int:
    """Print the profiles that come along."""
    for board in map(profile.load, profile.names()):
        print(json.dumps(_facts(board), ensure_ascii=False) if options.json else _line(board))
    return 0


def check_boards(options: argparse.Namespace) -> int:
    """Print every problem of every file; "ok" for a file without any."""
    known, good = profile.names(), True
    for file in options.files:
        problems = profile.check(profile.FOLDER / f"{file}.toml" if file in known else file)
        good = good and not problems
        for line in problems or [f"{file}: ok"]:
            print(line)
    return 0 if good else 1


def draw_board(options: argparse.Namespace) -> int:
    """Draw a profile: as text, or to scale into an SVG file."""
    board = profile.load(options.name)
    if options.out is None:
        print(_line(board), draw_text(board), sep="\n\n", end="")
        return 0
    try:
        Path(options.out).write_text(draw_svg(board), encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"{options.out}: cannot be written: {error.strerror}") from error
    return 0


def _line(board: Board) -> str:
    facts = _facts(board)
    size = f"{board.columns}×{board.rows}, field {board.field_mm:g} mm"
    parts = f"{len(board.pieces)} pieces, {board.fence.count} fences, {board.lights.count} lights"
    sources = ", ".join(f"{count} {name}" for name, count in facts["confidence"].items())
    return f"{board.name}: {board.title}\n  {size}; {parts}\n  sources: {sources}"


def _facts(board: Board) -> dict[str, Any]:
    confidence = Counter(fact.split(":")[0] for fact in board.provenance.values())
    return {
        "name": board.name,
        "title": board.title,
        "columns": board.columns,
        "rows": board.rows,
        "field_mm": board.field_mm,
        "frame_mm": board.frame_mm,
        "pieces": list(board.pieces),
        "fences": board.fence.count,
        "markers": len(board.markers),
        "lights": board.lights.count,
        "lights_milliamps": board.lights.milliamps,
        "lights_full_milliamps": board.lights.count * (3 * CHANNEL_MILLIAMPS + IDLE_MILLIAMPS),
        "hall_channels": len(board.hall.channels),
        "confidence": dict(confidence),
        "provenance": dict(board.provenance),
    }
