"""The part of the picture that stands still: table, frame, markers, cells and grooves.

Every ray of the camera is followed to what it hits, so grooves have depth and the lens bends
straight lines. This is done once for a pose and a light.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.sensing.camera import Picture
from companion.sim.body import TABLE_TOP_MM
from companion.sim.lens import Pose
from companion.sim.light import Floats, Light, bgr, linear, tone, towards

FINE = 2  # rays each way in a pixel
STRIP = 54  # rows of the picture worked out at a time, which keeps the memory small
LED_MM = 4.6
QUIET_MM = 5.0
SOFT_LENS = 0.55

Mask = NDArray[np.bool_]


def draw_scenery(board: Board, pose: Pose, light: Light, seed: int = 0) -> Picture:
    """Return the picture of the empty board on its table."""
    width, height = pose.size
    picture = np.empty((height, width, 3), np.uint8)
    grain = _grain(seed)
    for top in range(0, height, STRIP):
        rows = min(STRIP, height - top)
        slopes = pose.slopes(0, top, width, rows, FINE)
        shade = _Strip(board, pose, light, grain, slopes).shade()
        small = cv2.resize(shade, (width, rows), interpolation=cv2.INTER_AREA)
        picture[top : top + rows] = tone(small * vignette(pose, light, 0, top, width, rows))
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_LENS), np.uint8)


def vignette(pose: Pose, light: Light, left: int, top: int, width: int, height: int) -> Floats:
    """Return how much light the lens lets through in a part of the picture, as one channel."""
    xs = (np.arange(left, left + width, dtype=np.float32) - pose.size[0] / 2) / pose.size[0]
    ys = (np.arange(top, top + height, dtype=np.float32) - pose.size[1] / 2) / pose.size[0]
    off = (xs[None, :] ** 2 + ys[:, None] ** 2) / 0.39
    falls: Floats = (1.0 - light.vignette * off)[..., None].astype(np.float32)
    return falls


class _Strip:
    """The rays of a strip of the picture and what they hit."""

    def __init__(
        self, board: Board, pose: Pose, light: Light, grain: Floats, slopes: Floats
    ) -> None:
        self.board, self.light, self.grain, self.slopes = board, light, grain, slopes
        self.eye = pose.eye.astype(np.float32)
        self.x, self.y = self._down_to(0.0)

    def _down_to(self, z: float) -> tuple[Floats, Floats]:
        fall = self.eye[2] - z
        return self.eye[0] + self.slopes[..., 0] * fall, self.eye[1] + self.slopes[..., 1] * fall

    def shade(self) -> Floats:
        """Return the linear colour that each ray sees."""
        half = self.board.frame_mm / 2
        on_frame = (np.abs(self.x) <= half) & (np.abs(self.y) <= half)
        shade = self._table()
        if on_frame.any():
            rows = np.flatnonzero(on_frame.any(axis=1))
            columns = np.flatnonzero(on_frame.any(axis=0))
            part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            top = self._board_top(part)
            np.copyto(shade[part], top, where=on_frame[part][..., None])
        return shade

    def _table(self) -> Floats:
        board, light = self.board, self.light
        x, y = self._down_to(TABLE_TOP_MM)
        wood = self._sampled(x * 0.22, y * 3.0) * 0.6 + self._sampled(x * 0.9, y * 9.0) * 0.4
        rings = np.sin((y + 26 * self._sampled(x * 0.12, y * 0.8)) * 0.35).astype(np.float32)
        albedo = linear(board.colours["table"]) * (1 + 0.3 * wood + 0.07 * rings)[..., None]
        planks = np.abs((y + 61) % 122 - 61) < 0.5
        albedo[planks] *= 0.55
        half = board.frame_mm / 2
        way, _ = towards(light, np.stack([x, y, np.full_like(x, TABLE_TOP_MM)], axis=-1))
        rise = -TABLE_TOP_MM / way[..., 2]
        over_x, over_y = x + way[..., 0] * rise, y + way[..., 1] * rise
        beyond = np.maximum(np.abs(over_x), np.abs(over_y)) - half
        sunlit = np.clip(0.5 + beyond / (2 + 30 * light.softness), 0, 1)
        close = np.clip((np.maximum(np.abs(x), np.abs(y)) - half) / 16, 0, 1)
        shade = self._flat(x, y, albedo, sunlit, gloss=0.1) * (0.6 + 0.4 * close)[..., None]
        side = (np.abs(x) < half) & (np.abs(y) < half)
        shade[side] = linear(board.colours["frame"]) * bgr(light.room) * 0.7
        return shade

    def _board_top(self, part: tuple[slice, slice]) -> Floats:
        board = self.board
        x, y, slopes = self.x[part], self.y[part], self.slopes[part]
        far = np.maximum(np.abs(x), np.abs(y))
        leather = self._sampled(x * 5, y * 5) * 0.5 + self._sampled(x * 11, y * 11) * 0.3
        albedo = linear(board.colours["frame"]) * (1 + 0.12 * leather)[..., None]
        on_board = far <= board.board_mm / 2
        rim = linear(board.colours["rim"]) * (1 + 0.1 * self._sampled(x * 0.6, y * 4))[..., None]
        albedo = np.where(on_board[..., None], rim, albedo)
        seam = np.abs(far - board.board_mm / 2) < 0.5
        joint = (np.abs(np.abs(y) - board.board_mm / 2) < 0.3) & (np.abs(x) > board.board_mm / 2)
        albedo[seam | joint] *= 0.3
        self._leds(x, y, albedo)
        self._markers(x, y, albedo)
        flat = self._flat(x, y, albedo, None, gloss=0.25, bump=0.1 * leather)
        edge = np.clip((board.frame_mm / 2 - far) / 1.5, 0.55, 1)
        flat *= edge[..., None]
        inside = far <= board.field_mm / 2
        if inside.any():
            cells = self._field(x, y, slopes)
            np.copyto(flat, cells, where=inside[..., None])
        return flat

    def _field(self, x: Floats, y: Floats, slopes: Floats) -> Floats:
        board, light = self.board, self.light
        depth = board.groove_depth_mm
        down_x, down_y = x + slopes[..., 0] * depth, y + slopes[..., 1] * depth
        groove = ~self._in_cell(x, y)
        floor = ~self._in_cell(down_x, down_y)
        inner_x, inner_y = self._edge(x), self._edge(y)
        fibre = self._sampled(x * 0.7, y * 5.0) * 0.6 + self._sampled(x * 4, y * 4) * 0.4
        number = np.floor((x + 1000) / board.pitch_mm) * 7 + np.floor((y + 1000) / board.pitch_mm)
        own = 0.05 * np.sin(number * 12.9898)
        cell = linear(board.colours["cell"]) * (1 + own + 0.09 * fibre)[..., None]
        way, reach = towards(light, np.stack([x, y, np.zeros_like(x)], axis=-1))
        lean_x = np.where(np.abs(inner_x) < 0.7, np.sign(inner_x) * 0.5, 0.0).astype(np.float32)
        lean_y = np.where(np.abs(inner_y) < 0.7, np.sign(inner_y) * 0.5, 0.0).astype(np.float32)
        tops = self._flat(x, y, cell, None, gloss=0.2, bump=(lean_x, lean_y))
        rise = depth / way[..., 2]
        sun_x, sun_y = down_x + way[..., 0] * rise, down_y + way[..., 1] * rise
        sunlit = (~self._in_cell(sun_x, sun_y)).astype(np.float32)
        dark = linear(board.colours["groove"])
        lamp, room = bgr(light.lamp), bgr(light.room)
        below = dark * (sunlit * way[..., 2] * reach)[..., None] * lamp * 0.8 + dark * room * 0.55
        facing_y = np.abs(slopes[..., 1]) > np.abs(slopes[..., 0])
        faced = np.where(
            facing_y, -np.sign(slopes[..., 1]) * way[..., 1], -np.sign(slopes[..., 0]) * way[..., 0]
        )
        side = linear(board.colours["cell"]) * 0.8
        wall = side * (np.clip(faced, 0, 1) * reach)[..., None] * lamp * 0.6 + side * room * 0.45
        sunk = np.where(floor[..., None], below, wall)
        return np.where(groove[..., None], sunk, tops).astype(np.float32)

    def _in_cell(self, x: Floats, y: Floats) -> Mask:
        board = self.board
        half = board.field_mm / 2
        across = (x + half) % board.pitch_mm <= board.cell_mm
        down = (y + half) % board.pitch_mm <= board.cell_mm
        outside = (np.abs(x) > half) | (np.abs(y) > half)
        inside: Mask = (across & down) | outside
        return inside

    def _edge(self, x: Floats) -> Floats:
        """Return how far the nearer edge of the cell is, negative for the west or south one."""
        at = (x + self.board.field_mm / 2) % self.board.pitch_mm
        other = self.board.cell_mm - at
        return np.where(at < other, -at, other).astype(np.float32)

    def _leds(self, x: Floats, y: Floats, albedo: Floats) -> None:
        for led_x, led_y in self.board.lights.at_mm.values():
            near = np.maximum(np.abs(x - led_x), np.abs(y - led_y))
            albedo[near < LED_MM / 2 + 0.5] = 0.02
            albedo[near < LED_MM / 2] = (0.62, 0.66, 0.66)

    def _markers(self, x: Floats, y: Floats, albedo: Floats) -> None:
        board = self.board
        words = cv2.aruco.getPredefinedDictionary(
            getattr(cv2.aruco, f"DICT_{board.marker_dictionary.upper()}")
        )
        modules = words.markerSize + 2
        for marker in board.markers:
            bits = cv2.aruco.generateImageMarker(words, marker.id, modules * 8)[4::8, 4::8]
            right, down = x - marker.x_mm, marker.y_mm - y
            away = np.maximum(np.abs(right), np.abs(down))
            sheet = away <= board.marker_mm / 2 + QUIET_MM
            if not sheet.any():
                continue
            albedo[sheet] = 0.8
            printed = away < board.marker_mm / 2
            scale = modules / board.marker_mm
            column = ((right[printed] + board.marker_mm / 2) * scale).astype(np.intp)
            row = ((down[printed] + board.marker_mm / 2) * scale).astype(np.intp)
            ink = bits[row.clip(0, modules - 1), column.clip(0, modules - 1)]
            albedo[printed] = np.where(ink[:, None] > 127, 0.8, 0.025)

    def _flat(
        self,
        x: Floats,
        y: Floats,
        albedo: Floats,
        sunlit: Floats | None,
        gloss: float,
        bump: Floats | tuple[Floats, Floats] | None = None,
    ) -> Floats:
        """Return level surfaces in the light; ``bump`` leans their normals to east and north."""
        light = self.light
        points = np.stack([x, y, np.zeros_like(x)], axis=-1)
        way, reach = towards(light, points)
        to_eye = self.eye - points
        half = way + to_eye / np.linalg.norm(to_eye, axis=-1, keepdims=True)
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        facing, straight = way[..., 2], half[..., 2]
        if bump is not None:
            east, north = bump if isinstance(bump, tuple) else (bump, bump)
            facing = facing + east * way[..., 0] + north * way[..., 1]
            straight = straight + east * half[..., 0] + north * half[..., 1]
        lamp = np.clip(facing, 0, None) * reach
        gleam = np.clip(straight, 0, 1) ** 60 * (gloss * light.gloss * 0.5) * reach
        if sunlit is not None:
            lamp, gleam = lamp * sunlit, gleam * sunlit
        strength, room = bgr(light.lamp), bgr(light.room)
        shade = albedo * (lamp[..., None] * strength + room) + gleam[..., None] * strength * 0.4
        return shade.astype(np.float32)

    def _sampled(self, u: Floats, v: Floats) -> Floats:
        """Return smooth noise between about -1 and 1 at these places of its tile."""
        size = self.grain.shape[0]
        at = [np.mod(axis, size - 1).astype(np.float32) for axis in (u, v)]
        return np.asarray(cv2.remap(self.grain, at[0], at[1], cv2.INTER_LINEAR), np.float32)


def _grain(seed: int) -> Floats:
    """Return a tile of noise whose edges fit together."""
    rng = np.random.default_rng(seed)
    tile = rng.standard_normal((257, 257), dtype=np.float32)
    tile[-1], tile[:, -1] = tile[0], tile[:, 0]
    soft = cv2.GaussianBlur(tile, (0, 0), 1.0, borderType=cv2.BORDER_REFLECT_101)
    soft[-1], soft[:, -1] = soft[0], soft[:, 0]
    return np.asarray(soft / (2 * soft.std()), np.float32)
