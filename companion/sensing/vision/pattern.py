"""How well the pattern of the bare board, its cells and grooves, shows in a picture.

Tiles are compared by normalised cross-correlation in all colours: grooves that are as dark as the
cells may still be bluer. What changes slowly, as light does, is left out. Where the pattern is
faint, in a dim corner, noise lowers the correlation; each tile is measured against what to expect.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array
from companion.sensing.vision.flat import TILE

SIDE = 12  # pixels of a tile: half of those of the flat picture are enough
SMOOTH = 7  # pixels; what changes more slowly is the light's, what changes faster the board's
RIM = 3  # pixels along the edges: beyond the outer cells lies the rim, not a groove
ENOUGH = 0.35  # of the pixels of a tile that must be clear to tell
CALM = 25  # percent of the tiles that nothing disturbs, even with an arm across the board
LEAST_NOISE = 0.7  # grey levels: no picture is finer than its steps
FAINT, CLEAR = 0.3, 0.5  # likeness to be expected at which one cannot tell, and at which one can


@dataclass(frozen=True)
class Pattern:
    """A flat picture and the bare board in its light, both coarse, in grey levels.

    ``known`` are the tiles in which the bare board is known to show, under glare.
    """

    now: Array
    then: Array
    known: Array | None = None

    def likeness(self, clear: Array) -> Array:
        """Return for each tile how well the bare board shows in those pixels that are clear of
        things: 1 as well as noise allows, or where nobody could tell, 0 not at all."""
        inner = coarse(clear.astype(np.uint8))
        for edge in (inner[:RIM], inner[-RIM:], inner[:, :RIM], inner[:, -RIM:]):
            edge[:] = 0
        found = likeness(self.now, self.then, inner)
        if self.known is not None:
            found[self.known] = 1
        return found


def coarse(values: Array) -> Array:
    """Return a flat picture, or a map of one, as coarse as patterns need it."""
    size = (values.shape[1] // TILE * SIDE, values.shape[0] // TILE * SIDE)
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_LINEAR), np.float32)


def likeness(now: Array, then: Array, weight: Array) -> Array:
    """Return the same for two coarse pictures, pixels having a weight from 0 to 1."""
    seen = _tiles(weight)
    told = seen >= ENOUGH
    if not told.any():
        return np.ones(seen.shape, np.float32)
    share = weight / (_slow(weight) + np.float32(1e-6))
    weights, shares = cv2.merge([weight] * 3), cv2.merge([share] * 3)
    one, other = (_fine(picture, weights, shares) for picture in (now, then))
    seen = np.maximum(seen, 1e-6)
    both, own, bare = (
        _tiles(np.asarray(cv2.multiply(a, b))).sum(axis=-1) / seen
        for a, b in ((one, other), (one, one), (other, other))
    )
    bare = np.maximum(bare, 1e-6)
    left = np.maximum(own - both**2 / bare, 0)
    noise = max(float(np.percentile(left[told], CALM)), LEAST_NOISE**2)
    expected = np.sqrt(bare / (bare + noise))
    alike = both / np.sqrt(np.maximum(own * bare, 1e-6)) / np.maximum(expected, FAINT)
    trust = np.clip((expected - FAINT) / (CLEAR - FAINT), 0, 1) * told
    found: Array = 1 - trust * (1 - alike)
    return found


def _fine(picture: Array, weights: Array, shares: Array) -> Array:
    """Return what changes fast from pixel to pixel (a high-pass), among those with a weight."""
    seen = np.asarray(cv2.multiply(picture, weights))
    return np.asarray(cv2.subtract(seen, cv2.multiply(_slow(seen), shares)))


def _slow(values: Array) -> Array:
    return np.asarray(cv2.blur(values, (SMOOTH, SMOOTH)))


def _tiles(values: Array) -> Array:
    """Return the mean of each tile."""
    size = (values.shape[1] // SIDE, values.shape[0] // SIDE)
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA))
