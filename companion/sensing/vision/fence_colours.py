"""Which colour fences have on a board that nobody has described: found in the first picture.

A colour scores by the whole fences it shows, and less the more of it lies elsewhere, as the colour
of a shadow does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.board import FENCE, Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.appearance import Appearance
from companion.sensing.vision.colours import DARK, USUAL_FENCES, Colour, colour_seen
from companion.sensing.vision.fences import (
    PATCH_LIMIT,
    Slot,
    fence_slots,
    judge_fences,
    without_broad,
)
from companion.sensing.vision.flat import round_brush
from companion.sensing.vision.light import light_change
from companion.sensing.vision.likeness import alike
from companion.sensing.vision.regions import HIDDEN, Regions

ROOM, NARROW_ROOM = 0.8, 0.4  # of the log brightness of fences
CONTRAST, NOISE = 0.5, 4.0  # of log colour, and times the usual contrast of a slot
FREE = 0.4  # of its contrast that the strip beyond a filled slot may have
SAME_COLOUR = 0.1  # of colour shares
COLOURS = 3  # of what stands in slots that are tried
NEARLY_ALL, HALF = 0.75, 0.5  # of the pixels in a colour
ELSEWHERE = 0.12  # of all pixels that may have the colour of fences and be none
AROUND_MM = 16.0  # the tops of fences: how far their sides reach


def choose_fences(board: Board, regions: Regions, looks: Appearance, laid: Picture) -> Appearance:
    """Return the appearance with the colour of fences that explains this picture best.

    The profile's colour is tried, what fences are often made of, and what stands in the slots
    that look filled. The best is made precise by the pixels of the fences it shows.
    """
    seen = looks.reflectance(laid)
    filled, likely = _filled_slots(board, regions, looks, seen)
    known = (looks.colours[FENCE], *USUAL_FENCES)
    colours = [(colour, True) for colour in known]
    for slots in (filled, likely):
        own = _commonest([_middle_colour(regions, seen, slot) for slot in slots])
        colours += [(colour, False) for colour in own]
    best, room, found, most = looks, ROOM, [], 0.0
    for colour, usual in colours:
        for tried_room in (colour.room, NARROW_ROOM):
            tried = looks.with_fences(replace(colour, room=tried_room))
            slots, part, elsewhere = _shown_by(board, regions, tried, laid)
            plain = 4 * len({*slots} & {*filled}) >= len(slots) and elsewhere < ELSEWHERE
            if len(slots) * part > most and (usual or plain or part > HALF):
                best, room, found, most = tried, tried_room, slots, len(slots) * part
            if usual or part > NEARLY_ALL or not slots:
                break  # darker or brighter, it shows nothing else
    if not found:
        return looks
    middle = _middle_colour(regions, seen, [patch for slot in found for patch in slot])
    return best.with_fences(replace(middle, room=min(room, ROOM)))


def _shown_by(
    board: Board, regions: Regions, looks: Appearance, laid: Picture
) -> tuple[list[Slot], float, float]:
    """Return the whole fences that show, which part of the pixels in their colour lies in or
    right beside them, where their sides are, and which part of all pixels are the others."""
    labels, _, light = looks.label(laid)
    if light.mirrored is not None:
        labels[light.mirrored] = HIDDEN  # under a lamp grooves are as pale as some fences
    labels = without_broad(board, regions, looks, labels)
    slots = fence_slots(board, judge_fences(regions, looks, regions.count(labels)))
    tops = np.zeros(labels.shape, np.uint8)
    for patch in {patch for slot in slots for patch in slot}:
        tops.ravel()[regions.members(int(regions.tops[patch]))] = 1
    around = np.asarray(cv2.dilate(tops, round_brush(AROUND_MM)))
    fence = np.isin(labels, alike(looks, FENCE))
    inside, count = int(around[fence].sum()), int(fence.sum())
    return slots, inside / max(1, count), (count - inside) / fence.size


def _filled_slots(
    board: Board, regions: Regions, looks: Appearance, seen: Array
) -> tuple[list[Slot], list[Slot]]:
    """Return the slots in which something narrow stands, whatever its colour: where its top would
    be, all of it is far off the bare board, and nothing is beyond. In more of them, the others
    that are returned, something may lie beyond that top: a shadow, say."""
    light = light_change(seen, looks.bare_middles)
    now = seen / (light.overall[:, None, None] * np.exp(light.local))
    off = np.log((now + DARK) / (looks.bare + DARK)).reshape(3, -1)

    def contrast(which: Array) -> Array:
        """Return how far the median colour of each of these regions is off."""
        inside = (regions.members(int(region)) for region in which)
        middles = [np.median(off[:, at], axis=1) if at.size else np.zeros(3) for at in inside]
        return np.asarray(np.linalg.norm(middles, axis=1))

    tops = contrast(regions.tops)
    beyond = np.zeros(len(tops))
    beyond[regions.beside >= 0] = contrast(regions.beside[regions.beside >= 0])
    likely = tops > max(CONTRAST, NOISE * float(np.median(tops)))
    filled = fence_slots(board, PATCH_LIMIT * (likely & (beyond < FREE * tops)))
    return filled, [slot for slot in fence_slots(board, PATCH_LIMIT * likely) if slot not in filled]


def _middle_colour(regions: Regions, seen: Array, patches: Sequence[int]) -> Colour:
    """Return the median colour of the tops of fences on some patches, by number."""
    pixels = np.concatenate([regions.members(int(regions.tops[n])) for n in patches])
    return colour_seen(seen.reshape(3, -1)[:, pixels], ROOM)


def _commonest(colours: list[Colour]) -> Iterator[Colour]:
    """Yield the colour that most of the others are like, then the one that most of the rest are
    like, a few in all (greedy clustering)."""
    if not colours:
        return
    shares = np.array([colour.share for colour in colours])
    levels = np.log([colour.brightness for colour in colours])
    near = np.linalg.norm(shares[:, None] - shares[None], axis=-1) < SAME_COLOUR
    near &= np.abs(levels[:, None] - levels[None]) < ROOM
    for _ in range(COLOURS):
        most = int(near.sum(axis=1).argmax())
        if not near[most].any():
            return
        yield colours[most]
        near &= ~near[most]
