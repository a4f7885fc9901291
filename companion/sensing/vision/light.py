"""The light on the board: how it differs from tile to tile, and from one picture to the next.

Most of a board is bare, so what most tiles agree on is the board and its light.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.sensing.camera.frame import Array
from companion.sensing.vision.colours import DARK
from companion.sensing.vision.flat import TILE

LEAST_PATTERN = 0.02  # variance of log brightness within a tile that is a pattern at all
UNEVEN = 0.15  # of log brightness; cells further off the plane have little say
SHINING = 2.0  # of log brightness, more than the light in a room differs
WHITE_HOT = -0.05  # log brightness that only a mirrored lamp has
SAME_BOARD = 0.07  # of colour shares
GLOSS_LEVEL, MOST_GLOSS = 1.1, 0.7  # of the usual light of a cell; of the way to white
CORNERS_TOO = 0.4  # of the gloss in the middle of a cell
GLOSS_SHARE, GLOSS_BRIGHTER, GLOSS_LIKENESS, GLOSS_EVEN = 0.3, 0.3, 0.45, 0.35
GLOSS_TINT = 0.06  # of colour shares
RIM = 3  # pixels around the flat picture that show the rim
INNER = slice(TILE // 4, TILE - TILE // 4)
CELL = slice(TILE // 10, TILE - TILE // 10)
MIDDLE = slice(TILE // 4, TILE - TILE // 4, TILE // 9)


@dataclass(frozen=True)
class Light:
    """How the light differs from when the bare board was seen: by colour, and from spot to spot."""

    overall: Array  # red, green, blue
    local: Array  # for each pixel the log of the change beyond the overall one
    mirrored: Array | None = None  # pixels in which a lamp or a window is mirrored


def light_change(seen: Array, bare_middles: Array) -> Light:
    """Return the change of light, judged by the middles of the cells, most of which are bare.

    From spot to spot it may change as a plane does: a hand or a fence must not pass for light.
    """
    ratios = np.log((cell_middles(seen) + DARK) / (bare_middles + DARK))
    overall = np.median(ratios, axis=1)
    uneven = (ratios - overall[:, None]).mean(axis=0)
    _, height, width = seen.shape
    plane = _plane(uneven, _basis(height // TILE, width // TILE))
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(plane[2])
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * np.float32(plane[1])
    return Light(np.exp(overall).astype(np.float32), down + across + np.float32(plane[0]))


def _plane(values: Array, basis: Array) -> Array:
    """Return the plane through most values of cells, as factors of the basis: a robust fit by
    iteratively re-weighted least squares (Cauchy weights), slightly damped."""
    plane: Array = np.zeros(3)
    for _ in range(4):
        weight = 1 / (1 + ((values - basis @ plane) / UNEVEN) ** 2)
        weighted = basis.T * weight
        plane = np.linalg.solve(weighted @ basis + 0.5 * np.eye(3), weighted @ values)
    return plane


@lru_cache(maxsize=4)
def _basis(rows: int, columns: int) -> Array:
    """Return 1, x and y of the middles of all cells, from -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return np.stack([np.ones(x.size), x.ravel(), y.ravel()], axis=-1)


def cell_middles(seen: Array) -> Array:
    """Return the median colour of the middle of each cell, shape (3, cells)."""
    _, height, width = seen.shape
    rows, columns = height // TILE, width // TILE
    some = seen.reshape(3, rows, TILE, columns, TILE)[:, :, MIDDLE, :, MIDDLE]
    samples = some.transpose(0, 1, 3, 2, 4).reshape(3, rows * columns, -1)
    half = samples.shape[-1] // 2
    middle: Array = np.partition(samples, half, axis=-1)[..., half]
    return middle


