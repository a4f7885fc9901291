"""``companion look IMAGE…``: reads still pictures of a board, each for itself."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from companion.board import Board
from companion.boards import profile
from companion.errors import PictureError
from companion.sensing.camera.files import read_picture, write_picture
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.decode import Statement, in_words, read_board
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sensing.vision.overlay import draw_overlay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("images", nargs="+", metavar="IMAGE", type=Path, help="a picture file")
    parser.add_argument(
        "--board", default="reference", metavar="PROFILE", help="a profile by name or a .toml file"
    )
    parser.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help="for boards without markers: where the outer corners of a1, i1, i9, a9 are, in pixels",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--overlay", metavar="OUT.png", type=Path, help="draw what was seen; for one picture only"
    )


def run(options: argparse.Namespace) -> int:
    """Read every picture; return 1 when a board was missing in one of them."""
    if options.overlay and len(options.images) > 1:
        error = PictureError(f"--overlay takes one picture, got {len(options.images)}")
        error.wrong_use = True  # type: ignore[attr-defined]
        raise error
    board = profile.load(options.board)
    # A list, not a generator: every picture is read, also after one that shows no board.
    good = [_look(board, path, options) for path in options.images]
    return 0 if all(good) else 1


def _look(board: Board, path: Path, options: argparse.Namespace) -> bool:
    try:
        picture = read_picture(path)
        height, width = picture.shape[:2]
        text = options.corners
        corners = None if text is None else Corners.parse(text, width, height)
        sight = Eyes(board, corners).look(Frame(0.0, picture))
        if not sight.found:
            raise PictureError(sight.text)
        told = read_board(board, sight.evidence, sight.covered)
        if options.overlay:
            _save(board, options.overlay, picture, sight, told)
    except PictureError as error:
        text = str(error)
        named = text if str(path) in text else f"{path}: {text}"
        print(f"companion look: {named}", file=sys.stderr)
        if options.json:
            print(json.dumps(_as_json(path, None)), flush=True)
        return False
    if options.json:
        print(json.dumps(_as_json(path, told)), flush=True)
    else:
        print(f"{path}\n{in_words(board, told)}", flush=True)
    return True


def _as_json(path: Path, told: Statement | None) -> dict[str, object]:
    seen = told or Statement({}, (), (), (), ())
    return {"image": str(path), "board_found": told is not None, **asdict(seen)}


def _save(board: Board, target: Path, picture: Picture, sight: Sight, told: Statement) -> None:
    if sight.pose is None:
        return
    drawn = draw_overlay(board, picture, sight.pose, told)
    write_picture(target, drawn)
