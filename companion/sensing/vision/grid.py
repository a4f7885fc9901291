"""The grooves of a board, a regular lattice, as landmarks: does a pose agree with them, and which
near it does best.

Of a groove its two edges are looked for, in colour and of either sign: it may be darker than its
cells or lighter, between the two of a chequered board, or of the colour of one of them. Each
stretch between two cells is looked at by itself: fences, pawns and hands hide some, and the others
decide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import (
    BEND_SPREAD,
    FOCAL_SPREAD,
    KNOWN_LENS,
    USUAL_BEND,
    Pose,
    fit_pose,
    usual_focal,
)

PLAIN = 0.06  # threshold of log contrast from which a groove is seen
STRONG = 0.5  # log contrast from which an edge hardly counts for more (saturation)
RISES = 1.5  # times the median around them, for edges that are no mere slope
OUTSHINES = 0.8  # of the strongest edge around, that an edge of a groove has at least
AGREES = 0.5  # of all stretches, for a pose that nothing else speaks for
BEYOND_DOUBT = 0.8
HARDLY = 0.2  # nats a place, of doubt about what a board shows
SAME = 0.15  # pitches between two poses that count as one
ROUNDS, REACH = 6, 0.2  # of fitting; sigma in the first, of the pitch: as far as edges attract
CLOSER = 0.6  # of the sigma before, in every further round
STEP_MM, NEAR_MM = 0.5, 1.0
ALONG = np.linspace(-0.3, 0.3, 7)  # of a cell: where a groove is sampled along its run
NOISE_PX = 0.6
OTHER_LENS = 0.35  # of the logarithm of the focal length: nearer ones are taken for the usual
BEYOND, WITHIN = 0.6, 0.35  # of the stretches beyond one side and within the other

#: Tells how much a picture that is read from a pose leaves open, in nats a place.
Doubt = Callable[[Pose, Picture], float]


@dataclass(frozen=True)
class Stretches:
    """Middles of stretches of groove, and the way across each; those beyond the field last."""

    middles: Array  # (n, 3)
    across: Array  # (n, 3)
    inside: int
    outer: dict[str, Array]  # side -> the stretches that end at it
    beyond: dict[str, Array]  # side -> those that would continue them outside


@lru_cache(maxsize=4)
def _stretches(columns: int, rows: int, pitch: float) -> Stretches:
    def middle(column: float, row: float) -> tuple[float, float, float]:
        return (column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch, 0.0

    upright = [(c + 0.5, r) for c in range(columns - 1) for r in range(rows)]
    level = [(c, r + 0.5) for r in range(rows - 1) for c in range(columns)]
    sides: dict[str, list[tuple[float, float]]] = {
        "S": [(c + 0.5, -1) for c in range(columns - 1)],
        "N": [(c + 0.5, rows) for c in range(columns - 1)],
        "W": [(-1, r + 0.5) for r in range(rows - 1)],
        "E": [(columns, r + 0.5) for r in range(rows - 1)],
    }
    order: list[tuple[float, float]] = [*upright, *level]
    inside = len(order)
    beyond = {}
    for side, places in sides.items():
        beyond[side] = np.arange(len(order), len(order) + len(places))
        order += places
    outer: dict[str, list[tuple[float, float]]] = {
        "S": [(c + 0.5, 0) for c in range(columns - 1)],
        "N": [(c + 0.5, rows - 1) for c in range(columns - 1)],
        "W": [(0, r + 0.5) for r in range(rows - 1)],
        "E": [(columns - 1, r + 0.5) for r in range(rows - 1)],
    }
    across = [[1.0, 0.0, 0.0] if column % 1 else [0.0, 1.0, 0.0] for column, _ in order]
    return Stretches(
        np.array([middle(*place) for place in order]),
        np.array(across),
        inside,
        {side: np.array([order.index(p) for p in places]) for side, places in outer.items()},
        beyond,
    )


def stretches(board: Board) -> Stretches:
    """Return all the stretches of groove of a board."""
    return _stretches(board.columns, board.rows, board.pitch_mm)


def _edges(board: Board, pose: Pose, picture: Picture, reach_mm: float) -> tuple[Array, ...]:
    """Return how strong a pair of edges as far apart as those of a groove is across every stretch
    (n, offsets), how many millimetres off each is, where in the picture the middles of the
    stretches are, and how far one millimetre across them goes there."""
    lines = stretches(board)
    half, steps = max(1, round(board.groove_mm / 2 / STEP_MM)), round(reach_mm / STEP_MM)
    window = max(1, half // 2)
    offsets = np.arange(0.5 - steps - half - window, steps + half + window) * STEP_MM
    along = lines.across[:, [1, 0, 2]]
    ends = np.stack([lines.middles, lines.middles + lines.across, lines.middles + along])
    seen = pose.project(ends)
    middle, across = seen[0], seen[1] - seen[0]
    at = (
        middle[:, None, None]
        + (ALONG * board.cell_mm)[:, None, None] * (seen[2] - middle)[:, None, None]
    )
    at = at + offsets[:, None] * across[:, None, None]
    flat = at.reshape(len(middle), -1, 2).astype(np.float32)
    values = cv2.remap(
        picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    laid = np.median(np.asarray(values).reshape(len(middle), len(ALONG), len(offsets), 3), axis=1)
    total = np.cumsum(np.pad(np.log(laid + 6.0), ((0, 0), (1, 0), (0, 0))), axis=1)
    broad = (total[:, window:] - total[:, :-window]) / window
    edges = np.linalg.norm(broad[:, window:] - broad[:, :-window], axis=-1)
    edges = edges / (edges + STRONG)
    pairs = edges[:, : -2 * half] + edges[:, 2 * half :]
    return pairs, np.arange(-steps, steps + 1) * STEP_MM, middle, across


def agreement(board: Board, pose: Pose, picture: Picture) -> float:
    """Return the share of the grooves that lie in the picture where this pose has them."""
    return share_of(board, _seen(board, pose, _smooth(picture)))


def _smooth(picture: Picture) -> Picture:
    return np.asarray(cv2.blur(picture, (3, 3)))


def share_of(board: Board, seen: Array) -> float:
    """Return the share of the stretches that are seen, of the direction with fewer: a shift along
    the other one would leave all of those in place."""
    lines = stretches(board)
    upright, seen = lines.across[: lines.inside, 0] > 0, seen[: lines.inside]
    return min(float(seen[upright].mean()), float(seen[~upright].mean()))


def _seen(board: Board, pose: Pose, smooth: Picture) -> Array:
    """Return which stretches are seen: no edges from cell to cell outshine those of the groove."""
    pairs, offsets, _, _ = _edges(board, pose, smooth, board.pitch_mm / 2)
    expected = pairs[:, np.abs(offsets) <= NEAR_MM].max(axis=1)
    usual = np.maximum(PLAIN, RISES * np.median(pairs, axis=1))
    seen: Array = (expected > usual) & (expected >= OUTSHINES * pairs.max(axis=1))
    return seen


def settle(
    board: Board,
    pose: Pose,
    picture: Picture,
    *,
    lens_known: bool = False,
    least: float = AGREES,
    far: bool = True,
    doubt: Doubt | None = None,
) -> Pose | None:
    """Return the pose near this one that the grooves speak for, None when they speak for none.

    ``least`` is the share of them that must. Corners set by hand may be off by half a cell, and
    so may a camera that was nudged; when it is not ``far``, a third is all that is tried. Prints on
    cells may pass for grooves, so where poses compete, the one that is read with the least
    ``doubt`` is taken, and one that is read with hardly any does with half as many grooves.
    """
    tried: list[tuple[float, Pose]] = []
    smooth = _smooth(picture)
    half = board.pitch_mm / 2
    for across, up in product((0, -half, half), repeat=2) if far else ((0, 0),):
        found, share = _settle(board, pose.shifted(across, up), smooth, lens_known)
        if found is not None:
            tried.append((share, found))
        if share >= max(least, BEYOND_DOUBT) and (doubt is None or len(tried) == 1):
            break
    if doubt is None:
        share, best = max(tried, key=lambda each: each[0], default=(0.0, pose))
        return best if share >= least else None
    rivals = _unlike(board, [each for each in tried if each[0] >= least / 2])
    if len(rivals) == 1 and rivals[0][0] >= least:
        return rivals[0][1]
    judged = [(doubt(found, picture), share, found) for share, found in rivals]
    unsure, share, best = min(judged, key=lambda each: each[0], default=(1.0, 0.0, pose))
    return best if share >= least or unsure < HARDLY else None


def _unlike(board: Board, tried: list[tuple[float, Pose]]) -> list[tuple[float, Pose]]:
    """Return poses, and the shares of grooves that speak for them, without those that are nearly
    the same as a better one."""
    kept: list[tuple[float, Pose]] = []
    field = np.array(board.field_corners)
    for share, pose in sorted(tried, key=lambda each: each[0], reverse=True):
        south_west, south_east = pose.project(field[:2])
        near = SAME * board.pitch_mm * np.linalg.norm(south_east - south_west) / board.field_mm
        if all(apart(board, pose, other) > near for _, other in kept):
            kept.append((share, pose))
    return kept


def apart(board: Board, one: Pose, other: Pose) -> float:
    """Return by how many pixels two poses differ in the corners of the field."""
    field = np.array(board.field_corners)
    return float(np.abs(one.project(field) - other.project(field)).max())


def _settle(
    board: Board, pose: Pose, smooth: Picture, lens_known: bool
) -> tuple[Pose | None, float]:
    """Return the nearest pose on the grooves, and the share of them that it explains; also
    one or two cells away, where they go on there."""
    best, most = None, 0.0
    for _ in range(3):
        found = _drawn(board, pose, smooth, lens_known)
        if found is None:
            break
        seen = _seen(board, found, smooth)
        share, cells = share_of(board, seen), cells_off(board, seen)
        if share > most:
            best, most = found, share
        if cells == (0, 0):
            break
        pose = found.shifted(cells[0] * board.pitch_mm, cells[1] * board.pitch_mm)
    return best, most


def cells_off(board: Board, seen: Array) -> tuple[int, int]:
    """Return by how many cells a pose is off: every groove but the outermost looks like another.

    Then grooves go on beyond one side of the field, and on the other there are none.
    """
    lines = stretches(board)

    def goes_on(side: str, opposite: str) -> bool:
        out, within = seen[lines.beyond[side]].mean(), seen[lines.outer[opposite]].mean()
        return bool(out >= BEYOND and within <= WITHIN)

    east, north = goes_on("E", "W"), goes_on("N", "S")
    return int(east) - int(goes_on("W", "E")), int(north) - int(goes_on("S", "N"))


def _drawn(board: Board, pose: Pose, smooth: Picture, lens_known: bool) -> Pose | None:
    """Return the pose fitted to the edges of grooves near it: each stretch is drawn to the middle
    of the edges around it, from less and less far away (annealed mean shift)."""
    spread = (KNOWN_LENS, KNOWN_LENS) if lens_known else (FOCAL_SPREAD, BEND_SPREAD)
    usual = pose.focal_px, pose.bend
    if not lens_known and abs(np.log(pose.focal_px / usual_focal(pose.width))) < OTHER_LENS:
        usual = usual_focal(pose.width), USUAL_BEND
    lines = stretches(board)
    for round_ in range(ROUNDS):
        sigma = max(NEAR_MM, REACH * board.pitch_mm * CLOSER**round_)
        pairs, offsets, middle, across = _edges(board, pose, smooth, 2 * sigma)
        pairs = pairs[: lines.inside]
        good = pairs.max(axis=1) > PLAIN
        if good.mean() < AGREES / 2:
            return None
        above = np.maximum(0.0, pairs - np.median(pairs, axis=1, keepdims=True))
        weight = above * np.exp(-((offsets / sigma) ** 2) / 2)
        off_mm = weight @ offsets / np.maximum(weight.sum(axis=1), 1e-9)
        middle, across = middle[: lines.inside][good], across[: lines.inside][good]
        scale = np.linalg.norm(across, axis=1, keepdims=True)  # pixels a millimetre
        trust_mm = max(STEP_MM, board.groove_mm / 3**round_)  # grooves further off are outliers
        pose = fit_pose(
            pose,
            lines.middles[: lines.inside][good],
            middle + off_mm[good, None] * across,
            across / scale,
            usual,
            spread,
            trust_px=trust_mm * float(scale.mean()),
            noise_px=NOISE_PX,
        )
    return pose
