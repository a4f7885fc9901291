"""The grooves of a board, a regular lattice, as landmarks: does a pose agree with them, and which
near it does best.

Grooves lie lower than cells, so they are darker in almost any light; a board on which they are
lighter is as good. Each stretch of groove between two cells is looked at by itself: fences, pawns
and hands hide some, and the others decide.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.pose import BEND_SPREAD, FOCAL_SPREAD, Pose, fit_pose

PLAIN = 0.06  # threshold of log contrast from which a stretch of groove is seen
AGREES = 0.5  # of all stretches, for a pose that nothing else speaks for
BEYOND_DOUBT = 0.8
REACH = 0.42  # of the pitch, as far as a groove is looked for
STEP_MM = 0.5
ALONG = np.linspace(-0.3, 0.3, 7)  # of a cell: where a groove is sampled along its run
NOISE_PX = 0.6
KNOWN_LENS = 0.003  # how much of its focal length and bend a known lens may change
BEYOND, WITHIN = 0.6, 0.35  # of the stretches beyond one side and within the other


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


def grey_of(picture: Picture) -> Array:
    """Return the brightness of a picture, slightly smoothed, as the functions here expect it."""
    return np.asarray(cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3)))


def _profiles(board: Board, pose: Pose, grey: Array, offsets: Array) -> tuple[Array, Array, Array]:
    """Return the log brightness (n, offsets) across every stretch, where in the picture their
    middles are seen, and how far one millimetre across them goes there."""
    lines = stretches(board)
    along = lines.across[:, [1, 0, 2]]
    ends = np.stack([lines.middles, lines.middles + lines.across, lines.middles + along])
    seen = pose.project(ends)
    middle, across = seen[0], seen[1] - seen[0]
    at = middle[:, None, None] + offsets[:, None, None] * across[:, None, None]
    at = at + (ALONG * board.cell_mm)[:, None] * (seen[2] - middle)[:, None, None]
    flat = at.reshape(len(middle), -1, 2).astype(np.float32)
    values = cv2.remap(
        grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    laid = np.median(np.asarray(values).reshape(len(middle), len(offsets), -1), axis=2)
    return np.log(laid + 6.0), middle, across


def contrast_of(groove: Array, one: Array, other: Array, *, light: bool) -> Array:
    """Return by how much a groove stands out from what is on both of its sides."""
    if light:
        contrast: Array = groove - np.maximum(one, other)
        return contrast
    contrast = np.minimum(one, other) - groove
    return contrast


def beside_mm(board: Board) -> float:
    """Return how far from the middle of a groove its neighbours are looked at."""
    return board.groove_mm / 2 + min(3.0, board.cell_mm / 6)


def agreement(board: Board, pose: Pose, grey: Array) -> float:
    """Return the share of the grooves that lie in the picture where this pose has them."""
    return share_of(board, _seen(board, pose, grey))


def share_of(board: Board, seen: Array) -> float:
    """Return the share of the stretches that are seen, of the direction with fewer: a shift along
    the other one would leave all of those in place."""
    lines = stretches(board)
    upright, seen = lines.across[: lines.inside, 0] > 0, seen[: lines.inside]
    return min(float(seen[upright].mean()), float(seen[~upright].mean()))


def _seen(board: Board, pose: Pose, grey: Array) -> Array:
    """Return which stretches are seen, as the light or as the dark lines that most of them are."""
    beside = beside_mm(board)
    values, _, _ = _profiles(board, pose, grey, np.array([-beside, 0.0, beside]))
    inside = stretches(board).inside
    kinds = [
        contrast_of(values[:, 1], values[:, 0], values[:, 2], light=light) > PLAIN
        for light in (False, True)
    ]
    found: Array = max(kinds, key=lambda seen: float(seen[:inside].mean()))
    return found


def settle(
    board: Board,
    pose: Pose,
    grey: Array,
    *,
    lens_known: bool = False,
    least: float = AGREES,
    far: bool = True,
) -> Pose | None:
    """Return the pose near this one that the grooves speak for, None when they speak for none.

    ``least`` is the share of them that must. Corners set by hand may be off by half a cell, and
    so may a camera that was nudged; when it is not ``far``, a third is all that is tried.
    """
    best, most = None, least
    half = board.pitch_mm / 2
    for across, up in product((0, -half, half), repeat=2) if far else ((0, 0),):
        start = pose.shifted(across, up)
        found, share = _settle(board, start, grey, lens_known)
        if found is not None and share >= most:
            best, most = found, share
        if best is not None and most >= BEYOND_DOUBT:
            break
    return best


def _settle(board: Board, pose: Pose, grey: Array, lens_known: bool) -> tuple[Pose | None, float]:
    """Return the nearest pose on the grooves, and the share of them that it explains."""
    for _ in range(3):
        found = _drawn(board, pose, grey, lens_known)
        if found is None:
            break
        seen = _seen(board, found, grey)
        cells = cells_off(board, seen)
        if cells == (0, 0):
            return found, share_of(board, seen)
        pose = found.shifted(cells[0] * board.pitch_mm, cells[1] * board.pitch_mm)
    return None, 0.0


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


def _drawn(board: Board, pose: Pose, grey: Array, lens_known: bool) -> Pose | None:
    """Return the pose fitted to the grooves near it: search along their normals, fit, repeat."""
    reach = REACH * board.pitch_mm
    spread = (KNOWN_LENS, KNOWN_LENS) if lens_known else (FOCAL_SPREAD, BEND_SPREAD)
    usual = pose.focal_px, pose.bend
    points = stretches(board).middles[: stretches(board).inside]
    for round_ in range(4):
        trust_mm = max(STEP_MM, board.groove_mm / 3**round_)  # grooves further off are outliers
        found = _find_grooves(board, pose, grey, reach)
        if found is None:
            return None
        good, pixels, across = found
        scale = np.linalg.norm(across, axis=1, keepdims=True)  # pixels a millimetre
        pose = fit_pose(
            pose,
            points[good],
            pixels,
            across / scale,
            usual,
            spread,
            trust_px=trust_mm * float(scale.mean()),
            noise_px=NOISE_PX,
        )
        reach = max(6 * STEP_MM, reach / 2)
    return pose


def _find_grooves(
    board: Board, pose: Pose, grey: Array, reach_mm: float
) -> tuple[Array, Array, Array] | None:
    """Return the numbers of the stretches found, where in the picture, and the ways across them."""
    inside = stretches(board).inside
    width, steps = max(1, round(board.groove_mm / STEP_MM)), round(reach_mm / STEP_MM)
    count = 2 * (steps + width) + 1
    offsets = (np.arange(count + width - 1) - (count + width - 2) / 2) * STEP_MM
    values, middle, across = _profiles(board, pose, grey, offsets)
    total = np.cumsum(np.pad(values[:inside], ((0, 0), (1, 0))), axis=1)
    broad = (total[:, width:] - total[:, :-width]) / width  # each as broad as a groove
    groove, one, other = broad[:, width:-width], broad[:, : -2 * width], broad[:, 2 * width :]
    kinds = [_peaks(contrast_of(groove, one, other, light=light)) for light in (False, True)]
    where, strength = max(kinds, key=lambda peaks: float((peaks[1] > PLAIN).sum()))
    good = np.flatnonzero(strength > PLAIN)
    if len(good) < inside * AGREES / 2:
        return None
    off_mm = (where[good] - steps) * STEP_MM
    return good, middle[good] + off_mm[:, None] * across[good], across[good]


def _peaks(contrast: Array) -> tuple[Array, Array]:
    """Return where each row peaks, to a fraction of a step (by a parabola), and how high."""
    best = np.argmax(contrast, axis=1)
    rows = np.arange(len(contrast))
    inner = np.clip(best, 1, contrast.shape[1] - 2)
    low, top, high = (contrast[rows, inner + step] for step in (-1, 0, 1))
    bow = low - 2 * top + high
    part = np.where(bow < -1e-6, (low - high) / (2 * np.minimum(bow, -1e-6)), 0.0)
    return inner + np.clip(part, -1, 1), contrast[rows, best]
