"""``python -m bench.studio FOLDER``: render photographs of the board, each with its truth."""

import argparse
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import cv2

from bench.studio.claims import claim
from bench.studio.games import plan_game
from bench.studio.plan import Plan, plan_picture
from bench.studio.sheet import make_sheet
from companion.__main__ import Parser
from companion.boards import profile
from companion.errors import CompanionError

OPTIONS = (
    ("seed", 0, 1, "of all that is drawn"),
    ("count", 1, 6, "how many pictures"),
    ("start", 0, 0, "number of the first"),
    ("samples", 1, 10, "rays a pixel"),
    ("threads", 1, 1, "processor cores"),
)
SMALLEST = 0.1
MOST_MARGIN = 20
NO_BLENDER = (
    "expected Blender as the Python module bpy, found none: install it with `pip install bpy`, on "
    "x86-64 and with the version of Python that its wheel is made for"
)


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    words = Parser(prog="python -m bench.studio", description=__doc__, allow_abbrev=False)
    words.add_argument("folder", metavar="FOLDER", type=Path, nargs="?", help="gets stills/*.jpg")
    for name, least, usual, about in OPTIONS:
        words.add_argument(
            f"--{name}", type=_from(least), default=usual, help=f"{about} (default: {usual})"
        )
    words.add_argument(
        "--scale", type=_scale, default=1.0, help="of 1296 x 972 pixels (default: 1)"
    )
    words.add_argument(
        "--margin",
        type=_margin,
        metavar="PITCHES",
        help="draw the field and so much around it, nothing else: faster, to learn from",
    )
    words.add_argument("--only", type=_from(0), nargs="+", metavar="N", help="these numbers alone")
    words.add_argument(
        "--sheet",
        nargs=2,
        type=Path,
        metavar=("FOLDER", "OUT"),
        help="no new pictures: six of a folder on one JPEG",
    )
    words.add_argument(
        "--games",
        type=_from(1),
        metavar="N",
        help="no stills: so many games, as games/*/frame_*.jpg",
    )
    return words


def _from(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not less."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a number from {least}, got {text!r}")
        return int(text)

    return read


def _margin(text: str) -> float:
    """Return a width around the field, in pitches."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_MARGIN:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {MOST_MARGIN}, got {text!r}")
    return value


def _scale(text: str) -> float:
    """Return a share of the whole size."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not SMALLEST <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from {SMALLEST} to 1, got {text!r}")
    return value


def main(argv: Sequence[str] | None = None) -> int:
    """Render what is asked for; return 0, 2 when something is missing, 130 when stopped."""
    words = parser()
    options = words.parse_args(argv)
    if (options.folder is None) == (options.sheet is None):
        words.error("expected a FOLDER for new pictures or --sheet FOLDER OUT")
    try:
        if options.sheet:
            options.sheet[1].write_bytes(make_sheet(options.sheet[0]))
            return 0
        count, shots = options.count, stills
        if options.games:
            count, shots = options.games, frames_of_games
        numbers = options.only or range(options.start, options.start + count)
        return render(shots(options.folder, options.seed, numbers), options)
    except (CompanionError, OSError) as error:
        print(f"{words.prog}: {error}", file=sys.stderr)
        return 2


@dataclass(frozen=True)
class Shot:
    """A picture to be taken: where it goes, and what gives its plan and what to say besides."""

    path: Path
    plan: Callable[[], Plan]
    facts: Mapping[str, Any] = field(default_factory=dict)


def stills(folder: Path, seed: int, numbers: Sequence[int]) -> Iterator[Shot]:
    """Yield single pictures by their numbers."""
    board = profile.load("reference")
    for number in numbers:
        path = folder / "stills" / f"studio_{seed}_{number:05d}.jpg"
        yield Shot(path, partial(plan_picture, board, seed, number))


def frames_of_games(folder: Path, seed: int, numbers: Sequence[int]) -> Iterator[Shot]:
    """Yield the frames of games by their numbers; what is to be found in them is written first."""
    board = profile.load("reference")
    for number in numbers:
        game = plan_game(board, seed, number)
        place = folder / "games" / game.name
        place.mkdir(parents=True, exist_ok=True)
        (place / "game.json").write_text(json.dumps(game.facts), encoding="utf-8")
        for frame, each in enumerate(game.frames):
            yield Shot(place / f"frame_{frame:02d}.jpg", partial(_same, each.plan), each.facts)


def _same(plan: Plan) -> Plan:
    return plan


def render(shots: Iterable[Shot], options: argparse.Namespace) -> int:
    """Take pictures; those that are there already are left as they are."""
    try:
        from bench.studio.picture import take_picture
    except ImportError as error:
        if error.name == "bpy" and isinstance(error, ModuleNotFoundError):
            print(NO_BLENDER, file=sys.stderr)
        else:
            print(f"Blender's module bpy cannot be loaded: {error}", file=sys.stderr)
        return 2
    cv2.setNumThreads(options.threads)
    stopped = _stop_when_asked()
    failed = 0
    for shot in shots:
        if stopped.is_set():
            return 130
        with claim(shot.path) as ours:
            if not ours:
                continue
            start = time.monotonic()
            try:
                plan = shot.plan().scaled(options.scale)
                take_picture(
                    plan, shot.path, options.samples, options.threads, shot.facts, options.margin
                )
            except Exception:
                failed += 1
                print(f"{shot.path}: failed", file=sys.stderr)
                traceback.print_exc()
                continue
            seconds = time.monotonic() - start
            print(f"{shot.path}: {summary(plan)} ({seconds:.1f} s)", flush=True)
    return 1 if failed else 0


def _stop_when_asked() -> Event:
    """Return what is set by Ctrl+C or a request to end. Blender swallows the usual exception, so
    the picture in work is completed, and the next not begun; asked twice, the program ends."""
    stopped = Event()

    def stop(number: int, frame: object) -> None:
        if stopped.is_set():
            os._exit(130)
        stopped.set()

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, stop)
    return stopped


def summary(plan: Plan) -> str:
    """Return in some words what a picture shows."""
    theme = plan.theme
    look = f"{plan.build.kind} board, {theme.fence_shape} {theme.fence_finish} fences, {plan.light}"
    return ", ".join((look, *plan.troubles))


if __name__ == "__main__":
    sys.exit(main())
