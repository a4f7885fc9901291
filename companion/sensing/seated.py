"""Whether a fence is pushed home: a close look at one slot in the picture itself.

A fence with one end up still covers its groove, so its patches look right. What gives it away is
its form: the raised end lies further from the point below the camera and broadens the outline,
its end face shows and the other end's is hidden. A block is therefore drawn over the picture, once
seated and in several ways not seated, each time moved within the play of the groove until it fits
best; whichever explains more of the picture is believed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.board import Board, Spot
from companion.sensing.appearance import Appearance
from companion.sensing.camera import Array, Picture
from companion.sensing.flat import Flat
from companion.sensing.light import Light

STEP_MM = 0.35  # across the groove; along it twice as much
ROW_MM = 0.7
MARGIN_MM = 3.0  # around all that a fence in the slot may show
BAND = 6  # rows of the middle that are looked at together
END_MM = 7.0  # at either end, where rows are looked at one by one
TILTS = (0.0, 5.5, 9.0, -5.5, -9.0)
SEATED, RAISED, LOWERED = 0, np.array([1, 2]), np.array([3, 4])  # ways by number
FIRST_ROUNDS, LAST_ROUNDS, LAST_TURNS = 3, 3, 4
COARSE = 8  # of the places in a closeup that are projected
LEAST_CORE = 40  # places
LEAST_FACE_MM2 = 1.0
LEAST_CONTRAST = 8.0  # grey levels
TINY = np.float32(1e-3)
STEPS = np.array([[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.15, 0.0], [0.0, 0.0, 0.25]], np.float32)
STEEP = 1 / STEPS.max(axis=1)[1:, None, None]
PLAY = np.array([0.8, 0.5, 0.27], np.float32)  # along and across in millimetres, turn in degrees
FREE = np.array([3.0, 1.5, 3.0], np.float32)
PLAY_COST = np.float32(0.12)  # in square millimetres, of being off by the usual play
EDGE_MM = 1.2  # over which the edge of a block runs into what is behind it
FIRST_EDGE_MM, NEXT_EDGE_MM = 4.0, 2.0  # the same while the block is far from its place
CHROMA = np.float32(0.6)  # the weight of colour beside brightness: pictures blur it
SHADE = np.float32(0.45)  # of its brightness, that the board keeps in a shadow
DARKEST, BRIGHTEST = np.float32(0.3), np.float32(1.15)  # of faces beside the top
UNSEEN = np.float32(0.75)  # the same of faces of which too little is seen
WORST = np.float32(0.5)  # of the contrast between fence and board, that a place can be off
DISPLAY = np.float32(1 / 2.2)

#: The top, the two sides and the two ends by their corners, counted against the clock by those
#: who see them.
FACES = np.array([(0, 2, 3, 1), (0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3)])
NEXT = (1, 2, 3, 0)


@dataclass(frozen=True)
class Closeup:
    """One slot as the picture shows it, place by place."""

    along: Array  # the places lie in rows and columns
    across: Array
    seen: Array  # brightness and colour by the contrast of fence and board, shape (2, places)
    low: Array  # the least that the bare board shows there, in the shade
    high: Array  # the most
    top: Array  # that of the fence's top, were it there
    area: Array  # square millimetres; nothing where another fence stands
    like: Array  # area, and the same times how bright it is beside the top: shape (places, 2)


@dataclass(frozen=True)
class Stance:
    """How a fence stands: the tilt that explains the picture best, by how many square millimetres
    it does so better than a seated fence, how many even it leaves unexplained, and by how many
    degrees a seated one would be turned."""

    tilt: float
    gain_mm2: float
    left_mm2: float
    turn: float


def closeup(
    flat: Flat,
    looks: Appearance,
    picture: Picture,
    light: Light,
    slot: Spot,
    fences: Iterable[Spot],
) -> Closeup | None:
    """Return a slot as a picture shows it, ``fences`` being where others may stand; None when
    hardly anything of it can be seen."""
    board = flat.board
    along, across, middle = _reach(flat, slot)
    points, pixels = _sight(flat, slot, along, across)
    colours = np.asarray(cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR))
    own = np.ones(colours.shape[:2], np.uint8)
    for other in fences:
        if other != slot:
            _fill(flat, slot, other, own, along, across)
    core = (np.abs(along - middle[0]) < board.fence.length_mm * 0.4)[:, None]
    core = core & (np.abs(across - middle[1]) < board.fence.thickness_mm * 0.25) & (own > 0)
    if core.sum() < LEAST_CORE:  # hidden, or nearly
        return None
    ends = np.abs(along - middle[0]) > board.fence.length_mm / 2 - END_MM
    values = np.concatenate([colours, _bare(flat, looks, light, points)], axis=-1)
    rows, columns, parts, area = _gathered(along, across, values, own, ends)
    hue = _graded(np.median(colours[core], axis=0))[1:]
    hue = hue / max(float(np.hypot(*hue)), 1.0)
    seen = _in_two(_graded(parts[:, :3]), hue)
    bare = _in_two(_graded(255 * np.clip(parts[:, 3:], 0, 1) ** DISPLAY), hue)
    top = _along_top(board, rows, columns, middle, seen, area)
    contrast = float(np.hypot(*(np.median(top, axis=0) - np.median(bare, axis=0))))
    scale = np.float32(1 / max(contrast, LEAST_CONTRAST))
    seen, bare, top = (values.T * scale for values in (seen, bare, top))
    bright = (top * seen).sum(axis=0) / np.square(top).sum(axis=0)
    like = np.stack([area, area * bright], axis=-1)
    low, high = np.minimum(bare, SHADE * bare), np.maximum(bare, SHADE * bare)
    return Closeup(rows, columns, seen, low, high, top, area, like)


def _along_top(
    board: Board, along: Array, across: Array, middle: Array, seen: Array, area: Array
) -> Array:
    """Return what the top of the fence looks like at each place, if it is there: as in the middle
    of it in the same row, for a lamp may be mirrored in a part of it."""
    near = np.abs(across - middle[1]) < board.fence.thickness_mm * 0.25
    values = seen.reshape(len(along), len(across), 2)[:, near]
    weight = area.reshape(len(along), len(across))[:, near]
    sure = (weight > 0).all(axis=1) & (np.abs(along - middle[0]) < board.fence.length_mm * 0.42)
    level = values[sure].mean(axis=1)
    rows = np.stack([np.interp(along, along[sure], level[:, n]) for n in (0, 1)], axis=-1)
    return np.repeat(rows, len(across), axis=0).astype(np.float32)


def _reach(flat: Flat, slot: Spot) -> tuple[Array, Array, Array]:
    """Return the rows and columns of a closeup, and the middle of a seated fence's top in it."""
    corners = _corners(flat.board)
    a, b = _in_slot(flat.board, slot, flat.pose.foot(_on_board(flat.board, slot, corners)))
    rows = np.arange(a.min() - MARGIN_MM, a.max() + MARGIN_MM, ROW_MM)
    columns = 2 * int((b.max() - b.min() + 2 * MARGIN_MM) / (2 * STEP_MM))
    across = b.min() - MARGIN_MM + STEP_MM * np.arange(columns)
    return rows, across, np.array([a[0, :4].mean(), b[0, :4].mean()])


