"""Keeping an eye on the grooves of a board without markers: has the camera moved since?"""

from dataclasses import dataclass

import numpy as np

from companion.board import Board
from companion.sensing.camera import Array, Picture
from companion.sensing.grid import ALONG, beside_mm, contrast_of, stretches
from companion.sensing.pose import Pose

PLAIN = 0.06  # as in grid
STILL = 0.25  # share of the grooves in view at which the others may be covered
ENOUGH = 5  # stretches in a quarter of the board that say whether it has shifted
MOST = 0.6  # of the quarters: a hand makes some lean, a nudge all that can be seen
FEWER = 0.75  # of the grooves that were seen: the others are covered, or no longer there
LEANS = 0.35  # of the contrast of a groove between its two edges, by which it has shifted


@dataclass(frozen=True)
class GridWatch:
    """Some pixels across every stretch of groove, and how they were when the pose was found."""

    rows: Array
    columns: Array
    quarters: Array  # the number of the quarter, by direction, that each stretch is in
    before: Array
    share: float  # of the grooves, that was seen

    @classmethod
    def of(cls, board: Board, pose: Pose, picture: Picture) -> "GridWatch":
        """Watch the grooves where this pose has them."""
        lines = stretches(board)
        middles, across = lines.middles[: lines.inside], lines.across[: lines.inside]
        beside, edge = beside_mm(board), board.groove_mm / 2
        offsets = np.array([-beside, -edge, 0.0, edge, beside])
        points = middles[:, None, None] + offsets[:, None, None] * across[:, None, None]
        run = (ALONG * board.cell_mm)[:, None] * across[:, None, None][..., [1, 0, 2]]
        pixels = np.rint(pose.project(points + run)).astype(np.int64)
        rows = np.clip(pixels[..., 1], 0, pose.height - 1)
        columns = np.clip(pixels[..., 0], 0, pose.width - 1)
        quarters = (middles[:, 0] > 0) * 1 + (middles[:, 1] > 0) * 2 + (across[:, 0] > 0) * 4
        share, leans = cls(rows, columns, quarters, np.full(8, np.nan), 0.0)._look(picture)
        return cls(rows, columns, quarters, leans, share)

    def look(self, picture: Picture) -> str:
        """Return "same", "shifted" when the grooves may lie a little aside, or "gone"."""
        share, leans = self._look(picture)
        if share < STILL:
            return "gone"
        off = np.abs(leans - self.before).reshape(2, 4)  # by direction: one may stay as it was
        known = np.isfinite(off)
        aside = known & (np.nan_to_num(off) > LEANS)
        counts = known.sum(axis=1)
        shifted = (counts >= 2) & (aside.sum(axis=1) > MOST * counts)
        return "shifted" if bool(shifted.any()) or share < FEWER * self.share else "same"

    def _look(self, picture: Picture) -> tuple[float, Array]:
        """Return the share of the grooves seen, of the direction with fewer, and to which side
        those of each quarter lean."""
        values = np.median(picture[self.rows, self.columns, 1], axis=2) + 6.0
        one, low, groove, high, other = np.log(values).T
        kinds = [contrast_of(groove, one, other, light=light) for light in (False, True)]
        contrast = max(kinds, key=lambda kind: float((kind > PLAIN).sum()))
        seen = contrast > PLAIN
        lean = (high - low) / np.maximum(contrast, PLAIN)
        leans = np.full(8, np.nan)
        for quarter in range(8):
            chosen = lean[seen & (self.quarters == quarter)]
            if len(chosen) >= ENOUGH:
                leans[quarter] = np.median(chosen)
        # A shift along one direction leaves the grooves of that direction where they were.
        upright = self.quarters >= 4
        return min(float(seen[upright].mean()), float(seen[~upright].mean())), leans
