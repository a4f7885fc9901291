"""Small pieces of picture that are pressed onto a larger one (alpha compositing): bodies, shadows
and glows alike."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.camera.frame import Picture
from companion.sim.picture.light import Floats


@dataclass(frozen=True)
class Box:
    """A part of a picture, in pixels."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Stamp:
    """What a part of the picture keeps, of 255, and what is added to it."""

    box: Box
    keep: Picture | None
    add: Picture | None

    def press(self, picture: Picture) -> None:
        """Change the picture where this stamp lies; what falls outside the picture is cut off."""
        box = self.box
        top, left = max(box.top, 0), max(box.left, 0)
        bottom = min(box.top + box.height, picture.shape[0])
        right = min(box.left + box.width, picture.shape[1])
        if bottom <= top or right <= left:
            return
        target = picture[top:bottom, left:right]
        part = np.s_[top - box.top : bottom - box.top, left - box.left : right - box.left]
        if self.keep is not None:
            cv2.multiply(target, self.keep[part], target, scale=1 / 255)
        if self.add is not None:
            cv2.add(target, self.add[part], target)


def box_around(pixels: NDArray[np.float64], margin: float = 3.0) -> Box:
    """Return the box that holds these pixels with a margin."""
    left, top = np.floor(pixels.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(pixels.max(axis=0) + margin).astype(int) + 1
    return Box(int(left), int(top), int(right - left), int(bottom - top))


def solid(box: Box, ink: Picture, hit: Picture, soft: float) -> Stamp:
    """Return the stamp of something opaque from its finely sampled colour and outline.

    The colour is black and the outline 0 where it is not, the outline is 255 where it is.
    """
    size = (box.width, box.height)
    cover = cv2.GaussianBlur(cv2.resize(hit, size, interpolation=cv2.INTER_AREA), (0, 0), soft)
    colour = cv2.GaussianBlur(cv2.resize(ink, size, interpolation=cv2.INTER_AREA), (0, 0), soft)
    keep = cv2.cvtColor(cv2.bitwise_not(cover), cv2.COLOR_GRAY2BGR)
    return Stamp(box, np.asarray(keep, np.uint8), np.asarray(colour, np.uint8))


def shadowed(depth: Picture, keep: Floats) -> Picture:
    """Return what each channel keeps in a shadow of ``depth`` 0 to 255; a full one, ``keep``."""
    share = np.arange(256, dtype=np.float32)[:, None, None]
    kept = (255.5 - share * (1 - keep)).astype(np.uint8)
    return np.asarray(cv2.LUT(cv2.cvtColor(depth, cv2.COLOR_GRAY2BGR), kept), np.uint8)
