"""The part of the picture that stands still: table, frame, markers, cells and grooves.

Every ray of the camera is followed to what it hits (ray casting), so grooves have depth and the
lens bends straight lines. This is done once for a pose and a light. What else lies on a table where
people play, a pencil, a rubber, a note of the score, is drawn on top of it.
"""

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.sensing.camera.frame import Picture
from companion.sim.body import TABLE_TOP_MM, Body
from companion.sim.picture.lens import SOFT_LENS, Pose, vignette
from companion.sim.picture.light import Floats, Light, bgr, linear, tone, towards
from companion.sim.picture.shapes import Artist, Points, block_corners
from companion.sim.picture.stamp import Box, Stamp, box_around

FINE = 2  # rays each way in a pixel
STRIP = 36  # rows of the picture worked out at a time, which keeps the memory small
LED_MM = 4.6
QUIET_MM = 5.0
BEVEL_MM = 0.7

Mask = NDArray[np.bool_]

Colour = tuple[int, int, int]

#: Colour, length, width and height of a block, where it lies from the corner of the frame that
#: ``side`` names (east and north positive), and how it is turned.
Block = tuple[Colour, tuple[float, float, float], tuple[int, int], float, float, float]

PAPER, YELLOW, WOOD, LEAD = (232, 230, 222), (222, 160, 30), (214, 178, 130), (40, 40, 44)
PENCIL = (66.0, 32.0)
AHEAD = (math.cos(math.radians(38)), math.sin(math.radians(38)))
BLOCKS: tuple[Block, ...] = (
    (PAPER, (86, 62, 0.4), (1, -1), 62, 12, -14),
    (YELLOW, (84, 6.5, 6.5), (1, -1), PENCIL[0], PENCIL[1], 38),
    (WOOD, (9, 4.5, 4.5), (1, -1), PENCIL[0] - 46.5 * AHEAD[0], PENCIL[1] - 46.5 * AHEAD[1], 38),
    (LEAD, (3, 2, 2), (1, -1), PENCIL[0] - 52.5 * AHEAD[0], PENCIL[1] - 52.5 * AHEAD[1], 38),
    ((196, 92, 92), (34, 17, 10), (-1, 1), -60, -8, 20),
    ((70, 96, 150), (13, 17.2, 10.2), (-1, 1), -70, -11.6, 20),
)


def draw_scenery(board: Board, pose: Pose, light: Light, seed: int = 0) -> Picture:
    """Return the picture of the empty board on its table."""
    width, height = pose.size
    picture = np.empty((height, width, 3), np.uint8)
    grain = _grain(seed)
    half = board.frame_mm / 2
    frame = box_around(pose.project([(x, y, 0) for x in (-half, half) for y in (-half, half)]))
    left, right = max(frame.left, 0), min(frame.left + frame.width, width)
    for top in range(0, height, STRIP):
        rows = min(STRIP, height - top)
        shade = Surface(board, pose, light, grain, Box(0, top, width, rows), 1).table()
        part = Box(left, top, right - left, rows)
        if top + rows > frame.top and top < frame.top + frame.height and part.width > 0:
            fine = Surface(board, pose, light, grain, part, FINE)
            size = (part.width, part.height)
            over = cv2.resize(fine.board_top(), size, interpolation=cv2.INTER_AREA)
            cover = cv2.resize(fine.on_frame(), size, interpolation=cv2.INTER_AREA)[..., None]
            under = shade[:, left:right]
            under += (over - under) * cover
        picture[top : top + rows] = tone(shade * vignette(pose, light, 0, top, width, rows))
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_LENS), np.uint8)


