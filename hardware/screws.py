"""Where every screw of the table is, and the rules they keep: a sentence for each that is broken.

A screw goes through a hole of one part and bites into another all along the rest of its way: it
neither ends on the bottom of its hole nor comes out of the part, into a groove or a channel. Steel
keeps so far from the sensors that what magnetises it is not felt.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from companion.board import Board
from hardware.assembly import LENS_OVER_SLEEVE_MM, Placed, extent
from hardware.magnets import Magnet, counts_per_millitesla, gap_mm, share_aside
from hardware.solid import Floats

DIAMETER_MM = 3.0  # of all of them
HEAD_MM = 5.5
BITE_MM = 2.84  # diameter at which the thread must still find material: the holes have 2.6
LEAST_BITE_MM = 4.0
MOST_OUT_MM = 3.0  # of a nut
TIP_MM = 0.2  # room before the tip of a screw that does not cut into wood
STEPS_MM = 0.5
ASIDE = (0.0137, 0.0291, 0.0)  # no ray shall hit the edge of two triangles
TURNS = 8
EDGE_MM = 7.5  # from the end of a side, or a joint, to the screws there

COERCIVE_A_M = 2000.0  # of hardened steel: what stays in a screw that a magnet has touched
DEMAGNETISING = 0.1  # of a rod three times as long as thick
MU0 = 4e-7 * math.pi


def kind(joint: dict[str, Any]) -> str:
    """Return what to buy for a joint: ``M3 × 8 brass``."""
    screw = joint["screw"]
    return f"{screw['size']} × {screw['length_mm']:g} {screw['material']}"


@dataclass(frozen=True)
class Screw:
    """One screw: the joint that it belongs to, where its head lies, and which way it goes."""

    joint: dict[str, Any]
    head: tuple[float, float, float]
    way: tuple[float, float, float] = (0.0, 0.0, 1.0)

    @property
    def kind(self) -> str:
        """Return what to buy."""
        return kind(self.joint)

    def at(self, mm: float) -> Floats:
        """Return the point so far along the screw, from under its head."""
        return np.asarray(self.head) + mm * np.asarray(self.way)

    def ring(self, mm: float, diameter: float) -> Floats:
        """Return points around the screw, so far along it."""
        along = np.asarray(self.way)
        side = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.5 else (0.37, 0.93, 0.0))
        side /= np.linalg.norm(side)
        other = np.cross(along, side)
        turns = (np.arange(TURNS) + 0.23) / TURNS * 2 * np.pi
        out = np.outer(np.cos(turns), side) + np.outer(np.sin(turns), other)
        return np.asarray(self.at(mm) + diameter / 2 * out)


def screws(board: Board, plan: dict[str, Any], lens_mm: float = 500.0) -> list[Screw]:
    """Return all screws of the table, in millimetres from the middle of the board."""
    joints = {joint["name"]: joint for joint in plan["joints"]}
    return [
        *_of_the_frame(board, plan["printed"], joints),
        *_of_the_tiles(board, plan["printed"], joints["tiles"]),
        *_of_the_post(board, plan, joints["post"], lens_mm),
    ]


def _of_the_frame(
    board: Board, sizes: dict[str, Any], joints: dict[str, dict[str, Any]]
) -> Iterator[Screw]:
    """Yield the screws of corners, joiners and legs on all sides, and of the camera's foot."""
    half, leg, third = board.board_mm / 2, sizes["leg_mm"], board.board_mm / 3
    ends = [half - EDGE_MM, EDGE_MM - half]  # where the tongues of two corners are
    middles = [at + aside for at in (-third / 2, third / 2) for aside in (-EDGE_MM, EDGE_MM)]
    out = half + sizes["leg_at_mm"]
    for turn in range(4):
        for row in sizes["screw_rows_mm"]:
            for name, places in (("corners", ends), ("joiners", middles)):
                yield from (_turned(joints[name], x, half + row, leg, turn) for x in places)
        yield _turned(joints["legs"], out, out, leg - sizes["leg_top_mm"], turn)
    under = leg + sizes["lip_height_mm"] - sizes["tongue_mm"]
    for x in (-15.0, 15.0):
        yield Screw(joints["foot"], (x, board.frame_mm / 2 - sizes["tongue_hole_mm"], under))


def _of_the_tiles(board: Board, sizes: dict[str, Any], joint: dict[str, Any]) -> Iterator[Screw]:
    """Yield the screws of the sensor tiles: under the four grooves around the middle of each."""
    tile, groove = sizes["tile_cells"] * board.pitch_mm, board.pitch_mm / 2
    under = sizes["leg_mm"] + sizes["lip_height_mm"] - sizes["tile_mm"]
    for column, row in product((-1, 0, 1), repeat=2):
        for x, y in ((groove, 0.0), (0.0, groove), (-groove, 0.0), (0.0, -groove)):
            yield Screw(joint, (column * tile + x, row * tile + y, under))


def _turned(joint: dict[str, Any], x: float, y: float, z: float, turn: int) -> Screw:
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    return Screw(joint, (cos * x - sin * y, sin * x + cos * y, z))


def _of_the_post(
    board: Board, plan: dict[str, Any], joint: dict[str, Any], lens_mm: float
) -> list[Screw]:
    """Return the screws that hold the post in its foot, from both sides, and the head on it."""
    sizes = plan["printed"]
    top = sizes["leg_mm"] + sizes["lip_height_mm"] + sizes["base_mm"] + board.groove_depth_mm
    post = board.frame_mm / 2 + plan["camera"]["behind_frame_mm"]
    out = sizes["post_mm"] / 2 + joint["through_mm"]
    high = top + lens_mm - LENS_OVER_SLEEVE_MM + 24
    north, south = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
    return [
        Screw(joint, (0.0, post - out, 58.0), north),
        Screw(joint, (0.0, post + out, 58.0), south),
        Screw(joint, (0.0, post + out, high), south),
    ]


