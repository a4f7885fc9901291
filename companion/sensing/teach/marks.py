"""What may be a hole or a square in a picture: round marks of any colour, found by their rims.

Every point of an edge votes for the places where the middle of a circle through it would be
(fast radial symmetry, with both signs: a hole may be darker or lighter than its board).
"""

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture

#: Pictures are looked at with a longer side of this many pixels at most, then halved three times.
LONGER_PX = 1280
LEVELS = 4
#: The radii that are looked for at each level, in its pixels.
RADII = (4.0, 4.75, 5.65, 6.7)
#: Edges weaker than this, in steps of lightness a pixel, are noise; stronger ones count alike.
LEAST_EDGE, FULL_EDGE = 2.0, 10.0
#: The share of a rim that must have voted.
LEAST_RIM = 0.15
MOST_MARKS = 900


def find_marks(picture: Picture) -> Array:
    """Return what may be round marks, shape (n, 4): x, y, radius, and how much of a rim there is.

    The best come first.
    """
    scale = min(1.0, LONGER_PX / max(picture.shape[:2]))
    found = []
    for _ in range(LEVELS):
        small = picture
        if scale < 1:
            size = [max(1, round(side * scale)) for side in picture.shape[1::-1]]
            small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        rims = _rims(small)
        rims[:, :2] = (rims[:, :2] + 0.5) / scale - 0.5
        rims[:, 2] /= scale
        found.append(rims)
        scale /= 2
    marks = np.concatenate(found)
    return _apart(marks[np.argsort(-marks[:, 3])])


def edges(picture: Picture, sigma: float = 1.0) -> tuple[Array, Array]:
    """Return the gradient, x and y, of the strongest plane at each pixel."""
    plain = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab: Array = cv2.GaussianBlur(plain, (0, 0), sigma)
    lab[..., 1:] *= 1.5
    across, down = (cv2.Scharr(lab, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    best = np.argmax(across**2 + down**2, axis=2)[..., None]
    return (
        np.take_along_axis(across, best, 2)[..., 0],
        np.take_along_axis(down, best, 2)[..., 0],
    )


def _rims(picture: Picture) -> Array:
    height, width = picture.shape[:2]
    across, down = edges(picture)
    strong = np.hypot(across, down)
    # On a rough board most of the gradient is grain.
    least = max(LEAST_EDGE, float(np.median(strong)))
    ys, xs = np.nonzero(strong > least)
    size = strong[ys, xs]
    way_x, way_y = across[ys, xs] / size, down[ys, xs] / size
    weight = np.minimum((size - least) / FULL_EDGE, 1.0)
    found = [np.empty((0, 4))]
    for radius in RADII:
        for sign in (-radius, radius):
            votes = _votes(xs + sign * way_x, ys + sign * way_y, weight, (height, width))
            spread = 0.22 * radius
            votes = cv2.GaussianBlur(votes, (0, 0), spread) * np.float32(spread / radius)
            top = cv2.dilate(votes, np.ones((5, 5), np.uint8))
            py, px = np.nonzero((votes >= top) & (votes > LEAST_RIM))
            rows = [px, py, np.full(len(px), radius), votes[py, px]]
            found.append(np.column_stack(rows).astype(float))
    marks = np.concatenate(found)
    return marks[np.argsort(-marks[:, 3])[:MOST_MARKS]]


def _votes(x: Array, y: Array, weight: Array, shape: tuple[int, int]) -> Array:
    column, row = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    inside = (column >= 0) & (column < shape[1]) & (row >= 0) & (row < shape[0])
    flat = row[inside] * shape[1] + column[inside]
    return np.bincount(flat, weight[inside], shape[0] * shape[1]).reshape(shape).astype(np.float32)


def _apart(marks: Array) -> Array:
    """Return the marks without those whose middle lies in a better one's of about their size."""
    kept: list[int] = []
    for number, (x, y, radius, _) in enumerate(marks):
        others = marks[kept]
        far = np.hypot(others[:, 0] - x, others[:, 1] - y)
        alike = np.abs(np.log(others[:, 2] / radius)) < 0.45
        if not np.any((far < 0.6 * np.maximum(others[:, 2], radius)) & alike):
            kept.append(number)
        if len(kept) >= 2 * MOST_MARKS:
            break
    return marks[kept]
