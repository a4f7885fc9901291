"""The two trained nets for dice, run by OpenCV: one finds them, the other reads one at a time.

The finder says at each step of a picture, every ``STRIDE`` pixels, whether a die is there and where
it ends. It knows dice that are :data:`LEAST` to :data:`LARGEST` pixels wide; whoever asks scales
the picture so that they are. The reader is shown cut-outs with a die in the middle.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.net import open_net

FINDER = Path(__file__).with_name("finder.onnx")
READER = Path(__file__).with_name("reader.onnx")

STRIDE = 8
FIRST = (STRIDE - 1) / 2  # the pixel over which the first step lies
LEAST, LARGEST = 21, 48  # pixels: the dice that the finder was trained for
UNIT = 32  # pixels in which it tells how far the sides of a die are

#: The maps of the finder's answer, in their order: whether a die is there, where it ends.
THERE, BOX = slice(0, 1), slice(1, 5)
MAPS = BOX.stop

CLOSE, WIDE = 48, 34  # pixels of a cut-out, and how wide the die in it is
#: What a die can show: pips, or the letters on the special die of one game.
VALUES = (1, 2, 3, 4, 5, 6, "F2")
NONE = len(VALUES)  # the reader's last answer: this is no die that can be read
FAINT = 6.0  # of 255: a contrast that is not stretched any further


class Finder:
    """The net that finds, on one thread; :data:`FINDER` is trained by ``make dice``."""

    def __init__(self, weights: Path = FINDER) -> None:
        self._net = open_net(weights)

    def answer(self, picture: Picture) -> Array:
        """Return the maps for a picture whose sides are multiples of STRIDE: (maps, rows,
        columns)."""
        planes = np.moveaxis(picture, -1, 0).astype(np.float32) / 255
        self._net.setInput(np.ascontiguousarray(planes[None]))
        maps: Array = np.asarray(self._net.forward(), np.float32)[0]
        return maps


class Reader:
    """The net that reads, on one thread; :data:`READER` is trained by ``make dice``."""

    def __init__(self, weights: Path = READER) -> None:
        self._net = open_net(weights)

    def answer(self, pictures: Sequence[Picture]) -> Array:
        """Return the logits of all VALUES, and of NONE, for each of some cut-outs."""
        planes = np.moveaxis(evened(np.stack(pictures)), -1, 1)
        self._net.setInput(np.ascontiguousarray(planes))
        return np.asarray(self._net.forward(), np.float32).reshape(len(pictures), NONE + 1)


def evened(pictures: Array) -> Array:
    """Return cut-outs, (n, CLOSE, CLOSE, 3), in which dice of all colours have the same mean and
    the same contrast."""
    edge = (CLOSE - WIDE) // 2 + 3
    die = pictures[:, edge:-edge, edge:-edge].astype(np.float32)
    mean = die.mean(axis=(1, 2), keepdims=True)
    contrast = (die - mean).std(axis=(1, 2, 3), keepdims=True)
    even: Array = (pictures - mean) / (contrast + FAINT)
    return np.clip(even, -4, 4).astype(np.float32)


def likely(logits: Array) -> Array:
    """Return the probability for a logit."""
    chance: Array = 1 / (1 + np.exp(-logits))
    return chance


def scaled(picture: Picture, width: int, height: int) -> Picture:
    """Return a picture in another size, without flicker from pixels left out."""
    way = cv2.INTER_AREA if width < picture.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)
