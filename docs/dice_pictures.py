"""Makes the picture of docs/dice.md: dice that were drawn for the tests, as they are read."""

from pathlib import Path

import cv2
import numpy as np

from companion.commands.dice import draw_dice
from companion.sensing.camera.files import read_picture, write_picture
from companion.sensing.dice.reader import DiceReader

DOCS = Path(__file__).parent
SHOWN = ("drawn_0000.jpg", "drawn_0002.jpg")


def make() -> None:
    """Write the picture."""
    reader, parts = DiceReader(), []
    for name in SHOWN:
        picture = read_picture(DOCS.parent / "tests" / "dice" / name)
        parts.append(draw_dice(picture, reader.read(picture)))
    write_picture(DOCS / "pictures" / "dice.jpg", np.hstack(parts))


if __name__ == "__main__":
    cv2.setNumThreads(1)
    make()
