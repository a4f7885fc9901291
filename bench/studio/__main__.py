"""``python -m bench.studio FOLDER``: render photographs of the board, each with its truth."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import cv2

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
    words.add_argument("--only", type=_from(0), nargs="+", metavar="N", help="these numbers alone")
    words.add_argument(
        "--sheet",
        nargs=2,
        type=Path,
        metavar=("FOLDER", "OUT"),
        help="no new pictures: six of a folder on one JPEG",
    )
    return words


def _from(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not less."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a number from {least}, got {text!r}")
        return int(text)

    return read


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
        numbers = options.only or range(options.start, options.start + options.count)
        return render(options.folder, options.seed, numbers, options.samples, options.threads)
    except (CompanionError, OSError) as error:
        print(f"{words.prog}: {error}", file=sys.stderr)
        return 2


def render(folder: Path, seed: int, numbers: Sequence[int], samples: int, threads: int) -> int:
    """Render pictures by their numbers; those that are there already are left as they are."""
    try:
        from bench.studio.picture import take_picture
    except ImportError as error:
        if error.name == "bpy" and isinstance(error, ModuleNotFoundError):
            print(NO_BLENDER, file=sys.stderr)
        else:
            print(f"Blender's module bpy cannot be loaded: {error}", file=sys.stderr)
        return 2
    cv2.setNumThreads(threads)
    board = profile.load("reference")
    stopped = _stop_when_asked()
    for number in numbers:
        if stopped.is_set():
            return 130
        plan = plan_picture(board, seed, number)
        if (folder / "stills" / f"{plan.name}.jpg").exists():
            continue
        start = time.monotonic()
        path = take_picture(plan, folder, samples, threads)
        print(f"{path}: {summary(plan)} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


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
    look = f"{plan.theme.board} board, {plan.theme.fence} fences, {plan.light}"
    return ", ".join((look, *plan.troubles)).replace("_", " ")


if __name__ == "__main__":
    sys.exit(main())
