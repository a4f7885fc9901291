"""How sharp a picture is: by how many pixels its edges are smeared, whatever is in it.

Contrast, light and the number of edges do not matter: the same edges are compared with themselves,
blurred some more (re-blurring). An edge that is smeared already loses little slope by that, a sharp
one much, and from the loss follows how wide it was.
"""

import math

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.outline import corners_of
from companion.sensing.vision.pose import Pose

#: A picture this wide is soft when its edges are smeared by more than so many pixels. Measured:
#: sharp ones are smeared by 0.6 to 1.1, those blurred by 2 pixels more by 1.75 and above.
SOFT_PX, USUAL_WIDTH = 1.7, 1296

#: What a lens in focus is good for; it counts as 100 %.
SHARP_PX = 1.0

#: Wider smears are reported as this: there are no edges left to speak of.
WIDEST_PX = 9.9

CALM_PX = 0.8  # noise is smoothed so much before anything is measured
AGAIN_PX = 2.0  # and edges are blurred so much once more
FLAT = 1.0  # an edge is steeper than this, as Sobel has it: an eighth of a level a pixel
ABOVE_NOISE = 6.0  # and than so many sigma of noise; of mere noise the strongest are 2.2
NOISE_LEFT = 0.65  # sigma of noise in Sobel's filter, by the median of what calming takes away
COARSE_PX, SMALLEST = 2.2, 100
STRONGEST = 97  # per cent of the pixels that are no edge


#: Threshold of sharpness, in per cent, below which a picture is soft.
ENOUGH = round(100 * SHARP_PX / SOFT_PX)


def sharpness(board: Board, picture: Picture, pose: Pose | None) -> int:
    """Return how sharp a picture of a board is, in per cent; below :data:`ENOUGH` it is soft.

    Where the board is not found, perhaps because it is too soft, the picture's middle is used.
    """
    part = middle(picture) if pose is None else field(board, picture, pose)
    fine = max(1.0, int(picture.shape[1]) / USUAL_WIDTH)  # a lens does not grow with its pixels
    return round(100 * min(1.0, SHARP_PX * fine / max(smear_px(part), 1e-3)))


def smear_px(grey: Array) -> float:
    """Return the spread of a picture's edges in pixels (one sigma): the wider of across and down.

    Pixels themselves are coarse: a lens in focus gives about :data:`SHARP_PX`. What is smeared
    much, or lost in noise, is measured again at half the size, where there is less noise.
    """
    calm = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), CALM_PX)
    again = cv2.GaussianBlur(calm, (0, 0), AGAIN_PX)
    noise = NOISE_LEFT * float(np.median(np.abs(grey - calm)))
    spread = max(
        _spread(calm, again, noise, across=True), _spread(calm, again, noise, across=False)
    )
    if spread < COARSE_PX or min(grey.shape) < SMALLEST:
        return min(spread, WIDEST_PX)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    wider = 2 * smear_px(np.asarray(half))
    return min(WIDEST_PX, wider if spread > WIDEST_PX else max(spread, wider))


def _spread(calm: Array, again: Array, noise: float, *, across: bool) -> float:
    """Return the spread of edges across or down, infinite if there is only noise."""
    x, y = (1, 0) if across else (0, 1)
    before, after = (cv2.Sobel(each, cv2.CV_32F, x, y) for each in (calm, again))
    steep = np.abs(after)
    strong = float(np.percentile(steep, STRONGEST))
    if strong < max(FLAT, ABOVE_NOISE * noise):
        return math.inf
    ridge = cv2.dilate(steep, np.ones((1, 3) if across else (3, 1), np.uint8))
    edges = (steep >= strong) & (steep == ridge)
    # With its sign each edge counts in full, and noise for nothing.
    slope = float((before * np.sign(after))[edges].sum())
    left = float(steep[edges].sum()) / slope if slope > 0 else 1.0
    if left >= 1:
        return math.inf
    # What is left of a step's slope is s / √(s² + AGAIN²), where s holds the calming too.
    square = (AGAIN_PX * left) ** 2 / (1 - left**2) - CALM_PX**2
    return math.sqrt(max(square, 0.0))


def field(board: Board, picture: Picture, pose: Pose) -> Array:
    """Return the part of a picture that shows the field, in grey."""
    corners = corners_of(board, pose)
    last = [pose.width - 1, pose.height - 1]
    (left, top), (right, low) = (
        np.clip(edge, 0, last).astype(int) for edge in (corners.min(axis=0), corners.max(axis=0))
    )
    return np.asarray(cv2.cvtColor(picture[top : low + 1, left : right + 1], cv2.COLOR_BGR2GRAY))


def middle(picture: Picture) -> Array:
    """Return the middle of a picture in grey, where the board is likely to be."""
    height, width = picture.shape[:2]
    part = picture[height // 6 : height - height // 6, width // 6 : width - width // 6]
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY))
