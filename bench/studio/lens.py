"""The camera over the board: where it hangs, what its lens does to a point, and how a picture
drawn without distortion is bent into one that has it."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board

WIDTH, HEIGHT = 1296, 972
MARGIN_PX = 8  # of table around the frame, at least
STEPS = 12  # until the distortion is undone to a millionth of a pixel
SPARE_PX = 2  # around what the bent picture needs, for the interpolation

Point = tuple[float, float, float]
Rows = tuple[Point, Point, Point]


@dataclass(frozen=True)
class Lens:
    """A camera as OpenCV describes it; ``rotation`` and ``shift`` take millimetres of the board
    into the camera, ``centre`` is where it hangs."""

    hfov_deg: float
    height_mm: float
    tilt_deg: float
    yaw_deg: float
    roll_deg: float
    matrix: Rows
    distortion: tuple[float, float, float, float, float]
    rotation: Rows
    shift: Point
    centre: Point

    def project(self, points: Sequence[Point]) -> NDArray[np.float64]:
        """Return where points of the board lie in the picture, distortion included."""
        pixels, _ = cv2.projectPoints(
            np.array(points, np.float64).reshape(-1, 1, 3),
            np.array(self.rotation),
            np.array(self.shift),
            np.array(self.matrix),
            np.array(self.distortion),
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def straighten(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where a lens without distortion would show what these pixels show."""
        (focal, _, x), (_, _, y), _ = self.matrix
        bent = (pixels - (x, y)) / focal
        straight = bent
        for _ in range(STEPS):
            square = (straight**2).sum(-1, keepdims=True)
            straight = bent / (1 + self.distortion[0] * square + self.distortion[1] * square**2)
        return straight * focal + (x, y)

    def facts(self) -> dict[str, Any]:
        """Return the camera as truth files have it."""
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "hfov_deg": round(self.hfov_deg, 3),
            "height_mm": round(self.height_mm, 1),
            "tilt_deg": round(self.tilt_deg, 3),
            "yaw_deg": round(self.yaw_deg, 3),
            "roll_deg": round(self.roll_deg, 3),
            "K": self.matrix,
            "dist": self.distortion,
            "R": self.rotation,
            "t": self.shift,
            "C": self.centre,
        }


@dataclass(frozen=True)
class Canvas:
    """What to draw without distortion so that all of the bent picture can be taken from it.

    ``left`` and ``top`` is where it starts, in pixels of the picture; ``columns`` and ``rows``
    say for each pixel of the picture where on the canvas it comes from.
    """

    left: float
    top: float
    width: int
    height: int
    columns: NDArray[np.float32]
    rows: NDArray[np.float32]

    def bend(self, drawn: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the picture that the lens makes of what was drawn on the canvas."""
        bent = cv2.remap(
            drawn, self.columns, self.rows, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        return np.maximum(np.asarray(bent, np.float32), 0)


def canvas_of(lens: Lens) -> Canvas:
    """Return the canvas for a lens."""
    columns, rows = np.meshgrid(np.arange(WIDTH, dtype=float), np.arange(HEIGHT, dtype=float))
    straight = lens.straighten(np.stack([columns, rows], -1).reshape(-1, 2))
    left, top = np.floor(straight.min(0)) - SPARE_PX
    right, bottom = np.ceil(straight.max(0)) + SPARE_PX + 1
    source = (straight - (left, top)).astype(np.float32).reshape(HEIGHT, WIDTH, 2)
    size = int(right - left), int(bottom - top)
    return Canvas(float(left), float(top), *size, source[..., 0].copy(), source[..., 1].copy())


def draw_lens(rng: random.Random, board: Board) -> Lens:
    """Return a camera that hangs over the south half or the middle and sees the whole frame."""
    half = board.frame_mm / 2
    edges = [(x, y, 0.0) for x in (-half, half) for y in (-half, half)]
    while True:
        aim = (rng.uniform(-18, 18), rng.uniform(-15, 20), 0.0)
        lens = _hung(rng, aim)
        low, high = lens.project(edges).min(0), lens.project(edges).max(0)
        seen = low.min() > MARGIN_PX and (high < (WIDTH - MARGIN_PX, HEIGHT - MARGIN_PX)).all()
        if seen and lens.centre[1] < aim[1] + 5:
            return lens


def _hung(rng: random.Random, aim: Point) -> Lens:
    height, tilt = rng.uniform(430, 560), rng.uniform(1, 25)
    yaw, roll = rng.uniform(-7.5, 7.5), rng.uniform(-1.6, 1.6)
    hfov = rng.uniform(54, 62)
    focal = WIDTH / 2 / math.tan(math.radians(hfov / 2))
    middle = WIDTH / 2 - 0.5 + rng.uniform(-7, 5), HEIGHT / 2 - 0.5 + rng.uniform(-7, 6)
    downward = np.diag([1.0, -1.0, -1.0])
    rotation = _about_z(roll) @ _about_x(-tilt) @ downward @ _about_z(yaw)
    centre = np.array(aim) + rotation[2] * height / rotation[2][2]
    return Lens(
        hfov_deg=hfov,
        height_mm=height,
        tilt_deg=tilt,
        yaw_deg=yaw,
        roll_deg=roll,
        matrix=((focal, 0.0, middle[0]), (0.0, focal, middle[1]), (0.0, 0.0, 1.0)),
        distortion=(rng.uniform(-0.1, -0.02), rng.uniform(0, 0.01), 0.0, 0.0, 0.0),
        rotation=(_point(rotation[0]), _point(rotation[1]), _point(rotation[2])),
        shift=_point(-rotation @ centre),
        centre=_point(centre),
    )


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])


def _about_x(degrees: float) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])


def _about_z(degrees: float) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
