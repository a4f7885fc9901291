"""Pawns and fences as the camera sees them, by ray casting, and the shadows they project."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board, Piece
from companion.sensing.camera.frame import Picture
from companion.sim.body import Body, make
from companion.sim.picture import rays
from companion.sim.picture.lens import SOFT_LENS, Pose, vignette
from companion.sim.picture.light import Floats, Light, linear, lit, shadow_keep, tone, towards
from companion.sim.picture.stamp import Box, Stamp, box_around, shadowed, solid

FINE = 2  # rays each way in a pixel of a pawn
EDGE_FINE = 4  # the same for blocks, whose edges are straight
EYE_WHITE = np.array([0.85, 0.85, 0.85], np.float32)
EYE_DARK = np.array([0.12, 0.02, 0.01], np.float32)

Points = NDArray[np.float64]


class Artist:
    """Draws bodies for one board, pose and light."""

    def __init__(self, board: Board, pose: Pose, light: Light) -> None:
        self.board, self.pose, self.light = board, pose, light

    def body(self, body: Body) -> Stamp:
        """Return a body as seen from the camera."""
        if body.kind == "fence":
            return self.block(fence_corners(body, self.board), self.board.fence.colour)
        return self._pawn(body, make(body.thing, self.board))

    def shadow(self, body: Body, ground: float) -> Stamp:
        """Return the shadow that a body throws on a level ``ground`` millimetres high."""
        return self.shadow_of(self._outline(body), ground)

    def shadow_of(self, outline: Points, ground: float) -> Stamp:
        """Return the shadow of the hull of these points, those below the ground left out."""
        outline = outline.copy()
        outline[:, 2] = np.maximum(outline[:, 2], ground)
        way, _ = towards(self.light, outline.mean(axis=0).astype(np.float32))
        rise = outline[:, 2] - ground
        cast = outline - rise[:, None] * way / way[2]
        foot = outline[rise <= rise.min() + 1.0]
        foot[:, 2] = ground
        cast_px, foot_px = self.pose.project(cast), self.pose.project(foot)
        scale = self.pose.focal_px / self.pose.height_mm
        lifted = float(rise.min())
        blur = (1.2 + self.light.softness * (rise.max() * 0.5 + lifted)) * scale
        contact = 1.6 * scale
        box = box_around(np.concatenate([cast_px, foot_px]), 3 * max(blur, contact))
        depth = _blurred(_filled(box, cast_px), blur)
        if lifted < 4:
            near = _blurred(_filled(box, foot_px), contact)
            depth = np.asarray(cv2.addWeighted(depth, 1.0, near, 0.3, 0), np.uint8)
        return Stamp(box, shadowed(depth, shadow_keep(self.light)), None)

    def _outline(self, body: Body) -> Points:
        if body.kind == "fence":
            return fence_corners(body, self.board)
        piece = make(body.thing, self.board)
        radius = piece.diameter_mm / 2
        turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        rise = piece.height_mm - radius
        levels = [(0.6, 0.0), (1.0, radius), (0.7, radius * 1.7)]
        if piece.shape == "ghost":
            levels = [(1.0, 0.0), (1.0, rise), (0.7, rise + 0.7 * radius), (0.3, piece.height_mm)]
        rings = np.empty((len(levels), len(turn), 3))
        for ring, (share, height) in zip(rings, levels, strict=True):
            ring[:, 0] = body.x + np.cos(turn) * radius * share
            ring[:, 1] = body.y + np.sin(turn) * radius * share
            ring[:, 2] = body.z + height
        return rings.reshape(-1, 3)

    def _pawn(self, body: Body, piece: Piece) -> Stamp:
        radius = piece.diameter_mm / 2
        top = [[body.x, body.y, body.z + piece.height_mm]]
        box = box_around(self.pose.project(np.concatenate([self._outline(body), top])), 5)
        slopes = self.pose.slopes(box.left, box.top, box.width, box.height, FINE)
        eye = self.pose.eye.astype(np.float32)
        turn = math.radians(body.angle)
        look, left, up = np.array(
            [
                [math.cos(turn), math.sin(turn), 0],
                [-math.sin(turn), math.cos(turn), 0],
                [0, 0, 1],
            ],
            np.float32,
        )
        colour = linear(piece.colour)
        foot = np.array([body.x, body.y, body.z], np.float32)
        if piece.shape == "ghost":
            skin = rays.ghost(eye, slopes, foot, radius, piece.height_mm, colour)
            for side in (-left, left):
                skin.paint(look * 0.8 + side * 0.42 + up * 0.45, 17, EYE_WHITE)
                skin.paint(look * 0.86 + side * 0.36 + up * 0.42, 8.5, EYE_DARK)
        elif body.kind == "pellet":
            skin = rays.ball(eye, slopes, foot + up * radius, radius, colour)
        else:
            skin = rays.muncher(eye, slopes, foot + up * radius, radius, look, colour)
            for side in (-left, left):
                skin.paint(look * 0.28 + side * 0.5 + up * 0.82, 9, EYE_DARK)
        return self._finish(box, skin, foot)

    def _finish(self, box: Box, skin: rays.Skin, foot: Floats) -> Stamp:
        view = self.pose.eye.astype(np.float32) - foot
        view /= np.linalg.norm(view)
        shade = lit(self.light, foot[None], skin.normals, view[None], skin.albedo, 0.35, 40)
        near_board = np.clip((skin.points[:, 2] - foot[2]) / 9, 0, 1)
        shade *= (self._dim(box) * (0.62 + 0.38 * near_board))[:, None]
        ink = np.zeros((*skin.hit.shape, 3), np.uint8)
        ink.reshape(-1, 3)[np.flatnonzero(skin.hit)] = tone(shade)
        return solid(box, ink, skin.hit.astype(np.uint8) * 255, SOFT_LENS)

    def _dim(self, box: Box) -> float:
        return float(vignette(self.pose, self.light, box.left, box.top, 1, 1)[0, 0, 0])

    def block(self, corners: Points, colour: tuple[int, int, int]) -> Stamp:
        """Return a block with these eight corners, in the order of :func:`block_corners`."""
        pixels = self.pose.project(corners)
        box = box_around(pixels, 4)
        pixels = (pixels - (box.left - 0.5, box.top - 0.5)) * EDGE_FINE - 0.5
        ink = np.zeros((box.height * EDGE_FINE, box.width * EDGE_FINE, 3), np.uint8)
        hit = np.zeros(ink.shape[:2], np.uint8)
        for face in FACES:
            normal, shade = self._face(corners[list(face)], corners.mean(axis=0), linear(colour))
            if shade is None:
                continue
            shade = shade * self._dim(box)
            outline = (pixels[list(face)] * 16).round().astype(np.int32)
            cv2.fillConvexPoly(ink, outline, tone(shade).tolist(), cv2.LINE_8, 4)
            cv2.fillConvexPoly(hit, outline, 255, cv2.LINE_8, 4)
            if normal[2] > 0.5:  # the rounded upper edge catches the light
                rim = tone(np.asarray(shade * 1.4 + 0.015, np.float32)).tolist()
                cv2.polylines(ink, [outline], True, rim, EDGE_FINE // 2, cv2.LINE_8, 4)
        return solid(box, ink, hit, SOFT_LENS)

    def _face(self, spots: Points, middle: Points, colour: Floats) -> tuple[Floats, Floats | None]:
        """Return which way a face looks and its linear colour, None when it is turned away."""
        normal = np.cross(spots[1] - spots[0], spots[3] - spots[0])
        normal /= np.linalg.norm(normal)
        at = spots.mean(axis=0)
        if np.dot(normal, at - middle) < 0:
            normal = -normal
        view = self.pose.eye - at
        if np.dot(normal, view) <= 0:
            return normal.astype(np.float32), None
        view /= np.linalg.norm(view)
        at, normal, view = (value.astype(np.float32) for value in (at, normal, view))
        shade = lit(self.light, at, normal, view, colour, 0.05, 12)
        return normal, shade * np.float32(1.0 if normal[2] > 0.5 else 0.8)


#: The faces of a block, by the order of its corners.
FACES = (
    (0, 1, 3, 2),
    (4, 5, 7, 6),
    (0, 1, 5, 4),
    (2, 3, 7, 6),
    (0, 2, 6, 4),
    (1, 3, 7, 5),
)


def fence_corners(body: Body, board: Board) -> Points:
    """Return the eight corners of a fence in space, whichever way it stands or lies."""
    fence = board.fence
    size = (fence.length_mm, fence.thickness_mm, fence.height_mm + board.groove_depth_mm)
    corners = block_corners(body, size)
    if body.state != "supply":  # what stands in the groove is hidden by the board
        corners[:, 2] = np.maximum(corners[:, 2], 0.0)
    return corners


def block_corners(body: Body, size: tuple[float, float, float]) -> Points:
    """Return the eight corners of a block of this length, width and height as a body lies."""
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    spots = signs * np.array(size) / 2
    lean, tilt, turn = (math.radians(v) for v in (body.lean, body.tilt, body.angle))
    spots = spots @ _turned(1, 2, lean).T @ _turned(2, 0, tilt).T @ _turned(0, 1, turn).T
    placed: Points = spots + np.array([body.x, body.y, body.z - spots[:, 2].min()])
    return placed


def _turned(one: int, other: int, angle: float) -> Points:
    matrix = np.eye(3)
    matrix[one, one] = matrix[other, other] = math.cos(angle)
    matrix[one, other], matrix[other, one] = -math.sin(angle), math.sin(angle)
    return matrix


def _filled(box: Box, pixels: NDArray[np.float64]) -> Picture:
    """Return 255 inside the hull of these pixels and 0 outside it."""
    mask = np.zeros((box.height, box.width), np.uint8)
    hull = cv2.convexHull((pixels - (box.left, box.top)).astype(np.float32))
    outline = (np.asarray(hull) * 16).round().astype(np.int32)
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, 4)
    return mask


def _blurred(mask: Picture, sigma: float) -> Picture:
    """Return the mask blurred; a wide blur is made small first, which looks the same."""
    if sigma < 4:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.3)), np.uint8)
    height, width = mask.shape
    small = cv2.resize(mask, (-(-width // 4), -(-height // 4)), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    return np.asarray(cv2.resize(soft, (width, height)), np.uint8)
