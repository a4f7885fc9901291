"""A close look at what seems to stand on a square: does it end like a piece, and whose paint is it?

A lamp mirrored in a cell, the grain of wood or a finger can have the colour of a pellet or a pawn,
but they go on beyond its outline. So the pixels along two lines around the outline are compared
with those inside: how many are still of the same colour?
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from companion.board import Piece
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.appearance import FENCE_LABEL, Appearance
from companion.sensing.vision.colours import LINEAR, shares
from companion.sensing.vision.flat import Flat
from companion.sensing.vision.light import Light
from companion.sensing.vision.regions import HIDDEN

BEYOND_MM = (2.5, 5.0)  # from the outline to the lines around it
DIRECTIONS = 40
SAME_SHARE, SAME_LEVEL = 0.04, 0.4  # by which colours and log brightness differ within one thing
SOLID = 8.0  # the same among the pixels of one thing, in light and shade
SAME = 2.0  # squared distance within which a pixel is of the same colour
LEAST_SEEN = 0.3  # of the lines around, below which they say nothing
TOUCHES = 0.15  # part of the lines around that may look like a thing a little off its place


@dataclass(frozen=True)
class Near:
    """What the close look found.

    ``joined`` is the part of the lines around that looks like the inside, ``bare`` the part that
    looks more like the board, ``corners`` how many corners of the cell look like the inside,
    ``solid`` the part of the inside that is of one colour, and not the board's; ``share`` and
    ``level`` are its median colour: shares of red and green, log brightness.
    """

    joined: float
    bare: float
    corners: int
    solid: float
    share: tuple[float, float]
    level: float


@dataclass(frozen=True)
class Closely:
    """One picture, ready to be looked at closely anywhere."""

    flat: Flat
    looks: Appearance
    picture: Picture
    light: Light

    @cached_property
    def _white(self) -> Array:
        return self.looks.white.reshape(3, -1)

    def look(
        self, labels: Array, cell: tuple[float, float], aside: tuple[float, float], piece: Piece
    ) -> Near:
        """Return what a thing of this form looks like that stands ``aside`` of a cell's middle, in
        millimetres.

        ``labels`` are those of the flat picture; what is hidden or a fence is left out.
        """
        inside, around = _lines(piece.diameter_mm, piece.height_mm)
        points = np.concatenate([inside, around])
        at = (cell[0] + aside[0], cell[1] + aside[1])
        ground = self._on_board(points, at, piece.height_mm)
        ends = _corners(self.flat.board.cell_mm) + np.array([*cell, 0.0])
        ground = np.concatenate([ground, ends])
        index, within = self._index(ground)
        red, green, level, known = self._colours(ground, index)
        number = np.arange(len(ground))
        core, corner = number < len(inside), number >= len(points)
        own = [float(np.median(part[core])) for part in (red, green, level)]
        label = np.take(labels, index)
        ring = ~core & ~corner & known & ~(within & ((label == HIDDEN) | (label == FENCE_LABEL)))
        far = _distance(red - own[0], green - own[1], level - own[2])
        bare_red, bare_green, bare_level = self.looks.bare_at(index)
        level = level - np.take(self.light.local, index)
        bare = _distance(red - bare_red, green - bare_green, level - bare_level)
        solid = ((far < SOLID) & (far < bare))[core & (label != FENCE_LABEL)]
        like = (far < SAME)[corner].reshape(4, -1).mean(axis=1) > 0.5
        joined, plain, line = 0.0, 0.0, ~core & ~corner
        if ring.sum() >= LEAST_SEEN * len(around):
            same = (far < SAME) & (~within | (far < bare)) & ring
            joined = _joined(same[line], ring[line])
            plain = float(((bare < far) & within)[ring].mean())
        filled = float(solid.mean()) if solid.size else 0.0
        return Near(joined, plain, int(like.sum()), filled, (own[0], own[1]), own[2])

    def _on_board(self, points: Array, at: tuple[float, float], height: float) -> Array:
        """Return where on the board's plane points are seen that are given along the sight line,
        beside it, and by their part of a thing's lean (parallax)."""
        eye = self.flat.pose.eye
        away = np.array(at) - eye[:2]
        length = float(np.hypot(*away))
        turn = np.array([[away[0], -away[1]], [away[1], away[0]]]) / max(length, 1e-6)
        if length < 1e-6:
            turn = np.eye(2)
        flat = points[:, :2].copy()
        flat[:, 0] += points[:, 2] * length * height / (eye[2] - height)
        return np.concatenate([flat @ turn.T + at, np.zeros((len(flat), 1))], axis=-1)

    def _index(self, ground: Array) -> tuple[Array, Array]:
        row, column = self.flat.pixel(ground)
        rows, columns = self.flat.size
        within = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        index = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
        return index, within

    def _colours(self, ground: Array, index: Array) -> tuple[Array, Array, Array, Array]:
        """Return shares of red and green and log brightness at places of the board, and which of
        them the picture shows."""
        pixels = np.rint(self.flat.pose.project(ground)).astype(np.int64)
        height, width = self.picture.shape[:2]
        known = ((pixels >= 0) & (pixels < [width, height])).all(axis=-1)
        pixels = np.clip(pixels, 0, [width - 1, height - 1])
        seen = LINEAR[self.picture[pixels[:, 1], pixels[:, 0]]][:, ::-1].T
        white = np.take(self._white, index, axis=1) * self.light.overall[:, None]
        red, green, level = shares(seen / white)
        return red, green, level, np.asarray(known)


