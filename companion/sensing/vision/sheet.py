"""The field laid flat for the net: a picture with a margin, and how far things lean in it.

Every pitch of the board is ``PX`` pixels wide, whatever its size; rows run from north to south. The
picture is first shrunk to about that scale (area averaging, so that nothing aliases), then laid
flat. Two more planes say for each pixel where the camera's foot is, in camera heights: what stands
upright leans away from it by its own height times that.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import Pose

PX = 24
MARGIN = 1.0  # pitches around the field
SHRUNK_PX = 30.0  # pixels a pitch, at the most, of the picture that is laid flat


@dataclass(frozen=True)
class Sheet:
    """How to lay one board flat for one pose."""

    tables: tuple[Array, Array]
    shrunk: tuple[int, int]  # width and height
    lean: Array  # (2, rows, columns): east and south

    @classmethod
    def of(cls, board: Board, pose: Pose, margin: float = MARGIN) -> "Sheet":
        """Return the tables for a board seen from this pose."""
        rows = round((board.rows + 2 * margin) * PX)
        columns = round((board.columns + 2 * margin) * PX)
        scale = board.pitch_mm / PX
        ground = np.zeros((rows, columns, 3))
        ground[..., 0] = (np.arange(columns) + 0.5 - columns / 2)[None, :] * scale
        ground[..., 1] = (rows / 2 - np.arange(rows) - 0.5)[:, None] * scale
        shrink = min(1.0, SHRUNK_PX / pixels_a_pitch(board, pose))
        width, height = round(pose.width * shrink), round(pose.height * shrink)
        by = np.array([width / pose.width, height / pose.height])
        pixels = ((pose.project(ground) + 0.5) * by - 0.5).astype(np.float32)
        tables = cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)
        eye = pose.eye
        lean = np.moveaxis((ground[..., :2] - eye[:2]) * (1, -1) / eye[2], -1, 0)
        return cls((tables[0], tables[1]), (width, height), lean.astype(np.float32))

    def lay(self, picture: Picture) -> Picture:
        """Return the flat picture."""
        if self.shrunk != (picture.shape[1], picture.shape[0]):
            picture = np.asarray(cv2.resize(picture, self.shrunk, interpolation=cv2.INTER_AREA))
        laid = cv2.remap(picture, *self.tables, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(laid, np.uint8)


def pixels_a_pitch(board: Board, pose: Pose) -> float:
    """Return how many pixels of the picture a pitch of the board is wide, on average."""
    corners = pose.project(np.array(board.field_corners))
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=-1)
    return float(sides.mean()) * board.pitch_mm / board.field_mm
