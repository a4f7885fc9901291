"""How the magnets of neighbouring pieces pull at each other, and what friction holds.

A disc is magnetised upright, so it acts as two faces of opposite magnetic charge. The force between
two discs is summed over all pairs of faces, which holds at any distance; the dipoles that a text
book puts in their place are there to be compared with.
"""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from hardware import prints
from hardware.magnets import Magnet
from hardware.solid import read_stl

Floats = NDArray[np.float64]

MU0 = 4e-7 * math.pi
GRAVITY = 9.81  # newton a kilogram
RINGS, TURNS = 8, 16  # points on a face: finer ones change the force by less than a thousandth


@dataclass(frozen=True)
class Pull:
    """Two pieces side by side: what moves them, below zero towards each other, and what holds."""

    one: str
    other: str
    apart_mm: float
    millinewton: float
    holds_millinewton: float

    @property
    def share(self) -> float:
        """Return the force as a share of what friction holds."""
        return abs(self.millinewton) / self.holds_millinewton


def moment(disc: Magnet) -> float:
    """Return the moment of a disc in ampere square metres; south down counts as above zero."""
    sign = {"south": 1, "north": -1}[disc.down]
    return sign * disc.tesla * disc.mm3 * 1e-9 / MU0


def force_millinewton(one: Magnet, other: Magnet, apart_mm: float) -> float:
    """Return the sideways force between two upright discs on one level, below zero if they pull."""
    here, there = _face(one), _face(other) + np.array((apart_mm, 0.0))
    way = there[None] - here[:, None]
    flat2 = (way**2).sum(axis=2)
    total = 0.0
    for sign, z in ((1, 0.0), (-1, one.height_mm)):
        for sign2, z2 in ((1, 0.0), (-1, other.height_mm)):
            far = (flat2 + (z2 - z) ** 2) ** 1.5
            total += sign * sign2 * float((way[..., 0] / far).mean())
    # The charge of a face is the moment over the height: both in millimetres, they give 1e9.
    charges = moment(one) / one.height_mm * moment(other) / other.height_mm
    return MU0 / (4 * math.pi) * charges * total * 1e12 * 1e3


def dipole_millinewton(one: Magnet, other: Magnet, apart_mm: float) -> float:
    """Return the same force, were the two discs points."""
    newton = 3 * MU0 / (4 * math.pi) * moment(one) * moment(other) / (apart_mm / 1000) ** 4
    return newton * 1000


def _face(disc: Magnet) -> Floats:
    """Return points that stand for equal parts of a face, in millimetres from its middle."""
    radii = np.sqrt((np.arange(RINGS) + 0.5) / RINGS) * disc.diameter_mm / 2
    turns = (np.arange(TURNS) + 0.5) / TURNS * 2 * np.pi
    radius, turn = np.meshgrid(radii, turns)
    return np.column_stack([(radius * np.cos(turn)).ravel(), (radius * np.sin(turn)).ravel()])


def grams(disc: Magnet, plan: dict[str, Any]) -> float:
    """Return what a piece weighs, printed as the plan says, with its magnet."""
    weight = plan["weight"]
    solid = read_stl((prints.FOLDER / f"{disc.piece}.stl").read_bytes())
    plastic = solid.volume_mm3 * weight["filled"] * weight["plastic_g_cm3"]
    return float(plastic + disc.mm3 * weight["magnet_g_cm3"]) / 1000


def holds_millinewton(disc: Magnet, plan: dict[str, Any]) -> float:
    """Return the sideways force at which a piece begins to slide on the board."""
    return float(plan["weight"]["friction"] * grams(disc, plan) * GRAVITY)


def pulls(discs: list[Magnet], board: Board, plan: dict[str, Any]) -> list[Pull]:
    """Return the forces of all pairs on neighbouring squares, straight and diagonal."""
    holds = {disc.piece: holds_millinewton(disc, plan) for disc in discs}
    return [
        Pull(
            one.piece,
            other.piece,
            apart,
            force_millinewton(one, other, apart),
            min(holds[one.piece], holds[other.piece]),
        )
        for apart in (board.pitch_mm, board.pitch_mm * math.sqrt(2))
        for one, other in combinations(discs, 2)
    ]
