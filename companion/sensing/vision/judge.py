"""From labels to evidence: what the histogram of labels says about every place.

Pixels that something nearer hides say nothing. Pieces are found first, because they are tall: what
their outline covers is left out of what their neighbours are judged by. Fences come next, and what
is then left unexplained, in one piece of some size, covers the board: a hand, a sleeve, a cup.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board, Evidence, Place, Sighting
from companion.sensing.camera.frame import Array
from companion.sensing.vision.apart import Closely
from companion.sensing.vision.appearance import BARE, FENCE_LABEL, Appearance
from companion.sensing.vision.cover import Claim, find_cover, standing_free
from companion.sensing.vision.fences import judge_fences, without_broad
from companion.sensing.vision.flat import round_brush
from companion.sensing.vision.likeness import alike, fades_to, same_hue, scaled
from companion.sensing.vision.loose import Loose
from companion.sensing.vision.naming import DOUBT, doubt_joined, name_by_paint
from companion.sensing.vision.pattern import Pattern
from companion.sensing.vision.placed import aside
from companion.sensing.vision.regions import HIDDEN, Regions

SQUARE_LIMIT = 8.0
PIECE_AT, PIECE_SLOPE = 0.42, 0.25  # share of an outline that speaks neither for nor against
PELLET_AT, PELLET_SLOPE = 0.5, 0.25
PELLET_ALONE = 0.5  # of the ring around a pellet that must be bare
PIECE_ROOM, PELLET_ROOM = 3.0, 1.5
CLAIM = 3.0  # evidence from which a piece or fence explains the pixels of its outline
COVERED_SQUARE, COVERED_PATCH = 0.3, 0.35
FINGER_MM, TOUCHED = 16.0, 0.2


@dataclass(frozen=True)
class Judgement:
    """Evidence as arrays: squares by things, patches; and which of them are covered."""

    squares: Array  # (squares, things but the fence)
    patches: Array
    covered_squares: Array
    covered_patches: Array
    sightings: tuple[Sighting, ...] = ()


def judge(
    board: Board,
    regions: Regions,
    looks: Appearance,
    labels: Array,
    pattern: Pattern,
    closely: Closely | None,
    sighted: Sequence[tuple[Sighting, Array]] = (),
    loose: Sequence[Loose] = (),
) -> Judgement:
    """Return what the labels of the flat picture say; ``pattern`` tells how well the bare board
    shows. Without ``closely`` no square is looked at twice: that is enough where the pieces' looks
    were learned, or while a hand moves. ``sighted`` are the pieces whose place is known, with the
    pixels they hide; ``loose`` the fences that are in no slot."""
    labels = labels.copy() if loose else labels
    for fence in loose:  # it is known what this is, and nothing is seen through it
        labels[fence.within] = HIDDEN
    labels = without_broad(board, regions, looks, labels)
    counts = regions.count(labels)
    squares, best = _pieces(board, regions, looks, counts, np.arange(len(board.squares)))
    if closely is not None:
        name_by_paint(board, regions, closely, labels, counts, squares, best)
    claims = _claims(board, regions, looks, squares, best)
    sighted = [one for one in sighted if not _is_elsewhere(board, looks, squares, claims, one[0])]
    claims = _with_aside(board, looks, claims, sighted)
    fenced = judge_fences(regions, looks, counts)
    kept = standing_free(labels, claims, _room(looks))
    if not looks.is_new:
        larger = _larger(board, regions, looks, squares, best, claims, kept)
        kept += standing_free(labels, larger, _room(looks))
    if closely is not None:
        alone = doubt_joined(board, regions, closely, labels, squares, best, claims)
        kept += [claim for claim in alone if not any(claim is other for other in kept)]
        kept = [claim for claim in kept if not _is_another(looks, squares, claim, kept)]
    known = np.any([fence.joined for fence in loose], axis=0) if loose else None
    cover = find_cover(board, regions, labels, kept, fenced, pattern, known)
    values = squares
    if kept:
        blocked = labels.copy()
        for _, members in kept:
            blocked.ravel()[members] = HIDDEN
        counts = regions.count(blocked)
        values = _beside_claims(board, regions, looks, counts, squares)
        _settle(looks, values, squares, [claim[0] for claim in kept])
        fenced = judge_fences(regions, looks, counts)
    for claim in claims:
        if not any(claim is other for other in kept):
            square, thing = claim[0]
            values[square] = np.minimum(values[square], DOUBT)
            if looks.things[thing + 1] != PELLET:
                values[square, thing] = min(values[square, thing], 0.0)
    cells, tops = regions.within(cover)
    values = np.minimum(values, SQUARE_LIMIT)
    covered = (tops > COVERED_PATCH) | _touched(regions, cover, fenced)
    free = _free(looks, sighted, kept, cover) + tuple(fence.sighting for fence in loose)
    return Judgement(values, fenced, cells > COVERED_SQUARE, covered, free)


def _free(
    looks: Appearance,
    sighted: Sequence[tuple[Sighting, Array]],
    kept: list[Claim],
    cover: Array,
) -> tuple[Sighting, ...]:
    """Return the sightings of pieces that stand free, and that nothing touches: those may be
    held."""
    things = {looks.things[thing + 1] for (_, thing), _ in kept}
    near = np.asarray(cv2.dilate(cover, round_brush(FINGER_MM))) if cover.any() else cover
    return tuple(s for s, members in sighted if s.thing in things and not near.take(members).any())


def _is_elsewhere(
    board: Board, looks: Appearance, squares: Array, claims: list[Claim], sighting: Sighting
) -> bool:
    """Tell whether a piece plainly stands on a square that is not near where it is sighted."""
    number = looks.things.index(sighting.thing) - 1
    near = {board.squares.index(spot) for spot, _ in sighting.near}
    places = [place for (place, thing), _ in claims if thing == number and place not in near]
    return any(squares[place, number] > CLAIM for place in places)


def _with_aside(
    board: Board,
    looks: Appearance,
    claims: list[Claim],
    sighted: Sequence[tuple[Sighting, Array]],
) -> list[Claim]:
    """Return the claims, those of pieces that stand aside with the pixels they hide there."""
    for sighting, members in sighted:
        if not aside([sighting]):
            continue
        number = looks.things.index(sighting.thing) - 1
        near = {board.squares.index(spot) for spot, _ in sighting.near}
        claims = [c for c in claims if c[0][1] != number or c[0][0] not in near]
        claims.append(((board.squares.index(sighting.spot), number), members))
    return claims


def _is_another(looks: Appearance, squares: Array, claim: Claim, claims: list[Claim]) -> bool:
    """Tell whether a doubtful claim is of a piece that plainly stands elsewhere: then it is a
    thing of that colour which does not belong there, the tip of a thumb perhaps."""
    place, thing = claim[0]
    if looks.things[thing + 1] == PELLET or squares[place, thing] > DOUBT:
        return False
    return any(other == thing and squares[at, thing] > DOUBT for (at, other), _ in claims)


def _room(looks: Appearance) -> list[float]:
    """Return for each thing on squares how many times its outline it may fill."""
    return [PELLET_ROOM if thing == PELLET else PIECE_ROOM for thing in looks.things[1:]]


def _touched(regions: Regions, cover: Array, fenced: Array) -> Array:
    """Return which fences something touches: they may be held, so they are not believed yet."""
    if not cover.any():
        return np.zeros(len(fenced), bool)
    _, tops = regions.within(np.asarray(cv2.dilate(cover, round_brush(FINGER_MM))))
    touched = (tops > TOUCHED) & (fenced > 0)
    middle, one, other = regions.crossings.T
    held = (touched[middle] | touched[one] | touched[other]) & (fenced[middle] > 0)
    held &= (fenced[one] > 0) & (fenced[other] > 0)
    for part in (middle, one, other):
        touched[part[held]] = True
    return touched


def _settle(
    looks: Appearance, values: Array, squares: Array, claims: list[tuple[int, int]]
) -> None:
    """Give the squares of claims the evidence they had before their own pixels were hidden."""
    for square, thing in claims:
        values[square] = squares[square]
        if looks.things[thing + 1] != PELLET and looks.things[-1] == PELLET:
            values[square, -1] = min(values[square, -1], 0.0)  # the middle of a piece is no pellet


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


def _beside_claims(
    board: Board, regions: Regions, looks: Appearance, counts: Array, squares: Array
) -> Array:
    """Return the evidence on squares, judged again where a piece hides some of their pixels."""
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
                value = scaled(share, PIECE_AT, PIECE_SLOPE, SQUARE_LIMIT)
            best[:, number] = (share * trust).argmax(axis=1)
            at = best[:, number : number + 1]
            values[:, number] = np.take_along_axis(value * trust, at, axis=1)[:, 0]
    return values, best


def _pellets(
    regions: Regions, looks: Appearance, counts: Array, which: Array, within: Array, seen: Array
) -> tuple[Array, Array]:
    labels = alike(looks, PELLET)
    labels += [n for n in same_hue(looks, PELLET) if n not in labels and n != FENCE_LABEL]
    if looks.is_new and FENCE_LABEL not in labels and fades_to(looks, PELLET, FENCE):
        labels.append(FENCE_LABEL)
    share = within[..., labels].sum(axis=-1) / np.maximum(seen, 1)
    value = scaled(share, PELLET_AT, PELLET_SLOPE, SQUARE_LIMIT)
    # A pellet is small: around it lies the bare cell, or a fence that leans into the picture.
    around = counts[regions.rings[which]]
    bare = around[..., BARE]
    others = around.sum(axis=-1) - around[..., HIDDEN] - bare
    others = (
        others - around[..., looks.things.index(PELLET) + 1]
    )  # whether it ends there is told by a closer look
    if FENCE_LABEL not in labels:
        others = others - around[..., FENCE_LABEL]
    alone = bare / np.maximum(bare + others, 1)
    value = np.minimum(value, SQUARE_LIMIT)  # never ahead of a piece of which it could be a part
    return share, np.where(alone < PELLET_ALONE, np.minimum(value, 0), value)


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


def _larger(
    board: Board,
    regions: Regions,
    looks: Appearance,
    squares: Array,
    best: Array,
    claims: list[Claim],
    kept: list[Claim],
) -> list[Claim]:
    """Return the pieces that stand where something is too large for a pellet of their hue: one
    far off the middle of its square may fill the outline of a pellet better than its own."""
    found: list[Claim] = []
    for claim in claims:
        square, thing = claim[0]
        if looks.things[thing + 1] != PELLET or any(claim is other for other in kept):
            continue
        pieces = [n - 2 for n in same_hue(looks, PELLET) if looks.things[n - 1] in board.pieces]
        number = max(pieces, key=lambda n: float(squares[square, n]), default=-1)
        if number < 0 or squares[square, number] < CLAIM:
            continue
        shape = board.pieces[looks.things[number + 1]].shape
        region = regions.outlines[shape][square, best[square, number]]
        found.append(((square, number), regions.members(int(region))))
    return found


def _standing_out(board: Board, values: Array) -> list[int]:
    """Return where a piece seems to stand, no two side by side (non-maximum suppression)."""
    found: list[int] = []
    for place in np.argsort(-values):
        if values[place] < CLAIM:
            break
        column, row = place % board.columns, place // board.columns
        apart = (max(abs(column - f % board.columns), abs(row - f // board.columns)) for f in found)
        if all(distance > 1 for distance in apart):
            found.append(int(place))
    return found
