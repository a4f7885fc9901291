"""Ray casting: where rays of the camera meet a domed tube, a ball, or a ball with a mouth."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.sim.picture.light import Floats

MOUTH = math.radians(34)  # half of how wide it opens


@dataclass(frozen=True)
class Skin:
    """The surface that rays met: which of them did, and for those where, facing which way."""

    hit: NDArray[np.bool_]
    points: Floats
    normals: Floats
    albedo: Floats

    def paint(self, towards: Floats, spread: float, colour: Floats) -> None:
        """Paint the spot of a round surface that looks this way, ``spread`` degrees wide."""
        straight = (towards / np.linalg.norm(towards)).astype(np.float32)
        self.albedo[self.normals @ straight > math.cos(math.radians(spread))] = colour


def ghost(
    eye: Floats, slopes: Floats, foot: Floats, radius: float, height: float, colour: Floats
) -> Skin:
    """Return the surface of an upright tube with a round top."""
    neck = foot + np.array([0, 0, height - radius], np.float32)
    side = _far(eye - foot, slopes, radius, upright=True)
    rise = eye[2] - side - foot[2]
    side[(rise < 0) | (rise > height - radius)] = np.inf
    far = np.minimum(side, _far(eye - neck, slopes, radius))
    hit, points, normals = _met(eye, slopes, far, neck, radius)
    np.maximum(normals[:, 2], 0, out=normals[:, 2])
    return Skin(hit, points, normals, np.tile(colour, (len(points), 1)))


def ball(eye: Floats, slopes: Floats, middle: Floats, radius: float, colour: Floats) -> Skin:
    """Return the surface of a plain ball."""
    far = _far(eye - middle, slopes, radius)
    hit, points, normals = _met(eye, slopes, far, middle, radius)
    return Skin(hit, points, normals, np.tile(colour, (len(points), 1)))


def muncher(
    eye: Floats, slopes: Floats, middle: Floats, radius: float, look: Floats, colour: Floats
) -> Skin:
    """Return the surface of a ball with a wedge cut out of it where it looks."""
    far = _far(eye - middle, slopes, radius)
    hit, points, normals = _met(eye, slopes, far, middle, radius)
    albedo = np.tile(colour, (len(points), 1))
    side = np.array([-look[1], look[0], 0], np.float32)
    ahead = normals @ look
    gap = (ahead > 0) & (np.abs(normals @ side) < ahead * math.tan(MOUTH))
    inwards = _at(_at(slopes, hit), gap)
    way = np.column_stack([inwards, np.full(len(inwards), -1, np.float32)])
    deep, inner, facing = _lips(eye - middle, way, radius, look, side)
    solid = np.isfinite(deep)
    spots = np.flatnonzero(gap)
    points[spots[solid]] = inner[solid] + middle
    normals[spots[solid]] = facing[solid]
    albedo[spots[solid]] *= np.float32(0.35)
    kept = np.ones(len(points), np.bool_)
    kept[spots[~solid]] = False
    hit[hit] = kept
    return Skin(hit, *(_at(values, kept) for values in (points, normals, albedo)))


def _at(values: Floats, where: NDArray[np.bool_]) -> Floats:
    """Return ``values[where]``, in a quarter of the time when the last axis is short."""
    return values.reshape(-1, values.shape[-1]).take(np.flatnonzero(where), axis=0)


def _lips(
    start: Floats, way: Floats, radius: float, look: Floats, side: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return where rays into the mouth meet its two walls: how far, where, facing which way."""
    deep = np.full(len(way), np.inf, np.float32)
    inner, facing = np.zeros_like(way), np.zeros_like(way)
    for cheek in (side, -side):
        along = look * math.cos(MOUTH) + cheek * math.sin(MOUTH)
        normal = (look * math.sin(MOUTH) - cheek * math.cos(MOUTH)).astype(np.float32)
        slant = way @ normal
        far = -(start @ normal) / np.where(np.abs(slant) < 1e-6, np.float32(1e-6), slant)
        spots = start + way * far[:, None]
        within = (np.square(spots).sum(axis=1) < radius * radius) & (spots @ along > 0)
        meets = within & (slant < 0) & (far < deep)
        deep[meets], inner[meets], facing[meets] = far[meets], spots[meets], normal
    return deep, inner, facing


def _far(start: Floats, slopes: Floats, radius: float, upright: bool = False) -> Floats:
    """Return how far rays fall until they meet a ball, or an upright tube, around the origin."""
    east, north = slopes[..., 0], slopes[..., 1]
    squared = east * east + north * north
    across = east * start[0] + north * start[1]
    apart = start[0] ** 2 + start[1] ** 2 - np.float32(radius**2)
    if upright:
        squared += np.float32(1e-9)
    else:
        squared += 1
        across -= start[2]
        apart += start[2] ** 2
    inside = across * across - squared * apart
    missed = inside <= 0
    far = (-across - np.sqrt(np.where(missed, 0, inside))) / squared
    far[missed] = np.inf
    return np.asarray(far, np.float32)


def _met(
    eye: Floats, slopes: Floats, far: Floats, middle: Floats, radius: float
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Return which rays meet a round surface, and for those where, and which way it faces."""
    hit = np.isfinite(far)
    fall = far[hit]
    points = np.empty((len(fall), 3), np.float32)
    points[:, :2] = eye[:2] + _at(slopes, hit) * fall[:, None]
    points[:, 2] = eye[2] - fall
    return hit, points, (points - middle) / np.float32(radius)
