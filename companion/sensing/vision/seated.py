"""Whether a fence is pushed home: a close look at one slot in the picture itself.

A fence with one end up still covers its groove, so its patches look right. What gives it away is
its form: the raised end lies further from the point below the camera and broadens the outline,
its end face shows and the other end's is hidden. A block is therefore drawn over the picture, once
seated and in several ways not seated, each time moved within the play of the groove until it fits
best (analysis by synthesis); whichever explains more of the picture is believed.
"""

from dataclasses import dataclass

import numpy as np

from companion.board import Spot
from companion.sensing.camera.frame import Array
from companion.sensing.vision.block import TILTS, corners_of_fence, in_slot, on_board
from companion.sensing.vision.closeup import Closeup
from companion.sensing.vision.flat import Flat

SEATED, RAISED, LOWERED = 0, np.array([1, 2]), np.array([3, 4])  # ways by number
FIRST_ROUNDS, LAST_ROUNDS, LAST_TURNS = 3, 3, 4
LEAST_FACE_MM2 = 1.0
TINY = np.float32(1e-3)
STEPS = np.array([[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.15, 0.0], [0.0, 0.0, 0.25]], np.float32)
STEEP = 1 / STEPS.max(axis=1)[1:, None, None]
PLAY = np.array([0.8, 0.5, 0.27], np.float32)  # along and across in millimetres, turn in degrees
FREE = np.array([3.0, 1.5, 3.0], np.float32)
PLAY_COST = np.float32(0.12)  # in square millimetres, of being off by the usual play
EDGE_MM = 1.2  # over which the edge of a block runs into what is behind it
FIRST_EDGE_MM, NEXT_EDGE_MM = 4.0, 2.0  # the same while the block is far from its place
DARKEST, BRIGHTEST = np.float32(0.3), np.float32(1.15)  # of faces beside the top
UNSEEN = np.float32(0.75)  # the same of faces of which too little is seen
WORST = np.float32(0.5)  # of the contrast between fence and board, that a place can be off

#: The top, the two sides and the two ends by their corners, anticlockwise as seen from outside.
FACES = np.array([(0, 2, 3, 1), (0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3)])
NEXT = (1, 2, 3, 0)


@dataclass(frozen=True)
class Stance:
    """How a fence stands: the tilt that explains the picture best, by how many square millimetres
    it does so better than a seated fence, how many even it leaves unexplained, and by how many
    degrees a seated one would be turned."""

    tilt: float
    gain_mm2: float
    left_mm2: float
    turn: float


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
    """Return where blocks fit best, by Gauss–Newton with numeric slopes, and what that costs."""
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
        """Return by what part of the contrast places differ from what is shown there with the
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
        """Return how many square millimetres are unexplained (robust: outliers are capped)."""
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
    """Return the edges of the top, the side and the end of a fence as lines that give the distance
    inside them, and how they change as it is moved along, across, and turned: shape
    (4, ways, 3 faces, 4 edges, 3)."""
    board = flat.board
    turn = np.radians(STEPS[:, 2, None, None])
    a, b, z = np.moveaxis(corners_of_fence(board), -1, 0)
    a, b = a - b * turn + STEPS[:, 0, None, None], b + a * turn + STEPS[:, 1, None, None]
    points = np.stack(np.broadcast_arrays(a, b, z), axis=-1)
    feet = flat.pose.foot(on_board(board, slot, points))
    faces = np.stack(in_slot(board, slot, feet), axis=-1)[..., FACES, :]
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