def counts(board: Board, plan: dict[str, Any]) -> Counter[tuple[str, str]]:
    """Return how many screws of each kind each build needs."""
    found = Counter((screw.joint["build"], screw.kind) for screw in screws(board, plan))
    for bolt in plan["bolts"]:
        found[bolt["build"], kind(bolt)] += bolt["count"]
    return found


def faults(
    board: Board, plan: dict[str, Any], table: list[Placed], discs: list[Magnet]
) -> list[str]:
    """Return everything that is wrong."""
    boxes = [(part, *extent(part)) for part in table]
    clear = clear_mm(board, plan, discs)
    found = [fault for bolt in plan["bolts"] for fault in _unfit(bolt)]
    for screw in screws(board, plan):
        near = [part for part, low, high in boxes if _is_near(screw, low, high)]
        found += list(_misplaced(screw, near)) + list(_magnetic(screw, board, plan, clear))
    return sorted(set(found))


def _unfit(bolt: dict[str, Any]) -> Iterator[str]:
    """A screw with a nut ends outside of it, and not far."""
    length, needed = bolt["screw"]["length_mm"], sum(bolt["layers_mm"]) + bolt["nut_mm"]
    if not needed <= length <= needed + MOST_OUT_MM:
        yield (
            f"{kind(bolt)}, {bolt['what']}: layers and nut take {needed:.1f} mm, and"
            f" {MOST_OUT_MM:g} mm more may stand out"
        )


def _is_near(screw: Screw, low: Floats, high: Floats) -> bool:
    ends = np.array([screw.at(-4.0), screw.at(screw.joint["screw"]["length_mm"] + 1.0)])
    return bool((ends.min(axis=0) - 4 < high).all() and (ends.max(axis=0) + 4 > low).all())


def _misplaced(screw: Screw, near: list[Placed]) -> Iterator[str]:
    joint, length = screw.joint, screw.joint["screw"]["length_mm"]
    through, what = joint["through_mm"], f"{screw.kind}, {joint['what']}"
    if length - through < LEAST_BITE_MM:
        yield f"{what}: bites {length - through:g} mm deep, at least {LEAST_BITE_MM:g} are needed"
    receiving = [part for part in near if part.name in joint["into"]]
    head = np.vstack([screw.ring(mm, HEAD_MM) for mm in (-2.5, -1.5, -0.5)])
    free = np.vstack([screw.ring(mm, DIAMETER_MM) for mm in _steps(0.0, through)])
    if _in(near, head).any():
        yield f"{what}: there is no room for its head"
    if _in(near, free).any():
        yield f"{what}: does not go through its first {through:g} mm"
    bite = np.vstack([screw.ring(mm, BITE_MM) for mm in _steps(through, length)])
    if not _in(receiving, bite).all():
        yield f"{what}: comes out of the part that it bites into"
    hole = np.array([screw.at(mm) for mm in (*_steps(through, length), length + TIP_MM)]) + ASIDE
    if not screw.joint["screw"]["size"].startswith("wood") and _in(near, hole).any():
        yield f"{what}: ends on the bottom of its hole"


def _steps(start: float, end: float) -> Floats:
    """Return places along a screw, none of them where two parts meet."""
    return np.arange(start + STEPS_MM / 2, end - 0.1, STEPS_MM)


def _in(parts: list[Placed], points: Floats) -> Floats:
    held = [part.solid.holds(points) for part in parts]
    return np.any(held, axis=0) if held else np.zeros(len(points), dtype=bool)


def clear_mm(board: Board, plan: dict[str, Any], discs: list[Magnet]) -> float:
    """Return how far steel must be from a sensor to shift it by less than its noise.

    A screw keeps what its coercive field holds against its own poles, once a magnet has touched it,
    and the strongest piece, half a square aside and as high over it as over a sensor, adds to that.
    """
    longest = max(joint["screw"]["length_mm"] for joint in plan["joints"])
    volume = math.pi * (DIAMETER_MM / 2) ** 2 * longest * 2e-9  # twice the shaft: it has a head
    gap = gap_mm(plan)
    over = max(share_aside(disc, gap, board.pitch_mm / 2) * disc.millitesla for disc in discs)
    moment = (COERCIVE_A_M + abs(over) / 1000 / MU0) / DEMAGNETISING * volume
    felt = board.hall.noise / counts_per_millitesla(plan, board) / 1000
    return float((MU0 / (4 * math.pi) * moment / felt) ** (1 / 3) * 1000)


def _magnetic(screw: Screw, board: Board, plan: dict[str, Any], clear: float) -> Iterator[str]:
    if screw.joint["screw"]["material"] != "steel":
        return
    sizes = plan["printed"]
    depth = sizes["leg_mm"] + sizes["lip_height_mm"] - plan["stack"]["crystal"]
    sensors = np.array([(*board.at(spot), depth) for spot in board.squares])
    length = screw.joint["screw"]["length_mm"]
    along = [np.linalg.norm(sensors - screw.at(mm), axis=1).min() for mm in (0, length / 2, length)]
    if min(along) < clear:
        yield (
            f"{screw.kind}, {screw.joint['what']}: {min(along):.0f} mm from a sensor, where steel"
            f" must keep {clear:.0f} mm away"
        )
