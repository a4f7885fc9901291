"""The trained net for dice, run by OpenCV: a picture in, at each step of it a die or none.

A step of the answers is ``STRIDE`` pixels. The net knows dice that are :data:`LEAST` to
:data:`LARGEST` pixels wide; whoever asks scales the picture so that they are.
"""

from pathlib import Path

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.net import open_net

WEIGHTS = Path(__file__).with_name("dice.onnx")

STRIDE = 8
FIRST = (STRIDE - 1) / 2  # the pixel over which the first step lies
LEAST, LARGEST = 21, 48  # pixels: the dice that the net was trained to find
UNIT = 32  # pixels in which it tells how far the sides of a die are

#: What a die can show: pips, or the letters on the special die of one game.
VALUES = (1, 2, 3, 4, 5, 6, "F2")

#: The maps of its answer, in their order: whether a die is there, what it shows, where it ends.
THERE, VALUE, BOX = slice(0, 1), slice(1, 1 + len(VALUES)), slice(1 + len(VALUES), 5 + len(VALUES))
MAPS = BOX.stop


class Net:
    """The net on one thread; :data:`WEIGHTS` are trained by ``make dice``."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = open_net(weights)

    def answer(self, pictures: list[Picture]) -> Array:
        """Return the maps for pictures of one size, a multiple of STRIDE each way: (n, maps, rows,
        columns)."""
        planes = np.stack([np.moveaxis(each, -1, 0) for each in pictures]).astype(np.float32) / 255
        self._net.setInput(planes)
        return np.asarray(self._net.forward(), np.float32)


def likely(logits: Array) -> Array:
    """Return the probability for a logit."""
    chance: Array = 1 / (1 + np.exp(-logits))
    return chance


def scaled(picture: Picture, width: int, height: int) -> Picture:
    """Return a picture in another size, without flicker from pixels left out."""
    way = cv2.INTER_AREA if width < picture.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)
