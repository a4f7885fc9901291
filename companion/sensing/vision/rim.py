"""Hands on the frame: what lies where the bare frame should be (background subtraction).

The frame is of one material, so what differs from it in colour, in one piece of some size, lies
on it. Lessons teach how each part of the frame looks; from then on what is far brighter than it
should be stands out as well. Darker is nothing: that may be a shadow. What has lain still for a
while, a cup or a cable, is taken as part of the frame until it goes.
"""

import cv2
import numpy as np

from companion.board import Place
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.band import Band
from companion.sensing.vision.colours import LINEAR
from companion.sensing.vision.flat import unrest
from companion.sensing.vision.glare import TINT

STAYS_SECONDS = 6.0  # longer than the referee waits for a cover that does not move
CHANGED_LEVEL = 7.0
CHANGED_SAMPLES = 6
STILL_LEVEL = 10.0
OTHER_COLOUR, GRAIN = 0.3, 3.0  # of log colour; times the usual deviation
BRIGHTER = 1.4  # of log brightness, more than the edge of a lamp's light
FAR_OTHER = 1.0  # the same, up or down, for what has stayed
UNEVEN = 0.15  # of log light; samples further off the plane have little say
LEAST_SAMPLES = 12
LEAST_EDGE = 4  # samples
EDGE_COLOUR, EDGE_BRIGHTER = 0.25, 0.8  # by which colour and brightness change at an edge
AT_ONCE = 0.5  # of the light of a thing, less than goes at its edge
GOES_ON = 0.06  # of the light at the edge, more than is left beyond that of a thing
PLAIN_HAND = 3  # places covered in the field: with more of them the hand is seen anyhow
SLOWLY = 0.15  # weight of a new lesson in the moving average
DARK = 0.0015  # light below which a colour is mostly noise
LEVELS = np.log(LINEAR + np.float32(DARK))
BRUSH = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))


class Rim:
    """Remembers how the frame looks, and tells what lies on it."""

    def __init__(self) -> None:
        self.stirred = False  # something moved between the last two pictures
        self._blobs: list[frozenset[Place]] = []
        self._band: Band | None = None
        self._look = np.zeros((0, 3), np.float32)  # log colour, relative to the frame's usual one
        self._sure = np.zeros(0, bool)
        self._stayed = np.zeros((0, 3), np.float32)
        self._has_stayed = np.zeros(0, bool)
        self._last = self._judged = self._rest = np.zeros((0, 3), np.uint8)
        self._since = np.zeros(0)  # when each sample last changed
        self._odd = np.zeros(0, bool)
        self._seen = np.zeros((0, 3), np.float32)

    def look(self, band: Band, picture: Picture, time: float) -> None:
        """Take in what a picture shows of the frame."""
        ring = band.lay(picture)
        if not len(ring):
            self._band, self._blobs, self.stirred = band, [], False
            return
        if band is not self._band:
            self._begin(band, ring, time)
            self._judge(band, ring, time)
            return
        change = _difference(ring, self._last)
        noise = unrest(change[::7])
        self.stirred = noise <= CHANGED_LEVEL and _is_much(change, noise)
        self._last = ring
        moved = _difference(ring, self._rest) > STILL_LEVEL + 2 * noise
        if moved.any():
            self._rest[moved] = ring[moved]
            self._since[moved] = time
        due = self._blobs and (self._since[self._odd] <= time - STAYS_SECONDS).any()
        if due or noise > CHANGED_LEVEL or _is_much(_difference(ring, self._judged), noise):
            self._judge(band, ring, time)

    def beside(self, covered: frozenset[Place]) -> frozenset[Place]:
        """Return what is covered in the field together with the places next to what lies on the
        frame, unless it is a hand that is plainly seen in the field."""
        plain = len(covered) > PLAIN_HAND
        found = [blob for blob in self._blobs if not (plain and blob & covered)]
        return covered.union(*found)

    def learn(self) -> None:
        """Take the frame as last seen for the bare one, except for what lies on it."""
        if self._band is None or not len(self._seen):
            return
        used = self._band.used
        plain = ~self._odd & ~self._has_stayed[used]
        pace = np.where(self._sure[used], SLOWLY, 1.0) * plain
        self._look[used] += pace[:, None] * (self._seen - self._look[used])
        self._sure[used] |= plain

    def _begin(self, band: Band, ring: Picture, time: float) -> None:
        """Look from another place; what is known of the frame stays known."""
        self._band = band
        total = band.size[0] * band.size[1]
        if len(self._sure) != total:
            self._look = np.zeros((total, 3), np.float32)
            self._sure = np.zeros(total, bool)
        self._stayed = np.zeros((total, 3), np.float32)
        self._has_stayed = np.zeros(total, bool)
        self._last, self._rest = ring, ring.copy()
        self._since = np.full(len(ring), time)
        self.stirred = False

    def _judge(self, band: Band, ring: Picture, time: float) -> None:
        self._judged = ring
        used = band.used
        seen = np.take(LEVELS, ring)
        look = self._look[used]
        light = band.basis @ _plane(band.basis, seen - look)
        self._seen = seen - light
        brighter, off = _apart(self._seen, look)
        # Noise blurs the colour of what is dark.
        limit = OTHER_COLOUR + GRAIN * float(np.median(off)) * np.exp(-np.maximum(brighter, 0))
        odd = (off > limit) | ((brighter > BRIGHTER) & self._sure[used])
        self._odd = odd & ~self._known(used, odd, limit, time)
        added = np.take(LINEAR, ring) - np.exp(look + light) + np.float32(DARK)
        self._blobs = [band.near(blob) for blob in _pieces(band, self._odd, self._seen, added)]

    def _known(self, used: Array, odd: Array, limit: Array, time: float) -> Array:
        """Return which of the odd samples show what has stayed there for a while."""
        self._has_stayed[used] &= odd  # what has gone is forgotten
        stayed = np.flatnonzero(odd & (self._since <= time - STAYS_SECONDS))
        self._stayed[used[stayed]] = self._seen[stayed]
        self._has_stayed[used[stayed]] = True
        known = self._has_stayed[used]
        at = np.flatnonzero(known)
        brighter, off = _apart(self._seen[at], self._stayed[used[at]])
        known[at] = (off < limit[at]) & (np.abs(brighter) < FAR_OTHER)
        return known


