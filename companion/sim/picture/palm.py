"""A hand with its forearm as the camera sees it: a relief (height map) made once, and laid over the
table by a homography.

The hand is modelled from above in millimetres: ``u`` runs from the wrist to the finger tips, which
are at 0, ``v`` to the left. Each finger bone is a tapered rod; the highest of them is the surface.
"""

import math
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.camera.frame import Picture
from companion.sim.body import Hand
from companion.sim.picture.lens import Pose
from companion.sim.picture.light import Floats, Light, linear, lit, shadow_keep, tone, towards
from companion.sim.picture.stamp import Box, Stamp, box_around, shadowed

FRONT, BACK, WIDE = 20.0, -460.0, 76.0  # what the relief covers, in millimetres
GRAIN = 2.0  # samples of the relief in a millimetre
ARM_RISE = 0.16  # the arm climbs towards the elbow
CUFF = -238.0
NOTHING = -99.0  # the height of the relief where there is no hand
SKIN, NAIL, SLEEVE = (219, 160, 128), (232, 186, 164), (64, 78, 112)
COARSE = 4  # shadows are soft: every fourth pixel is enough
TURN_STEP = 6.0  # degrees a hand may turn before its shading is worked out again
PAINTS_KEPT = 12  # open and holding, from each side of the table, and a few more

Halves = NDArray[np.float16]

#: A rod: u, v, z and radius at one end and at the other.
Rod = tuple[float, float, float, float, float, float, float, float]

ARM: tuple[Rod, ...] = (
    (-185, 0, 4, 23, -260, 0, 2, 29),
    (-150, 12, 4, 19, -190, 8, 4, 20),
    (-150, -12, 4, 19, -190, -8, 4, 20),
)
OPEN: tuple[Rod, ...] = (
    (-88, 0, 6, 10, -42, 1, 3, 8.5),
    (-42, 1, 3, 8.5, -7, 2, 0, 7),
    (-86, 21, 6, 10, -46, 28, 3, 8.3),
    (-46, 28, 3, 8.3, -17, 33, 0, 7),
    (-88, -20, 5, 9.5, -48, -25, 2, 8),
    (-48, -25, 2, 8, -17, -29, 0, 6.8),
    (-94, -38, 3, 8.5, -64, -48, 1, 7),
    (-64, -48, 1, 7, -42, -54, 0, 6),
    (-132, 34, 2, 13, -104, 54, 0, 10),
    (-104, 54, 0, 10, -80, 66, -2, 8.5),
    (-88, 20, 4, 14, -155, 10, 4, 18),
    (-88, 2, 5, 14, -155, 2, 4, 18),
    (-92, -18, 4, 14, -155, -8, 4, 18),
    (-98, -34, 2, 12, -155, -14, 3, 17),
    (-112, 26, 1, 15, -150, 14, 2, 18),
    (-100, 30, 0, 12, -126, 40, 0, 13),
)
PINCH: tuple[Rod, ...] = (
    (-74, -8, 14, 11, -40, -19, 14, 9),
    (-40, -19, 14, 9, -22, -18, 6, 8),
    (-22, -18, 6, 8, -3, -13, -4, 7),
    (-76, -24, 12, 11, -46, -35, 10, 9),
    (-46, -35, 10, 9, -24, -28, -2, 7.5),
    (-84, -38, 9, 10, -60, -47, 5, 8.5),
    (-60, -47, 5, 8.5, -44, -38, -4, 7),
    (-94, -48, 5, 9, -76, -55, 1, 7.5),
    (-76, -55, 1, 7.5, -64, -47, -6, 6),
    (-118, 22, 4, 14, -70, 30, 6, 10.5),
    (-70, 30, 6, 10.5, -34, 26, 3, 9.5),
    (-34, 26, 3, 9.5, -4, 13, -4, 8),
    (-76, -8, 10, 14, -155, 4, 6, 19),
    (-80, -24, 8, 14, -155, -4, 6, 19),
    (-90, -38, 5, 13, -155, -12, 4, 18),
    (-110, 18, 3, 15, -155, 12, 5, 18),
)
#: Which rods end in a finger tip whose nail is seen, by whether the hand holds something.
NAILS = {False: (1, 3, 5, 7, 9), True: (2, 4, 6, 11)}
SLEEVE_ROD: Rod = (-250, 0, 6, 35, -520, 0, 6, 46)


