"""Keeping an eye on the markers: has the camera moved, is one covered?

A marker search takes longer than everything else. Between searches it is enough to compare some
pixels of each marker (template matching): they change as soon as the camera moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import Pose

SAMPLES_A_SIDE = 14
STILL_THERE = 0.9  # threshold of the correlation with the marker as it was found
SAME_PLACE_PX = 1.2


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
        x, y = (grid.ravel() for grid in np.meshgrid(line, line))
        for marker in board.markers:
            if marker.id not in found:
                continue
            points = np.stack([marker.x_mm + x, marker.y_mm + y, np.zeros_like(x)], axis=-1)
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
