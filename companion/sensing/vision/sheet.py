"""The field laid flat (rectified) with a margin around it, and how far things lean in it.

Every pitch of the board is ``PX`` pixels wide, whatever its size; rows run from north to south. The
picture is sampled at twice that and averaged, so that little aliases, by tables made once per pose
(a homography, and the lens's distortion). Two more planes say for each pixel where the camera's
foot is, in camera heights: what stands upright leans away from it by its own height times that.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import Pose

PX = 24
MARGIN = 1.0  # pitches around the field
FINE = 2  # samples a pixel, each way
MOST_PX = 96.0  # pixels a pitch of a picture; larger ones are halved first
BLOCK = 3  # pixels that are compared together
CHANGED_LEVEL = 7.0
CHANGED_BLOCKS = 3
RESTLESS, RESTLESS_LEVEL = 0.9, 4.0  # quantile and most of the change that is compression's


@dataclass(frozen=True)
class Sheet:
    """How to lay one board flat for one pose."""

    tables: tuple[Array, Array]
    halvings: int
    lean: Array  # (2, rows, columns): east and south

    @classmethod
    def of(cls, board: Board, pose: Pose, margin: float = MARGIN, px: int = PX) -> "Sheet":
        """Return the tables for a board seen from this pose, with so many pixels a pitch."""
        rows = round((board.rows + 2 * margin) * px)
        columns = round((board.columns + 2 * margin) * px)
        eye = pose.eye
        feet = _ground(board, rows, columns, px)[..., :2] - eye[:2]
        lean = np.moveaxis(feet * (1, -1) / eye[2], -1, 0).astype(np.float32)
        size, halvings = pixels_a_pitch(board, pose), 0
        while size > MOST_PX:
            size, halvings = size / 2, halvings + 1
        shrunk = 0.5**halvings
        pixels = np.empty((FINE * rows, FINE * columns, 2), np.float32)
        for top in range(0, len(pixels), PX):  # in bands, which keeps the memory small
            band = slice(top, top + PX)
            fine = _ground(board, FINE * rows, FINE * columns, FINE * px, band)
            pixels[band] = (pose.project(fine) + 0.5) * shrunk - 0.5
        tables = cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)
        return cls((tables[0], tables[1]), halvings, lean)

    @property
    def size(self) -> tuple[int, int]:
        """Return the rows and columns of the flat picture."""
        return self.lean.shape[1], self.lean.shape[2]

    def lay(self, picture: Picture) -> Picture:
        """Return the flat picture."""
        for _ in range(self.halvings):
            half = picture.shape[1] // 2, picture.shape[0] // 2
            picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA))
        fine = cv2.remap(picture, *self.tables, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        laid = cv2.resize(fine, self.size[::-1], interpolation=cv2.INTER_AREA)
        return np.asarray(laid, np.uint8)


def _ground(board: Board, rows: int, columns: int, px: int, band: slice = slice(None)) -> Array:
    """Return where on the board's top pixels lie, (rows of the band, columns, 3)."""
    scale = board.pitch_mm / px
    east, north = np.arange(columns) + 0.5 - columns / 2, rows / 2 - np.arange(rows)[band] - 0.5
    ground = np.zeros((len(north), columns, 3))
    ground[..., 0] = east[None, :] * scale
    ground[..., 1] = north[:, None] * scale
    return ground


def pixels_a_pitch(board: Board, pose: Pose) -> float:
    """Return how many pixels of the picture a pitch of the board is wide, on average."""
    corners = pose.project(np.array(board.field_corners))
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=-1)
    return float(sides.mean()) * board.pitch_mm / board.field_mm


def differs(laid: Picture, before: Picture) -> bool:
    """Tell whether two flat pictures differ by more than the camera's noise (frame differencing).
    The margin does not count: lights breathe there, and hands are on their way."""
    edge = round(MARGIN * PX)
    field = np.s_[edge:-edge, edge:-edge]
    change = cv2.absdiff(laid[field], before[field])
    size = (change.shape[1] // BLOCK, change.shape[0] // BLOCK)
    blocks: Array = np.asarray(cv2.resize(change, size, interpolation=cv2.INTER_AREA)).max(axis=-1)
    noise = _unrest(blocks.ravel())
    changed = int((blocks > CHANGED_LEVEL + 2 * noise).sum())
    return changed >= CHANGED_BLOCKS or noise > CHANGED_LEVEL


def _unrest(change: Array) -> float:
    """Return the noise between two pictures of the same scene, given their differences: a robust
    estimate, the median, or half a step in the dark, where compressed pictures flicker here and
    there by whole steps."""
    middle, late = len(change) // 2, int(RESTLESS * len(change))
    ordered = np.partition(change, (middle, late))
    return max(float(ordered[middle]), min(float(ordered[late]), RESTLESS_LEVEL) / 2)
