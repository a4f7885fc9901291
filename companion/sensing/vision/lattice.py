"""A board without markers, found by its lattice of cells: proposes where the corners of the field
are, for people to agree or to drag them.

Cells are blobs (connected components) that stand out from the grooves around them in brightness or
colour. Blobs side by side begin a lattice, which grows while a homography predicts its next cells
(region growing with consensus); the grooves have the last word.
"""

from collections.abc import Iterator

import cv2
import numpy as np

from companion.board import Board
from companion.errors import CornersError
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.grid import agreement, settle
from companion.sensing.vision.pose import WORST_CORNER, Pose, find_pose_from_corners

WORKING_PX = 800  # the longer side of the picture that is searched
BLOCKS = (0.03, 0.06, 0.12)  # of that side: neighbourhoods of the threshold
SMALLEST, LARGEST = 0.012, 0.1  # sides of a cell, of that side
LINES = (SMALLEST, 2 * SMALLEST)  # broader than a groove
FULL = 0.8  # of its hull and of its box, that a cell fills
TOO_MANY = 1.4  # times the cells of the board, for a lattice that is none
SEEDS = 60  # cells from which lattices are grown
NEAR = 0.3  # of the pitch, by which a cell may be off where it is expected
SKEW = 0.5  # cosine of the angle between columns and rows, and how much longer one may be
ENOUGH = 18  # cells in a lattice
LEAST = 0.35  # of the cells, up to twice as many where the grooves agree


def propose(board: Board, picture: Picture) -> Corners | None:
    """Return the corners of the field as the picture suggests them, None when it suggests none.

    The board lies upright: its south is the lower edge as far as it can be.
    """
    height, width = picture.shape[:2]
    factor = min(1.0, WORKING_PX / max(width, height))
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    blobs = _cells(np.asarray(small))
    best, most = None, LEAST
    for lattice in _lattices(blobs, board.columns * board.rows):
        found, score = _fitted(board, picture, lattice, factor)
        if score > most:
            best, most = found, score
    return best


def _cells(picture: Picture) -> Array:
    """Return middle and size, shape (n, 3), of what may be cells, each once."""
    longer = max(picture.shape[:2])
    smooth = cv2.GaussianBlur(picture, (3, 3), 0)
    light, *hues = cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB))
    even = cv2.createCLAHE(4.0, (4, 4))
    blue, _, red = cv2.split(smooth)
    planes = [*hues, *(even.apply(plane) for plane in (light, blue, red))]
    found: list[tuple[float, float, float]] = []
    for plane in planes:
        for mask in (*_brighter(plane, longer), *_between(plane, longer)):
            found += _squares(mask, longer)
    return _apart(np.array(found).reshape(-1, 3))


def _brighter(plane: Array, longer: int) -> Iterator[Array]:
    """Yield masks of what is brighter, or darker, than its neighbourhood."""
    for part in BLOCKS:
        block = 2 * round(part * longer / 2) + 1
        above = plane.astype(np.int16) - cv2.blur(plane, (block, block))
        for sign in (1, -1):
            mask = (sign * above > 1).astype(np.uint8)
            yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def _between(plane: Array, longer: int) -> Iterator[Array]:
    """Yield masks of what thin lines, dark or light ones, leave between them (black hat, top
    hat)."""
    for part in LINES:
        broad = 2 * round(part * longer / 2) + 1
        kernel = np.ones((broad, broad), np.uint8)
        for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
            line = np.asarray(cv2.morphologyEx(plane, way, kernel))
            for share in (0.5, 1.0, 2.0, 4.0):
                yield (line <= 1 + share * float(np.median(line))).astype(np.uint8)


def _squares(mask: Array, longer: int) -> Iterator[tuple[float, float, float]]:
    """Yield middle and size of what is about square in a mask."""
    # The table may surround the board: outer outlines of what lies in holes count, too.
    outlines, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    for number, outline in enumerate(outlines):
        if tree[0, number, 3] >= 0:  # the edge of a hole
            continue
        _, _, across, down = cv2.boundingRect(outline)
        if not SMALLEST * longer < min(across, down) <= max(across, down) < 1.5 * LARGEST * longer:
            continue
        hull = cv2.convexHull(outline)
        area, (middle, sides, _) = cv2.contourArea(hull), cv2.minAreaRect(outline)
        square = min(sides) > 0.55 * max(sides) and area > FULL * sides[0] * sides[1]
        if square and cv2.contourArea(outline) > FULL * area:
            yield middle[0], middle[1], float(area**0.5)


