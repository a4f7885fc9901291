"""The board's grid as it lies in a picture, for people who check whether it fits."""

from typing import Any

import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Frame
from companion.sensing.corners import Corners
from companion.sensing.vision.eyes import Sight
from companion.sensing.vision.lattice import propose
from companion.sensing.vision.pose import MARKERS_NEEDED, Pose

SAMPLES = 9  # along a line, which the lens bends
GUESS = 0.7  # of the picture's shorter side, for corners that nobody has set yet


def grid_lines(board: Board, pose: Pose) -> Array:
    """Return the pixels of the field's four sides and the middles of its grooves, shape (lines,
    points, 2)."""
    half = board.field_mm / 2
    run = np.linspace(-half, half, SAMPLES)
    inner = (np.arange(board.columns - 1) - (board.columns - 2) / 2) * board.pitch_mm
    lines = []
    for at in (-half, *inner, half):
        still = np.full(SAMPLES, at)
        lines.append(np.stack([still, run, np.zeros(SAMPLES)], axis=-1))
        lines.append(np.stack([run, still, np.zeros(SAMPLES)], axis=-1))
    return pose.project(np.array(lines))


def corners_of(board: Board, pose: Pose) -> Array:
    """Return the pixels of the corners a1, i1, i9, a9 of the field."""
    return pose.project(np.array(board.field_corners))


def outline(
    board: Board, frame: Frame, sight: Sight | None, trouble: str, corners: Corners | None
) -> dict[str, Any]:
    """Return all that the camera page shows beside the picture, as JSON.

    ``trouble`` says what is wrong when the sight does not, ``corners`` are those given.
    """
    height, width = frame.picture.shape[:2]
    pose = sight.pose if sight is not None and sight.found else None
    fits = pose is not None and (pose.width, pose.height) == (width, height)
    given = corners.scaled(width, height) if corners else None
    if pose is not None and fits:
        shown = corners_of(board, pose)
    else:
        shown = np.array(given.points if given else guess_corners(width, height).points)
    return {
        "found": fits,
        "text": "" if fits else trouble or (sight.text if sight else "") or "no board in view",
        "by": ("markers" if sight and sight.by_markers else "corners") if fits else None,
        "size": [width, height],
        "corners": _rounded(shown),
        "given": corners is not None,
        "lines": _rounded(grid_lines(board, pose)) if pose is not None and fits else [],
        "markers": {
            "seen": sorted(sight.markers) if sight else [],
            "needed": MARKERS_NEEDED,
            "fitted": len(board.markers),
        },
    }


def proposal(board: Board, frame: Frame) -> dict[str, Any]:
    """Return the corners that the lattice of cells suggests, for people to agree, as JSON."""
    height, width = frame.picture.shape[:2]
    corners = propose(board, frame.picture)
    return {
        "size": [width, height],
        "corners": _rounded(np.array(corners.points)) if corners is not None else None,
    }


def guess_corners(width: int, height: int) -> Corners:
    """Return corners in the middle of the picture, from which to drag them to the right places."""
    half = GUESS * min(width, height) / 2
    x, y = width / 2, height / 2
    return Corners(
        ((x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)),
        width,
        height,
    )


def _rounded(points: Array) -> Any:
    return np.round(points, 1).tolist()