def _sight(flat: Flat, slot: Spot, along: Array, across: Array) -> tuple[Array, Array]:
    """Return the places of a closeup on the board, and in the picture; the lens bends gently, so
    that few of them need to be projected."""
    a, b = np.meshgrid(along, across, indexing="ij")
    points = _on_board(flat.board, slot, np.stack([a, b, np.zeros(a.shape)], axis=-1))
    rows = np.arange(0, len(along) + COARSE, COARSE)
    columns = np.arange(0, len(across) + COARSE, COARSE)
    a, b = np.meshgrid(along[0] + ROW_MM * rows, across[0] + STEP_MM * columns, indexing="ij")
    nodes = _on_board(flat.board, slot, np.stack([a, b, np.zeros(a.shape)], axis=-1))
    x, y = np.meshgrid(
        np.arange(len(across), dtype=np.float32) / COARSE,
        np.arange(len(along), dtype=np.float32) / COARSE,
    )
    coarse = flat.pose.project(nodes).astype(np.float32)
    return points, np.asarray(cv2.remap(coarse, x, y, cv2.INTER_LINEAR))


def _bare(flat: Flat, looks: Appearance, light: Light, points: Array) -> Array:
    """Return the light that comes from the bare board at some places: blue, green, red."""
    row, column = flat.pixel(points)
    rows, columns = flat.size
    at = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    level = np.exp(np.take(light.local, at))
    shown = [
        np.take(looks.bare[n], at) * np.take(looks.white[n], at) * (level * light.overall[n])
        for n in (2, 1, 0)
    ]
    return np.stack(shown, axis=-1)