def _apart(blobs: Array) -> Array:
    """Return the blobs without those that were found more than once."""
    kept: list[Array] = []
    taken = np.zeros(len(blobs), bool)
    for number, blob in enumerate(blobs):
        if taken[number]:
            continue
        away = np.linalg.norm(blobs[:, :2] - blob[:2], axis=1)
        same = (away < 0.25 * blob[2]) & (np.abs(np.log(blobs[:, 2] / blob[2])) < 0.25)
        taken |= same
        kept.append(np.median(blobs[same], axis=0))
    return np.array(kept).reshape(-1, 3)


def _lattices(blobs: Array, cells: int) -> Iterator[tuple[Array, Array]]:
    """Yield lattices of about so many cells: places in columns and rows, and the pixels of each.

    A chequered table makes larger ones, which are put aside.
    """
    rng = np.random.default_rng(0)
    for _ in range(8):  # there may be several, and few are enough
        best, most = None, ENOUGH - 1
        seen = np.zeros(len(blobs), bool)
        for number in rng.permutation(len(blobs))[:SEEDS]:
            start = None if seen[number] else _start(blobs, int(number))
            grown = None if start is None else _grow(blobs, *start)
            if grown is not None and len(grown[0]) > most:
                best, most = grown, len(grown[0])
                seen |= _members(blobs, grown[1])
            if most > TOO_MANY * cells:
                break
        if best is None:
            return
        if most <= TOO_MANY * cells:
            yield best
        blobs = blobs[~_members(blobs, best[1])]


def _members(blobs: Array, pixels: Array) -> Array:
    """Return which blobs lie at these pixels."""
    return np.isin(blobs[:, 0] + 1j * blobs[:, 1], pixels[:, 0] + 1j * pixels[:, 1])


def _start(blobs: Array, number: int) -> tuple[Array, Array] | None:
    """Return where a blob and its neighbours to the right and above are, as the first three places
    of a lattice."""
    here = blobs[number]
    way = (blobs[:, :2] - here[:2]) / here[2]
    alike = np.abs(np.log(blobs[:, 2] / here[2])) < 0.35
    ends = []
    for along, aside in ((way[:, 0], way[:, 1]), (-way[:, 1], way[:, 0])):
        beside = alike & (along > np.abs(aside)) & (along > 0.8) & (along < 2.2)
        if not beside.any():
            return None
        ends.append(np.flatnonzero(beside)[np.argmin(np.hypot(along, aside)[beside])])
    east, north = (blobs[end, :2] - here[:2] for end in ends)
    pixels = np.array([here[:2], here[:2] + east, here[:2] + north])
    places = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    return (places, pixels) if _is_square(_plan(places, pixels)) else None


def _grow(blobs: Array, places: Array, pixels: Array) -> tuple[Array, Array] | None:
    """Return the lattice that grows from its first places: predict, take what is there, repeat."""
    span = np.arange(-10, 11)
    every = np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2).astype(np.float64)
    for round_ in range(14):
        plan = _plan(places, pixels)
        if plan is None:
            break
        close = np.abs(every[:, None] - places).max(axis=-1).min(axis=1) <= 2
        wanted = every[close]
        at, pitch = _placed(plan, wanted), _pitch(plan, wanted)
        away = np.linalg.norm(at[:, None] - blobs[:, :2], axis=-1)
        nearest = away.argmin(axis=1)
        size = blobs[nearest, 2] / pitch
        good = (away.min(axis=1) < NEAR * pitch) & (size > 0.45) & (size < 1.05)
        before = len(places)
        places, pixels = wanted[good], blobs[nearest[good], :2]
        if len(places) < 3 or (len(places) == before and round_ > 3):
            break
    return (places, pixels) if _is_square(_plan(places, pixels)) else None


