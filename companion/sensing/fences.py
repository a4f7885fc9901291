"""What the labels say about fences: three patches a fence, each judged by itself.

A patch is judged by the top edge a fence there would show. A seated fence leaves the strip beyond
that edge free and lies straight; one that was not pushed home does neither.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.board import FENCE, Board, patches
from companion.sensing.appearance import BARE, Appearance
from companion.sensing.camera import Array, Picture
from companion.sensing.colours import DARK, USUAL_FENCES, Colour, colour_seen
from companion.sensing.flat import TILE, USUAL_PITCH_MM, round_brush
from companion.sensing.light import light_change
from companion.sensing.likeness import alike, scaled
from companion.sensing.regions import HIDDEN, Regions

FENCE_AT, FENCE_SLOPE = 0.5, 0.3
PATCH_LIMIT = 4.0
REACH_OF_BROAD = 20.0
FENCE_ROOM = 0.8
CONTRAST, NOISE = 0.5, 4.0  # of log colour, and times the usual contrast of a slot
FREE = 0.4  # of its contrast that the strip beyond a filled slot may have
SAME_COLOUR = 0.1  # of colour shares
EXPLAINED, AROUND_MM = 0.75, 16.0  # of the pixels in a colour, and around the tops of fences
SKEW_MM, SKEW_SLOPE_MM = 1.1, 0.5  # by which one half of a fence lies aside of the other
SKEW_EVEN = 0.15


def judge_fences(regions: Regions, looks: Appearance, counts: Array) -> Array:
    """Return the evidence for a fence on each patch."""
    fence = alike(looks, FENCE)
    top = counts[regions.tops]
    like, bare, strange = top[:, fence].sum(axis=-1), top[:, BARE], top[:, looks.strange]
    seen = like + bare + strange
    share = (like + 0.5 * strange) / np.maximum(seen, 1)
    value = np.minimum(scaled(share, FENCE_AT, FENCE_SLOPE, PATCH_LIMIT), PATCH_LIMIT)
    value *= _trust(seen, regions.sizes[regions.tops])
    # A seated fence leaves the strip beyond its top edge free; one that lies askew does not.
    strip = counts[regions.beside]
    known = strip[:, fence].sum(axis=-1) + strip[:, BARE] + strip[:, looks.strange]
    beyond = strip[:, fence].sum(axis=-1) / np.maximum(known, 1)
    beyond[regions.beside < 0] = 0
    askew = np.clip((beyond - 0.4) / 0.3, 0, 1) * _trust(known, regions.sizes[regions.beside])
    limited: Array = np.where(value > 0, value * (1 - 1.25 * askew), value)
    limited *= 1 - 1.25 * _skew(regions, counts[..., fence].sum(axis=-1), limited)
    # At a crossing the end of a fence farther away looks like a top edge: a fence there goes on
    # to both sides of it.
    middle, one, other = regions.crossings.T
    through = np.minimum(limited[one], limited[other]).reshape(2, -1).max(axis=0)
    middle = middle[: len(through)]
    limited[middle] = np.where(through < 0, np.minimum(limited[middle], 0), limited[middle])
    return limited


def _trust(seen: Array, sizes: Array) -> Array:
    """Return from 0 to 1 how much regions say of which so many pixels are seen."""
    trust: Array = np.clip((seen / np.maximum(sizes, 1) - 0.2) / 0.4, 0, 1)
    return trust


def _skew(regions: Regions, fence: Array, values: Array) -> Array:
    """Return for each patch, from 0 to 1, how much the fence there is turned or has one end up:
    its two halves then lie at different distances across their groove."""
    across = fence[regions.profiles]
    weight = np.maximum(across.sum(axis=-1), 1)
    aside = (across * regions.profile_mm).sum(axis=-1) / weight
    middle, one, other = regions.crossings.T
    whole = (np.minimum(values[one], values[other]) > 0) & (values[middle] > 0)
    # Where something hides a part of one half, or another fence adds to it, nothing can be said.
    whole &= ~(np.append(values, 0)[regions.abutting] > 0).any(axis=1)
    whole &= np.abs(weight[one] - weight[other]) < SKEW_EVEN * np.maximum(
        weight[one], weight[other]
    )
    turned = np.clip((np.abs(aside[one] - aside[other]) - SKEW_MM) / SKEW_SLOPE_MM, 0, 1) * whole
    skew = np.zeros(len(values))
    for half in (one, other):
        np.maximum.at(skew, half, turned)
    return skew


def without_broad(board: Board, regions: Regions, looks: Appearance, labels: Array) -> Array:
    """Return the labels with areas in the fences' colour that are too broad for a fence as
    strange: skin may have the colour of wood."""
    is_fence = np.zeros(256, np.uint8)
    is_fence[alike(looks, FENCE)] = 1
    fence = np.asarray(cv2.LUT(labels, is_fence))
    scale = TILE / USUAL_PITCH_MM
    depth = np.asarray(cv2.distanceTransform(fence, cv2.DIST_L2, 3))
    core = depth > regions.broadest / 2 * scale
    if not core.any():
        return labels
    away = cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 3)
    near = np.asarray(away) < (regions.broadest / 2 + REACH_OF_BROAD) * scale
    return np.where(near & (fence > 0), np.uint8(looks.strange), labels)


def fence_slots(board: Board, values: Array) -> list[tuple[int, int, int]]:
    """Return the patches, by number, of every slot whose three patches all look like a fence."""
    number = {patch: n for n, patch in enumerate(board.patches)}
    triples = [patches(slot) for slot in board.slots]
    numbered = [(number[a], number[b], number[c]) for a, b, c in triples]
    return [triple for triple in numbered if all(values[n] > PATCH_LIMIT / 2 for n in triple)]


def choose_fences(board: Board, regions: Regions, looks: Appearance, laid: Picture) -> Appearance:
    """Return the appearance with the colour of fences that explains this picture best.

    The profile's colour is tried first, then what fences are often made of, then what most of the
    slots that look filled are filled with; whichever shows the most whole fences is taken, and
    made precise by their own pixels.
    """
    seen = looks.reflectance(laid)
    filled = _filled_slots(board, regions, looks, seen)
    known = (looks.colours[FENCE], *USUAL_FENCES)
    own = _commonest([_middle_colour(regions, seen, slot) for slot in filled])
    best = looks
    found: list[tuple[int, int, int]] = []
    for colour in (*known, *own):
        tried = looks.with_fences(colour)
        labels, _, light = tried.label(laid)
        if light.mirrored is not None:
            labels[light.mirrored] = HIDDEN  # under a lamp grooves are as pale as some fences
        slots = fence_slots(board, judge_fences(regions, tried, regions.count(labels)))
        if len(slots) <= len(found):
            continue
        plain = 4 * len({*slots} & {*filled}) >= len(slots)
        # Else it may be the colour of a shade, of which there is more than in some slots.
        if plain or colour in known or _explained(regions, tried, labels, slots) > EXPLAINED:
            best, found = tried, slots
    if not found:
        return looks
    return best.with_fences(_middle_colour(regions, seen, [n for slot in found for n in slot]))


def _explained(
    regions: Regions, looks: Appearance, labels: Array, slots: Sequence[tuple[int, int, int]]
) -> float:
    """Return which part of all pixels in the colour of fences lies in or right beside some slots,
    where those of the fences' sides are."""
    tops = np.zeros(labels.shape, np.uint8)
    for patch in {patch for slot in slots for patch in slot}:
        tops.ravel()[regions.members(int(regions.tops[patch]))] = 1
    around = np.asarray(cv2.dilate(tops, round_brush(AROUND_MM)))
    fence = np.isin(labels, alike(looks, FENCE))
    return float(around[fence].sum()) / max(1, int(fence.sum()))


