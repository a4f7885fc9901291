"""``companion boards``: lists, checks, draws and prints board profiles, whatever kind they are."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import cv2

from companion.board import Board
from companion.boards import profile
from companion.boards.drawing import draw_svg, draw_text
from companion.boards.files import FOLDER, described, hidden_files, known_files, write
from companion.boards.paper import Bits, Press
from companion.boards.pdf import PAPERS
from companion.boards.sheets import TEMPLATE
from companion.boards.spots import (
    SpotBoard,
    check_spots,
    draw_spots_svg,
    draw_spots_text,
    load_spots,
)
from companion.errors import CompanionError, ProfileError, UnknownBoard
from companion.games.catalogue import KITS
from companion.games.kit import DataKind
from companion.lights.strip import CHANNEL_MILLIAMPS, IDLE_MILLIAMPS
from companion.sensing.vision.pose import marker_words
from companion.text import counted
from companion.toml_table import first_of

#: Where the files that come along lie.
SHIPPED = (FOLDER, *dict.fromkeys(kit.folder for kit in KITS.values() if kit.folder))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(action=list_boards)
    actions = parser.add_subparsers(metavar="ACTION")
    listing = actions.add_parser("list", help="list those that come along, as no action does")
    listing.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="one JSON object a line"
    )
    check = actions.add_parser("check", help="check profile files, a line for each problem")
    check.add_argument("files", nargs="+", metavar="FILE", help="a .toml file or a known name")
    check.set_defaults(action=check_boards)
    draw = actions.add_parser("draw", help="draw a profile")
    draw.add_argument("name", metavar="NAME", help="a known name or a .toml file")
    draw.add_argument("--out", metavar="FILE.svg", help="draw it to scale into this file")
    draw.set_defaults(action=draw_board)
    sheet = actions.add_parser(
        "print",
        help="make a PDF of a board, its markers or its cards, true to scale",
        description="Make a PDF to print true to scale, on as many sheets as it takes.",
        epilog=_printable(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sheet.add_argument("name", metavar="NAME", help="one of those below, or a .toml file")
    sheet.add_argument("--out", metavar="FILE.pdf", required=True, help="where it is written")
    sheet.add_argument("--paper", choices=sorted(PAPERS), default="a4", help="a4 unless said")
    sheet.add_argument("--only", metavar="PART", default="", help="one part of it, see below")
    sheet.set_defaults(action=print_board)


def run(options: argparse.Namespace) -> int:
    """Do what was asked; 1 when a profile is wrong."""
    return int(options.action(options))


def list_boards(options: argparse.Namespace) -> int:
    """Print all profiles that go by a name, those of one kind after those of another, and where
    those of one's own are; 1 when one of them is faulty."""
    faults = [
        f"{path}: not used, since another board is named {path.stem!r}: give it another name"
        for path in hidden_files(*SHIPPED)
    ]
    for name, (kind, *_) in KINDS.items():
        for path in known_files(*SHIPPED).values():
            if profile.kind_of(path) != name:
                continue
            try:
                board = kind.load(path)
            except ProfileError as error:
                faults.append(str(error))
                continue
            facts = {"kind": name, **kind.facts(board), "file": str(path)}
            print(json.dumps(facts, ensure_ascii=False) if options.json else _line(kind, board))
            if path.parent not in SHIPPED and not options.json:
                print(f"  your own: {path}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def check_boards(options: argparse.Namespace) -> int:
    """Print every problem of every file; "ok" for a file without any."""
    good = True
    for file in options.files:
        path = known_files(*SHIPPED).get(file, Path(file))
        name = profile.kind_of(path)
        if name in KINDS:
            found = [problem for kind in KINDS[name] for problem in kind.check(path)]
            problems = list(dict.fromkeys(found))  # games that share a kind all read the file
        else:
            known = ", ".join(map(repr, KINDS))
            problems = [f"{path}: kind: expected one of {known}, got {name!r}"]
        good = good and not problems
        for line in problems or [f"{file}: ok"]:
            print(line)
    return 0 if good else 1


def draw_board(options: argparse.Namespace) -> int:
    """Draw a profile: as text, or to scale into an SVG file."""
    kind, board = load_named(options.name)
    if options.out is None:
        print(_line(kind, board), kind.text(board), sep="\n\n", end="")
        return 0
    if kind.svg is None:
        raise CompanionError(f"{options.name}: a profile of this kind is drawn as text only")
    write(Path(options.out), kind.svg(board).encode())
    return 0


def print_board(options: argparse.Namespace) -> int:
    """Write the sheets of a board to be printed true to scale."""
    path = _find(options.name)
    kind, board = _load(path)
    if kind.prints is None:
        raise CompanionError(f"{options.name}: there is nothing to print of a file of this kind")
    if problems := kind.check(path):  # what a game cannot be played on is not printed for it
        raise ProfileError(first_of(problems))
    write(
        Path(options.out), kind.prints.pdf(board, Press(options.paper, marker_bits), options.only)
    )
    print(f"{options.out}: print it at 100 %, and measure the ruler.")
    return 0


def load_named(name: str) -> tuple[DataKind, Any]:
    """Return the kind of a file, given by name or path, and what it holds."""
    return _load(_find(name))


def _find(name: str) -> Path:
    """Return the file of a name or a path; UnknownBoard with what was expected otherwise."""
    path = known_files(*SHIPPED).get(name, Path(name))
    if path.suffix != ".toml" and not path.exists():
        expected = ", ".join(map(repr, known_files(*SHIPPED)))
        raise UnknownBoard(f"unknown board {name!r}: expected {expected} or a .toml file")
    return path


def _load(path: Path) -> tuple[DataKind, Any]:
    """Return the kind of a file, that of the game it fits, and what it holds."""
    kinds = KINDS.get(profile.kind_of(path), [GRID])
    value = kinds[0].load(path)
    return next((kind for kind in kinds if kind.fits(value)), kinds[0]), value


def _printable() -> str:
    """Return what can be printed, a line or two each, for the help."""
    lines = ["what can be printed:"]
    for name, path in known_files(*SHIPPED).items():
        try:
            prints = _load(path)[0].prints
        except CompanionError:
            continue  # the list tells of faulty files
        if prints is not None:
            lines.append(f"  {name:<16} {prints.about}")
            lines.append(f"  {'':<16} --only {', '.join(prints.parts)}")
    return "\n".join(lines)


def marker_bits(dictionary: str, number: int) -> Bits:
    """Return a marker's squares with their border; True is black."""
    words = marker_words(dictionary)
    drawn = cv2.aruco.generateImageMarker(words, number, words.markerSize + 2)
    return [[bool(value < 128) for value in row] for row in drawn]


def _line(kind: DataKind, board: Any) -> str:
    facts = kind.facts(board)
    sure = ", ".join(f"{count} {name}" for name, count in facts["confidence"].items())
    return f"{facts['name']}: {facts['title']}\n  {kind.size(board)}\n  sources: {sure}"


def _grid_size(board: Board) -> str:
    parts = ", ".join(
        [
            counted(len(board.pieces), "piece"),
            counted(board.fence.count, "fence"),
            counted(board.lights.count, "light"),
        ]
    )
    return f"{board.columns}×{board.rows}, field {board.field_mm:g} mm; {parts}"


def _grid_facts(board: Board) -> dict[str, Any]:
    return described(
        board,
        columns=board.columns,
        rows=board.rows,
        field_mm=board.field_mm,
        frame_mm=board.frame_mm,
        pieces=list(board.pieces),
        fences=board.fence.count,
        markers=len(board.markers),
        lights=board.lights.count,
        lights_milliamps=board.lights.milliamps,
        lights_full_milliamps=board.lights.count * (3 * CHANNEL_MILLIAMPS + IDLE_MILLIAMPS),
        hall_channels=len(board.hall.channels),
    )


GRID = DataKind(
    "grid",
    profile.load,
    profile.check,
    _grid_facts,
    _grid_size,
    draw_text,
    draw_svg,
    TEMPLATE,
)


def _spots_size(board: SpotBoard) -> str:
    parts = ", ".join(f"{count} {kind}" for kind, count in board.counts.items())
    return f"{len(board.spots)} spots, {board.spacing_mm:g} mm from one to the next; {parts}"


def _spots_facts(board: SpotBoard) -> dict[str, Any]:
    return described(board, spots=board.counts, spacing_mm=board.spacing_mm)


SPOTS = DataKind(
    "spots", load_spots, check_spots, _spots_facts, _spots_size, draw_spots_text, draw_spots_svg
)

#: Boards, and what games are played on, by the kind that a file says it is; games may share one.
KINDS = {GRID.name: [GRID], SPOTS.name: [SPOTS]}
for _kind in (kind for kit in KITS.values() for kind in kit.data):
    KINDS.setdefault(_kind.name, []).append(_kind)
