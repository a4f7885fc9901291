"""What does not belong on the board: hands, sleeves, cups.

Whatever is neither bare nor explained by a thing that stands free, in one connected component of
some size, covers the board. Nothing looks for skin: gloves and sleeves are found the same way.
"""

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array
from companion.sensing.vision.appearance import BARE, FENCE_LABEL
from companion.sensing.vision.flat import TILE, round_brush
from companion.sensing.vision.pattern import Pattern
from companion.sensing.vision.regions import HIDDEN, Regions

#: A thing on a square, both by number, and the pixels it explains.
Claim = tuple[tuple[int, int], Array]

EXPLAINED = 9.0  # millimetres by which what a thing explains is wider than its outline, twice
THIN, NEAR_PIECE = 3.0, 5.0  # millimetres
COVER_MM2 = 170.0
LOST_TILES = 4
MUCH = 0.5  # of a tile
AROUND, ITSELF = 0.65, 0.8  # of the usual correlation, for a tile among others
WHOLE_TILE = np.ones((TILE, TILE), np.uint8)
STRUCTURE = 0.25  # threshold of correlation below which it is not the bare board that is seen


def standing_free(labels: Array, claims: list[Claim], room: list[float]) -> list[Claim]:
    """Return the claims without those that are part of something larger: a piece between fingers,
    or what looks like one on a hand. ``room`` says how many times its outline a thing may fill."""
    odd = ((labels != BARE) & (labels != FENCE_LABEL) & (labels != HIDDEN)).astype(np.uint8)
    odd = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, round_brush(THIN)))
    count, blobs = cv2.connectedComponents(odd, connectivity=4)
    sizes = np.bincount(blobs.ravel(), minlength=count)
    claimed = np.zeros(count)
    owners = []
    for (_, thing), members in claims:
        outline = np.zeros(labels.shape, np.uint8)
        outline.ravel()[members] = 1
        inside = np.bincount(np.take(blobs, members), minlength=count)
        inside[0] = 0
        owners.append(int(inside.argmax()))
        near = cv2.countNonZero(cv2.dilate(outline, round_brush(NEAR_PIECE)))
        claimed[owners[-1]] += room[thing] * near
    return [
        claim
        for claim, owner in zip(claims, owners, strict=True)
        if sizes[owner] <= claimed[owner] or owner == 0
    ]


def find_cover(
    board: Board,
    regions: Regions,
    labels: Array,
    claims: list[Claim],
    fenced: Array,
    pattern: Pattern,
    known: Array | None = None,
) -> Array:
    """Return where on the flat picture something lies that does not belong there, as 0 and 1;
    ``known`` is where it is known what it is."""
    scale = TILE / board.pitch_mm
    explained = np.zeros(labels.shape, np.uint8) if known is None else known.astype(np.uint8)
    for _, members in claims:
        explained.ravel()[members] = 1
    for patch in np.flatnonzero(_within_fences(regions, fenced)):
        explained.ravel()[regions.bodies[patch]] = 1
    explained = np.asarray(cv2.dilate(explained, round_brush(EXPLAINED)))
    odd = ((labels != BARE) & (labels != HIDDEN)).astype(np.uint8)
    odd[explained > 0] = 0
    odd = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, round_brush(7)))
    clear = (explained == 0) & (labels != FENCE_LABEL)
    lost = np.kron(_patternless(pattern.likeness(clear), explained), WHOLE_TILE)
    lost[explained > 0] = 0
    count, blobs = cv2.connectedComponents(odd | lost, connectivity=8)
    odd_sizes = np.bincount(blobs[odd > 0], minlength=count)
    lost_sizes = np.bincount(blobs[lost > 0], minlength=count)
    large = (odd_sizes > COVER_MM2 * scale**2) | (lost_sizes > LOST_TILES * TILE**2)
    large[0] = False
    cover: Array = large[blobs].astype(np.uint8)
    if not cover.any():
        return cover
    # Fingers leave gaps and things in them make holes: what lies between is not seen well either.
    return np.asarray(
        cv2.morphologyEx(cv2.dilate(cover, round_brush(5)), cv2.MORPH_CLOSE, round_brush(15))
    )


def _within_fences(regions: Regions, fenced: Array) -> Array:
    """Return the patches that may belong to a fence: one lies across a crossing, so half of it
    never shows by itself."""
    middle, one, other = regions.crossings.T
    within = np.zeros(len(fenced), bool)
    for half in (one, other):
        part = (fenced[half] > 0) & (fenced[middle] >= 0)
        within[half[part]] = within[middle[part]] = True
    return within


def _patternless(likeness: Array, explained: Array) -> Array:
    """Return which tiles do not show cells and grooves, by themselves or with those around them;
    tiles on which much is explained by things say little."""
    rows, columns = likeness.shape
    taken = cv2.resize(explained.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    weight = np.maximum(1 - np.asarray(taken) / MUCH, 0.02)
    about = _blurred(likeness * weight) / _blurred(weight)
    alike = (about < AROUND) & (likeness < ITSELF) & (weight > 0.1)
    lost: Array = ((likeness < STRUCTURE) | alike).astype(np.uint8)
    return lost


def _blurred(values: Array) -> Array:
    return np.asarray(cv2.blur(values.astype(np.float32), (3, 3), borderType=cv2.BORDER_REFLECT))
