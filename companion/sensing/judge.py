"""From labels to evidence: what the counted pixels say about every place.

Pixels that something nearer hides say nothing. Pieces are found first, because they are tall: what
their outline covers is left out of what their neighbours are judged by. Fences come next, and what
is then left unexplained, in one patch of some size, covers the board: a hand, a sleeve, a cup.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board, Evidence, Place, patches
from companion.sensing.appearance import BARE, Appearance
from companion.sensing.camera import Array, Picture
from companion.sensing.colours import USUAL_FENCES, colour_seen
from companion.sensing.flat import TILE, USUAL_PITCH_MM, round_brush
from companion.sensing.regions import HIDDEN, Regions

FENCE_LABEL = 1  # fences are the first of the things
SQUARE_LIMIT = 8.0
PATCH_LIMIT = 4.0
PIECE_AT, PIECE_SLOPE = 0.42, 0.25  # share of an outline that speaks neither for nor against
PELLET_AT, PELLET_SLOPE = 0.5, 0.25
PELLET_ALONE = 0.5  # of the ring around a pellet that must be bare
FENCE_AT, FENCE_SLOPE = 0.5, 0.3
CLAIM = 3.0  # evidence from which a piece or fence explains the pixels of its outline
SAME_HUE = 0.93  # cosine of the angle between two hues
ALIKE = 0.12  # distance of colour shares below which two things have one colour
FENCE_ROOM = 0.8
COVER_MM2 = 170.0
LOST_TILES = 4
EXPLAINED = 9.0  # millimetres by which what a thing explains is wider than its outline, twice
THIN, NEAR_PIECE = 3.0, 5.0  # millimetres
LARGER = 3.0  # times its outline: more than any piece fills
SKEW_MM, SKEW_SLOPE_MM = 1.1, 0.5  # by which one half of a fence lies aside of the other
SKEW_EVEN = 0.15
REACH_OF_BROAD = 20.0
COVERED_SQUARE, COVERED_PATCH = 0.3, 0.35
STRUCTURE = 0.25  # correlation with the bare board below which it is not the board one sees


@dataclass(frozen=True)
class Judgement:
    """Evidence as arrays: squares by things, patches; and which of them are covered."""

    squares: Array  # (squares, things but the fence)
    patches: Array
    covered_squares: Array
    covered_patches: Array


def judge(
    board: Board, regions: Regions, looks: Appearance, labels: Array, likeness: Array
) -> Judgement:
    """Return what the labels of the flat picture say; ``likeness`` tells how far each tile keeps
    the pattern of the bare board where it is labelled bare."""
    labels = _without_broad(board, regions, looks, labels)
    counts = regions.count(labels)
    squares, best = _pieces(board, regions, looks, counts, np.arange(len(board.squares)))
    claims = _claims(board, regions, looks, squares, best)
    fenced = _patches(regions, looks, counts)
    kept = _standing_free(labels, claims)
    cover = _cover(board, regions, labels, kept, fenced, likeness)
    values = squares
    if kept:
        blocked = labels.copy()
        for _, members in kept:
            blocked.ravel()[members] = HIDDEN
        counts = regions.count(blocked)
        values = _beside_claims(board, regions, looks, counts, squares)
        _settle(looks, values, squares, [claim[0] for claim in kept])
        fenced = _patches(regions, looks, counts)
    for claim in claims:
        if not any(claim is other for other in kept):
            values[claim[0]] = min(values[claim[0]], 0.0)
    cells, tops = regions.within(cover)
    values = np.minimum(values, SQUARE_LIMIT)
    return Judgement(values, fenced, cells > COVERED_SQUARE, tops > COVERED_PATCH)


def _settle(
    looks: Appearance, values: Array, squares: Array, claims: list[tuple[int, int]]
) -> None:
    """Give the squares of claims the evidence they had before their own pixels were hidden."""
    for square, thing in claims:
        values[square] = squares[square]
        if looks.things[thing + 1] != PELLET and looks.things[-1] == PELLET:
            values[square, -1] = min(values[square, -1], 0.0)  # the middle of a piece is no pellet


def _without_broad(board: Board, regions: Regions, looks: Appearance, labels: Array) -> Array:
    """Return the labels with areas in the fences' colour that are too broad for a fence as
    strange: skin may have the colour of wood."""
    is_fence = np.zeros(256, np.uint8)
    is_fence[_alike(looks, FENCE)] = 1
    fence = np.asarray(cv2.LUT(labels, is_fence))
    scale = TILE / USUAL_PITCH_MM
    depth = np.asarray(cv2.distanceTransform(fence, cv2.DIST_L2, 3))
    core = depth > regions.broadest / 2 * scale
    if not core.any():
        return labels
    away = cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 3)
    near = np.asarray(away) < (regions.broadest / 2 + REACH_OF_BROAD) * scale
    return np.where(near & (fence > 0), np.uint8(looks.strange), labels)


def to_evidence(board: Board, looks: Appearance, found: Judgement) -> Evidence:
    """Return a judgement as evidence; covered places are left out."""
    names = looks.things[1:]
    evidence: dict[Place, dict[str, float]] = {}
    for place, values, covered in zip(
        board.squares, found.squares.tolist(), found.covered_squares, strict=True
    ):
        if not covered:
            evidence[place] = dict(zip(names, values, strict=True))
    for place, value, covered in zip(
        board.patches, found.patches.tolist(), found.covered_patches, strict=True
    ):
        if not covered:
            evidence[place] = {FENCE: value}
    return evidence


def covered_places(board: Board, found: Judgement) -> frozenset[Place]:
    """Return the names of the covered squares and patches."""
    squares = (board.squares[n] for n in np.flatnonzero(found.covered_squares))
    patches = (board.patches[n] for n in np.flatnonzero(found.covered_patches))
    return frozenset([*squares, *patches])


def _alike(looks: Appearance, thing: str) -> list[int]:
    """Return the labels of fence and pellet when they share the colour of this thing."""
    own = np.array(looks.colours[thing].share)
    return [
        number
        for number, other in enumerate(looks.things, start=1)
        if other == thing
        or (other in (FENCE, PELLET) and np.linalg.norm(own - looks.colours[other].share) < ALIKE)
    ]


def _same_hue(looks: Appearance, thing: str) -> list[int]:
    """Return the labels of things that differ from this one by saturation alone, as its own
    colour does from dim to bright light."""
    own = np.array(looks.colours[thing].share) - 1 / 3
    found = []
    for number, other in enumerate(looks.things, start=1):
        away = np.array(looks.colours[other].share) - 1 / 3
        if own @ away > SAME_HUE * np.linalg.norm(own) * np.linalg.norm(away):
            found.append(number)
    return found


def _scaled(share: Array, middle: float, slope: float, limit: float) -> Array:
    """Return evidence that is nothing at ``middle`` and reaches its limit ``slope`` beyond; what
    exceeds the limit is kept, to compare strong claims, until the end."""
    scaled: Array = limit * np.maximum((share - middle) / slope, -1)
    return scaled


def _beside_claims(
    board: Board, regions: Regions, looks: Appearance, counts: Array, squares: Array
) -> Array:
    """Return the evidence on squares, judged anew where a piece hides some of their pixels."""
    hidden = np.zeros(len(board.squares), bool)
    for outlines in regions.outlines.values():
        hidden |= counts[outlines, HIDDEN].any(axis=1)
    touched = np.flatnonzero(hidden)
    values = squares.copy()
    values[touched], _ = _pieces(board, regions, looks, counts, touched)
    return values


def _pieces(
    board: Board, regions: Regions, looks: Appearance, counts: Array, which: Array
) -> tuple[Array, Array]:
    """Return the evidence of all things on these squares, and the shift each looks best at."""
    values = np.zeros((len(which), len(looks.things) - 1))
    best = np.zeros(values.shape, np.int64)
    for shape, outlines in regions.outlines.items():
        within = counts[outlines[which]]
        total = np.maximum(within.sum(axis=-1), 1)
        hidden = within[..., HIDDEN]
        if shape != PELLET:
            hidden = hidden + within[..., FENCE_LABEL]  # one may stand in front
        seen = total - hidden
        trust = np.clip((seen / total - 0.15) / 0.35, 0, 1)
        for number, thing in enumerate(looks.things[1:]):
            if shape != (PELLET if thing == PELLET else board.pieces[thing].shape):
                continue
            if thing == PELLET:
                share, value = _pellets(regions, looks, counts, which, within, seen)
            else:
                share = within[..., number + 2] / np.maximum(seen, 1)
                value = _scaled(share, PIECE_AT, PIECE_SLOPE, SQUARE_LIMIT)
            best[:, number] = (share * trust).argmax(axis=1)
            at = best[:, number : number + 1]
            values[:, number] = np.take_along_axis(value * trust, at, axis=1)[:, 0]
    return values, best


def _pellets(
    regions: Regions, looks: Appearance, counts: Array, which: Array, within: Array, seen: Array
) -> tuple[Array, Array]:
    alike = _alike(looks, PELLET)
    alike += [n for n in _same_hue(looks, PELLET) if n not in alike and n != FENCE_LABEL]
    share = within[..., alike].sum(axis=-1) / np.maximum(seen, 1)
    value = _scaled(share, PELLET_AT, PELLET_SLOPE, SQUARE_LIMIT)
    # A pellet is small: around it lies the bare cell, or a fence that leans into the picture.
    around = counts[regions.rings[which]]
    bare = around[..., BARE]
    others = around.sum(axis=-1) - around[..., HIDDEN] - bare
    if FENCE_LABEL not in alike:
        others = others - around[..., FENCE_LABEL]
    alone = bare / np.maximum(bare + others, 1)
    value = np.minimum(value, SQUARE_LIMIT)  # never ahead of a piece of which it could be a part
    return share, np.where(alone < PELLET_ALONE, np.minimum(value, 0), value)


Claim = tuple[tuple[int, int], Array]


def _claims(
    board: Board, regions: Regions, looks: Appearance, squares: Array, best: Array
) -> list[Claim]:
    """Return each piece that stands out, at its best square, with the pixels it explains."""
    strongest = squares.argmax(axis=1)
    claims = []
    for number, thing in enumerate(looks.things[1:]):
        own = np.where(strongest == number, squares[:, number], 0)
        if thing == PELLET:
            places = np.flatnonzero(own >= CLAIM).tolist()
            shape = PELLET
        else:
            places = _standing_out(board, own)
            shape = board.pieces[thing].shape
        for place in places:
            region = regions.outlines[shape][place, best[place, number]]
            claims.append(((place, number), regions.members(int(region))))
    return claims


def _standing_out(board: Board, values: Array) -> list[int]:
    """Return where a piece looks to be; what leans into the next squares does not count twice."""
    found: list[int] = []
    for place in np.argsort(-values):
        if values[place] < CLAIM:
            break
        column, row = place % board.columns, place // board.columns
        apart = (max(abs(column - f % board.columns), abs(row - f // board.columns)) for f in found)
        if all(distance > 1 for distance in apart):
            found.append(int(place))
    return found


def _patches(regions: Regions, looks: Appearance, counts: Array) -> Array:
    """Return the evidence for a fence on each patch."""
    fence = _alike(looks, FENCE)
    top = counts[regions.tops]
    like, bare, strange = top[:, fence].sum(axis=-1), top[:, BARE], top[:, looks.strange]
    seen = like + bare + strange
    share = (like + 0.5 * strange) / np.maximum(seen, 1)
    trust = np.clip((seen / np.maximum(regions.sizes[regions.tops], 1) - 0.2) / 0.4, 0, 1)
    value = np.minimum(_scaled(share, FENCE_AT, FENCE_SLOPE, PATCH_LIMIT), PATCH_LIMIT) * trust
    # A seated fence leaves the strip beyond its top edge free; one that lies askew does not.
    strip = counts[regions.beside]
    known = strip[:, fence].sum(axis=-1) + strip[:, BARE] + strip[:, looks.strange]
    beyond = strip[:, fence].sum(axis=-1) / np.maximum(known, 1)
    beyond[regions.beside < 0] = 0
    askew = np.clip((beyond - 0.4) / 0.3, 0, 1)
    limited: Array = np.where(value > 0, value * (1 - 1.25 * askew), value)
    limited *= 1 - 1.25 * _skew(regions, counts[..., fence].sum(axis=-1), limited)
    # At a crossing the end of a fence farther away looks like a top edge: a fence there goes on
    # to both sides of it.
    middle, one, other = regions.crossings.T
    through = np.minimum(limited[one], limited[other]).reshape(2, -1).max(axis=0)
    middle = middle[: len(through)]
    limited[middle] = np.where(through < 0, np.minimum(limited[middle], 0), limited[middle])
    return limited


def _skew(regions: Regions, fence: Array, values: Array) -> Array:
    """Return for each patch, from 0 to 1, how much the fence there is turned or has one end up:
    its two halves then lie at different distances across their groove."""
    across = fence[regions.profiles]
    weight = np.maximum(across.sum(axis=-1), 1)
    aside = (across * regions.profile_mm).sum(axis=-1) / weight
    middle, one, other = regions.crossings.T
    whole = (np.minimum(values[one], values[other]) > 0) & (values[middle] > 0)
    # Where something hides a part of one half, or another fence adds to it, nothing can be said.
    whole &= np.abs(weight[one] - weight[other]) < SKEW_EVEN * np.maximum(
        weight[one], weight[other]
    )
    turned = np.clip((np.abs(aside[one] - aside[other]) - SKEW_MM) / SKEW_SLOPE_MM, 0, 1) * whole
    skew = np.zeros(len(values))
    for half in (one, other):
        np.maximum.at(skew, half, turned)
    return skew


def _standing_free(labels: Array, claims: list[Claim]) -> list[Claim]:
    """Return the claims without those that are part of something larger: a piece between fingers,
    or what looks like one on a hand."""
    odd = ((labels != BARE) & (labels != FENCE_LABEL)).astype(np.uint8)
    odd = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, round_brush(THIN)))
    count, blobs = cv2.connectedComponents(odd, connectivity=4)
    sizes = np.bincount(blobs.ravel(), minlength=count)
    claimed = np.zeros(count)
    owners = []
    for _, members in claims:
        outline = np.zeros(labels.shape, np.uint8)
        outline.ravel()[members] = 1
        inside = np.bincount(np.take(blobs, members), minlength=count)
        inside[0] = 0
        owners.append(int(inside.argmax()))
        claimed[owners[-1]] += int(cv2.countNonZero(cv2.dilate(outline, round_brush(NEAR_PIECE))))
    return [
        claim
        for claim, owner in zip(claims, owners, strict=True)
        if sizes[owner] <= LARGER * claimed[owner] or owner == 0
    ]


def _cover(
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
    lost = np.kron(likeness < STRUCTURE, np.ones((TILE, TILE), np.uint8)).astype(np.uint8)
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


def fence_slots(board: Board, values: Array) -> list[tuple[int, int, int]]:
    """Return the patches, by number, of every slot whose three patches all look like a fence."""
    number = {patch: n for n, patch in enumerate(board.patches)}
    triples = [patches(slot) for slot in board.slots]
    numbered = [(number[a], number[b], number[c]) for a, b, c in triples]
    return [triple for triple in numbered if all(values[n] > PATCH_LIMIT / 2 for n in triple)]


def choose_fences(board: Board, regions: Regions, looks: Appearance, laid: Picture) -> Appearance:
    """Return the appearance with the colour of fences that explains this picture best.

    The profile's colour is tried first, then what fences are often made of; whichever shows the
    most whole fences is taken, and made precise by their own pixels.
    """
    best, most = looks, 0
    for colour in (looks.colours[FENCE], *USUAL_FENCES):
        tried = looks.with_fences(colour)
        labels, _ = tried.label(laid)
        counts = regions.count(labels)
        slots = fence_slots(board, _patches(regions, tried, counts))
        if len(slots) > most:
            best, most = tried, len(slots)
            tops = [int(regions.tops[n]) for slot in slots for n in slot]
    if not most:
        return looks
    pixels = np.concatenate([regions.members(top) for top in tops])
    values = looks.reflectance(laid).reshape(3, -1)[:, pixels]
    return best.with_fences(colour_seen(values, FENCE_ROOM))
