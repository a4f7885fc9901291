"""Fences that lie loose on the board, or across others: what has their colour and is in no slot.

What a fence in its slot explains is left out. Of the rest, a connected component as large as a
fence and no larger is one that does not belong there.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import FENCE, Sighting, Spot, patches
from companion.sensing.camera.frame import Array
from companion.sensing.vision.appearance import BARE, Appearance
from companion.sensing.vision.fences import fence_slots, judge_fences
from companion.sensing.vision.flat import TILE, Flat, round_brush
from companion.sensing.vision.likeness import alike
from companion.sensing.vision.regions import BROAD_ROOM_MM, HIDDEN, Regions

AROUND_SEATED_MM = 4.0  # by which a seated fence looks wider than it is, on each side
EDGE_MM = 2.0
THIN_MM = 4.0
THICK_MM, FINGER_MM = 7.0, 6.0  # what is not thinner, and so near to a fence, may hold it
PIECE_ROOM_MM = 5.0  # beyond the outline of a piece that may be of its colour
LEAST_MM2, LEAST_ACROSS_MM2 = 280.0, 120.0  # that are seen of one, and of one across another
LONG_ENOUGH, CROSSED_MM2 = 0.7, 25.0
LONGEST, BROADEST = 1.35, 1.9  # times a fence that lies flat: one that is tilted looks larger
INSIDE_MM = 15.0  # that something reaches into the field, or it lies beside it
SLOT_PITCHES, SLOT_TURN = 0.4, 15.0  # from a slot, and in degrees: it may stand in it
RAISED, LEAN_ROOM_MM = 1.65, 2.0  # times its height that a fence with one end up is high
ONE_FENCE = 1.9  # times a fence that lies flat: what is larger, in one piece, is none
SURE = 8.0
STILL_THERE = 0.5  # of the top of a fence that must have its colour


#: An oriented bounding box: its middle, its sides, and by how many degrees it is turned.
Box = tuple[Sequence[float], Sequence[float], float]


@dataclass(frozen=True)
class Loose:
    """A loose fence, the pixels of the flat picture that it hides, and all of its colour that
    these are joined to: fences in their slots, if it lies across some."""

    sighting: Sighting
    within: Array
    joined: Array


def find_loose(
    flat: Flat,
    regions: Regions,
    looks: Appearance,
    labels: Array,
    known: Collection[Spot],
    pieces: Iterable[Array],
) -> list[Loose]:
    """Return the fences that lie loose and in nobody's hand.

    ``labels`` are those of the flat picture, ``known`` the slots in which fences were last,
    ``pieces`` the pixels that pieces hide.
    """
    is_fence = np.zeros(256, np.uint8)
    is_fence[alike(looks, FENCE)] = 1
    fence = np.asarray(cv2.LUT(labels, is_fence))
    if np.count_nonzero(fence) * (flat.board.pitch_mm / TILE) ** 2 < LEAST_MM2:
        return []
    fenced = judge_fences(regions, looks, regions.count(labels))
    taken = _taken(flat, regions, fence, fenced, known)
    seated = np.zeros(flat.size, np.uint8)
    for patch in taken:
        seated.ravel()[regions.bodies[patch]] = 1
    unseated = 1 - _grown(seated, AROUND_SEATED_MM)
    # One that lies flat is broader than those that stand, whatever it lies across.
    flatly = _grown(_opened(fence, regions.broadest - BROAD_ROOM_MM), EDGE_MM) & fence
    strange = _strange(labels, fence, pieces)
    hands = _large(flat, strange | ((fence & unseated) > 0))
    count, whole = cv2.connectedComponents(fence, connectivity=8)
    found: list[Loose] = []
    for part in (flatly, _opened(fence & unseated, THIN_MM)):
        own = whole[(part & unseated) > 0]
        sizes = np.bincount(own, minlength=count) * (flat.board.pitch_mm / TILE) ** 2
        for number in np.flatnonzero(sizes >= LEAST_ACROSS_MM2):
            joined = whole == number
            within = joined & (part > 0)
            box = cv2.minAreaRect(np.argwhere(within)[:, ::-1].astype(np.float32))
            if sizes[number] < LEAST_MM2 and not _lies_across(flat, box, seated):
                continue
            if _is_in_slot(flat, box, taken):
                continue  # it stands there, if not all the way in
            if any(other.joined[joined].any() for other in found):
                continue
            held = strange[_grown(within, FINGER_MM) > 0].any() or hands[within].any()
            if _is_fence(flat, box, within) and not held:
                hides = joined & (_grown(within, EDGE_MM) & unseated > 0)
                found.append(Loose(_sighting(flat, box), hides, joined))
    return found


def _strange(labels: Array, fence: Array, pieces: Iterable[Array]) -> Array:
    """Return where something is that is neither the board, nor a fence or a piece: fingers."""
    odd = ((labels != BARE) & (labels != HIDDEN) & (fence == 0)).astype(np.uint8)
    taken = np.zeros(odd.shape, np.uint8)
    for members in pieces:
        taken.ravel()[members] = 1
    odd[_grown(taken, PIECE_ROOM_MM) > 0] = 0
    return _opened(odd, THICK_MM) > 0


def _large(flat: Flat, odd: Array) -> Array:
    """Return where something in one piece is larger than a fence: skin may have the colour of
    wood."""
    board = flat.board
    joined = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_CLOSE, round_brush(FINGER_MM))
    _, whole, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA] * (board.pitch_mm / TILE) ** 2
    most = board.fence.length_mm * (board.fence.height_mm + board.groove_depth_mm)
    large = areas > ONE_FENCE * most
    large[0] = False
    return np.asarray(large[whole])


def _opened(mask: Array, width_mm: float) -> Array:
    """Return a mask without what is thinner than this (morphological opening)."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, round_brush(width_mm)))


