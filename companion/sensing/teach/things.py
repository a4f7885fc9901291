"""What lies in the spots of a board: a change against the empty picture, and its colour.

The board may have moved a little between the pictures; the spots themselves say how.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.teach.holes import Holes
from companion.sensing.teach.lattice import through
from companion.sensing.teach.marks import find_marks

#: Side of what is looked at of each spot, in samples.
SAMPLES = 17
#: The share of a hole, in radii, whose change counts.
INNER = 0.85
#: A spot has changed by at least so much (steps of lightness and colour), and by so many times
#: what changes between the pictures anyway.
LEAST_CHANGE, TIMES_USUAL = 16.0, 3.0
#: A marble is at most so much wider than the hole it lies in.
WIDEST = 1.9
#: So many of the spots must be found again where a board that has moved should have them.
LEAST_FOUND = 0.35

#: Hues in degrees at which the next name begins.
HUES = ((16, "red"), (42, "orange"), (70, "yellow"), (165, "green"), (255, "blue"), (320, "purple"))
LEAST_COLOUR = 0.28  # of saturation; less is white, grey or black
DARK, LIGHT = 0.28, 0.62


@dataclass(frozen=True)
class Lying:
    """Something in a spot, by its number: a marble or a piece, and its colour."""

    spot: int
    kind: str
    colour: str


def moved(holes: Holes, empty: Picture, picture: Picture) -> Array | None:
    """Return the homography from the empty picture to another one of the same board, None when
    the board is not found there again.

    First from picture to picture as a whole, then by the marks near the spots.
    """
    if empty.shape != picture.shape:
        return None
    marks = find_marks(picture)
    best, most = None, LEAST_FOUND
    for guess in (np.eye(3), _as_a_whole(empty, picture)):
        if guess is None:
            continue
        way, share = _settled(holes, marks, guess)
        if share > most + 0.05:
            best, most = way, share
    return best


def things(holes: Holes, empty: Picture, picture: Picture, shift: Array) -> list[Lying]:
    """Return what lies in the holes in a later picture; ``shift`` leads there."""
    height, width = empty.shape[:2]
    ways = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = np.asarray(cv2.warpPerspective(picture, shift, (width, height), flags=ways), np.uint8)
    before, _ = _seen(holes, empty, 0.0, 1.0)
    after, _ = _seen(holes, back, 0.0, 1.0)
    board_before, _ = _seen(holes, empty, 1.25, 1.6)
    board_after, _ = _seen(holes, back, 1.25, 1.6)
    gain = np.median(board_after, axis=(0, 1)) / np.maximum(np.median(board_before, (0, 1)), 1)
    gain = np.clip(gain, 0.5, 2)
    inner = _inner(INNER)
    one = _lab(before[:, inner] * gain)
    other = _lab(after[:, inner])
    change = np.linalg.norm(other - one, axis=2).mean(1)
    drift = np.linalg.norm(_lab(board_after) - _lab(board_before * gain), axis=2).mean(1)
    usual = max(float(np.median(drift)), float(np.quantile(change, 0.1)))
    least = max(LEAST_CHANGE, TIMES_USUAL * usual)
    white = np.maximum(np.quantile(picture[::4, ::4].reshape(-1, 3), 0.98, axis=0), 1)
    white = np.clip(white, 0.75 * white.max(), None)  # a lamp has a colour, but not any
    return [
        Lying(
            int(n), _kind(holes, empty, back, int(n), gain, least), _colour(after[n, inner], white)
        )
        for n in np.nonzero(change > least)[0]
    ]


def _settled(holes: Holes, marks: Array, guess: Array) -> tuple[Array | None, float]:
    """Return the homography near a guess that the marks speak for, and the share that do."""
    if len(marks) < 4:
        return None, 0.0
    way: Array = guess
    share = 0.0
    for reach in (0.45, 0.25):
        expected = through(way, holes.pixels)
        far = np.hypot(*(expected[:, None] - marks[None, :, :2]).transpose(2, 0, 1))
        pitch = holes.pitch_px
        sizes = np.abs(np.log(marks[None, :, 2] / (holes.radius * pitch[:, None])))
        far[sizes > 0.5] = np.inf
        nearest = far.argmin(1)
        near = far[np.arange(len(expected)), nearest] < reach * pitch
        if near.sum() < max(8, LEAST_FOUND * len(expected)):
            return None, 0.0
        there = marks[nearest[near], :2]
        most_off = 0.08 * float(pitch.mean())
        found = cv2.findHomography(holes.pixels[near], there, cv2.RANSAC, most_off)
        fitted: Array | None = found[0]  # None where no four points agree
        if fitted is None:
            return None, 0.0
        way, share = fitted, float(found[1].sum()) / len(expected)
    return way, share


def _as_a_whole(empty: Picture, picture: Picture) -> Array | None:
    """Return the homography from one picture to another by what both show (ORB features)."""
    finder = cv2.ORB.create(1500)
    seen = [
        finder.detectAndCompute(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), None) for p in (empty, picture)
    ]
    (points, words), (others, other_words) = seen
    if words is None or other_words is None or min(len(points), len(others)) < 20:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(words, other_words)
    if len(pairs) < 20:
        return None
    here = np.array([points[pair.queryIdx].pt for pair in pairs])
    there = np.array([others[pair.trainIdx].pt for pair in pairs])
    way, good = cv2.findHomography(here, there, cv2.RANSAC, 4.0)
    return np.asarray(way) if way is not None and good.sum() >= 20 else None


def _seen(holes: Holes, picture: Picture, low: float, high: float) -> tuple[Array, Array]:
    """Return the colours of samples around each hole from one to another radius, and where."""
    line = np.linspace(-high, high, SAMPLES)
    ys, xs = np.meshgrid(line, line, indexing="ij")
    away = np.hypot(xs, ys)
    ring = (away >= low) & (away <= high)
    grid = np.column_stack([xs[ring], ys[ring]]) * holes.radius
    points = (holes.plane[:, None] + grid[None]).reshape(-1, 2)
    drawn = holes.pixels - through(holes.way, holes.plane)
    pixels = through(holes.way, points).reshape(len(holes.plane), -1, 2) + drawn[:, None]
    got = cv2.remap(
        picture,
        pixels[..., 0].astype(np.float32),
        pixels[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return got.astype(np.float32), away[ring]


def _inner(share: float) -> Array:
    line = np.linspace(-1, 1, SAMPLES)
    ys, xs = np.meshgrid(line, line, indexing="ij")
    away = np.hypot(xs, ys)
    return np.asarray(away[away <= 1] <= share)


def _lab(colours: Array) -> Array:
    clipped = np.clip(colours, 0, 255).astype(np.float32) / 255
    shape = clipped.shape
    return np.asarray(cv2.cvtColor(clipped.reshape(1, -1, 3), cv2.COLOR_BGR2LAB).reshape(shape))


def _kind(
    holes: Holes, empty: Picture, back: Picture, number: int, gain: Array, least: float
) -> str:
    """Return marble or piece: a marble is hardly wider than its hole."""
    x, y = holes.pixels[number]
    radius = holes.radius * float(holes.pitch_px[number])
    reach = int(4 * radius) + 2
    height, width = empty.shape[:2]
    x0, x1 = max(int(x) - reach, 0), min(int(x) + reach, width)
    y0, y1 = max(int(y) - reach, 0), min(int(y) + reach, height)
    one, other = (
        _lab(part[y0:y1, x0:x1].astype(np.float32) * by)
        for part, by in ((empty, gain), (back, np.ones(3)))
    )
    mask = (np.linalg.norm(other - one, axis=2) > least).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(mask)
    at = labels[min(int(y) - y0, labels.shape[0] - 1), min(int(x) - x0, labels.shape[1] - 1)]
    if at == 0:
        return "marble"
    size = np.sqrt(float((labels == at).sum()) / np.pi)
    apart = holes.pitch_px[number] * 0.5
    return "piece" if size > max(WIDEST * radius, apart) else "marble"


def _colour(seen: Array, white: Array) -> str:
    """Return the name of the colour that most of what is seen has; lamps on it do not count."""
    level = seen.max(1)
    body = seen[level <= np.quantile(level, 0.8)]
    blue, green, red = np.clip(np.median(body, axis=0) / white, 0, 1)
    most, least = max(blue, green, red), min(blue, green, red)
    if most < DARK * 0.6 or most - least < LEAST_COLOUR * most:
        return "black" if most < DARK else "white" if most > LIGHT else "grey"
    if most == red:
        hue = 60 * (green - blue) / (most - least)
    elif most == green:
        hue = 60 * (2 + (blue - red) / (most - least))
    else:
        hue = 60 * (4 + (red - green) / (most - least))
    name = next((name for end, name in HUES if hue % 360 < end), "red")
    return "brown" if name == "orange" and most < 0.45 else name


def paints(holes: Holes, picture: Picture) -> list[tuple[int, int, int]]:
    """Return the colours of the board beside its holes and of the holes, red first."""
    found = []
    for low, high in ((1.3, 1.7), (0.0, 0.6)):
        mask = np.zeros(picture.shape[:2], np.uint8)
        for ring, ink in ((high, 255), (low, 0)):
            for (x, y), pitch in zip(holes.pixels, holes.pitch_px, strict=True):
                size = int(ring * holes.radius * float(pitch))
                if size:
                    cv2.circle(mask, (int(x), int(y)), size, ink, -1)
        seen = picture[mask > 0]
        blue, green, red = np.median(seen, axis=0) if len(seen) else (128, 128, 128)
        found.append((int(red), int(green), int(blue)))
    return found
