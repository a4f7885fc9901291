"""What the holes of one board look like, learned from most of them, and told of any place on it.

Nobody says what a hole looks like: the marks on the lattice that have the clearest rims are the
examples, the places between them what is none (linear discriminant analysis).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.teach.marks import edges

#: The board is laid flat with so many pixels from one hole to the next.
PITCH_PX = 32
#: Side of a patch in samples, and how far it reaches, in radii of a hole.
SAMPLES, REACH = 15, 1.5
ANGLES = 40
RADII = np.linspace(0.12, 0.48, 19)
#: Scores are kept within this, so that no place outvotes all those that are like it.
MOST = 3.0
#: A hole brighter than this on average is under a mirrored lamp, and says nothing.
BLIND = 243
NEIGHBOURS = 6


@dataclass(frozen=True)
class Flat:
    """A board laid flat: its picture and gradients, and ``way`` from its plane to them."""

    lab: Array
    across: Array
    down: Array
    bright: Array
    origin: Array

    @classmethod
    def of(cls, picture: Picture, way: Array, low: Array, high: Array) -> "Flat":
        """Lay flat the part of a plane between two corners; ``way`` leads from it to pixels."""
        width, height = (int(side) for side in np.ceil((high - low) * PITCH_PX) + 1)
        to_plane = np.array(
            [[1 / PITCH_PX, 0, low[0]], [0, 1 / PITCH_PX, low[1]], [0, 0, 1]], float
        )
        laid = cv2.warpPerspective(
            picture,
            way @ to_plane,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        across, down = edges(np.asarray(laid, np.uint8))
        lab = cv2.cvtColor(laid, cv2.COLOR_BGR2LAB).astype(np.float32)
        bright = laid.min(axis=2).astype(np.float32)
        return cls(cv2.GaussianBlur(lab, (0, 0), 0.8), across, down, bright, low)

    def sample(self, plane: Array, points: Array) -> Array:
        """Return the values of a plane of the picture at points, whatever shape they come in."""
        pixels = ((points - self.origin) * PITCH_PX).astype(np.float32)
        flat = pixels.reshape(len(pixels), -1, 2)
        got = cv2.remap(
            plane,
            np.ascontiguousarray(flat[..., 0]),
            np.ascontiguousarray(flat[..., 1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(got)


def radius_of(flat: Flat, spots: Array) -> float:
    """Return the radius of the holes at these spots, in spacings: where their rims are."""
    turn = np.arange(ANGLES) * 2 * np.pi / ANGLES
    out = np.column_stack([np.cos(turn), np.sin(turn)])
    strength = []
    for radius in RADII:
        points = spots[:, None] + radius * out
        along = flat.sample(flat.across, points) * out[:, 0]
        along = along + flat.sample(flat.down, points) * out[:, 1]
        strength.append(float(np.median(np.abs(along))))
    return float(RADII[int(np.argmax(strength))])


def scores(
    flat: Flat, examples: Array, others: Array, spots: Array, radius: float
) -> tuple[Array, Array]:
    """Return for each spot how much more it looks like the examples than like the others, and
    which spots are blinded by a lamp."""
    patches, energy = _patches(flat, examples, radius)
    mean = patches.mean(0)
    strength = float(np.median(energy))

    def features(points: Array, own: bool) -> Array:
        seen, power = _patches(flat, points, radius)
        away = np.linalg.norm(points[:, None] - examples[None], axis=2)
        if own:
            away[away < 0.1] = np.inf
        near = np.argsort(away, axis=1)[:, :NEIGHBOURS]
        alike = np.einsum("np,nkp->nk", seen, patches[near])
        local = patches[near].mean(1)
        local /= np.linalg.norm(local, axis=1, keepdims=True) + 1e-6
        return np.column_stack(
            [
                seen @ (mean / (np.linalg.norm(mean) + 1e-6)),
                np.einsum("np,np->n", seen, local),
                np.sort(alike, axis=1)[:, -2],
                np.clip(np.log((power + 1e-3) / (strength + 1e-3)), -2, 0.3),
                _rim(flat, points, radius),
            ]
        )

    good, bad = features(examples, True), features(others, True)
    spread = np.cov(good.T) * 0.5 + np.cov(bad.T) * 0.5
    spread += np.eye(len(spread)) * (0.15 * np.trace(spread) / len(spread) + 1e-4)
    axis = np.linalg.solve(spread, good.mean(0) - bad.mean(0))
    high, low = good @ axis, bad @ axis
    wide, narrow = high.std() + 1e-6, low.std() + 1e-6
    middle = (np.median(high) * narrow + np.median(low) * wide) / (wide + narrow)
    unit = max((np.median(high) - middle) / 2, 1e-6)
    told = (features(spots, True) @ axis - middle) / unit
    blind = flat.sample(flat.bright, _grid(spots, radius / REACH)).mean(1) > BLIND
    return np.clip(told, -MOST, MOST), blind


def apart(flat: Flat, some: Array, others: Array) -> float:
    """Return how much less others look like some spots than these like each other, from 0 to 2."""
    seen, _ = _patches(flat, some, 0.5 / REACH)
    rest, _ = _patches(flat, others, 0.5 / REACH)
    mean = seen.mean(0)
    mean /= np.linalg.norm(mean) + 1e-6
    return float(np.median(seen @ mean) - np.median(rest @ mean))


def _grid(points: Array, radius: float) -> Array:
    line = np.linspace(-REACH * radius, REACH * radius, SAMPLES)
    ys, xs = np.meshgrid(line, line, indexing="ij")
    inside = np.hypot(xs, ys) <= REACH * radius
    return np.asarray(points[:, None] + np.column_stack([xs[inside], ys[inside]])[None])


def _patches(flat: Flat, points: Array, radius: float) -> tuple[Array, Array]:
    """Return what lies around points, freed of brightness and contrast, and that contrast."""
    seen = flat.sample(flat.lab, _grid(points, radius))
    seen = seen - seen.mean(1, keepdims=True)
    seen = seen.reshape(len(points), -1)
    power = np.linalg.norm(seen, axis=1)
    return seen / (power[:, None] + 1e-3), power / np.sqrt(seen.shape[1])


def _rim(flat: Flat, points: Array, radius: float) -> Array:
    """Return how much of the gradient along a rim points across it."""
    turn = np.arange(ANGLES) * 2 * np.pi / ANGLES
    out = np.column_stack([np.cos(turn), np.sin(turn)])
    best = np.zeros(len(points))
    for wider in (0.9, 1.0, 1.1):
        ring = points[:, None] + wider * radius * out
        gx, gy = flat.sample(flat.across, ring), flat.sample(flat.down, ring)
        along = np.abs(gx * out[:, 0] + gy * out[:, 1])
        best = np.maximum(best, (along / (np.hypot(gx, gy) + 0.7)).mean(1))
    return best