def _joined(same: Array, seen: Array) -> float:
    """Return how much of the lines around is of the same colour; what goes on does so on both, a
    thing a little off its place touches only one."""
    lines, sights = same.reshape(len(BEYOND_MM), -1), seen.reshape(len(BEYOND_MM), -1)
    both = np.asarray(sights.all(axis=0))
    through = float(np.asarray(lines.all(axis=0))[both].mean()) if both.any() else 0.0
    return max(through, float(same[seen].mean()) - TOUCHES)


def _distance(red: Array, green: Array, level: Array) -> Array:
    colour = 2 * (red * red + green * green + red * green) / SAME_SHARE**2
    total: Array = colour + (level / SAME_LEVEL) ** 2
    return total


@lru_cache(maxsize=16)
def _lines(diameter: float, height: float) -> tuple[Array, Array]:
    """Return points inside an outline and around it: along the sight line, aside of it, and which
    part of the lean they take part in."""
    radius = diameter / 2
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    narrow = 0.5 if height > diameter else 0.75  # domes are narrow at the top
    few = angles[::4]
    discs = [
        np.stack([r * np.cos(few), r * np.sin(few), np.full(few.size, lift)], axis=-1)
        for r in (0.3 * radius, 0.6 * radius, 0.8 * radius)
        for lift in (0.2, 0.5)
    ]
    beyond = np.cos(angles) > 0  # on this side the line runs about the top, not about the foot
    lines = [
        np.stack(
            [
                (np.where(beyond, radius * narrow, radius) + away) * np.cos(angles),
                (radius + away) * np.sin(angles),
                beyond * 0.95,
            ],
            axis=-1,
        )
        for away in BEYOND_MM
    ]
    return np.concatenate(discs), np.concatenate(lines)


@lru_cache(maxsize=4)
def _corners(cell: float) -> Array:
    """Return some points in each corner of a cell, seen from its middle."""
    ends = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)]) * (cell / 2 - 2.5)
    about = np.array([(0, 0), (1.2, 0), (-1.2, 0), (0, 1.2), (0, -1.2)])
    points = (ends[:, None] + about).reshape(-1, 2)
    return np.concatenate([points, np.zeros((len(points), 1))], axis=-1)
