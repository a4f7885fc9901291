"""``companion dice IMAGE…``: reads dice that lie anywhere in pictures."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from companion.errors import OptionError, PictureError
from companion.sensing.camera.files import read_picture, write_picture
from companion.sensing.camera.frame import Picture
from companion.sensing.dice.reader import DiceReader, Die
from companion.text import listed

SURE, DOUBT, DARK = (60, 220, 60), (0, 190, 255), (0, 0, 0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("images", nargs="+", metavar="IMAGE", type=Path, help="a picture file")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--overlay", metavar="OUT.png", type=Path, help="draw what was seen; for one picture only"
    )


def run(options: argparse.Namespace) -> int:
    """Read every picture; return 2 when one of them could not be read."""
    if options.overlay and len(options.images) > 1:
        raise OptionError(f"--overlay takes one picture, got {len(options.images)}")
    reader = DiceReader()
    # A list, not a generator: every picture is read, also after one that is none.
    good = [_read(reader, path, options) for path in options.images]
    return 0 if all(good) else 2


def _read(reader: DiceReader, path: Path, options: argparse.Namespace) -> bool:
    try:
        picture = read_picture(path)
        dice = reader.read(picture)
        if options.overlay:
            write_picture(options.overlay, draw_dice(picture, dice))
    except PictureError as error:
        print(f"companion dice: {error}", file=sys.stderr)
        return False
    height, width = picture.shape[:2]
    if options.json:
        print(json.dumps(as_json(path, dice, width, height)), flush=True)
    else:
        print(f"{path}: {in_words(dice)}", flush=True)
    return True


def as_json(path: Path, dice: Sequence[Die], width: int, height: int) -> dict[str, object]:
    """Return what a picture of this size shows, as programs read it."""
    return {
        "image": str(path),
        "dice": [
            {"value": die.value, "px": _pixels(die, width, height)}
            for die in dice
            if die.value is not None
        ],
        "unsure": [{"px": _pixels(die, width, height)} for die in dice if die.value is None],
    }


def _pixels(die: Die, width: int, height: int) -> list[int]:
    x0, y0, x1, y1 = (round(side) for side in die.box)
    return [max(0, x0), max(0, y0), min(width, x1), min(height, y1)]


def in_words(dice: Sequence[Die]) -> str:
    """Return what dice show in a line for people, the highest first."""
    told = [die.value for die in dice if die.value is not None]
    asked = sum(die.value is None for die in dice)
    pips = sorted((value for value in told if isinstance(value, int)), reverse=True)
    letters = sorted(value for value in told if isinstance(value, str))
    text = listed([str(value) for value in [*pips, *letters]]) if told else "no die is read"
    if len(pips) > 1:
        text += f", {sum(pips)} pips together"
    if asked:
        text += f"; {asked} {'die is' if asked == 1 else 'dice are'} not sure"
    return text if told or asked else "no dice"


def draw_dice(picture: Picture, dice: Sequence[Die]) -> Picture:
    """Return a copy of the picture with a box around each die, and its value, or a question."""
    drawn = picture.copy()
    for die in dice:
        x0, y0, x1, y1 = (round(side) for side in die.box)
        colour = DOUBT if die.value is None else SURE
        width = max(1, (x1 - x0) // 40)
        cv2.rectangle(drawn, (x0, y0), (x1, y1), colour, width, cv2.LINE_AA)
        size = max(0.4, (x1 - x0) / 80)
        text = "?" if die.value is None else str(die.value)
        high = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)[0][1]
        at = (x0, y0 - 3 if y0 - 3 >= high else y1 + high + 3)
        for ink, thick in ((DARK, width + 3), (colour, width)):
            cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)
    return drawn
