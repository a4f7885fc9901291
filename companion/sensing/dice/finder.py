"""Finds what may be dice, of any size, in a picture of any size.

The picture is looked at from further and further away, each time at half its size, so that every
die is once as large as the net knows dice. Large pictures are looked at in tiles.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.dice.net import (
    BOX,
    CLOSE,
    FIRST,
    LEAST,
    STRIDE,
    THERE,
    UNIT,
    Finder,
    likely,
    scaled,
)

NEAREST = 1.4  # how much the closest look enlarges: so dice of 15 pixels can be found
MOST_PIXELS = 3200  # of a side in the closest look
TILE, MARGIN = 512, 64  # pixels: what is looked at at once; what a tile shares with the next
DAWNING = 0.15  # what is less likely to be a die is none
SAME = 0.4  # of their size: dice that are closer are one
MOST = 400  # dice in a picture

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Found:
    """What may be a die: how likely it is one, and the box around it in pixels of the picture."""

    chance: float
    box: Box

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of the box."""
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2

    @property
    def size(self) -> float:
        """Return the mean of width and height."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0 + y1 - y0) / 2


def find(net: Finder, picture: Picture) -> list[Found]:
    """Return everything in a picture that may be a die, the likeliest first, each once."""
    found: list[Found] = []
    for level, factor_x, factor_y in _levels(picture):
        for x, y, tile in _tiles(level):
            found += _placed(net.answer(tile), x, y, factor_x, factor_y)
    height, width = picture.shape[:2]
    inside = [each for each in found if _within(each.middle, width, height)]
    return each_once(inside)[:MOST]


def _within(at: tuple[float, float], width: int, height: int) -> bool:
    return 0 <= at[0] < width and 0 <= at[1] < height


def each_once(found: list[Found]) -> list[Found]:
    """Return the likeliest of those that are the same die, the likeliest first."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: -each.chance):
        if not any(_same(one, other) for other in kept):
            kept.append(one)
    return kept


def _same(one: Found, other: Found) -> bool:
    (x, y), (u, v) = one.middle, other.middle
    if np.hypot(x - u, y - v) < SAME * max(one.size, other.size):
        return True
    x0, y0, x1, y1 = one.box
    u0, v0, u1, v1 = other.box
    shared = max(0.0, min(x1, u1) - max(x0, u0)) * max(0.0, min(y1, v1) - max(y0, v0))
    smaller = min((x1 - x0) * (y1 - y0), (u1 - u0) * (v1 - v0))
    return shared > 0.55 * smaller


def _levels(picture: Picture) -> Iterator[tuple[Picture, float, float]]:
    """Yield the picture smaller and smaller, with what one pixel of it is in the first."""
    height, width = picture.shape[:2]
    factor = min(NEAREST, MOST_PIXELS / max(height, width))
    while min(height, width) * factor >= LEAST:
        size = max(1, round(width * factor)), max(1, round(height * factor))
        yield scaled(picture, *size), width / size[0], height / size[1]
        factor /= 2


def _tiles(level: Picture) -> Iterator[tuple[int, int, Picture]]:
    """Yield parts of a picture with the column and row of their corner; a side of each is a
    multiple of the net's step."""
    height, width = level.shape[:2]
    for y in _starts(height):
        for x in _starts(width):
            part = level[y : y + TILE, x : x + TILE]
            low, right = -part.shape[0] % STRIDE, -part.shape[1] % STRIDE
            kind = cv2.BORDER_REPLICATE
            padded = cv2.copyMakeBorder(part, 0, low, 0, right, kind) if low or right else part
            yield x, y, np.asarray(padded, np.uint8)


def _starts(length: int) -> range:
    return range(0, max(1, length - MARGIN), TILE - MARGIN)


def _placed(maps: Array, x: int, y: int, factor_x: float, factor_y: float) -> list[Found]:
    """Return the peaks of the answers to a tile, in pixels of the whole picture."""
    there = likely(maps[THERE][0])
    peaks = (there >= cv2.dilate(there, np.ones((3, 3), np.uint8))) & (there > DAWNING)
    found = []
    for row, column in np.argwhere(peaks):
        box = box_at(maps, int(row), int(column))
        if box is None:
            continue
        x0, y0, x1, y1 = box
        found.append(
            Found(
                float(there[row, column]),
                (
                    (x + x0) * factor_x,
                    (y + y0) * factor_y,
                    (x + x1) * factor_x,
                    (y + y1) * factor_y,
                ),
            )
        )
    return found


def box_at(maps: Array, row: int, column: int) -> Box | None:
    """Return the box that one step of the answers tells, None when it is none."""
    at = np.array([column, row, column, row]) * STRIDE + FIRST
    x0, y0, x1, y1 = (float(side) for side in at + maps[BOX, row, column] * UNIT)
    if not (np.isfinite([x0, y0, x1, y1]).all() and x1 - x0 > 4 and y1 - y0 > 4):
        return None
    return x0, y0, x1, y1


def cut_out(picture: Picture, found: Found, size: float, mirrored: bool) -> Picture:
    """Return a small picture with what was found in the middle, so many pixels wide."""
    (x, y), factor = found.middle, size / found.size
    reach = int(np.ceil(CLOSE / 2 / factor)) + 2
    left, top = int(np.floor(x)) - reach, int(np.floor(y)) - reach
    part = _part(picture, left, top, 2 * reach + 1)
    if factor < 0.6:  # else pixels would be left out
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 / factor), np.uint8)
    over = -factor if mirrored else factor
    middle = CLOSE / 2 - 0.5
    shift = [
        [over, 0, middle - over * (x - 0.5 - left)],
        [0, factor, middle - factor * (y - 0.5 - top)],
    ]
    way = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_LINEAR
    cut = cv2.warpAffine(
        part, np.array(shift), (CLOSE, CLOSE), flags=way, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def _part(picture: Picture, left: int, top: int, side: int) -> Picture:
    """Return a square of a picture; what lies beyond its edges is like the edges."""
    height, width = picture.shape[:2]
    x0, x1 = np.clip([left, left + side], 0, width)
    y0, y1 = np.clip([top, top + side], 0, height)
    part = cv2.copyMakeBorder(
        picture[y0:y1, x0:x1],
        int(y0) - top,
        top + side - int(y1),
        int(x0) - left,
        left + side - int(x1),
        cv2.BORDER_REPLICATE,
    )
    return np.asarray(part, np.uint8)
