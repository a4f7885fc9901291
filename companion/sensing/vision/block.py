"""Fences as blocks that stand in a slot, pushed home or with one end up."""

from functools import lru_cache

import numpy as np

from companion.board import Board, Spot
from companion.sensing.camera.frame import Array

TILTS = (0.0, 5.5, 9.0, -5.5, -9.0)


def on_board(board: Board, slot: Spot, points: Array) -> Array:
    """Return points given along, across and above a slot in millimetres of the board."""
    x, y = board.at(slot)
    a, b, z = np.moveaxis(points, -1, 0)
    return np.stack([x + a, y + b, z] if slot[2] == "h" else [x - b, y + a, z], axis=-1)


def in_slot(board: Board, slot: Spot, feet: Array) -> tuple[Array, Array]:
    """Return how far along and across a slot points on the board are."""
    x, y = board.at(slot)
    dx, dy = feet[..., 0] - x, feet[..., 1] - y
    return (dx, dy) if slot[2] == "h" else (dy, -dx)


def corners_of_fence(board: Board) -> Array:
    """Return the corners of the blocks along, across and above a slot, shape (ways, 8, 3)."""
    fence = board.fence
    return _corners_of(fence.length_mm, fence.thickness_mm, fence.height_mm, board.groove_depth_mm)


@lru_cache(maxsize=4)
def _corners_of(length: float, thick: float, height: float, depth: float) -> Array:
    """Return the corners of blocks that stand in each of the ways, shape (ways, 8, 3)."""
    signs = np.array([[a, b, c] for c in (1, -1) for a in (-1, 1) for b in (-1, 1)])
    block = signs * np.array([length, thick, height + depth]) / 2
    shapes = []
    for tilt in np.radians(TILTS):
        up = np.array(
            [[np.cos(tilt), 0, -np.sin(tilt)], [0, 1, 0], [np.sin(tilt), 0, np.cos(tilt)]]
        )
        raised = block @ up.T
        raised[:, 2] += -depth - raised[:, 2].min()
        upper, lower = raised[:4], raised[4:]
        sunk = np.clip(-lower[:, 2:] / (upper[:, 2:] - lower[:, 2:]), 0, 1)
        shapes.append(np.concatenate([upper, lower + sunk * (upper - lower)]))
    return np.array(shapes)
