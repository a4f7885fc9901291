"""``companion boards``: lists, checks, draws and prints board profiles, whatever kind they are."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from companion.board import Board, counted
from companion.boards import profile
from companion.boards.chambers import draw_chambers, load_chambers, read_chambers
from companion.boards.deck import LEVELS, draw_deck, load_deck, read_deck
from companion.boards.drawing import draw_svg, draw_text
from companion.boards.files import FOLDER, hidden_files, known_files
from companion.boards.layout import Layout, load_layout, read_layout
from companion.boards.maze import load_maze, read_maze
from companion.boards.mazedrawing import draw_maze_svg
from companion.boards.pdf import PAPERS
from companion.boards.sheets import Bits, sheets
from companion.commands.writing import write
from companion.errors import CompanionError, ProfileError, UnknownBoard
from companion.lights.strip import CHANNEL_MILLIAMPS, IDLE_MILLIAMPS
from companion.rules.advanced_setup import Setup
from companion.rules.cards_kinds import CardTable
from companion.rules.drawing import draw
from companion.rules.marbles_field import make_field
from companion.rules.maze import Maze, draw_maze_text
from companion.rules.mspacman_field import field_of
from companion.sensing.vision.pose import marker_words


class Kind(NamedTuple):
    """How to treat one kind of profile: load and check a file, tell of it, draw it."""

    load: Callable[[Path], Any]
    check: Callable[[Path], list[str]]
    facts: Callable[[Any], dict[str, Any]]
    size: Callable[[Any], str]
    svg: Callable[[Any], str] | None
    text: Callable[[Any], str]


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
    sheet = actions.add_parser("print", help="make a PDF of markers and template, true to scale")
    sheet.add_argument("name", metavar="NAME", help="a known name or a .toml file")
    sheet.add_argument("--out", metavar="FILE.pdf", required=True, help="where it is written")
    sheet.add_argument("--paper", choices=sorted(PAPERS), default="a4", help="a4 unless said")
    sheet.add_argument("--only", choices=("markers", "template"), default="", help="one of the two")
    sheet.set_defaults(action=print_board)


def run(options: argparse.Namespace) -> int:
    """Do what was asked; 1 when a profile is wrong."""
    return int(options.action(options))


def list_boards(options: argparse.Namespace) -> int:
    """Print all profiles that go by a name, those of one kind after those of another, and where
    those of one's own are; 1 when one of them is faulty."""
    faults = [
        f"{path}: not used, since another board is named {path.stem!r}: give it another name"
        for path in hidden_files()
    ]
    for name, kind in KINDS.items():
        for path in known_files().values():
            if profile.kind_of(path) != name:
                continue
            try:
                board = kind.load(path)
            except ProfileError as error:
                faults.append(str(error))
                continue
            facts = {"kind": name, **kind.facts(board), "file": str(path)}
            print(json.dumps(facts, ensure_ascii=False) if options.json else _line(kind, board))
            if path.parent != FOLDER and not options.json:
                print(f"  your own: {path}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def check_boards(options: argparse.Namespace) -> int:
    """Print every problem of every file; "ok" for a file without any."""
    good = True
    for file in options.files:
        path = known_files().get(file, Path(file))
        name = profile.kind_of(path)
        if name in KINDS:
            problems = KINDS[name].check(path)
        else:
            known = ", ".join(map(repr, KINDS))
            problems = [f"{path}: kind: expected one of {known}, got {name!r}"]
        good = good and not problems
        for line in problems or [f"{file}: ok"]:
            print(line)
    return 0 if good else 1


def draw_board(options: argparse.Namespace) -> int:
    """Draw a profile: as text, or to scale into an SVG file."""
    path = known_files().get(options.name, Path(options.name))
    if path.suffix != ".toml" and not path.exists():
        expected = ", ".join(map(repr, known_files()))
        raise UnknownBoard(f"unknown board {options.name!r}: expected {expected} or a .toml file")
    kind = KINDS.get(profile.kind_of(path), KINDS["grid"])
    board = kind.load(path)
    if options.out is None:
        print(_line(kind, board), kind.text(board), sep="\n\n", end="")
        return 0
    if kind.svg is None:
        raise CompanionError(f"{options.name}: a profile of this kind is drawn as text only")
    write(Path(options.out), kind.svg(board).encode())
    return 0


def print_board(options: argparse.Namespace) -> int:
    """Write the sheets of a board to be printed true to scale."""
    board = profile.load(options.name)
    bits = {marker.id: marker_bits(board.marker_dictionary, marker.id) for marker in board.markers}
    write(Path(options.out), sheets(board, bits, options.paper, options.only))
    print(f"{options.out}: print it at 100 %, and measure the ruler.")
    return 0


def marker_bits(dictionary: str, number: int) -> Bits:
    """Return a marker's squares with their border; True is black."""
    words = marker_words(dictionary)
    drawn = cv2.aruco.generateImageMarker(words, number, words.markerSize + 2)
    return [[bool(value < 128) for value in row] for row in drawn]


def _line(kind: Kind, board: Any) -> str:
    facts = kind.facts(board)
    sources = ", ".join(f"{count} {name}" for name, count in facts["confidence"].items())
    return f"{facts['name']}: {facts['title']}\n  {kind.size(board)}\n  sources: {sources}"


def _sources(provenance: Mapping[str, str]) -> dict[str, Any]:
    confidence = Counter(fact.split(":")[0] for fact in provenance.values())
    return {"confidence": dict(confidence), "provenance": dict(provenance)}


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
        **_sources(board.provenance),
    }


