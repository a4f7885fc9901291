"""Whether a fence is pushed home: a close look at one slot in the picture itself.

A fence with one end up still covers its groove, so its patches look right. What gives it away is
its outline: the raised end lies further from the point below the camera, its end face shows. A
block is held against the picture, once seated and once with either end up, each time turned and
shifted within the play of the groove; whichever explains more of the picture is believed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.board import FENCE, Board, Spot
from companion.sensing.appearance import Appearance
from companion.sensing.camera import Array, Picture
from companion.sensing.flat import Flat
from companion.sensing.light import Light
from companion.sensing.likeness import alike

STEP_MM, ROW_MM = 0.35, 0.7  # across the groove and along it
REACH_ALONG_MM, REACH_ACROSS_MM = 36.0, 17.0
TILTS = (0.0, 6.0, 9.5, -6.0, -9.5)
TURNS = (-0.6, -0.3, 0.0, 0.3, 0.6)
TURN_COST = 4.0
ALONG_COST = 4.0
COARSE_MM = np.arange(-0.9, 0.91, 0.3)
ALONG_MM = np.arange(-3.0, 3.01, 0.5)
INNER_ROWS = 20
NEAR_MM = 3.0
COARSE = 8  # of the places in a closeup that are projected
_NUDGES = np.array([(a, b) for a in (-0.2, 0.0, 0.2) for b in (-0.15, 0.0, 0.15)])
TOP_CORE = 0.25  # part of the top that is surely top
SHADE_ROOM = 0.2  # log brightness by which pixels of the top may differ from each other
RIM_ROOM = 0.3
SIDE_SEEN = 0
SIDE_AS_SIDE = 0.0
SIDE_AS_TOP, SIDE_UNSEEN = 0.5, 0.0  # cost of a side in the shade of the top, or in none of fences
EDGES = (
    (0, 1),
    (2, 3),
    (0, 2),
    (1, 3),
    (4, 5),
    (6, 7),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
)
TOP_EDGES = slice(0, 4)


@dataclass(frozen=True)
class Closeup:
    """One slot as the picture shows it: rows run along the groove, columns across it."""

    along: Array
    across: Array
    fence: Array  # 1 where a pixel is of the fences' colour
    level: Array  # log brightness
    own: Array  # 0 where another fence stands, 1 elsewhere


@dataclass(frozen=True)
class Stance:
    """How a fence stands: the tilt that explains the picture best, by how many square millimetres
    it does so better than a seated fence, and how many even it leaves unexplained."""

    tilt: float
    gain_mm2: float
    left_mm2: float


def closeup(
    flat: Flat,
    looks: Appearance,
    picture: Picture,
    light: Light,
    slot: Spot,
    fences: Iterable[Spot],
) -> Closeup:
    """Return a slot as a picture shows it, ``fences`` being where others may stand."""
    along = np.arange(-REACH_ALONG_MM, REACH_ALONG_MM + ROW_MM / 2, ROW_MM)
    across = np.arange(-REACH_ACROSS_MM, REACH_ACROSS_MM + STEP_MM / 2, STEP_MM)
    points, pixels = _sight(flat, slot, along, across)
    colours = cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
    row, column = flat.pixel(points)
    row, column = np.clip(row, 0, flat.size[0] - 1), np.clip(column, 0, flat.size[1] - 1)
    labels, level = looks.label_closely(np.asarray(colours), row * flat.size[1] + column, light)
    is_fence = np.zeros(256, np.float32)
    is_fence[alike(looks, FENCE)] = 1
    fence = is_fence[labels]
    own = np.ones(fence.shape, np.uint8)
    for other in fences:
        if other != slot:
            _fill(flat, slot, other, own)
    return Closeup(along, across, fence, level, own)


def _sight(flat: Flat, slot: Spot, along: Array, across: Array) -> tuple[Array, Array]:
    """Return the places of a closeup on the board, and in the picture; the lens bends gently, so
    that few of them need to be projected."""
    a, b = np.meshgrid(along, across, indexing="ij")
    points = _on_board(flat.board, slot, np.stack([a, b, np.zeros(a.shape)], axis=-1))
    rows = np.arange(0, len(along) + COARSE, COARSE)
    columns = np.arange(0, len(across) + COARSE, COARSE)
    a, b = np.meshgrid(along[0] + ROW_MM * rows, across[0] + STEP_MM * columns, indexing="ij")
    nodes = _on_board(flat.board, slot, np.stack([a, b, np.zeros(a.shape)], axis=-1))
    x, y = np.meshgrid(
        np.arange(len(across), dtype=np.float32) / COARSE,
        np.arange(len(along), dtype=np.float32) / COARSE,
    )
    coarse = flat.pose.project(nodes).astype(np.float32)
    return points, np.asarray(cv2.remap(coarse, x, y, cv2.INTER_LINEAR))


def _fill(flat: Flat, slot: Spot, other: Spot, own: Array) -> None:
    """Take what the fence in another slot shows out of a map of this slot."""
    block = _corners(flat.board)[0, len(TURNS) // 2]
    feet = flat.pose.foot(_on_board(flat.board, other, block))
    a, b = _in_slot(flat.board, slot, feet)
    outline = np.stack([(b + REACH_ACROSS_MM) / STEP_MM, (a + REACH_ALONG_MM) / ROW_MM], axis=-1)
    if (outline.max(axis=0) > 0).all() and (outline.min(axis=0) < own.shape[::-1]).all():
        hull = np.asarray(cv2.convexHull(outline.astype(np.float32)))
        sixteenths = (hull * 16).round().astype(np.int32)
        cv2.fillConvexPoly(own, sixteenths, 0, cv2.LINE_8, 4)
        cv2.polylines(own, [sixteenths], True, 0, 3, cv2.LINE_8, 4)  # it has play as well


def _on_board(board: Board, slot: Spot, points: Array) -> Array:
    """Return points given along, across and above a slot in millimetres of the board."""
    x, y = board.at(slot)
    a, b, z = np.moveaxis(points, -1, 0)
    return np.stack([x + a, y + b, z] if slot[2] == "h" else [x - b, y + a, z], axis=-1)


def _in_slot(board: Board, slot: Spot, feet: Array) -> tuple[Array, Array]:
    x, y = board.at(slot)
    dx, dy = feet[..., 0] - x, feet[..., 1] - y
    return (dx, dy) if slot[2] == "h" else (dy, -dx)


def stance(flat: Flat, slot: Spot, seen: Closeup) -> Stance:
    """Return how the fence in a slot stands."""
    feet = flat.pose.foot(_on_board(flat.board, slot, _corners(flat.board)))
    a, b = _in_slot(flat.board, slot, feet)  # (tilts, turns, corners)
    worth = _worth(flat, slot, seen)
    tilts = np.arange(len(TILTS))
    # Turn and shift across by the long edges alone, then the shift along by the ends.
    inner = slice(INNER_ROWS, len(seen.along) - INNER_ROWS, 2)
    aside = COARSE_MM
    gains = _gains(worth, a[:, :, None], b[:, :, None] + aside[:, None], seen.along, inner)
    unit = STEP_MM * ROW_MM
    gains -= (TURN_COST / unit * (np.array(TURNS) / TURNS[-1]) ** 2)[:, None]
    pick = gains.reshape(len(TILTS), -1).argmax(axis=1)
    turn, shift = pick // len(aside), aside[pick % len(aside)]
    a, b = a[tilts, turn], b[tilts, turn] + shift[:, None]
    everywhere = slice(None)
    gains = _gains(worth, a[:, None] + ALONG_MM[:, None], b[:, None], seen.along, everywhere)
    gains = gains - ALONG_COST / unit * (ALONG_MM / 2) ** 2
    moved = ALONG_MM[gains.argmax(axis=1)]
    a = a + moved[:, None]
    nudges = _NUDGES
    gains = _gains(
        worth,
        a[:, None] + nudges[:, 0, None],
        b[:, None] + nudges[:, 1, None],
        seen.along,
        everywhere,
    )
    best = gains.max(axis=1) * unit - TURN_COST * (np.array(TURNS)[turn] / TURNS[-1]) ** 2
    best -= ALONG_COST * (moved / 2) ** 2
    chosen = int(best.argmax())
    near = _gains(worth[2:] + worth[3:], a[chosen], b[chosen], seen.along, everywhere, NEAR_MM)
    left = float(near) * unit - float(best[chosen])
    return Stance(TILTS[chosen], float(best[chosen] - best[0]), left)


@lru_cache(maxsize=4)
def _corners_of(length: float, thick: float, height: float, depth: float) -> Array:
    signs = np.array([[a, b, c] for c in (1, -1) for a in (-1, 1) for b in (-1, 1)])
    block = signs * np.array([length, thick, height + depth]) / 2
    shapes = np.zeros((len(TILTS), len(TURNS), 8, 3))
    for i, tilt in enumerate(np.radians(TILTS)):
        up = np.array(
            [[np.cos(tilt), 0, -np.sin(tilt)], [0, 1, 0], [np.sin(tilt), 0, np.cos(tilt)]]
        )
        raised = block @ up.T
        raised[:, 2] += -depth - raised[:, 2].min()
        for j, turn in enumerate(np.radians(TURNS)):
            around = np.array(
                [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
            )
            shapes[i, j] = raised @ around.T
    shapes[..., 2] = np.maximum(shapes[..., 2], 0)  # the board hides what is in the groove
    return shapes


def _corners(board: Board) -> Array:
    fence = board.fence
    return _corners_of(fence.length_mm, fence.thickness_mm, fence.height_mm, board.groove_depth_mm)


def _spans(a: Array, b: Array, along: Array) -> tuple[Array, Array, Array]:
    """Return from where to where across the groove a block reaches in each row, and the part of
    the row it reaches over at all; edges are given by where they begin and end."""
    first, last = a.min(axis=(-2, -1))[..., None], a.max(axis=(-2, -1))[..., None]
    covered = np.clip((last - along) / ROW_MM + 0.5, 0, 1)
    covered *= np.clip((along - first) / ROW_MM + 0.5, 0, 1)
    inside = np.clip(along, first + 0.01, last - 0.01)[..., None, :]
    a0, a1, b0, b1 = a[..., 0, None], a[..., 1, None], b[..., 0, None], b[..., 1, None]
    run = a1 - a0
    part = (inside - a0) / np.where(np.abs(run) < 1e-6, np.float32(1e-6), run)
    at = b0 + part * (b1 - b0)
    within = (part >= 0) & (part <= 1)
    low = np.where(within, at, np.float32(99)).min(axis=-2)
    high = np.where(within, at, np.float32(-99)).max(axis=-2)
    return low, high, covered


def _worth(flat: Flat, slot: Spot, seen: Closeup) -> tuple[Array, ...]:
    """Return, summed up across the groove, what each pixel is worth inside the outline of the
    block, and how much more inside its top."""
    board = flat.board
    middle = np.array([0.0, 0.0, board.fence.height_mm])
    a, b = _in_slot(board, slot, flat.pose.foot(_on_board(board, slot, middle)))
    core = (np.abs(seen.along - a) < board.fence.length_mm * 0.4)[:, None]
    core = core & (np.abs(seen.across - b) < board.fence.thickness_mm * TOP_CORE)
    core = core & (seen.own > 0)
    level = float(np.median(seen.level[core])) if core.any() else 0.0
    off = seen.level - level
    room = max(SHADE_ROOM, 2.0 * float(np.median(np.abs(off[core])))) if core.any() else 1.0
    off = np.where(off > 0, np.maximum(off - RIM_ROOM, 0), off)
    like_top = seen.fence * np.clip(1.5 - np.abs(off) / room, 0, 1)
    plain = seen.fence - like_top
    side = like_top * SIDE_AS_TOP + plain * SIDE_AS_SIDE + (1 - seen.fence) * SIDE_UNSEEN
    body = (seen.fence - side) * seen.own
    top = (side - (1 - like_top)) * seen.own
    nothing = np.zeros(seen.fence.shape)
    return _summed(body), _summed(top), _summed(seen.fence * seen.own), _summed(nothing)


def _summed(values: Array) -> Array:
    total = np.zeros((values.shape[0], values.shape[1] + 2), np.float32)
    np.cumsum(values, axis=1, out=total[:, 1:-1])
    total[:, -1] = total[:, -2]
    return total


def _gains(
    worth: tuple[Array, ...], a: Array, b: Array, along: Array, rows: slice, around: float = 0.0
) -> Array:
    """Return what blocks with these corners are worth, looking at some of the rows."""
    edges = np.array(EDGES)
    a, b = np.broadcast_arrays(a, b)
    a, b = a.astype(np.float32)[..., edges], b.astype(np.float32)[..., edges]
    places = np.arange(len(along))[rows]
    along = along[rows].astype(np.float32)
    body, top = worth[:2]
    low, high, covered = _spans(a, b, along)
    gains: Array = _between(body, low - around, high + around, covered, places)
    gains += _between(top, *_spans(a[..., TOP_EDGES, :], b[..., TOP_EDGES, :], along), places)
    return gains


def _between(summed: Array, low: Array, high: Array, covered: Array, rows: Array) -> Array:
    """Return the sum over rows of what lies between two places across, in millimetres."""
    starts = rows * summed.shape[1]

    def at(place: Array) -> Array:
        step = (place + np.float32(REACH_ACROSS_MM)) * np.float32(1 / STEP_MM) + np.float32(0.5)
        step = np.clip(step, 0, summed.shape[1] - 2)
        whole = step.astype(np.int64)
        index = whole + starts
        left = summed.ravel()[index]
        value: Array = left + (step - whole) * (summed.ravel()[index + 1] - left)
        return value

    total: Array = ((at(high) - at(low)) * covered).sum(axis=-1)
    return total