def _filled_slots(
    board: Board, regions: Regions, looks: Appearance, seen: Array
) -> list[tuple[int, int, int]]:
    """Return the slots, as patches by number, in which something narrow stands, whatever its
    colour: where its top would be, all of it is far off the bare board, and nothing is beyond."""
    light = light_change(seen, looks.bare_middles)
    now = seen / (light.overall[:, None, None] * np.exp(light.local))
    off = np.log((now + DARK) / (looks.bare + DARK)).reshape(3, -1)

    def contrast(which: Array) -> Array:
        """Return how far the middle colour of each of these regions is off."""
        inside = (regions.members(int(region)) for region in which)
        middles = [np.median(off[:, at], axis=1) if at.size else np.zeros(3) for at in inside]
        return np.asarray(np.linalg.norm(middles, axis=1))

    tops = contrast(regions.tops)
    beyond = np.zeros(len(tops))
    beyond[regions.beside >= 0] = contrast(regions.beside[regions.beside >= 0])
    plain = (tops > max(CONTRAST, NOISE * float(np.median(tops)))) & (beyond < FREE * tops)
    return fence_slots(board, PATCH_LIMIT * plain)


def _middle_colour(regions: Regions, seen: Array, patches: Sequence[int]) -> Colour:
    """Return the middle colour of the tops of fences on some patches, by number."""
    pixels = np.concatenate([regions.members(int(regions.tops[n])) for n in patches])
    return colour_seen(seen.reshape(3, -1)[:, pixels], FENCE_ROOM)


def _commonest(colours: list[Colour]) -> list[Colour]:
    """Return the one of some colours that most of the others are like, if there are any."""
    if not colours:
        return []
    shares = np.array([colour.share for colour in colours])
    levels = np.log([colour.brightness for colour in colours])
    near = np.linalg.norm(shares[:, None] - shares[None], axis=-1) < SAME_COLOUR
    near &= np.abs(levels[:, None] - levels[None]) < FENCE_ROOM
    return [colours[int(near.sum(axis=1).argmax())]]
