"""How strong the magnets of the pieces read: from size and grade to counts of the converter."""

import math
from dataclasses import dataclass
from typing import Any

from companion.board import Board


@dataclass(frozen=True)
class Magnet:
    """A disc in the foot of a piece, and what the sensor under the middle of its square reads."""

    piece: str
    diameter_mm: float
    height_mm: float
    grade: str
    down: str
    millitesla: float
    counts: int


def disc_millitesla(diameter_mm: float, height_mm: float, tesla: float, gap_mm: float) -> float:
    """Return the field on the axis of a disc magnet, ``gap_mm`` from its face."""
    radius, far = diameter_mm / 2, gap_mm + height_mm
    return 500 * tesla * (far / math.hypot(radius, far) - gap_mm / math.hypot(radius, gap_mm))


def gap_mm(plan: dict[str, Any]) -> float:
    """Return how far a magnet's lower face is from the sensor's crystal."""
    return float(sum(plan["stack"].values()))


def counts_per_millitesla(plan: dict[str, Any], board: Board) -> float:
    """Return by how many counts the converter's value changes for a millitesla."""
    sensor = plan["sensor"]
    volts = sensor["millivolts_per_millitesla"] / 1000
    return float(volts / sensor["supply_volts"] * (board.hall.full_scale + 1))


def straight_counts(plan: dict[str, Any], board: Board) -> float:
    """Return how far from rest the sensor's output is still straight."""
    sensor = plan["sensor"]
    room = sensor["supply_volts"] / 2 - sensor["margin_volts"]
    return float(room / sensor["supply_volts"] * (board.hall.full_scale + 1))


def magnets(plan: dict[str, Any], board: Board) -> list[Magnet]:
    """Return the magnet of every piece."""
    found = []
    for name, disc in plan["magnets"].items():
        tesla = plan["grades"][disc["grade"]]
        field = disc_millitesla(disc["diameter_mm"], disc["height_mm"], tesla, gap_mm(plan))
        sign = {"south": 1, "north": -1}[disc["down"]]
        counts = round(sign * field * counts_per_millitesla(plan, board))
        found.append(
            Magnet(
                name,
                disc["diameter_mm"],
                disc["height_mm"],
                disc["grade"],
                disc["down"],
                field,
                counts,
            )
        )
    return found