def _fill(flat: Flat, slot: Spot, other: Spot, own: Array, along: Array, across: Array) -> None:
    """Take what the fence in another slot shows out of a map of this slot."""
    feet = flat.pose.foot(_on_board(flat.board, other, _corners(flat.board)[0]))
    a, b = _in_slot(flat.board, slot, feet)
    outline = np.stack([(b - across[0]) / STEP_MM, (a - along[0]) / ROW_MM], axis=-1)
    if (outline.max(axis=0) > 0).all() and (outline.min(axis=0) < own.shape[::-1]).all():
        hull = np.asarray(cv2.convexHull(outline.astype(np.float32)))
        sixteenths = (hull * 16).round().astype(np.int32)
        cv2.fillConvexPoly(own, sixteenths, 0, cv2.LINE_8, 4)
        cv2.polylines(own, [sixteenths], True, 0, 3, cv2.LINE_8, 4)  # it has play as well


def _gathered(
    along: Array, across: Array, values: Array, own: Array, ends: Array
) -> tuple[Array, Array, Array, Array]:
    """Return rows, columns, values and areas with columns taken in pairs, and rows far from the
    ends by the band: what lies there changes but slowly along the groove."""
    inner = np.flatnonzero(~ends)
    starts = np.concatenate(
        [np.arange(inner[0]), inner[::BAND], np.arange(inner[-1] + 1, len(along))]
    )
    weight = own.astype(np.float32)
    parts = values * weight[..., None]
    parts = np.add.reduceat(parts[:, ::2] + parts[:, 1::2], starts, axis=0)
    weight = np.add.reduceat(weight[:, ::2] + weight[:, 1::2], starts, axis=0)
    count = np.add.reduceat(np.ones(len(along)), starts)
    a = np.add.reduceat(along, starts) / count
    b = (across[::2] + across[1::2]) / 2
    area = (weight * (ROW_MM * STEP_MM)).ravel()
    means = parts / np.maximum(weight, 1)[..., None]
    return a.astype(np.float32), b.astype(np.float32), means.reshape(area.size, -1), area


def _graded(colours: Array) -> Array:
    """Return brightness and the two differences of colour of blue, green, red."""
    blue, green, red = np.moveaxis(colours, -1, 0)
    bright = 0.114 * blue + 0.587 * green + 0.299 * red
    return np.stack([bright, 0.71 * (red - bright), 0.56 * (blue - bright)], axis=-1)


def _in_two(graded: Array, hue: Array) -> Array:
    """Return brightness, and colour as far as it is the fences'."""
    return np.stack([graded[..., 0], CHROMA * (graded[..., 1:] @ hue)], -1).astype(np.float32)


def _on_board(board: Board, slot: Spot, points: Array) -> Array:
    """Return points given along, across and above a slot in millimetres of the board."""
    x, y = board.at(slot)
    a, b, z = np.moveaxis(points, -1, 0)
    return np.stack([x + a, y + b, z] if slot[2] == "h" else [x - b, y + a, z], axis=-1)


def _in_slot(board: Board, slot: Spot, feet: Array) -> tuple[Array, Array]:
    x, y = board.at(slot)
    dx, dy = feet[..., 0] - x, feet[..., 1] - y
    return (dx, dy) if slot[2] == "h" else (dy, -dx)


