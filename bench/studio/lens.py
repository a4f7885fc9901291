"""The camera over the board: where it hangs, what its lens does to a point, and how a picture
drawn without distortion is bent into one that has it."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.studio.builds import Build
from bench.studio.dice import Dice
from companion.board import Board

WIDTH, HEIGHT = 1296, 972
MARGIN_PX = 8  # of table around the frame, at least
STEPS = 12  # until the distortion is undone to a millionth of a pixel
FITTING = 12  # rounds in which the camera is moved until what has to be seen fills the picture
FIELD_OF_VIEW_DEG = {"usual": (52.0, 64.0), "wide": (64.0, 84.0), "narrow": (28.0, 52.0)}
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
    away_mm: float
    lean_deg: float = 0.0
    width: int = WIDTH
    height: int = HEIGHT

    def scaled(self, scale: float) -> "Lens":
        """Return the same camera with fewer pixels."""
        (focal, _, x), (_, _, y), _ = self.matrix
        width, height = round(WIDTH * scale), round(HEIGHT * scale)
        part = width / WIDTH
        middle = (x + 0.5) * part - 0.5, (y + 0.5) * part - 0.5
        matrix: Rows = (
            (focal * part, 0.0, middle[0]),
            (0.0, focal * part, middle[1]),
            (0.0, 0.0, 1.0),
        )
        return replace(self, matrix=matrix, width=width, height=height)

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
            "width": self.width,
            "height": self.height,
            "hfov_deg": round(self.hfov_deg, 3),
            "height_mm": round(self.height_mm, 1),
            "tilt_deg": round(self.tilt_deg, 3),
            "yaw_deg": round(self.yaw_deg, 3),
            "roll_deg": round(self.roll_deg, 3),
            "lean_deg": round(self.lean_deg, 3),
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
    width, height = lens.width, lens.height
    columns, rows = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    straight = lens.straighten(np.stack([columns, rows], -1).reshape(-1, 2))
    left, top = np.floor(straight.min(0)) - SPARE_PX
    right, bottom = np.ceil(straight.max(0)) + SPARE_PX + 1
    source = (straight - (left, top)).astype(np.float32).reshape(height, width, 2)
    size = int(right - left), int(bottom - top)
    return Canvas(float(left), float(top), *size, source[..., 0].copy(), source[..., 1].copy())


def draw_lens(dice: Dice, board: Board, build: Build) -> Lens:
    """Return a camera over the board that sees the whole frame, the markers, or the field alone."""
    rng = dice.rng
    hfov = rng.uniform(*FIELD_OF_VIEW_DEG[dice.word("lens")])
    tilt, yaw, roll = dice.span("tilt"), dice.span("yaw"), dice.span("roll")
    towards = dice.word("tilt towards")
    lean = 0.0
    if towards == "aside":
        tilt, lean = tilt / 3, rng.choice((-1, 1)) * tilt * 0.6
    elif towards == "north":
        tilt = -tilt * 0.6
    points = _to_be_seen(dice.word("view"), board, build, rng)
    wanted, shift = dice.span("fill"), dice.span("aim")
    distortion = dice.span("distortion")
    turned = tilt, yaw, roll, lean
    middle = WIDTH / 2 - 0.5 + rng.uniform(-7, 5), HEIGHT / 2 - 0.5 + rng.uniform(-7, 6)
    away = 2.4 * board.field_mm
    aim = (0.0, 0.0, 0.0)
    for _ in range(FITTING):
        lens = _hung(hfov, turned, away, aim, middle, distortion)
        seen = lens.project(points)
        low, high = seen.min(0), seen.max(0)
        filled = ((high - low) / (WIDTH - 2 * MARGIN_PX, HEIGHT - 2 * MARGIN_PX)).max()
        off = (low + high) / 2 - (WIDTH / 2, HEIGHT / 2)
        scale = lens.away_mm / lens.matrix[0][0]
        turn = math.radians(yaw)
        x, y = off[0] * scale, -off[1] * scale
        aim = (
            aim[0] + x * math.cos(turn) + y * math.sin(turn),
            aim[1] + y * math.cos(turn) - x * math.sin(turn),
            0.0,
        )
        away *= float(filled) / wanted
    return _shifted(lens, hfov, turned, away, aim, middle, distortion, points, shift, rng)


def _to_be_seen(view: str, board: Board, build: Build, rng: random.Random) -> list[Point]:
    x, y = build.frame_half_mm
    low = build.plane_mm
    field = board.field_mm / 2 + rng.uniform(0.25, 0.8) * board.pitch_mm
    if view == "markers" and board.markers:
        room = board.marker_mm * 0.7
        x = max(abs(m.x_mm) for m in board.markers) + room
        y = max(abs(m.y_mm) for m in board.markers) + room
        x, y = max(x, field), max(y, field)
    elif view != "frame" or build.kind == "bare":
        x = y = field
        if view == "frame":
            x = y = max(field, board.board_mm / 2 + 3)
    return [(sx * x, sy * y, low) for sx in (-1, 1) for sy in (-1, 1)]


def _shifted(
    lens: Lens,
    hfov: float,
    turned: tuple[float, float, float, float],
    away: float,
    aim: Point,
    middle: tuple[float, float],
    distortion: float,
    points: Sequence[Point],
    shift: float,
    rng: random.Random,
) -> Lens:
    """Return the camera aimed a bit off the middle, as far as all that has to be seen stays."""
    scale = lens.away_mm / lens.matrix[0][0]
    for part in (shift, shift / 2, shift / 4, 0.0):
        angle = rng.uniform(0, 2 * math.pi)
        reach = 0.12 * WIDTH * scale * part
        there = (aim[0] + reach * math.cos(angle), aim[1] + reach * math.sin(angle), 0.0)
        for grown in (1.0, 1.03, 1.06):
            moved = _hung(hfov, turned, away * grown, there, middle, distortion)
            seen = moved.project(points)
            if seen.min() > MARGIN_PX / 2 and (seen < (WIDTH - 4, HEIGHT - 4)).all():
                return moved
    return _hung(hfov, turned, away * 1.12, aim, middle, distortion)


def _hung(
    hfov: float,
    turned: tuple[float, float, float, float],
    away: float,
    aim: Point,
    middle: tuple[float, float],
    distortion: float,
) -> Lens:
    tilt, yaw, roll, lean = turned
    focal = WIDTH / 2 / math.tan(math.radians(hfov / 2))
    corner = (WIDTH**2 + HEIGHT**2) / 4 / focal**2
    downward = np.diag([1.0, -1.0, -1.0])
    rotation = _about_z(roll) @ _about_y(lean) @ _about_x(-tilt) @ downward @ _about_z(yaw)
    centre = np.array(aim) - rotation[2] * away
    return Lens(
        hfov_deg=hfov,
        height_mm=float(centre[2]),
        tilt_deg=tilt,
        yaw_deg=yaw,
        roll_deg=roll,
        matrix=((focal, 0.0, middle[0]), (0.0, focal, middle[1]), (0.0, 0.0, 1.0)),
        distortion=(distortion / corner, 0.1 * (distortion / corner) ** 2, 0.0, 0.0, 0.0),
        rotation=(_point(rotation[0]), _point(rotation[1]), _point(rotation[2])),
        shift=_point(-rotation @ centre),
        centre=_point(centre),
        away_mm=away,
        lean_deg=lean,
    )


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])


def _about_x(degrees: float) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])


def _about_y(degrees: float) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])


def _about_z(degrees: float) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
