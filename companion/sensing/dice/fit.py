"""A second opinion on a die, without a net: which value's pips lie where pips could lie?

For every way in which a cube may lie in a cut-out (turned, seen from aside, its pips closer or
further apart) nine places of its upper face are known. How much each of them stands out from its
surroundings is held against the patterns of the six values; what fits best counts.
"""

from functools import lru_cache
from itertools import product
from math import ceil, hypot

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.dice.net import CLOSE, WIDE, evened

FINER = 2  # times: how much a cut-out is enlarged
TURNS = np.radians(np.arange(0, 90, 7.5))  # of the die on the table
LEANS = np.radians((0.0, 14.0, 27.0, 40.0))  # of the camera from straight above
WAYS = np.radians(np.arange(0, 360, 22.5))  # in which it leans
STEPS = (0.2, 0.235, 0.27)  # of an edge, from the middle of a face to its pips
NARROW = 0.76  # of a six: its rows are often closer together than its columns
AROUND = (-1.5, 0.0, 1.5)  # pixels that the finder may be off
RADII = (1.7, 2.4, 3.2)  # pixels of a pip
RING = (0.4, 2.2)  # pixels around a pip: from here to there it should be of another colour
MISFIT = 0.8  # what it counts against a value when places stand out that should not

#: The nine places, in steps; then those of a six with narrow rows, one way and the other.
PLACES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], float)
GRIDS = (PLACES, PLACES * (1, NARROW), PLACES * (NARROW, 1))
CORNERS = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
#: For each of these grids the patterns: a value, and which places have its pips.
PATTERNS: tuple[list[tuple[int, list[tuple[int, int]]]], ...] = (
    [
        (1, [(0, 0)]),
        (2, CORNERS[:2]),
        (2, CORNERS[2:]),
        (3, [*CORNERS[:2], (0, 0)]),
        (3, [*CORNERS[2:], (0, 0)]),
        (4, CORNERS),
        (5, [*CORNERS, (0, 0)]),
        (6, [*CORNERS, (-1, 0), (1, 0)]),
        (6, [*CORNERS, (0, -1), (0, 1)]),
    ],
    [(6, [*CORNERS, (-1, 0), (1, 0)])],
    [(6, [*CORNERS, (0, -1), (0, 1)])],
)


def fits(cut: Picture) -> Array:
    """Return how well each value from 1 to 6 fits to a cut-out, in contrasts of the die."""
    even = evened(cut[None])[0]
    edge = (CLOSE - WIDE) // 2 + 3
    inner = even[edge:-edge, edge:-edge].reshape(-1, 3)
    _, axes = np.linalg.eigh(np.cov(inner.T))
    best = np.full(6, -np.inf)
    for plane in (even.mean(axis=-1), even @ axes[:, 2]):  # lightness, and what differs most
        plane = plane / (plane[edge:-edge, edge:-edge].std() + 1e-6)
        fine = cv2.resize(
            np.clip(plane, -3, 3).astype(np.float32),
            (CLOSE * FINER,) * 2,
            interpolation=cv2.INTER_CUBIC,
        )
        for kernel in _kernels():
            standing_out = cv2.filter2D(fine, -1, kernel).ravel()
            for places, (values, patterns) in zip(_poses(), _patterns(), strict=True):
                there = standing_out[places]
                along = there @ patterns.T
                rest = np.maximum(np.square(there).sum(axis=1, keepdims=True) - along**2, 0)
                scores = (np.abs(along) - MISFIT * np.sqrt(rest)).max(axis=0)
                np.maximum.at(best, values - 1, scores)
    return best


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[Array, Array]]:
    """Return for each grid the values, and their patterns of unit length."""
    numbers = {(int(x), int(y)): n for n, (x, y) in enumerate(PLACES)}
    all_of = []
    for patterns in PATTERNS:
        rows = np.zeros((len(patterns), len(PLACES)), np.float32)
        for row, (_, pips) in zip(rows, patterns, strict=True):
            row[[numbers[pip] for pip in pips]] = 1 / np.sqrt(len(pips))
        all_of.append((np.array([value for value, _ in patterns]), rows))
    return all_of


@lru_cache(maxsize=1)
def _poses() -> list[Array]:
    """Return for each grid and each way to lie the pixels of the places, (ways, 9)."""
    off = np.array(list(product(AROUND, AROUND)))
    poses = []
    for grid in GRIDS:
        at = np.array(
            [
                _seen(np.column_stack([grid * step, np.full(len(grid), 0.5)]), turn, lean, way)
                for turn, lean in product(TURNS, LEANS)
                for way in (WAYS if lean else WAYS[:1])
                for step in STEPS
            ]
        )
        moved = (at[:, None] + off[None, :, None]).reshape(-1, len(grid), 2)
        side = CLOSE * FINER
        pixels = np.clip(np.rint(moved * FINER + (side - 1) / 2).astype(int), 0, side - 1)
        poses.append(pixels[..., 1] * side + pixels[..., 0])
    return poses


def _seen(points: Array, turn: float, lean: float, way: float) -> Array:
    """Return where points of a cube are seen, from the middle of its outline, which is WIDE."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3)))
    outline = _projected(corners, turn, lean, way)
    low, high = outline.min(axis=0), outline.max(axis=0)
    seen: Array = _projected(points, turn, lean, way) - (low + high) / 2
    seen *= WIDE / (high - low).mean()
    return seen


def _projected(points: Array, turn: float, lean: float, way: float) -> Array:
    flat = points[:, :2] @ _turned(turn).T
    flat[:, 1] = flat[:, 1] * np.cos(lean) - points[:, 2] * np.sin(lean)
    projected: Array = flat @ _turned(way).T
    return projected


def _turned(angle: float) -> Array:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@lru_cache(maxsize=1)
def _kernels() -> list[Array]:
    """Return what takes the mean around a pixel from that of a pip there, for pips of all sizes."""
    kernels = []
    for radius in RADII:
        first, last = (radius + width for width in RING)
        reach = ceil(last * FINER)
        way = range(-reach, reach + 1)
        far = np.array([[hypot(x, y) / FINER for x in way] for y in way])
        pip = np.clip((radius - far) * FINER + 0.5, 0, 1)
        ring = ((far > first) & (far <= last)).astype(float)
        kernels.append((pip / pip.sum() - ring / ring.sum()).astype(np.float32))
    return kernels