class Surface:
    """The rays through a part of the picture and the level surfaces they meet."""

    def __init__(
        self, board: Board, pose: Pose, light: Light, grain: Floats, box: Box, fine: int
    ) -> None:
        self.board, self.pose, self.light, self.grain = board, pose, light, grain
        self.box, self.fine = box, fine
        self.slopes = pose.slopes(box.left, box.top, box.width, box.height, fine)
        self.eye = pose.eye.astype(np.float32)

    def on_frame(self) -> Floats:
        """Return 1 where a ray meets the frame or the board in it, else 0."""
        x, y = self._down_to(0.0)
        return (np.maximum(np.abs(x), np.abs(y)) <= self.board.frame_mm / 2).astype(np.float32)

    def table(self) -> Floats:
        """Return the linear colour of the table with the shadow of the frame on it."""
        board, light = self.board, self.light
        x, y = self._down_to(TABLE_TOP_MM)
        wood = self._noise(x, y, 0.22, 3.0) * 0.6 + self._noise(x, y, 0.9, 9.0) * 0.4
        rings = np.sin((y + 26 * self._noise(x, y, 0.12, 0.8)) * 0.35)
        albedo = linear(board.colours["table"]) * (1 + 0.3 * wood + 0.07 * rings)[..., None]
        planks = np.abs((y + 61) % 122 - 61) < 0.5
        albedo[planks] *= 0.55
        half = board.frame_mm / 2
        fallen = Fallen(light, self.eye, x, y, TABLE_TOP_MM)
        rise = -TABLE_TOP_MM / fallen.up
        over = np.maximum(np.abs(x + fallen.east * rise), np.abs(y + fallen.north * rise))
        edge = (over - half) / (2 + 30 * light.softness)
        sunlit = np.asarray(np.clip(0.5 + edge, 0, 1), np.float32)
        far = np.maximum(np.abs(x), np.abs(y))
        close = 0.6 + 0.4 * np.clip((far - half) / 16, 0, 1)
        shade = fallen.level(albedo, 0.1, sunlit=sunlit) * close[..., None]
        shade[far < half] = linear(board.colours["frame"]) * bgr(light.room) * 0.7
        return np.asarray(shade, np.float32)

    def board_top(self) -> Floats:
        """Return the linear colour of frame, rim and field."""
        board = self.board
        x, y = self._down_to(0.0)
        far = np.maximum(np.abs(x), np.abs(y))
        leather = self._speckle(x.shape)
        albedo = linear(board.colours["frame"]) * (1 + 0.12 * leather)[..., None]
        rim = far <= board.board_mm / 2
        albedo[rim] = linear(board.colours["rim"])
        seam = np.abs(far - board.board_mm / 2) < 0.5
        joint = (np.abs(np.abs(y) - board.board_mm / 2) < 0.3) & (np.abs(x) > board.board_mm / 2)
        albedo[seam | joint] *= 0.3
        self._leds(x, y, albedo)
        self._markers(albedo)
        fallen = Fallen(self.light, self.eye, x, y, 0.0)
        bump = np.where(rim, np.float32(0), 0.05 * leather)
        paper = albedo[..., 1] > 0.7
        top = fallen.level(albedo, np.where(paper, np.float32(0.02), np.float32(0.2)), bump, bump)
        top *= np.clip((board.frame_mm / 2 - far) / 1.5, 0.55, 1)[..., None]
        inside = far <= board.field_mm / 2
        rows, columns = (np.flatnonzero(inside.any(axis=axis)) for axis in (1, 0))
        if len(rows):
            part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            cells = self._field(x[part], y[part], self.slopes[part])
            np.copyto(top[part], cells, where=inside[part][..., None])
        return top

    def _field(self, x: Floats, y: Floats, slopes: Floats) -> Floats:
        """Return cells and grooves; a ray that meets no cell falls to a groove's floor or wall."""
        board = self.board
        fallen = Fallen(self.light, self.eye, x, y, 0.0)
        east, north = slopes[..., 0], slopes[..., 1]
        depth = board.groove_depth_mm
        down_x, down_y = x + east * depth, y + north * depth
        groove = ~self._in_cell(x, y)
        wall = self._in_cell(down_x, down_y) & groove
        fibre = self._noise(x, y, 0.7, 5.0) * 0.6 + self._speckle(x.shape) * 0.4
        number = np.floor(x / board.pitch_mm + 99.5) * 7 + np.floor(y / board.pitch_mm + 99.5)
        tint = 1 + 0.05 * np.sin(number * 12.9898) + 0.09 * fibre
        cell = linear(board.colours["cell"])
        shade = fallen.level(cell * tint[..., None], 0.2, self._bevel(x), self._bevel(y))
        rise = depth / fallen.up
        sunlit = ~self._in_cell(down_x + fallen.east * rise, down_y + fallen.north * rise)
        lamp, room = bgr(self.light.lamp), bgr(self.light.room)
        dark = linear(board.colours["groove"])
        shine = (sunlit * fallen.up * fallen.reach * 0.8)[groove]
        shade[groove] = dark * (shine[..., None] * lamp + room * 0.55)
        facing = np.where(
            np.abs(north) > np.abs(east),
            -np.sign(north) * fallen.north,
            -np.sign(east) * fallen.east,
        )
        shine = (np.clip(facing, 0, 1) * fallen.reach * 0.5)[wall]
        shade[wall] = cell * 0.8 * (shine[..., None] * lamp + room * 0.45)
        return shade

    def _down_to(self, z: float) -> tuple[Floats, Floats]:
        fall = self.eye[2] - np.float32(z)
        return self.eye[0] + self.slopes[..., 0] * fall, self.eye[1] + self.slopes[..., 1] * fall

    def _in_cell(self, x: Floats, y: Floats) -> Mask:
        board = self.board
        half = board.field_mm / 2
        cell = board.cell_mm / board.pitch_mm
        across, down = self._in_pitch(x) <= cell, self._in_pitch(y) <= cell
        inside: Mask = (across & down) | (np.maximum(np.abs(x), np.abs(y)) > half)
        return inside

    def _in_pitch(self, x: Floats) -> Floats:
        """Return how far along its cell and the groove after it each point lies, 0 to 1."""
        pitches = x * np.float32(1 / self.board.pitch_mm) + np.float32(self.board.columns / 2)
        pitches += np.float32(-self.board.groove_mm / 2 / self.board.pitch_mm + 99)
        return np.asarray(pitches - np.floor(pitches), np.float32)

    def _bevel(self, x: Floats) -> Floats:
        """Return how far the cell's edges lean outwards here."""
        at = self._in_pitch(x) * np.float32(self.board.pitch_mm)
        first, last = at < BEVEL_MM, at > self.board.cell_mm - BEVEL_MM
        return np.asarray(last * np.float32(0.5) - first * np.float32(0.5), np.float32)

    def _around(self, x: float, y: float, half: float, z: float = 0.0) -> tuple[slice, slice]:
        """Return the part of this surface's rays that may meet a square on the frame."""
        square = [(x + a, y + b, z) for a in (-half, half) for b in (-half, half)]
        box = box_around(self.pose.project(square))
        top, left = box.top - self.box.top, box.left - self.box.left
        return (
            slice(max(top, 0) * self.fine, max(top + box.height, 0) * self.fine),
            slice(max(left, 0) * self.fine, max(left + box.width, 0) * self.fine),
        )

    def _leds(self, x: Floats, y: Floats, albedo: Floats) -> None:
        for led_x, led_y in self.board.lights.at_mm.values():
            part = self._around(led_x, led_y, LED_MM)
            near = np.maximum(np.abs(x[part] - led_x), np.abs(y[part] - led_y))
            albedo[part][near < LED_MM / 2 + 0.5] = 0.02
            albedo[part][near < LED_MM / 2] = (0.62, 0.66, 0.66)

    def _markers(self, albedo: Floats) -> None:
        board = self.board
        words = cv2.aruco.getPredefinedDictionary(
            getattr(cv2.aruco, f"DICT_{board.marker_dictionary.upper()}")
        )
        modules = words.markerSize + 2
        half = board.marker_mm / 2
        for marker in board.markers:
            part = self._around(marker.x_mm, marker.y_mm, half + QUIET_MM, marker.z_mm)
            x, y = self._down_to(marker.z_mm)
            right, down = x[part] - marker.x_mm, marker.y_mm - y[part]
            bits = cv2.aruco.generateImageMarker(words, marker.id, modules * 8)[4::8, 4::8]
            away = np.maximum(np.abs(right), np.abs(down))
            albedo[part][away <= half + QUIET_MM] = 0.8
            printed = away < half
            column, row = (
                ((axis[printed] + half) * modules / board.marker_mm).astype(np.intp)
                for axis in (right, down)
            )
            ink = bits[row.clip(0, modules - 1), column.clip(0, modules - 1)]
            albedo[part][printed] = np.where(ink[:, None] > 127, 0.8, 0.025)

    def _noise(self, x: Floats, y: Floats, across: float, down: float) -> Floats:
        """Return smooth noise between about -1 and 1, so many grains to a millimetre each way.

        OpenCV's remap rounds differently from version to version; this is one picture in all.
        """
        right, lower = x * np.float32(across), y * np.float32(down)
        column, row = np.floor(right), np.floor(lower)
        right, lower = right - column, lower - row
        size = self.grain.shape[0]
        tile = np.pad(self.grain, (0, 1), mode="wrap")
        at = row.astype(np.int32) % size * (size + 1) + column.astype(np.int32) % size
        first, second = (
            tile.take(at + below) * (1 - right) + tile.take(at + below + 1) * right
            for below in (0, size + 1)
        )
        return np.asarray(first * (1 - lower) + second * lower, np.float32)

    def _speckle(self, shape: tuple[int, ...]) -> Floats:
        """Return grain as fine as the rays themselves."""
        size = self.grain.shape[0]
        tiles = (-(-shape[0] // size), -(-shape[1] // size))
        return np.asarray(np.tile(self.grain, tiles)[: shape[0], : shape[1]] * 0.7, np.float32)


class Fallen:
    """The light that falls on the points of a level surface: from where, how strong, and how it is
    reflected (diffuse and specular, Blinn–Phong).

    All of it changes slowly, so it is worked out for every eighth point and interpolated.
    """

    def __init__(self, light: Light, eye: Floats, x: Floats, y: Floats, z: float) -> None:
        self.light = light
        rows = np.linspace(0, x.shape[0] - 1, max(2, x.shape[0] // 8)).round().astype(np.intp)
        columns = np.linspace(0, x.shape[1] - 1, max(2, x.shape[1] // 8)).round().astype(np.intp)
        net = np.ix_(rows, columns)
        points = np.stack([x[net], y[net], np.full_like(x[net], z)], axis=-1)
        way, reach = towards(light, points)
        views = eye - points
        half = way + views / np.linalg.norm(views, axis=-1, keepdims=True)
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        size = (x.shape[1], x.shape[0])
        self.east, self.north, self.up = (cv2.resize(way[..., i], size) for i in range(3))
        self.half = [cv2.resize(half[..., i], size) for i in range(3)]
        self.reach = cv2.resize(reach, size)

    def level(
        self,
        albedo: Floats,
        gloss: Floats | float,
        lean_east: Floats | float = 0.0,
        lean_north: Floats | float = 0.0,
        sunlit: Floats | None = None,
    ) -> Floats:
        """Return the linear colour of a surface whose normals lean a little from upright."""
        upright = 1 / np.sqrt(1 + np.square(lean_east) + np.square(lean_north))
        facing = self.up + lean_east * self.east + lean_north * self.north
        straight = self.half[2] + lean_east * self.half[0] + lean_north * self.half[1]
        facing, straight = facing * upright, straight * upright
        lamp = np.clip(facing, 0, None) * self.reach
        straight = np.clip(straight, 0, 1).astype(np.float32)
        gleam = cv2.pow(straight, 60) * 0.15 + cv2.pow(straight, 1500) * 0.8  # sheen, mirrored lamp
        gleam *= gloss * self.light.gloss * self.reach
        if sunlit is not None:
            lamp, gleam = lamp * sunlit, gleam * sunlit
        shade = np.empty((*lamp.shape, 3), np.float32)
        strength, room = bgr(self.light.lamp), bgr(self.light.room)
        for channel in range(3):
            arrives = lamp * strength[channel] + room[channel]
            shade[..., channel] = albedo[..., channel] * arrives + gleam * strength[channel]
        return shade


def _grain(seed: int) -> Floats:
    """Return a tile of noise whose edges fit together."""
    rng = np.random.default_rng(seed)
    tile = np.tile(rng.standard_normal((256, 256), dtype=np.float32), (3, 3))
    soft = cv2.GaussianBlur(tile, (0, 0), 1.0)[256:512, 256:512]
    return np.asarray(soft / (2 * soft.std()), np.float32)


def clutter(artist: Artist, board: Board) -> Iterator[Stamp]:
    """Yield shadows and bodies of what lies beside the frame, in the order they are drawn."""
    edge = board.frame_mm / 2
    for colour, size, (east, north), x, y, angle in BLOCKS:
        spot = Body(
            "", "clutter", "", east * edge + x, north * edge + y, angle, "supply", TABLE_TOP_MM
        )
        corners: Points = block_corners(spot, size)
        yield artist.shadow_of(corners, TABLE_TOP_MM)
        yield artist.block(corners, colour)
