"""How strong the magnets of the pieces read: from size and grade to counts of the converter."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.board import Board

RINGS, TURNS = 24, 32  # points on a face of a disc


@dataclass(frozen=True)
class Magnet:
    """A disc in the foot of a piece, and what the sensor under the middle of its square reads."""

    piece: str
    diameter_mm: float
    height_mm: float
    grade: str
    down: str
    tesla: float
    millitesla: float
    counts: int

    @property
    def mm3(self) -> float:
        """Return its volume."""
        return math.pi * (self.diameter_mm / 2) ** 2 * self.height_mm


def disc_millitesla(diameter_mm: float, height_mm: float, tesla: float, gap_mm: float) -> float:
    """Return the field on the axis of a disc magnet, ``gap_mm`` from its face."""
    radius, far = diameter_mm / 2, gap_mm + height_mm
    return 500 * tesla * (far / math.hypot(radius, far) - gap_mm / math.hypot(radius, gap_mm))


def share_aside(disc: Magnet, gap_mm: float, aside_mm: float) -> float:
    """Return how much of the upright field is left so far beside the axis of a disc."""
    return _upright(disc, gap_mm, aside_mm) / _upright(disc, gap_mm, 0.0)


def _upright(disc: Magnet, gap_mm: float, aside_mm: float) -> float:
    """Return the upright field below a disc, summed over the charges of its two faces."""
    radii = np.sqrt((np.arange(RINGS) + 0.5) / RINGS) * disc.diameter_mm / 2
    radius, turn = np.meshgrid(radii, (np.arange(TURNS) + 0.5) / TURNS * 2 * np.pi)
    x, y = radius * np.cos(turn) - aside_mm, radius * np.sin(turn)
    near, far = gap_mm, gap_mm + disc.height_mm
    one, other = ((x**2 + y**2 + z**2) ** 1.5 for z in (near, far))
    return float((near / one - far / other).mean())


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
    return float(plan["sensor"]["range_millitesla"] * counts_per_millitesla(plan, board))


def magnets(plan: dict[str, Any], board: Board) -> list[Magnet]:
    """Return the magnet of every piece."""
    found = []
    for name, disc in plan["magnets"].items():
        tesla = plan["grades"][disc["grade"]]
        size = (disc["diameter_mm"], disc["height_mm"])
        field = disc_millitesla(*size, tesla, gap_mm(plan))
        sign = {"south": 1, "north": -1}[disc["down"]]
        counts = round(sign * field * counts_per_millitesla(plan, board))
        found.append(Magnet(name, *size, disc["grade"], disc["down"], tesla, field, counts))
    return found