def _difference(one: Picture, other: Picture) -> Array:
    """Return by how much the colours of samples differ."""
    change = np.asarray(cv2.absdiff(one, other))
    worst: Array = np.maximum(np.maximum(change[:, 0], change[:, 1]), change[:, 2])
    return worst


def _is_much(change: Array, noise: float) -> bool:
    return int(np.count_nonzero(change > CHANGED_LEVEL + 2 * noise)) >= CHANGED_SAMPLES


def _apart(seen: Array, look: Array) -> tuple[Array, Array]:
    """Return how much brighter samples are than they should be, and how far off in colour."""
    red, green, blue = (seen - look).T
    brighter: Array = (red + green + blue) * np.float32(1 / 3)
    square = red * red + green * green + blue * blue - 3 * brighter * brighter
    return brighter, np.sqrt(np.maximum(square, 0))


def _plane(basis: Array, values: Array) -> Array:
    """Return the plane through most values, of three colours (re-weighted least squares)."""
    basis, values = basis[::8], values[::8]
    plane = np.zeros((3, 3), np.float32)
    plane[0] = np.median(values, axis=0)
    calm = np.diag(np.array([0.0, 0.2, 0.2], np.float32))
    for _ in range(5):
        off = np.square(values - basis @ plane) @ np.full(3, 1 / (3 * UNEVEN**2), np.float32)
        weight = 1 / (1 + off)
        weighted = basis.T * weight
        plane = np.linalg.solve(weighted @ basis + calm, weighted @ values)
    return plane


def _pieces(band: Band, odd: Array, seen: Array, added: Array) -> list[Array]:
    """Return the samples of each connected component of what is odd that has some size and an
    edge; ``added`` is the light beyond that of the bare frame."""
    if np.count_nonzero(odd) < LEAST_SAMPLES:
        return []
    shown = np.zeros(band.size, np.uint8)
    shown.ravel()[band.used[odd]] = 1
    shown = np.asarray(cv2.morphologyEx(shown, cv2.MORPH_OPEN, BRUSH))
    count, blobs = cv2.connectedComponents(shown, connectivity=8)
    of = np.take(blobs, band.used)
    sizes = np.bincount(of, minlength=count)
    large = (number for number in range(1, count) if sizes[number] >= LEAST_SAMPLES)
    return [of == number for number in large if _has_edge(band, blobs == number, seen, added)]


def _has_edge(band: Band, blob: Array, seen: Array, added: Array) -> bool:
    """Tell whether colour or brightness change abruptly where something ends: a mirrored lamp or
    the glow of a light fades away. What ends nowhere in view counts as having an edge."""
    shape = blob.astype(np.uint8)
    wide = np.asarray(cv2.dilate(shape, BRUSH))
    inside, outside = (
        np.take(ring, band.used) > 0
        for ring in (shape - cv2.erode(shape, BRUSH), cv2.dilate(wide, BRUSH) - wide)
    )
    if np.count_nonzero(outside) < LEAST_EDGE:
        return True
    brighter, off = _apart(seen[inside].mean(axis=0)[None], seen[outside].mean(axis=0)[None])
    if off[0] <= EDGE_COLOUR and abs(brighter[0]) <= EDGE_BRIGHTER:
        return False
    return not _fades(added[np.take(shape, band.used) > 0], added[inside], added[outside])


def _fades(added: Array, inside: Array, outside: Array) -> bool:
    """Tell whether what is brighter than the frame is white light that fades gradually. On a dark
    frame even that changes the colour fast, but a thing loses most of it where it ends."""
    total = added.sum(axis=0)
    if total.min() <= 0:
        return False
    white = np.linalg.norm(total / total.sum() - 1 / 3) < TINT
    most = float(np.percentile(added.mean(axis=1), 90))
    within, beyond = float(inside.mean()), float(outside.mean())
    return bool(white and within - beyond < AT_ONCE * most and beyond > GOES_ON * within)
