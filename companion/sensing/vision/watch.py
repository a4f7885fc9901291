"""Keeping an eye on the markers, or on the grooves of a board without: has the camera moved, is a
marker covered?

A marker search takes longer than everything else. Between searches it is enough to compare some
pixels of each marker (template matching): they change as soon as the camera moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.grid import (
    ALONG,
    PLAIN,
    beside_mm,
    cells_off,
    contrast_of,
    share_of,
    stretches,
)
from companion.sensing.vision.pose import Pose

SAMPLES_A_SIDE = 14
STILL_THERE = 0.9  # threshold of the correlation with the marker as it was found
SAME_PLACE_PX = 1.2
STILL = 0.25  # share in view that keeps a pose; it takes AGREES to get one (hysteresis)
ENOUGH = 5  # stretches in a quarter of the board that say whether it has shifted
MOST = 0.6  # of the quarters: a hand makes some lean, a nudge all that can be seen
FEWER = 0.75  # of the grooves that were seen: the others are covered, or no longer there
LEANS = 0.35  # of the contrast of a groove between its two edges, by which it has shifted


@dataclass(frozen=True)
class MarkerWatch:
    """The look of the markers at the time they were found, and where they were."""

    corners: Mapping[int, Array]
    rows: Mapping[int, Array]
    columns: Mapping[int, Array]
    values: Mapping[int, Array]

    @classmethod
    def of(
        cls, board: Board, pose: Pose, picture: Picture, found: Mapping[int, Array]
    ) -> "MarkerWatch":
        """Watch the markers found in this picture."""
        rows, columns, values = {}, {}, {}
        reach = board.marker_mm / 2 * 1.1
        line = np.linspace(-reach, reach, SAMPLES_A_SIDE)
        x, y, flat = (grid.ravel() for grid in np.meshgrid(line, line, [0.0]))
        for marker in board.markers:
            if marker.id not in found:
                continue
            points = np.stack([marker.x_mm + x, marker.y_mm + y, flat + marker.z_mm], axis=-1)
            pixels = np.rint(pose.project(points)).astype(np.int64)
            rows[marker.id] = np.clip(pixels[:, 1], 0, pose.height - 1)
            columns[marker.id] = np.clip(pixels[:, 0], 0, pose.width - 1)
            values[marker.id] = _normal(picture, rows[marker.id], columns[marker.id])
        return cls(dict(found), rows, columns, values)

    def lost(self, picture: Picture) -> frozenset[int]:
        """Return the markers that no longer look as they did at their place."""
        return frozenset(
            number
            for number, before in self.values.items()
            if float(before @ _normal(picture, self.rows[number], self.columns[number]))
            < STILL_THERE
        )

    def agrees(self, found: Mapping[int, Array]) -> bool:
        """Tell whether markers found in a new search lie where they were."""
        moved = [
            float(np.abs(found[number] - corners).mean())
            for number, corners in self.corners.items()
            if number in found
        ]
        return bool(moved) and max(moved) < SAME_PLACE_PX


def _normal(picture: Picture, rows: Array, columns: Array) -> Array:
    values: Array = picture[rows, columns, 1].astype(np.float64)
    values -= values.mean()
    length = float(np.linalg.norm(values))
    normal: Array = values / max(length, 20.0 * len(values) ** 0.5 / 4)
    return normal


@dataclass(frozen=True)
class GridWatch:
    """Some pixels across every stretch of groove, and how they were when the pose was found."""

    board: Board
    rows: Array
    columns: Array
    quarters: Array  # the number of the quarter, by direction, that each stretch is in
    before: Array
    share: float  # of the grooves, that was seen

    @classmethod
    def of(cls, board: Board, pose: Pose, picture: Picture) -> "GridWatch":
        """Watch the grooves where this pose has them."""
        lines = stretches(board)
        middles, across = lines.middles, lines.across
        beside, edge = beside_mm(board), board.groove_mm / 2
        offsets = np.array([-beside, -edge, 0.0, edge, beside])
        points = middles[:, None, None] + offsets[:, None, None] * across[:, None, None]
        run = (ALONG * board.cell_mm)[:, None] * across[:, None, None][..., [1, 0, 2]]
        pixels = np.rint(pose.project(points + run)).astype(np.int64)
        rows = np.clip(pixels[..., 1], 0, pose.height - 1)
        columns = np.clip(pixels[..., 0], 0, pose.width - 1)
        quarters = (middles[:, 0] > 0) * 1 + (middles[:, 1] > 0) * 2 + (across[:, 0] > 0) * 4
        fresh = cls(board, rows, columns, quarters, np.full(8, np.nan), 0.0)
        seen, leans = fresh._look(picture)
        return cls(board, rows, columns, quarters, leans, share_of(board, seen))

    def look(self, picture: Picture) -> str:
        """Return "same", "shifted" when the grooves may lie a little aside, or "gone"."""
        seen, leans = self._look(picture)
        share = share_of(self.board, seen)
        if share < STILL or cells_off(self.board, seen) != (0, 0):
            return "gone"
        off = np.abs(leans - self.before).reshape(2, 4)  # by direction: one may stay as it was
        known = np.isfinite(off)
        aside = known & (np.nan_to_num(off) > LEANS)
        counts = known.sum(axis=1)
        shifted = (counts >= 2) & (aside.sum(axis=1) > MOST * counts)
        return "shifted" if bool(shifted.any()) or share < FEWER * self.share else "same"

    def _look(self, picture: Picture) -> tuple[Array, Array]:
        """Return which stretches of groove are seen, and to which side those of each quarter of
        the board lean."""
        values = np.median(picture[self.rows, self.columns, 1], axis=2) + 6.0
        one, low, groove, high, other = np.log(values).T
        kinds = [contrast_of(groove, one, other, light=light) for light in (False, True)]
        contrast = max(kinds, key=lambda kind: float((kind > PLAIN).sum()))
        seen = contrast > PLAIN
        inside = np.arange(len(seen)) < stretches(self.board).inside
        lean = (high - low) / np.maximum(contrast, PLAIN)
        leans = np.full(8, np.nan)
        for quarter in range(8):
            chosen = lean[seen & inside & (self.quarters == quarter)]
            if len(chosen) >= ENOUGH:
                leans[quarter] = np.median(chosen)
        return seen, leans
