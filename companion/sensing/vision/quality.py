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
MOST_SLANT_DEG = 40.0  # then a pawn hides all of the square behind it

SOFT = "The picture is soft: focus the lens on the board, and fix the camera."


@dataclass(frozen=True)
class Quality:
    """Brightness of the picture's bright parts from 0 to 255, the share of the field that is
    blown out, sharpness in per cent, pixels a cell, and how the camera stands: its own tilt, its
    angle of view, and by how much it looks at the middle and the far edge of the field from aside
    (between line of sight and normal)."""

    brightness: float
    glare: float
    sharpness: int
    cell_px: float
    height_mm: float
    tilt_deg: float
    view_deg: float
    slant_deg: float
    far_slant_deg: float

    @property
    def advice(self) -> tuple[str, ...]:
        """Return what could be better, a sentence each."""
        said = []
        if self.sharpness < ENOUGH:
            said.append(SOFT)
        if self.slant_deg > MOST_SLANT_DEG:
            said.append(
                f"The view is too slanting: expected at most {MOST_SLANT_DEG:.0f}° from straight"
                f" above the middle of the board, got {self.slant_deg:.0f}°, and"
                f" {self.far_slant_deg:.0f}° at its far edge. Hang the camera higher."
            )
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
        round(_slant_deg(pose, (0.0, 0.0)), 1),
        round(max(_slant_deg(pose, edge) for edge in _edges(board)), 1),
    )


def _edges(board: Board) -> list[tuple[float, float]]:
    half = board.field_mm / 2
    return [(-half, 0.0), (half, 0.0), (0.0, -half), (0.0, half)]


def _slant_deg(pose: Pose, at: tuple[float, float]) -> float:
    """Return the angle between the line of sight to a place on the board and its normal."""
    x, y, z = (float(part) for part in pose.eye)
    return math.degrees(math.atan2(math.hypot(x - at[0], y - at[1]), z))
