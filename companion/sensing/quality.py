"""How good a camera's picture of the board is: what somebody who mounts it wants to hear."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera import Array, Picture
from companion.sensing.outline import corners_of
from companion.sensing.pose import Pose

SOFT = 0.22  # sharpness below which the lens is out of focus, or the picture moved
SMALLEST_CELL_PX = 24.0
DARK = 70.0  # of the brightest parts of the picture
GLARE_LEVEL, MUCH_GLARE = 250, 0.15  # share of the field


@dataclass(frozen=True)
class Quality:
    """Brightness of the picture's bright parts from 0 to 255, the share of the field that is
    blown out, sharpness from 0 to about 0.5, pixels a cell, and how the camera stands."""

    brightness: float
    glare: float
    sharpness: float
    cell_px: float
    height_mm: float
    tilt_deg: float
    view_deg: float

    @property
    def advice(self) -> tuple[str, ...]:
        """Return what could be better, a sentence each."""
        said = []
        if self.sharpness < SOFT:
            said.append("The picture is soft: focus the lens on the board, and fix the camera.")
        if self.cell_px < SMALLEST_CELL_PX:
            said.append("The board is small in the picture: bring the camera nearer.")
        if self.brightness < DARK:
            said.append("The picture is dark: more light makes the companion surer.")
        if self.glare > MUCH_GLARE:
            said.append("Part of the board is blown out white: turn the lamp away from it.")
        return tuple(said)


def quality(board: Board, picture: Picture, pose: Pose) -> Quality:
    """Return how good this picture of the board is."""
    corners = corners_of(board, pose)
    last = [pose.width - 1, pose.height - 1]
    (left, top), (right, low) = (
        np.clip(edge, 0, last).astype(int) for edge in (corners.min(axis=0), corners.max(axis=0))
    )
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    part = grey[top : low + 1, left : right + 1]
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    rotation, _ = cv2.Rodrigues(np.array(pose.turn))
    tilt = math.degrees(math.acos(min(1.0, abs(float(rotation[2, 2])))))
    return Quality(
        round(float(np.percentile(grey[::4, ::4], 95))),
        round(float((part >= GLARE_LEVEL).mean()), 3),
        round(sharpness(part), 2),
        round(float(sides.min()) / board.field_mm * board.cell_mm, 1),
        round(float(pose.eye[2])),
        round(tilt, 1),
        round(math.degrees(2 * math.atan(pose.width / 2 / pose.focal_px)), 1),
    )


def sharpness(grey: Array) -> float:
    """Return how much of its strongest edges a picture loses when it is blurred: a sharp one
    much, one that is blurred already little. Of across and down the lesser.

    The same pixels are compared before and after, so that it is no matter how many edges there
    are: fences have many.
    """
    calm = cv2.GaussianBlur(grey.astype(np.float32), (3, 3), 0)
    blurred = cv2.GaussianBlur(calm, (0, 0), 2)

    def loss(x: int, y: int) -> float:
        before, after = (np.abs(cv2.Sobel(each, cv2.CV_32F, x, y)) for each in (calm, blurred))
        edges = before >= np.percentile(before, 97)
        return 1 - float(after[edges].mean()) / max(float(before[edges].mean()), 1e-3)

    return max(0.0, min(loss(1, 0), loss(0, 1)))
