"""What the labels say about fences: three patches a fence, each judged by itself.

A patch is judged by the top edge a fence there would show. A seated fence leaves the strip beyond
that edge free and lies straight; one that was not pushed home does neither.
"""

import cv2
import numpy as np

from companion.board import FENCE, Board, patches
from companion.sensing.camera.frame import Array
from companion.sensing.vision.appearance import BARE, Appearance
from companion.sensing.vision.flat import TILE, USUAL_PITCH_MM
from companion.sensing.vision.likeness import alike, scaled
from companion.sensing.vision.regions import Regions

FENCE_AT, FENCE_SLOPE = 0.5, 0.3
PATCH_LIMIT = 4.0
REACH_OF_BROAD = 20.0
SKEW_MM, SKEW_SLOPE_MM = 1.1, 0.5  # by which one half of a fence lies aside of the other
SKEW_EVEN = 0.15

Slot = tuple[int, int, int]  # its patches, by number


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
    """Return how far to trust regions, from 0 to 1, by the share of their pixels that is seen."""
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
    """Return the labels with what has the fences' colour but is too broad for one, by a distance
    transform, as strange: skin may have the colour of wood."""
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


def fence_slots(board: Board, values: Array) -> list[Slot]:
    """Return the patches, by number, of every slot whose three patches all look like a fence."""
    number = {patch: n for n, patch in enumerate(board.patches)}
    triples = [patches(slot) for slot in board.slots]
    numbered = [(number[a], number[b], number[c]) for a, b, c in triples]
    return [triple for triple in numbered if all(values[n] > PATCH_LIMIT / 2 for n in triple)]
