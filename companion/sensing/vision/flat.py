"""The board laid flat (rectified): a small picture of the field, every pixel a known place.

Only the field is resampled, by tables made once per pose (a homography, and the lens's distortion);
that costs a fraction of a marker search. Rows run from north to south, columns from west to east,
and each tile (a cell with the half grooves around it) is ``TILE`` pixels wide.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import Pose

TILE = 25
COARSE = 6
MARGIN = 2  # nodes of the coarse net around the field
CUBIC = -0.75  # OpenCV's slope of a cubic through four nodes
USUAL_PITCH_MM = 29.0
BLOCK = 3  # pixels of the flat picture that are compared together
CHANGED_LEVEL = 7.0
CHANGED_BLOCKS = 3
RESTLESS, RESTLESS_LEVEL = 0.9, 4.0  # quantile and most of the change that is compression's


@dataclass(frozen=True)
class Flat:
    """How to lay the board flat for one pose."""

    board: Board
    pose: Pose
    tables: tuple[Array, Array]
    size: tuple[int, int]  # rows, columns
    outside: Array  # pixels of the flat picture that the camera does not see

    @classmethod
    def of(cls, board: Board, pose: Pose) -> "Flat":
        """Return the tables for a board seen from this pose."""
        rows, columns = board.rows * TILE, board.columns * TILE
        # The lens bends gently: every sixth pixel is projected, those between are interpolated.
        margin = MARGIN * COARSE
        across = np.arange(-margin, columns + margin, COARSE) + 0.5
        down = np.arange(-margin, rows + margin, COARSE) + 0.5
        x = (across - columns / 2) * board.pitch_mm / TILE
        y = (rows / 2 - down) * board.pitch_mm / TILE
        ground = np.zeros((len(y), len(x), 3))
        ground[..., 0], ground[..., 1] = x[None, :], y[:, None]
        coarse = pose.project(ground).astype(np.float32)
        pixels = _between(_between(coarse, rows).swapaxes(0, 1), columns).swapaxes(0, 1)
        tables = cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)
        last = np.array([pose.width - 1, pose.height - 1])
        outside = np.asarray(((pixels < 0) | (pixels > last)).any(axis=-1))
        return cls(board, pose, (tables[0], tables[1]), (rows, columns), outside)

    def lay(self, picture: Picture) -> Picture:
        """Return the flat picture of the board."""
        laid = cv2.remap(picture, *self.tables, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(laid, np.uint8)

    def pixel(self, points: Array) -> tuple[Array, Array]:
        """Return row and column, as whole numbers, where points (…, 3) of the board are seen."""
        feet = self.pose.foot(points)
        scale = TILE / self.board.pitch_mm
        row = np.floor(self.size[0] / 2 - feet[..., 1] * scale).astype(np.int64)
        column = np.floor(self.size[1] / 2 + feet[..., 0] * scale).astype(np.int64)
        return row, column

    def index(self, points: Array) -> Array:
        """Return the number of the pixel at which each point is seen, or of the nearest one."""
        row, column = self.pixel(points)
        rows, columns = self.size
        number: Array = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
        return number

    def ground(self, column: float, row: float) -> tuple[float, float]:
        """Return the place on the board's top, in millimetres, that a pixel shows."""
        scale = self.board.pitch_mm / TILE
        rows, columns = self.size
        return (column + 0.5 - columns / 2) * scale, (rows / 2 - row - 0.5) * scale


def _between(nodes: Array, count: int) -> Array:
    """Return what nodes of the coarse net, along the first axis, say of the pixels between them.

    The cubic is OpenCV's own; but its remap, before 5.0, rounds the places between the nodes, and
    that moved pixels by up to a quarter of one.
    """
    at = np.arange(count) / COARSE + MARGIN
    first = np.floor(at).astype(np.intp) - 1
    values = np.zeros((count, *nodes.shape[1:]), np.float32)
    for node in range(4):
        away = np.abs(at - first - node)
        near = ((CUBIC + 2) * away - (CUBIC + 3)) * away**2 + 1
        far = (((away - 5) * away + 8) * away - 4) * CUBIC
        share = np.where(away < 1, near, far)
        values += nodes[first + node] * share[:, None, None].astype(np.float32)
    return values


def round_brush(width_mm: float) -> Array:
    """Return a round structuring element, its width in millimetres of a board of usual size."""
    width = max(3, round(width_mm * TILE / USUAL_PITCH_MM) | 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)))


def differs(laid: Picture, before: Picture, part: float = 1.0) -> bool:
    """Tell whether two flat pictures, or parts of them, differ by more than the camera's noise
    (frame differencing); ``part`` scales the threshold."""
    change = cv2.absdiff(laid, before)
    size = (laid.shape[1] // BLOCK, laid.shape[0] // BLOCK)
    blocks: Array = np.asarray(cv2.resize(change, size, interpolation=cv2.INTER_AREA)).max(axis=-1)
    noise = unrest(blocks.ravel()) if part == 1.0 else float(np.median(blocks))
    return (
        int((blocks > part * CHANGED_LEVEL + 2 * noise).sum()) >= CHANGED_BLOCKS
        or noise > CHANGED_LEVEL
    )


def unrest(change: Array) -> float:
    """Return the noise between two pictures of the same scene, given their differences: a robust
    estimate, the median, or half a step in the dark, where compressed pictures flicker here and
    there by whole steps."""
    middle, late = len(change) // 2, int(RESTLESS * len(change))
    ordered = np.partition(change, (middle, late))
    return max(float(ordered[middle]), min(float(ordered[late]), RESTLESS_LEVEL) / 2)