class HandArtist:
    """Draws hands for one pose and light."""

    def __init__(self, pose: Pose, light: Light) -> None:
        self._pose, self._light = pose, light
        self._painted: dict[tuple[bool, int], Picture] = {}

    def hand(self, hand: Hand) -> Stamp:
        """Return the hand and its arm."""
        box, onto = self._laid(self._pose.project(_corners(hand)), hand.holds, 3.0)
        size = (box.width, box.height)
        laid = cv2.warpPerspective(self._paint(hand), onto, size, flags=cv2.INTER_LINEAR)
        keep = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(laid, 3)), cv2.COLOR_GRAY2BGR)
        ink = cv2.cvtColor(laid, cv2.COLOR_BGRA2BGR)
        return Stamp(box, np.asarray(keep, np.uint8), np.asarray(ink, np.uint8))

    def shadow(self, hand: Hand) -> Stamp:
        """Return the shadow of the hand on the board."""
        corners = _corners(hand)
        way, _ = towards(self._light, np.array([hand.x, hand.y, hand.z], np.float32))
        cast = corners - corners[:, 2:] * way / way[2]
        scale = self._pose.focal_px / self._pose.height_mm / COARSE
        blur = max(0.5, (2.0 + self._light.softness * hand.z) * scale)
        box, onto = self._laid(self._pose.project(cast), hand.holds, 3 * blur + 3, COARSE)
        size = (box.width // COARSE, box.height // COARSE)
        shape = _relief(hand.holds)[1]
        mask = cv2.warpPerspective(shape, onto, size, flags=cv2.INTER_AREA)
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.uint8)
        keep = shadowed(soft, shadow_keep(self._light))
        return Stamp(box, np.asarray(cv2.resize(keep, (box.width, box.height)), np.uint8), None)

    def _laid(
        self, pixels: NDArray[np.float64], holds: bool, margin: float, coarse: int = 1
    ) -> tuple[Box, NDArray[np.float64]]:
        """Return the part of the picture in question and how the relief maps into it.

        It is that around the hand in the relief, with a margin in coarse pixels.
        """
        width, height = self._pose.size
        whole = box_around(pixels, 40)
        left, top = max(whole.left, 0), max(whole.top, 0)
        right = -(-(min(whole.left + whole.width, width) - left) // coarse)
        bottom = -(-(min(whole.top + whole.height, height) - top) // coarse)
        rows, columns = _shape()
        source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        target = ((pixels - (left, top)) / coarse).astype(np.float32)
        onto = cv2.getPerspectiveTransform(source, target)
        seen = np.asarray(cv2.perspectiveTransform(_outline(holds), onto), np.float64)
        around = box_around(seen[:, 0], margin)
        x, y = max(around.left, 0), max(around.top, 0)
        wide = max(min(around.left + around.width, right) - x, 1)
        high = max(min(around.top + around.height, bottom) - y, 1)
        box = Box(left + x * coarse, top + y * coarse, wide * coarse, high * coarse)
        return box, np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]]) @ onto

    def _paint(self, hand: Hand) -> Picture:
        """Return the relief in this light: its colour, and as fourth channel how it covers."""
        turn = round(hand.angle / TURN_STEP)
        key = (hand.holds, turn)
        if key not in self._painted:
            if len(self._painted) >= PAINTS_KEPT:
                self._painted.clear()
            self._painted[key] = self._shaded(hand.holds, math.radians(turn * TURN_STEP))
        return self._painted[key]

    def _shaded(self, holds: bool, turn: float) -> Picture:
        relief, shape, colours = _relief(holds)
        hand = shape > 0
        normals, albedo = relief.astype(np.float32), colours.astype(np.float32)
        east = math.cos(turn) * normals[:, 0] - math.sin(turn) * normals[:, 1]
        north = math.sin(turn) * normals[:, 0] + math.cos(turn) * normals[:, 1]
        turned = np.stack([east, north, normals[:, 2]], axis=-1)
        points, views = np.array([[0, 0, 60], [0, -0.2, 0.98]], np.float32)[:, None]
        shade = lit(self._light, points, turned, views, albedo, 0.06, 14)
        shade *= (0.35 + 0.65 * np.clip(normals[:, 2], 0, 1) ** 0.7)[:, None]
        painted = np.zeros((*shape.shape, 4), np.uint8)
        painted[hand, :3] = tone(shade) * (shape[hand][:, None] / np.float32(255))
        painted[..., 3] = shape
        return painted


def _shape() -> tuple[int, int]:
    return int((FRONT - BACK) * GRAIN), int(2 * WIDE * GRAIN)


def _corners(hand: Hand) -> NDArray[np.float64]:
    """Return where the relief's corners are in space: front left, front right, back right …"""
    turn = math.radians(hand.angle)
    ahead = np.array([math.cos(turn), math.sin(turn)])
    left = np.array([-math.sin(turn), math.cos(turn)])
    spots = []
    for u, v in ((FRONT, WIDE), (FRONT, -WIDE), (BACK, -WIDE), (BACK, WIDE)):
        x, y = np.array([hand.x, hand.y]) + u * ahead + v * left
        spots.append((x, y, hand.z - ARM_RISE * u))
    return np.array(spots)


