"""The field laid flat (rectified) with a margin around it, and how far things lean in it.

Every pitch of the board is ``PX`` pixels wide, whatever its size; rows run from north to south. The
picture is sampled by tables made once per pose (a homography, and the lens's distortion). Two more
planes say for each pixel where the camera's foot is, in camera heights: what stands upright leans
away from it by its own height times that. Whether anything has changed is told by pictures of half
that size, in which a camera's noise is averaged away.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import Pose

PX = 48
MARGIN = 1.0  # pitches around the field
COARSE_PX = PX // 2  # pixels a pitch of the pictures that are compared
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
    def of(cls, board: Board, pose: Pose, margin: float = MARGIN) -> "Sheet":
        """Return the tables for a board seen from this pose."""
        rows = round((board.rows + 2 * margin) * PX)
        columns = round((board.columns + 2 * margin) * PX)
        eye = pose.eye
        feet = _ground(board, rows, columns)[..., :2] - eye[:2]
        lean = np.moveaxis(feet * (1, -1) / eye[2], -1, 0).astype(np.float32)
        size, halvings = pixels_a_pitch(board, pose), 0
        while size > MOST_PX:
            size, halvings = size / 2, halvings + 1
        shrunk = 0.5**halvings
        pixels = np.empty((rows, columns, 2), np.float32)
        for top in range(0, rows, PX):  # in bands, which keeps the memory small
            band = slice(top, top + PX)
            pixels[band] = (pose.project(_ground(board, rows, columns, band)) + 0.5) * shrunk - 0.5
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
        laid = cv2.remap(picture, *self.tables, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(laid, np.uint8)


def coarse(laid: Picture) -> Picture:
    """Return a flat picture at half its size, to compare it with others."""
    half = laid.shape[1] // 2, laid.shape[0] // 2
    return np.asarray(cv2.resize(laid, half, interpolation=cv2.INTER_AREA))


def _ground(board: Board, rows: int, columns: int, band: slice = slice(None)) -> Array:
    """Return where on the board's top pixels lie, (rows of the band, columns, 3)."""
    scale = board.pitch_mm / PX
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


def differs(now: Picture, before: Picture) -> bool:
    """Tell whether two coarse pictures differ by more than the camera's noise (frame differencing).
    The margin does not count: lights breathe there, and hands are on their way."""
    edge = round(MARGIN * COARSE_PX)
    field = np.s_[edge:-edge, edge:-edge]
    change = cv2.absdiff(now[field], before[field])
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
