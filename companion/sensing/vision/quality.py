"""How good a camera's picture of the board is: what somebody mounting it wants to know."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Picture
from companion.sensing.camera.sharpness import ENOUGH, field, sharpness
from companion.sensing.vision.outline import corners_of
from companion.sensing.vision.pose import Pose

SMALLEST_CELL_PX = 24.0
DARK = 70.0  # of the brightest parts of the picture
GLARE_LEVEL, MUCH_GLARE = 250, 0.15  # share of the field


SOFT = "The picture is soft: focus the lens on the board, and fix the camera."


@dataclass(frozen=True)
class Quality:
    """Brightness of the picture's bright parts from 0 to 255, the share of the field that is
    blown out, sharpness in per cent, pixels a cell, and how the camera stands."""

    brightness: float
    glare: float
    sharpness: int
    cell_px: float
    height_mm: float
    tilt_deg: float
    view_deg: float

    @property
    def advice(self) -> tuple[str, ...]:
        """Return what could be better, a sentence each."""
        said = []
        if self.sharpness < ENOUGH:
            said.append(SOFT)
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
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    rotation, _ = cv2.Rodrigues(np.array(pose.turn))
    tilt = math.degrees(math.acos(min(1.0, abs(float(rotation[2, 2])))))
    return Quality(
        round(float(np.percentile(grey[::4, ::4], 95))),
        round(float((field(board, picture, pose) >= GLARE_LEVEL).mean()), 3),
        sharpness(board, picture, pose),
        round(float(sides.min()) / board.field_mm * board.cell_mm, 1),
        round(float(pose.eye[2])),
        round(tilt, 1),
        round(math.degrees(2 * math.atan(pose.width / 2 / pose.focal_px)), 1),
    )