def stance(flat: Flat, slot: Spot, seen: Closeup) -> Stance:
    """Return how the fence in a slot stands."""
    lines = _lines(flat, slot)
    play = np.zeros((len(TILTS), 3), np.float32)
    rough = _thinned(seen)
    play, costs = _fitted(_Block(rough, lines, FIRST_EDGE_MM), play, FIRST_ROUNDS)
    ways = np.array([SEATED, *(way[costs[way].argmin()] for way in (RAISED, LOWERED))])
    play, costs = _fitted(_Block(rough, lines[:, ways], NEXT_EDGE_MM), play[ways], FIRST_ROUNDS)
    for _ in range(LAST_TURNS):
        play, costs = _fitted(_Block(seen, lines[:, ways], EDGE_MM), play, LAST_ROUNDS)
        if costs[0] < costs[1:].min():
            break
    best = 1 + int(costs[1:].argmin())
    gain, left = float(costs[0] - costs[best]), float(costs.min())
    return Stance(TILTS[ways[best]], gain, left, float(play[0, 2]))


def _thinned(seen: Closeup) -> Closeup:
    """Return a closeup with a quarter of the places."""
    size = (len(seen.along), len(seen.across))
    every = np.arange(size[0] * size[1]).reshape(size)[::2, ::2].ravel()
    return Closeup(
        seen.along[::2],
        seen.across[::2],
        seen.seen[:, every],
        seen.low[:, every],
        seen.high[:, every],
        seen.top[:, every],
        4 * seen.area[every],
        4 * seen.like[every],
    )


def _fitted(block: "_Block", play: Array, rounds: int) -> tuple[Array, Array]:
    """Return where blocks fit best, by the method of Gauss and Newton, and what that costs."""
    off = block.off(play[:, None] + STEPS)
    slopes = (off[:, 1:] - off[:, :1]) * STEEP
    now = off[:, 0]
    best, least = play, block.cost(play, now)
    for _ in range(rounds):
        play = block.better(play, now, slopes)
        now = block.off(play[:, None])[:, 0]
        costs = block.cost(play, now)
        best = np.where((costs < least)[:, None], play, best)
        least = np.minimum(costs, least)
    return best, least


@dataclass(frozen=True)
class _Block:
    """A fence that stands in several ways in a slot, its edges running out softly."""

    seen: Closeup
    lines: Array
    edge: float

    def off(self, play: Array) -> Array:
        """Return by which part of the contrast places are off from what is shown there with the
        block moved by ``play``, shape (ways, plays, 3); shape (ways, plays, 2, places)."""
        seen = self.seen
        filled = self._filled(play)
        top = filled[:, :, 0]
        rest, paint = 1 - top, top
        for number in (1, 2):
            face = np.minimum(filled[:, :, number], rest)
            rest = rest - face
            sure = np.square(np.square(face)) @ seen.like
            shade = np.where(
                sure[..., 0] > LEAST_FACE_MM2, sure[..., 1] / (sure[..., 0] + TINY), UNSEEN
            )
            face *= np.minimum(np.maximum(shade, DARKEST), BRIGHTEST)[..., None]
            paint = paint + face
        left: Array = seen.seen - paint[..., None, :] * seen.top
        rest = rest[..., None, :]
        left -= np.minimum(np.maximum(left, rest * seen.low), rest * seen.high)
        return left

    def cost(self, play: Array, off: Array) -> Array:
        """Return how many square millimetres are unexplained, by how far places are off."""
        far = np.minimum(np.square(off).sum(axis=-2), WORST**2)
        cost: Array = far @ self.seen.area + PLAY_COST * ((play / PLAY) ** 2).sum(axis=-1)
        return cost

    def better(self, play: Array, off: Array, slopes: Array) -> Array:
        """Return where to move the block next."""
        weight = self.seen.area * (np.square(off).sum(axis=-2) < WORST**2)
        ways, params = slopes.shape[:2]
        weighted = (slopes * weight[:, None, None]).reshape(ways, params, -1)
        square = weighted @ slopes.reshape(ways, params, -1).transpose(0, 2, 1)
        down = (weighted @ off.reshape(ways, -1, 1))[..., 0] + PLAY_COST * play / PLAY**2
        step = np.linalg.solve(square + np.diag(PLAY_COST / PLAY**2), down[..., None])[..., 0]
        moved: Array = np.clip(play - step, -FREE, FREE)
        return moved

    def _filled(self, play: Array) -> Array:
        """Return which part of each place the top, the side and the end of the block fill."""
        seen, at_rest = self.seen, self.lines[0][:, None]
        moved = np.tensordot(play, self.lines[1:], (2, 0))  # (ways, plays, ways, …)
        lines = at_rest + moved[np.arange(len(play)), :, np.arange(len(play))]
        lines = (lines * np.float32(1 / self.edge))[..., None]
        down = lines[..., 0, :] * seen.along + (lines[..., 2, :] + np.float32(0.5))
        aside = lines[..., 1, :] * seen.across
        least = np.ones((*down.shape[:3], len(seen.along), len(seen.across)), np.float32)
        for edge in range(4):
            np.minimum(least, down[..., edge, :, None] + aside[..., edge, None, :], out=least)
        np.maximum(least, 0, out=least)
        return least.reshape(*least.shape[:3], -1)


