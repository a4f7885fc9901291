"""Which piece stands on a square, and whether it does: the claims of the labels seen closely.

Labels compare pixels with the colours of the profile one by one. Where most of an outline is not
bare, its median colour tells better whose paint it is. And what goes on beyond the outline, or lies
between two squares, is no piece on this one.
"""

import numpy as np

from companion.board import FENCE, PELLET, Board
from companion.sensing.camera.frame import Array
from companion.sensing.vision.apart import Closely, Near
from companion.sensing.vision.appearance import BARE, FENCE_LABEL, Appearance
from companion.sensing.vision.cover import Claim
from companion.sensing.vision.flat import TILE, USUAL_PITCH_MM
from companion.sensing.vision.likeness import same_hue
from companion.sensing.vision.paint import hue_rooms, paint_distance
from companion.sensing.vision.regions import HIDDEN, PELLET_SHIFTS_MM, SHIFTS_MM, Regions

FILLED = 0.6  # part of an outline that must not be bare to ask for its paint
LIMIT = 8.0
SOLID = 0.5  # part of an outline that must be of one colour
FREE = 2.0  # squared distance of paint without a cost
SURE = 3.0
JOINED, JOINED_SLOPE = 0.06, 0.08  # part of what is around a thing that looks like it
ASIDE_MM, ASIDE_SLOPE_MM = 8.0, 2.0  # from the middle of its square to where a piece stands
REACH_MM = 24.0
OFTEN = 0.15
EVEN = 0.9
CORNERS = 3  # of a cell that look like its middle: it is the cell one sees
ALONE = 0.8  # part of what is around a pellet that must look like the board
SMALL = 0.7  # the same for it not to be a larger ball of its hue, or a mirrored lamp
DOUBT = 1.0  # evidence left for what is likely not a piece on this square


def name_by_paint(
    board: Board,
    regions: Regions,
    closely: Closely,
    labels: Array,
    counts: Array,
    squares: Array,
    best: Array,
) -> None:
    """Change the evidence on squares that something fills to what its paint says."""
    looks = closely.looks
    # A pawn's outline: pieces that are mere balls fill the lower part of it.
    piece = max(board.pieces.values(), key=lambda piece: piece.height_mm)
    within = counts[regions.outlines[piece.shape]]
    seen = within.sum(axis=-1) - within[..., HIDDEN] - within[..., FENCE_LABEL]
    total = np.maximum(within.sum(axis=-1), 1)
    painted = seen - within[..., BARE]
    if PELLET in looks.things:
        painted = painted - within[..., looks.things.index(PELLET) + 1]
    filled = painted / np.maximum(seen, 1) * (seen > 0.4 * total)
    shift = filled.argmax(axis=1)
    pieces = [number for number, name in enumerate(looks.things[1:]) if name != PELLET]
    rooms = hue_rooms(looks.colours)
    for square in np.flatnonzero(filled.max(axis=1) >= FILLED):
        x, y = board.at(board.squares[square])
        aside = SHIFTS_MM[shift[square]]
        scale = board.pitch_mm / USUAL_PITCH_MM
        near = closely.look(labels, (x, y), (aside[0] * scale, aside[1] * scale), piece)
        if _is_cell(near):
            squares[square, pieces] = np.minimum(squares[square, pieces], DOUBT)
        if near.solid < SOLID or _is_cell(near):
            continue
        for number in pieces:
            name = looks.things[number + 1]
            off = paint_distance(near.share, near.level, looks.colours[name], rooms[name])
            cost = max(0.0, off - FREE)
            value = max(LIMIT - cost, -LIMIT)
            before = squares[square, number]
            if value > max(before, SURE) or value < SURE <= before:
                squares[square, number] = value
                best[square, number] = shift[square]


def doubt_joined(
    board: Board,
    regions: Regions,
    closely: Closely,
    labels: Array,
    squares: Array,
    best: Array,
    claims: list[Claim],
) -> list[Claim]:
    """Take evidence from claims that do not end where a piece does, or stand between squares.

    Return the pellets that plainly lie alone on the bare board.
    """
    alone: list[Claim] = []
    if not claims:
        return alone
    blocked = labels.copy()
    for _, members in claims:
        blocked.ravel()[members] = HIDDEN
    scale = board.pitch_mm / USUAL_PITCH_MM
    for claim in claims:
        (square, number), members = claim
        name = closely.looks.things[number + 1]
        piece = board.pellet if name == PELLET else board.pieces[name]
        if piece is None:
            continue
        shifts = PELLET_SHIFTS_MM if name == PELLET else SHIFTS_MM
        x, y = board.at(board.squares[square])
        aside = shifts[best[square, number]]
        near = closely.look(blocked, (x, y), (aside[0] * scale, aside[1] * scale), piece)
        doubt = (near.joined - JOINED) / JOINED_SLOPE
        lies_alone = near.bare >= ALONE and near.solid >= SOLID and name == PELLET
        if _is_cell(near) and not lies_alone:
            doubt = 1.0
        if name == PELLET:
            if near.bare < SMALL or near.solid < SOLID:
                doubt = 1.0
            if doubt <= 0 and lies_alone:
                alone.append(claim)
            if doubt <= 0:
                _no_ball(closely.looks, squares[square])
        else:
            away = _aside(regions, labels, members, square, number + 2, piece.shape)
            doubt = max(doubt, (away - ASIDE_MM) / ASIDE_SLOPE_MM)
        keep = 1 - min(max(doubt, 0.0), 1.0)
        value = squares[square, number]
        if doubt > 0 and value > DOUBT:
            squares[square, number] = max(DOUBT, keep * min(value, LIMIT))
    return alone


def _is_cell(near: Near) -> bool:
    """Tell whether what is seen is the cell: its corners look like its middle, without shade."""
    return near.corners >= CORNERS or (near.corners == CORNERS - 1 and near.solid >= EVEN)


def _no_ball(looks: Appearance, values: Array) -> None:
    """Rule out a piece of the same hue on a square that holds a pellet."""
    for label in same_hue(looks, PELLET):
        if looks.things[label - 1] in (FENCE, PELLET):
            continue
        values[label - 2] = min(values[label - 2], 0.0)


def _aside(
    regions: Regions, labels: Array, members: Array, square: int, label: int, shape: str
) -> float:
    """Return how many millimetres off its square's middle a piece seems to stand, judged by all
    labels that are frequent in its outline."""
    often = np.bincount(np.take(labels, members), minlength=256) > OFTEN * len(members)
    often[[BARE, FENCE_LABEL]] = False
    often[label] = True
    middle = regions.members(int(regions.outlines[shape][square, 0]))
    columns = labels.shape[1]
    row, column = float((middle // columns).mean()), float((middle % columns).mean())
    reach = int(REACH_MM * TILE / USUAL_PITCH_MM)
    top, left = max(0, int(row) - reach), max(0, int(column) - reach)
    part = labels[top : int(row) + reach, left : int(column) + reach]
    down, across = np.nonzero(often[part])
    if len(down) == 0:
        return 0.0
    off = (float(np.median(down)) + top - row, float(np.median(across)) + left - column)
    return max(abs(off[0]), abs(off[1])) * USUAL_PITCH_MM / TILE
