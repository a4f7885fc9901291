"""The rule of the fences: how far one may lean in its groove, and what the eyes still read."""

import math
from collections.abc import Iterator
from typing import Any

from companion.board import Board

#: The eyes are tried with fences that lean: up to here they miss hardly any, at 14° half of them.
MOST_LEAN_DEG = 9.0


def lean_deg(groove_mm: float, depth_mm: float, foot_mm: float, chamfer_mm: float) -> float:
    """Return how far a fence leans until it touches both walls of its groove.

    Its lower edge, where the chamfer begins, touches one wall, and its side the other one's edge.
    """

    def wide(angle: float) -> float:
        sin, cos = math.sin(angle), math.cos(angle)
        return foot_mm * cos - chamfer_mm * sin + (depth_mm + chamfer_mm * sin) * sin / cos

    if foot_mm > groove_mm:
        raise ValueError(f"expected a foot that goes into {groove_mm:g} mm, got {foot_mm:g} mm")
    low, high = 0.0, math.radians(60)
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if wide(middle) < groove_mm else (low, middle)
    return math.degrees(low)


def leans_deg(board: Board, plan: dict[str, Any]) -> tuple[float, float]:
    """Return the lean of a fence as planned, and with groove and foot as wrong as a printer is."""
    printed = plan["printed"]
    off, chamfer = printed["print_off_mm"], printed["fence_chamfer_mm"]
    groove, depth, foot = board.groove_mm, board.groove_depth_mm, printed["fence_foot_mm"]
    return (
        lean_deg(groove, depth, foot, chamfer),
        lean_deg(groove + off, depth, foot - off, chamfer),
    )


def faults(board: Board, plan: dict[str, Any]) -> Iterator[str]:
    """A fence stands straight enough for the eyes, and goes into its groove."""
    printed = plan["printed"]
    loose = board.groove_mm - printed["fence_foot_mm"] - 2 * printed["print_off_mm"]
    if loose < 0:
        yield f"a fence may be {-loose:.1f} mm too thick for its groove"
        return
    _, worst = leans_deg(board, plan)
    if worst > MOST_LEAN_DEG:
        yield f"a fence may lean {worst:.0f}° in its groove, the eyes read {MOST_LEAN_DEG:.0f}°"
