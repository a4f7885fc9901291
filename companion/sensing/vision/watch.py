"""Keeping an eye on the markers, or on the grooves of a board without: has the camera moved, is a
marker covered?

A marker search takes longer than everything else. Between searches it is enough to compare some
pixels of each marker (template matching): they change as soon as the camera moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.grid import ALONG, PLAIN, cells_off, share_of, stretches
from companion.sensing.vision.pose import Pose

SAMPLES_A_SIDE = 14
STILL_THERE = 0.9  # threshold of the correlation with the marker as it was found
SAME_PLACE_PX = 1.2
STILL = 0.3  # of the grooves that were seen, that keep a pose
ALIKE = 0.7  # threshold of the correlation with a groove as it was found
ENOUGH = 5  # stretches in a quarter of the board that say whether it has shifted
MOST = 0.6  # of the quarters: a hand makes some lean, a nudge all that can be seen
FEWER = 0.75  # of the grooves that were seen: the others are covered, or no longer there
LEANS = 0.17  # of the contrast of a groove, by which its edges are off when it has shifted


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
    colour: int  # the plane of the picture that shows most grooves
    quarters: Array  # the number of the quarter, by direction, that each stretch is in
    before: Array  # log brightness from cell to cell, shape (n, 5)
    share: float  # of the grooves, that was seen

    @classmethod
    def of(cls, board: Board, pose: Pose, picture: Picture) -> "GridWatch":
        """Watch the grooves where this pose has them."""
        lines = stretches(board)
        middles, across = lines.middles, lines.across
        edge = board.groove_mm / 2
        beside = edge + min(3.0, board.cell_mm / 6)
        offsets = np.array([-beside, -edge, 0.0, edge, beside])
        points = middles[:, None, None] + offsets[:, None, None] * across[:, None, None]
        run = (ALONG * board.cell_mm)[:, None] * across[:, None, None][..., [1, 0, 2]]
        pixels = np.rint(pose.project(points + run)).astype(np.int64)
        rows = np.clip(pixels[..., 1], 0, pose.height - 1)
        columns = np.clip(pixels[..., 0], 0, pose.width - 1)
        quarters = (middles[:, 0] > 0) * 1 + (middles[:, 1] > 0) * 2 + (across[:, 0] > 0) * 4
        looks = [_across(picture, rows, columns, colour) for colour in range(3)]
        shares = [share_of(board, _steps(look)[0] > PLAIN) for look in looks]
        best = int(np.argmax(shares))
        return cls(board, rows, columns, best, quarters, looks[best], shares[best])

    @cached_property
    def _steps_before(self) -> tuple[Array, Array]:
        return _steps(self.before)

    def look(self, picture: Picture) -> str:
        """Return "same", "shifted" when the grooves may lie a little aside, or "gone"."""
        now = _across(picture, self.rows, self.columns, self.colour)
        (was, lean), (contrast, leans) = self._steps_before, _steps(now)
        alike = (was > PLAIN) & (contrast > PLAIN) & (_alike(self.before, now) > ALIKE)
        inside = np.arange(len(alike)) < stretches(self.board).inside
        share = share_of(self.board, alike)
        grooves = np.where(inside, alike, ~alike & (contrast > PLAIN))  # outside were none
        if share < STILL * self.share or cells_off(self.board, grooves) != (0, 0):
            return "gone"
        off = np.full((2, 4), np.nan)  # by direction: one may stay as it was
        for quarter in range(8):
            chosen = (leans - lean)[alike & inside & (self.quarters == quarter)]
            if len(chosen) >= ENOUGH:
                off.flat[quarter] = abs(np.median(chosen))
        counts = np.isfinite(off).sum(axis=1)
        aside = (np.nan_to_num(off) > LEANS).sum(axis=1)
        shifted = (counts >= 2) & (aside > MOST * counts)
        return "shifted" if bool(shifted.any()) or share < FEWER * self.share else "same"


def _across(picture: Picture, rows: Array, columns: Array, colour: int) -> Array:
    """Return the log brightness of one, its edge, the groove, its other edge, and the other."""
    values: Array = np.log(np.median(picture[rows, columns, colour], axis=2) + 6.0)
    return values


def _steps(look: Array) -> tuple[Array, Array]:
    """Return by how much each groove differs from its cells, darker or lighter, and to which side
    its edges have moved, of the way from the cell's brightness to its own."""
    one, low, groove, high, other = look.T
    left, right = one - groove, other - groove
    moved = (low - (one + groove) / 2) * left - (high - (other + groove) / 2) * right
    contrast: Array = np.maximum(np.abs(left), np.abs(right))
    return contrast, moved / np.maximum(left**2 + right**2, PLAIN**2)


def _alike(one: Array, other: Array) -> Array:
    """Return the correlation of each stretch in two looks."""
    one, other = (look - look.mean(axis=1, keepdims=True) for look in (one, other))
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    alike: Array = (one * other).sum(axis=1) / np.maximum(lengths, 1e-9)
    return alike