@cache
def _relief(holds: bool) -> tuple[Halves, Picture, Halves]:
    """Return the hand's outline (255 inside), with the normals and colours of what is inside."""
    rows, columns = _shape()
    u = (FRONT - (np.arange(rows, dtype=np.float32) + 0.5) / GRAIN)[:, None]
    v = (WIDE - (np.arange(columns, dtype=np.float32) + 0.5) / GRAIN)[None, :]
    height = np.full((rows, columns), NOTHING, np.float32)
    for rod in (PINCH if holds else OPEN) + ARM:
        _raise(height, u, v, rod, blend=5.0)
    cloth = np.full((rows, columns), NOTHING, np.float32)
    _raise(cloth, u, v, SLEEVE_ROD, blend=0.0)
    cloth += np.sin(u * 0.16 + 0.9 * np.sin(v * 0.06)) * np.cos(v * 0.03 + 1) * 1.6  # folds
    sleeve = (cloth > np.maximum(height, NOTHING / 2)) & (u < CUFF)
    np.copyto(height, cloth, where=sleeve)
    shape = cv2.GaussianBlur((height > NOTHING / 2).astype(np.uint8) * 255, (0, 0), 1.0)
    inside = shape > 0
    np.maximum(height, -16, out=height)
    smooth = cv2.GaussianBlur(height, (0, 0), 1.5)
    hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 9) - smooth)[inside] / 7, 0, 1)
    slopes = [slope[inside] for slope in np.gradient(smooth, 1 / GRAIN)]
    normals = np.stack([*slopes, np.ones_like(slopes[0])], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    spots = [np.broadcast_to(axis, inside.shape)[inside] for axis in (u, v)]
    colours = _colours(spots[0], spots[1], sleeve[inside], holds)
    colours *= (1 - 0.65 * hollow)[:, None]  # little light reaches between the fingers
    return normals.astype(np.float16), np.asarray(shape, np.uint8), colours.astype(np.float16)


@cache
def _outline(holds: bool) -> NDArray[np.float64]:
    """Return the hull of the hand in its relief."""
    inside = cv2.findNonZero(_relief(holds)[1])
    return np.asarray(cv2.convexHull(inside), np.float64)


def _colours(u: Floats, v: Floats, sleeve: NDArray[np.bool_], holds: bool) -> Floats:
    """Return the linear colour of skin, nails and cloth at these places."""
    knuckles, tips = np.exp(-(((u + 84) / 16) ** 2)), np.exp(-(((u + 6) / 14) ** 2))
    ruddy = 0.16 * knuckles + 0.2 * tips
    mottle = 0.04 * np.sin(u * 0.31 + np.sin(v * 0.23) * 2) * np.sin(v * 0.37 + np.sin(u * 0.19))
    colours = linear(SKIN) * (1 + mottle)[:, None]
    colours[:, :2] *= (1 - ruddy)[:, None]
    for number in NAILS[holds]:
        _nail(colours, u, v, (PINCH if holds else OPEN)[number])
    weave = 1 + 0.12 * np.sign(np.sin(u * 3.1) * np.sin(v * 3.1))
    colours[sleeve] = linear(SLEEVE) * weave[sleeve][:, None]
    return np.asarray(colours, np.float32)


def _raise(height: Floats, u: Floats, v: Floats, rod: Rod, blend: float) -> None:
    """Raise the relief to the upper side of a rod, melting into what is there over ``blend``."""
    u0, v0, z0, r0, u1, v1, z1, r1 = rod
    reach = max(r0, r1)
    rows = _span(FRONT - max(u0, u1) - reach, FRONT - min(u0, u1) + reach)
    columns = _span(WIDE - max(v0, v1) - reach, WIDE - min(v0, v1) + reach)
    height, u, v = height[rows, columns], u[rows], v[:, columns]
    along = ((u - u0) * (u1 - u0) + (v - v0) * (v1 - v0)) / ((u1 - u0) ** 2 + (v1 - v0) ** 2)
    t = along.clip(0, 1)
    away = (u - u0 - t * (u1 - u0)) ** 2 + (v - v0 - t * (v1 - v0)) ** 2
    radius = r0 + t * (r1 - r0)
    inside = away < radius**2
    top = z0 + t * (z1 - z0) + np.sqrt(np.clip(radius**2 - away, 0, None))
    if blend:
        gap = np.clip(1 - np.abs(top - height) / blend, 0, 1)
        top = np.where(height > NOTHING / 2, np.maximum(top, height) + gap * gap * blend / 4, top)
    np.copyto(height, np.maximum(top, height), where=inside)


def _span(start_mm: float, end_mm: float) -> slice:
    return slice(max(int(start_mm * GRAIN), 0), max(int(end_mm * GRAIN) + 1, 0))


def _nail(albedo: Floats, u: Floats, v: Floats, rod: Rod) -> None:
    """Paint the nail at the far end of a finger's last bone."""
    u0, v0, _, _, u1, v1, _, radius = rod
    length = math.hypot(u1 - u0, v1 - v0)
    ahead = ((u1 - u0) / length, (v1 - v0) / length)
    along = (u - u1) * ahead[0] + (v - v1) * ahead[1]
    beside = -(u - u1) * ahead[1] + (v - v1) * ahead[0]
    nail = ((along - radius * 0.15) / (radius * 0.65)) ** 2 + (beside / (radius * 0.55)) ** 2 < 1
    albedo[nail] = linear(NAIL)
