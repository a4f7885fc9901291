"""Where the camera stands: how far behind the middle of the board, how tilted, and what it sees."""

import math
from typing import Any

from companion.board import Board


def behind_mm(board: Board, plan: dict[str, Any]) -> float:
    """Return how far north of the board's middle the lens is."""
    camera = plan["camera"]
    return float(board.frame_mm / 2 + camera["behind_frame_mm"] - camera["lens_ahead_mm"])


def tilt_deg(board: Board, plan: dict[str, Any], height_mm: float) -> float:
    """Return the tilt at which a camera at this height looks at the middle of the board."""
    return math.degrees(math.atan2(behind_mm(board, plan), height_mm))


def view_deg(board: Board, plan: dict[str, Any], height_mm: float) -> tuple[float, float]:
    """Return the angles, across and up, that the whole frame takes in the camera's picture."""
    half, behind = board.frame_mm / 2, behind_mm(board, plan)
    away = math.hypot(behind, height_mm)
    sin, cos = behind / away, height_mm / away
    across = up = 0.0
    for x in (-half, half):
        for y in (-half, half):
            ahead = behind - y  # from under the lens towards player 1
            depth = ahead * sin + height_mm * cos
            rise = ahead * cos - height_mm * sin
            across = max(across, abs(math.degrees(math.atan2(x, depth))))
            up = max(up, abs(math.degrees(math.atan2(rise, depth))))
    return 2 * across, 2 * up
