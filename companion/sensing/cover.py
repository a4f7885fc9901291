"""What does not belong on the board: hands, sleeves, cups.

Whatever is neither bare nor explained by a thing that stands free, in one piece of some size,
covers the board. Skin is not asked for: gloves and sleeves are told the same way.
"""

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.appearance import BARE
from companion.sensing.camera import Array
from companion.sensing.flat import TILE, round_brush
from companion.sensing.likeness import FENCE_LABEL
from companion.sensing.regions import Regions

#: A thing on a square, both by number, and the pixels it explains.
Claim = tuple[tuple[int, int], Array]

EXPLAINED = 9.0  # millimetres by which what a thing explains is wider than its outline, twice
THIN, NEAR_PIECE = 3.0, 5.0  # millimetres
COVER_MM2 = 170.0
LOST_TILES = 4
STRUCTURE = 0.25  # correlation with the bare board below which it is not the board one sees


def standing_free(labels: Array, claims: list[Claim], room: list[float]) -> list[Claim]:
    """Return the claims without those that are part of something larger: a piece between fingers,
    or what looks like one on a hand. ``room`` says how many times its outline a thing may fill."""
    odd = ((labels != BARE) & (labels != FENCE_LABEL)).astype(np.uint8)
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
    likeness: Array,
) -> Array:
    """Return where on the flat picture something lies that does not belong there, as 0 and 1."""
    scale = TILE / board.pitch_mm
    explained = np.zeros(labels.shape, np.uint8)
    for _, members in claims:
        explained.ravel()[members] = 1
    for patch in np.flatnonzero(fenced > 0):
        explained.ravel()[regions.bodies[patch]] = 1
    explained = np.asarray(cv2.dilate(explained, round_brush(EXPLAINED)))
    odd = (labels != BARE).astype(np.uint8)
    odd[explained > 0] = 0
    odd = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, round_brush(7)))
    usual = float(np.median(likeness))  # low in dim light, where noise hides the pattern
    limit = STRUCTURE * min(max((usual - 0.5) / 0.3, 0.0), 1.0)
    lost = np.kron(likeness < limit, np.ones((TILE, TILE), np.uint8)).astype(np.uint8)
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