def _lines(flat: Flat, slot: Spot) -> Array:
    """Return the edges of the top, the side and the end of a fence as lines by which the distance
    inside them is told, and how they change as it is moved along, across, and turned: shape
    (4, ways, 3 faces, 4 edges, 3)."""
    board = flat.board
    turn = np.radians(STEPS[:, 2, None, None])
    a, b, z = np.moveaxis(_corners(board), -1, 0)
    a, b = a - b * turn + STEPS[:, 0, None, None], b + a * turn + STEPS[:, 1, None, None]
    points = np.stack(np.broadcast_arrays(a, b, z), axis=-1)
    feet = flat.pose.foot(_on_board(board, slot, points))
    faces = np.stack(_in_slot(board, slot, feet), axis=-1)[..., FACES, :]
    area = _area(faces[0])
    ways = np.arange(len(TILTS))
    side, end = (1 + (area[:, 1] < area[:, 2]), 3 + (area[:, 3] < area[:, 4]))
    shown = np.stack([0 * ways, side, end], axis=-1)
    quads = faces[:, ways[:, None], shown]
    run = quads[..., NEXT, :] - quads
    length = np.maximum(np.hypot(run[..., 0], run[..., 1]), 1e-3)
    along, across = -run[..., 1] / length, run[..., 0] / length
    offset = -along * quads[..., 0] - across * quads[..., 1]
    offset -= 9e3 * (_area(quads[0]) < LEAST_FACE_MM2)[..., None]  # it cannot be seen
    lines = np.stack([along, across, offset], axis=-1)
    lines[1:] = (lines[1:] - lines[0]) / STEPS.max(axis=1)[1:, None, None, None, None]
    return lines.astype(np.float32)


def _area(quads: Array) -> Array:
    """Return the area of four-sided faces, negative when they are turned away."""
    one = quads[..., 2, :] - quads[..., 0, :]
    other = quads[..., 3, :] - quads[..., 1, :]
    area: Array = 0.5 * (one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
    return area


@lru_cache(maxsize=4)
def _corners_of(length: float, thick: float, height: float, depth: float) -> Array:
    """Return the corners of blocks that stand in each of the ways, shape (ways, 8, 3)."""
    signs = np.array([[a, b, c] for c in (1, -1) for a in (-1, 1) for b in (-1, 1)])
    block = signs * np.array([length, thick, height + depth]) / 2
    shapes = []
    for tilt in np.radians(TILTS):
        up = np.array(
            [[np.cos(tilt), 0, -np.sin(tilt)], [0, 1, 0], [np.sin(tilt), 0, np.cos(tilt)]]
        )
        raised = block @ up.T
        raised[:, 2] += -depth - raised[:, 2].min()
        upper, lower = raised[:4], raised[4:]
        sunk = np.clip(-lower[:, 2:] / (upper[:, 2:] - lower[:, 2:]), 0, 1)
        shapes.append(np.concatenate([upper, lower + sunk * (upper - lower)]))
    return np.array(shapes)


def _corners(board: Board) -> Array:
    fence = board.fence
    return _corners_of(fence.length_mm, fence.thickness_mm, fence.height_mm, board.groove_depth_mm)