def _grown(mask: Array, by_mm: float) -> Array:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), round_brush(2 * by_mm)))


def _taken(
    flat: Flat, regions: Regions, fence: Array, fenced: Array, known: Collection[Spot]
) -> set[int]:
    """Return the patches, by number, of the fences in their slots: those that are seen there, and
    those that were, while their tops may still be seen."""
    number = {patch: n for n, patch in enumerate(flat.board.patches)}
    taken: set[int] = set()
    for one, middle, other in map(patches, known):
        slot = number[one], number[middle], number[other]
        tops = [regions.members(int(regions.tops[patch])) for patch in slot]
        if np.take(fence, np.concatenate(tops)).mean() > STILL_THERE:
            taken.update(slot)
    for slot in fence_slots(flat.board, fenced):
        if taken.isdisjoint(slot):  # or it lies across one
            taken.update(slot)
    return taken


def _is_in_slot(flat: Flat, box: Box, taken: set[int]) -> bool:
    """Tell whether a fence may stand in a slot: it lies along a free one and looks no broader than
    one whose end is up."""
    board, eye = flat.board, flat.pose.eye
    seen = _sighting(flat, box)
    number = {patch: n for n, patch in enumerate(board.patches)}
    for slot in board.slots:
        x, y = board.at(slot)
        line, across = (0.0, y - eye[1]) if slot[2] == "h" else (90.0, x - eye[0])
        turn = abs(seen.angle - line)
        away = np.hypot(seen.x_mm - x, seen.y_mm - y) / board.pitch_mm
        if away < SLOT_PITCHES and min(turn, 180.0 - turn) < SLOT_TURN:
            leans = RAISED * board.fence.height_mm * abs(across) / eye[2]
            broad = min(box[1]) * board.pitch_mm / TILE
            free = taken.isdisjoint(number[patch] for patch in patches(slot))
            return free and broad < board.fence.thickness_mm + leans + LEAN_ROOM_MM
    return False


def _is_fence(flat: Flat, box: Box, within: Array) -> bool:
    """Tell whether pixels in this box are those of a fence that lies on the field."""
    board, scale = flat.board, flat.board.pitch_mm / TILE
    broad, long = sorted((side + 1) * scale for side in box[1])
    height = board.fence.height_mm + board.groove_depth_mm
    if long > LONGEST * board.fence.length_mm or broad > BROADEST * height:
        return False
    rows, columns = np.nonzero(within)
    deep = [np.inf]
    if rows.min() == 0 or rows.max() == flat.size[0] - 1:
        deep.append(float(np.ptp(rows)))
    if columns.min() == 0 or columns.max() == flat.size[1] - 1:
        deep.append(float(np.ptp(columns)))
    return min(deep) * scale >= INSIDE_MM


def _lies_across(flat: Flat, box: Box, seated: Array) -> bool:
    """Tell whether something long lies with its middle over a fence in its slot."""
    middle, sides, turn = box
    scale = flat.board.pitch_mm / TILE
    if max(sides) * scale < LONG_ENOUGH * flat.board.fence.length_mm:
        return False
    third = (sides[0] / 3, sides[1]) if sides[0] > sides[1] else (sides[0], sides[1] / 3)
    within = np.zeros(flat.size, np.uint8)
    corners = cv2.boxPoints((middle, third, turn))
    cv2.fillConvexPoly(within, np.rint(corners).astype(np.int32), 1)
    return int(np.count_nonzero(within & seated)) * scale**2 >= CROSSED_MM2


def _sighting(flat: Flat, box: Box) -> Sighting:
    middle, sides, turn = box
    x, y = flat.ground(*middle)
    angle = -(turn if sides[0] >= sides[1] else turn + 90.0) % 180.0
    return flat.board.sighting(FENCE, x, y, SURE, angle)
