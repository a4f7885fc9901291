"""The frame around the field, laid flat (rectified): a small picture of the band where hands pass.

The four sides lie one below the other, north, south, west, east; each runs from its outer edge
inwards. Left out is what does not look the same all the time: markers, lights and their glow, and
all that a piece on an outer square can hide by leaning over the frame.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.board import Board, Place
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.flat import USUAL_PITCH_MM
from companion.sensing.vision.pose import Pose

STEP_MM = 1.25  # between the pixels that are taken from the picture, on a board of usual size
FINE = 2  # of them each way make one sample
EDGE_MM = 3.0  # where the frame ends, and around the board in it, light and shade vary
QUIET_MM = 7.0  # around a marker
GLOW_MM = 11.0  # around the middle of a light
ROOM_MM = 2.0  # by which a piece may stand beyond the field
LEAST_SAMPLES = 200
HAND_MM = 40.0  # above the board: where a hand is that seems to lie on the frame
NEAR, BESIDE = 1.2, 0.8  # pitches from the field to a hand, and from there to a place


@dataclass(frozen=True)
class Band:
    """How to lay the frame flat for one pose. ``used`` names the samples that are looked at, by
    number; ``at`` says where on the frame they lie, in millimetres."""

    board: Board
    tables: tuple[Array, Array]
    size: tuple[int, int]
    used: Array
    at: Array
    above: Array  # where a hand that hides the sample would be

    @classmethod
    def of(cls, board: Board, pose: Pose) -> "Band":
        """Return the tables for a board seen from this pose."""
        step = STEP_MM * board.pitch_mm / USUAL_PITCH_MM
        points = _points(board, step * FINE)
        size = (points.shape[0], points.shape[1])
        used = np.flatnonzero(_is_plain(board, pose, points))
        at = points.reshape(-1, 3)[used]
        around = (np.arange(FINE) - (FINE - 1) / 2) * step
        aside = np.array([[x, y, 0.0] for x in around for y in around])
        last = [pose.width - 1, pose.height - 1]
        if len(used) >= LEAST_SAMPLES:
            pixels = pose.project(at + aside[:, None]).astype(np.float32)
            seen: Array = np.asarray(((pixels >= 0) & (pixels <= last)).all(axis=(0, -1)))
            if np.count_nonzero(seen) >= LEAST_SAMPLES:
                tables = cv2.convertMaps(pixels[:, seen, 0], pixels[:, seen, 1], cv2.CV_16SC2)
                at = at[seen, :2]
                above = _above(pose, at, HAND_MM)
                return cls(board, (tables[0], tables[1]), size, used[seen], at, above)
        nothing = np.zeros((0, 2))
        return cls(board, (nothing, nothing), size, used[:0], nothing, nothing)

    def lay(self, picture: Picture) -> Picture:
        """Return the colours of the samples, shape (samples, 3)."""
        if not len(self.used):
            return np.zeros((0, 3), np.uint8)
        fine = cv2.remap(picture, *self.tables, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        laid = cv2.resize(fine, (len(self.used), 1), interpolation=cv2.INTER_AREA)
        return np.asarray(laid, np.uint8).reshape(-1, 3)

    def near(self, samples: Array) -> frozenset[Place]:
        """Return the places next to what hides some samples; none when it is far from the field."""
        return frozenset(self._outer[n] for n in np.flatnonzero(self._beside[samples].any(axis=0)))

    @cached_property
    def _outer(self) -> list[Place]:
        """Return the places along the edge of the field."""
        board = self.board
        inner = board.field_mm / 2 - BESIDE * board.pitch_mm
        places = (*board.squares, *board.patches)
        return [place for place in places if max(map(abs, board.at(place))) > inner]

    @cached_property
    def _beside(self) -> Array:
        """Return for each sample and each outer place whether they are next to each other."""
        pitch, half = self.board.pitch_mm, self.board.field_mm / 2
        touched = np.clip(self.above, -half, half)
        near = np.linalg.norm(self.above - touched, axis=1) < NEAR * pitch
        places = np.array([self.board.at(place) for place in self._outer])
        away = np.linalg.norm(touched[:, None] - places, axis=-1)
        beside: Array = (away < BESIDE * pitch) & near[:, None]
        return beside

    @cached_property
    def basis(self) -> Array:
        """Return 1, x and y of the samples, from -1 to 1."""
        scaled = self.at / (self.board.frame_mm / 2)
        return np.column_stack([np.ones(len(scaled)), scaled]).astype(np.float32)


def _points(board: Board, step: float) -> Array:
    """Return the places on the frame of all samples, shape (rows, columns, 3)."""
    half, inner = board.frame_mm / 2, board.board_mm / 2
    depth, length = max(int((half - inner) / step), 1), max(int(2 * half / step), 1)
    out = half - (np.arange(depth) + 0.5) * step
    along = (np.arange(length) + 0.5 - length / 2) * step
    far, near = np.meshgrid(out, along, indexing="ij")
    level = np.zeros_like(far)
    sides = [(near, far), (near, -far), (-far, near), (far, near)]
    return np.concatenate([np.stack([x, y, level], axis=-1) for x, y in sides])


def _is_plain(board: Board, pose: Pose, points: Array) -> Array:
    """Return which points of the frame, shape (rows, columns, 3), always look the same."""
    x, y = points[..., 0], points[..., 1]
    scale = board.pitch_mm / USUAL_PITCH_MM
    far = np.maximum(np.abs(x), np.abs(y))
    edge = EDGE_MM * scale
    plain = (far < board.frame_mm / 2 - edge) & (far > board.board_mm / 2 + edge)
    sides = len(points) // 2  # the corners belong to the rows of north and south
    plain[sides:] &= np.abs(y[sides:]) < board.board_mm / 2
    for marker in board.markers:
        reach = board.marker_mm / 2 + QUIET_MM * scale
        plain &= np.maximum(np.abs(x - marker.x_mm), np.abs(y - marker.y_mm)) > reach
    for at_x, at_y in board.lights.at_mm.values():
        plain &= np.hypot(x - at_x, y - at_y) > GLOW_MM * scale
    return plain & ~_is_leant_over(board, pose, points)


def _is_leant_over(board: Board, pose: Pose, points: Array) -> Array:
    """Return which points the tallest piece on an outer square can hide (occlusion)."""
    tallest = max([board.fence.height_mm, *(piece.height_mm for piece in board.pieces.values())])
    above = _above(pose, points[..., :2], tallest)
    leant: Array = np.abs(above).max(axis=-1) < board.field_mm / 2 + ROOM_MM
    return leant


def _above(pose: Pose, feet: Array, height: float) -> Array:
    """Return where the sight lines to these points of the board's top pass at this height."""
    eye = pose.eye
    above: Array = eye[:2] + (feet - eye[:2]) * (1 - height / eye[2])
    return above