def _plan(places: Array, pixels: Array) -> Array | None:
    """Return the homography from places to pixels, an affine one as long as they are few."""
    if len(places) < 3:
        return None
    if len(places) < 9:
        rows = np.column_stack([places, np.ones(len(places))])
        fit, *_ = np.linalg.lstsq(rows, pixels, rcond=None)
        return np.vstack([fit.T, [0.0, 0.0, 1.0]])
    plan, _ = cv2.findHomography(places, pixels, cv2.RANSAC, 4.0)
    return None if plan is None else np.asarray(plan)


def _is_square(plan: Array | None) -> bool:
    """Tell whether columns and rows cross as those of a board seen from above do."""
    if plan is None:
        return False
    here, east, north = _placed(plan, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    east, north = east - here, north - here
    lengths = sorted((float(np.linalg.norm(east)), float(np.linalg.norm(north))))
    skew = abs(float(east @ north)) / max(lengths[0] * lengths[1], 1e-6)
    return skew < SKEW and lengths[1] < (1 + SKEW) * lengths[0]


def _placed(plan: Array, places: Array) -> Array:
    return np.asarray(cv2.perspectiveTransform(places[:, None].astype(np.float64), plan))[:, 0]


def _pitch(plan: Array, places: Array) -> Array:
    """Return how many pixels it is from each place to the next, on average."""
    here = _placed(plan, places)
    steps = [_placed(plan, places + step) - here for step in ([1.0, 0.0], [0.0, 1.0])]
    mean: Array = np.mean([np.linalg.norm(step, axis=1) for step in steps], axis=0)
    return np.maximum(mean, 1e-6)


def _fitted(
    board: Board, picture: Picture, lattice: tuple[Array, Array], factor: float
) -> tuple[Corners | None, float]:
    """Return the corners of the field that fits a lattice best, and how well it does."""
    best, most = None, 0.0
    plan = _plan(*lattice)
    for first, share in _windows(board, lattice[0]):
        if plan is None:
            break
        points = (_placed(plan, _ends(board) + first) + 0.5) / factor - 0.5
        corners = _checked(points, picture)
        settled, agrees = _settled(board, corners, picture) if corners else (None, 0.0)
        if settled is not None:
            corners = _checked(settled.project(np.array(board.field_corners)), picture)
        if corners is not None and share * (1 + agrees) > most:
            best, most = corners, share * (1 + agrees)
    return best, most


def _windows(board: Board, places: Array) -> Iterator[tuple[Array, float]]:
    """Yield where a1 may be in a lattice, and the share of the board's cells that it then has."""
    size = np.array([board.columns, board.rows])
    ends = places.min(axis=0), places.max(axis=0) - size + 1
    low, high = np.minimum(*ends), np.maximum(*ends)
    found = []
    for west in np.arange(low[0], high[0] + 1):
        for south in np.arange(low[1], high[1] + 1):
            off = places - (west, south)
            inside = ((off >= 0) & (off < size)).all(axis=1)
            found.append((float(inside.sum()) / float(size.prod()), west, south))
    found.sort(reverse=True)
    for share, west, south in found[:9]:
        if share >= FULL * found[0][0]:
            yield np.array([west, south]), share


def _ends(board: Board) -> Array:
    """Return the corners of the field in columns and rows from the middle of a1."""
    middle = np.array([board.columns - 1, board.rows - 1]) / 2
    return np.array(board.field_corners)[:, :2] / board.pitch_mm + middle


def _checked(points: Array, picture: Picture) -> Corners | None:
    """Return corners at these pixels, None where no board can be; those that are hardly outside of
    the picture count as on its edge."""
    height, width = picture.shape[:2]
    inside = np.clip(points, 0, [width - 1, height - 1])
    if np.abs(points - inside).max() > WORST_CORNER * width:
        return None
    try:
        return Corners.checked(inside.tolist(), width, height)
    except CornersError:
        return None


def _settled(board: Board, corners: Corners, picture: Picture) -> tuple[Pose | None, float]:
    """Return the pose on the grooves near these corners, and the share of the grooves that
    agrees."""
    pose = find_pose_from_corners(board, corners, corners.width, corners.height)
    settled = None if pose is None else settle(board, pose, picture, far=False)
    return settled, 0.0 if settled is None else agreement(board, settled, picture)