def check_maze(path: Path) -> list[str]:
    """Return what is wrong with a maze: in itself, or for the game whose spots it has."""
    maze, problems = read_maze(path)
    if maze is None or problems:
        return problems
    try:
        if maze.of_kind("hole", "ringed"):
            make_field(maze)
        else:
            field_of(maze)
    except ProfileError as error:
        return [f"{path}: {error}"]
    return []


def _maze_size(maze: Maze) -> str:
    parts = ", ".join(f"{count} {kind}" for kind, count in maze.counts.items())
    return f"maze of {len(maze.spots)} spots, board {maze.board_mm:g} mm; {parts}"


def _maze_facts(maze: Maze) -> dict[str, Any]:
    return {
        "name": maze.name,
        "title": maze.title,
        "board_mm": maze.board_mm,
        "spots": dict(maze.counts),
        "owners": list(maze.owners),
        "walls": len(maze.walls),
        "chance": {name: list(faces) for name, faces in maze.chance.items()},
        **_sources(maze.provenance),
    }


def _deck_size(cards: CardTable) -> str:
    counts = ", ".join(f"{sum(cards.levels[level])} in level {level}" for level in LEVELS)
    return f"deck of {len(cards.kinds)} kinds of cards; {counts}"


def _deck_facts(cards: CardTable) -> dict[str, Any]:
    return {
        "name": cards.name,
        "title": cards.title,
        "cards": {
            card.name: {
                "title": card.title,
                "role": card.role,
                "points": card.points,
                "levels": [cards.levels[level][number] for level in LEVELS],
            }
            for number, card in enumerate(cards.kinds)
        },
        **_sources(cards.provenance),
    }


def _layout_size(layout: Layout) -> str:
    start = ", ".join(f"{ghost} {spot}" for ghost, spot in layout.ghosts.items())
    rest = f"pellets {' '.join(layout.pellets)}; fences {' '.join(layout.fences)}"
    return f"set-up: pacman {layout.pacman}, {start}; {rest}"


def _layout_facts(layout: Layout) -> dict[str, Any]:
    return {
        "name": layout.name,
        "title": layout.title,
        "pacman": layout.pacman,
        "ghosts": dict(layout.ghosts),
        "pellets": list(layout.pellets),
        "fences": list(layout.fences),
        **_sources(layout.provenance),
    }


def _layout_text(layout: Layout) -> str:
    return draw(layout.position()) + "\n"


def _layout_svg(layout: Layout) -> str:
    return draw_svg(profile.load("reference"), layout.position())


def _chambers_size(setup: Setup) -> str:
    names = ", ".join(chamber.name for chamber in setup.chambers)
    return f"set-up: pellets {' '.join(setup.pellets)}; chambers {names}"


def _chambers_facts(setup: Setup) -> dict[str, Any]:
    return {
        "name": setup.name,
        "title": setup.title,
        "pellets": list(setup.pellets),
        "chambers": {
            chamber.name: {"fences": list(chamber.fences), "ghosts": dict(chamber.ghosts)}
            for chamber in setup.chambers
        },
        **_sources(setup.provenance),
    }


KINDS: dict[str, Kind] = {
    "grid": Kind(profile.load, profile.check, _grid_facts, _grid_size, draw_svg, draw_text),
    "maze": Kind(
        load_maze,
        check_maze,
        _maze_facts,
        _maze_size,
        draw_maze_svg,
        draw_maze_text,
    ),
    "deck": Kind(
        load_deck, lambda path: read_deck(path)[1], _deck_facts, _deck_size, None, draw_deck
    ),
    "layout": Kind(
        load_layout,
        lambda path: read_layout(path)[1],
        _layout_facts,
        _layout_size,
        _layout_svg,
        _layout_text,
    ),
    "chambers": Kind(
        load_chambers,
        lambda path: read_chambers(path)[1],
        _chambers_facts,
        _chambers_size,
        None,
        draw_chambers,
    ),
}