@lru_cache(maxsize=4)
def cell_tops(size: tuple[int, int]) -> Array:
    """Return which pixels of a flat picture are the tops of cells, not grooves."""
    tile = np.zeros((TILE, TILE), bool)
    tile[CELL, CELL] = True
    return np.tile(tile, (size[0] // TILE, size[1] // TILE))


def bare_tiles(seen: Array, mirrored: Array | None = None) -> Array:
    """Return a guess of the bare board: the median of all tiles in the light of each, or of those
    around it where a lamp is ``mirrored``, pixel by pixel."""
    _, height, width = seen.shape
    rows, columns = height // TILE, width // TILE
    tiles = seen.reshape(3, rows, TILE, columns, TILE).transpose(1, 3, 0, 2, 4)
    level = np.maximum(np.median(tiles.mean(axis=2), axis=(2, 3)), DARK).astype(np.float32)
    tile = np.median((tiles / level[..., None, None, None]).reshape(-1, 3, TILE, TILE), axis=0)
    usual = float(np.median(level))
    if mirrored is None:
        plain = ~_shining(level)
    else:
        plain = np.logical_not(mirrored.reshape(rows, TILE, columns, TILE).any(axis=(1, 3)))
    level = spread(np.clip(level, 0.4 * usual, 2.5 * usual)[None], plain)[0]
    calm = cv2.medianBlur(level, 3)
    light = cv2.resize(calm, (width, height), interpolation=cv2.INTER_LINEAR)
    guess: Array = np.tile(tile, (1, rows, columns)) * light
    return (guess * _tints(seen, guess, plain)).astype(np.float32)


def _shining(level: Array) -> Array:
    """Return the tiles that are far brighter than the light on the others makes them, as they are
    where a lamp is mirrored."""
    bright = np.log(level / np.median(level)).ravel()
    basis = _basis(*level.shape)
    shining: Array = (bright - basis @ _plane(bright, basis) > SHINING).reshape(level.shape)
    return shining


def spread(values: Array, known: Array) -> Array:
    """Return planes of values, the unknown ones filled in from around (inpainting)."""
    filled, weight = values * known, known.astype(np.float32)
    while (weight == 0).any():
        near = cv2.blur(weight, (3, 3))
        mixed = np.stack([cv2.blur(np.ascontiguousarray(plane), (3, 3)) for plane in filled])
        gap = (weight == 0) & (near > 1e-6)
        if not gap.any():
            break
        filled = np.where(gap, mixed / np.maximum(near, 1e-6), filled)
        weight = np.where(gap, np.float32(1), weight)
    return filled.astype(np.float32)


def _tints(seen: Array, guess: Array, plain: Array) -> Array:
    """Return by how much the colour of each tile differs from the guess: no two boards of wood
    are alike. What differs much is not board (an outlier), and what is not plain says nothing."""
    _, height, width = seen.shape
    now, then = cell_middles(seen) + DARK, cell_middles(guess) + DARK
    bright = now.sum(axis=0) > GLOSS_LEVEL * np.median(now.sum(axis=0))
    now, then = now / now.sum(axis=0), then / then.sum(axis=0)
    paler = _paler(seen, now, then) * bright
    close = (np.linalg.norm(now - then - paler, axis=0) < SAME_BOARD) & plain.ravel()
    tint = np.where(close, now / then, 1).reshape(3, height // TILE, width // TILE)
    return np.repeat(np.repeat(tint, TILE, axis=1), TILE, axis=2)


def _paler(seen: Array, now: Array, then: Array) -> Array:
    """Return by how much gloss makes cells paler than they should be, in shares of colours, shape
    (3, cells). Their corners must be paler as well: a piece is round and leaves them free."""
    _, height, width = seen.shape
    tiles = seen.reshape(3, height // TILE, TILE, width // TILE, TILE)
    ends = np.r_[CELL.start : INNER.start, INNER.stop : CELL.stop]
    some = tiles[:, :, ends][..., ends].transpose(0, 1, 3, 2, 4)
    corners = np.median(some.reshape(3, then.shape[1], -1), axis=-1) + DARK
    white = 1 / 3 - then
    whole = (white**2).sum(axis=0) + 1e-6
    inside, outside = (
        ((colours - then) * white).sum(axis=0) / whole
        for colours in (now, corners / corners.sum(axis=0))
    )
    glossy = (inside < MOST_GLOSS) & (outside > CORNERS_TOO * inside)
    paler: Array = white * np.where(glossy, np.maximum(inside, 0), 0)
    return paler


def glossy_cells(
    odd: Array, clear: Array, pale: Array, seen: tuple[Array, Array, Array], bare_level: Array
) -> Array:
    """Return the pixels of cells in which a lamp or a window is mirrored (specular highlights).

    Gloss is bright, lies on the tops of the cells and leaves the grooves dark. ``odd`` tells which
    pixels do not look bare, ``clear`` which are no fence, ``pale`` which have a colour between the
    board's and white; ``seen`` are shares of red and green and log brightness.
    """
    level = seen[2]
    rows, columns = level.shape[0] // TILE, level.shape[1] // TILE
    inner = np.s_[:, INNER, :, INNER]
    share = odd.reshape(rows, TILE, columns, TILE)[inner].mean(axis=(1, 3))
    if (share < GLOSS_SHARE).all():
        return np.zeros(level.shape, bool)
    tiles = level.reshape(rows, TILE, columns, TILE)
    usual = np.median(tiles[inner]) + GLOSS_BRIGHTER
    # A pawn may be bright in the middle, but it is round: gloss fills the corners too.
    corners = _corners(level)
    bright = (corners > usual).sum(axis=0) >= 3
    like = _likeness_of_tiles(clear, level, bare_level) > GLOSS_LIKENESS
    glossy = bright & like & (share >= GLOSS_SHARE)
    if not glossy.any():
        return np.zeros(level.shape, bool)
    inside = np.zeros((TILE, TILE), bool)
    inside[CELL, CELL] = True
    off_red, off_green, brighter = (_off_corners(part) for part in seen)
    alike = off_red**2 + off_green**2 + off_red * off_green < GLOSS_TINT**2 / 2
    even = (np.abs(brighter) < GLOSS_EVEN) | (level > WHITE_HOT)
    found: Array = np.kron(glossy, inside) & even & (pale | alike)
    return found


def _corners(values: Array) -> Array:
    """Return the median in each corner of every cell, shape (4, rows, columns)."""
    rows, columns = values.shape[0] // TILE, values.shape[1] // TILE
    tiles = values.reshape(rows, TILE, columns, TILE)
    ends = (slice(CELL.start, INNER.start), slice(INNER.stop, CELL.stop))
    return np.stack(
        [np.median(tiles[:, down, :, across], axis=(1, 3)) for down in ends for across in ends]
    )


def _off_corners(values: Array) -> Array:
    """Return by how much each pixel is off what the corners of its cell show."""
    off: Array = values - np.kron(np.median(_corners(values), axis=0), np.ones((TILE, TILE)))
    return off


def _likeness_of_tiles(clear: Array, level: Array, bare_level: Array) -> Array:
    """Return the correlation of each tile's clear pixels with the bare board's pattern; 0 as well
    where too little is clear to tell."""
    rows, columns = clear.shape[0] // TILE, clear.shape[1] // TILE

    def tiles(values: Array) -> Array:
        total: Array = np.add.reduce(values.reshape(rows, TILE, columns, TILE), axis=(1, 3))
        return total

    bare = clear.astype(np.float32)
    for edge in (bare[:RIM], bare[-RIM:], bare[:, :RIM], bare[:, -RIM:]):
        edge[:] = 0  # beyond the outer cells lies the rim, not a groove
    now, then = level * bare, bare_level * bare
    count = np.maximum(tiles(bare), 1)
    mean_now, mean_then = tiles(now) / count, tiles(then) / count
    both = tiles(now * bare_level) / count - mean_now * mean_then
    own = tiles(now * level) / count - mean_now**2
    other = tiles(then * bare_level) / count - mean_then**2
    found: Array = both / np.sqrt(np.maximum(own * other, 1e-6))
    found[(count < 0.35 * TILE**2) | (other < LEAST_PATTERN)] = 0
    return found
