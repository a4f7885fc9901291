"""The camera over the simulated table: a device like the real one, whose pictures are drawn."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Frame, Picture
from companion.sim.body import Stage
from companion.sim.picture.lens import Pose
from companion.sim.picture.light import LIGHTS, Light
from companion.sim.picture.render import Colours, Leds, Renderer

PLAY_PX = 61  # by how much the one field of noise is shifted about to make many of it


class SimCamera:
    """A camera that sees a simulated table, as :class:`companion.sensing.camera.frame.Camera` does.

    ``clock`` tells monotonic seconds, ``leds`` the colours that the strip shows. The noise is as
    strong in the dark as in the light: in grey levels after gamma, shot noise nearly is.

    Example::

        camera = SimCamera(table, board, time.monotonic, light="lamp")
        frame = camera.read()
    """

    def __init__(
        self,
        table: Stage,
        board: Board,
        clock: Callable[[], float],
        *,
        fps: float = 15.0,
        size: tuple[int, int] = (1296, 972),
        seed: int = 0,
        light: str | Light = "daylight",
        pose: Pose | None = None,
        leds: Leds | None = None,
    ) -> None:
        self._table, self._board, self._clock = table, board, clock
        self._fps, self._seed = fps, seed
        self._leds = leds
        self._rng = random.Random(seed)
        self.light = LIGHTS[light] if isinstance(light, str) else light
        self.pose = replace(pose or random_pose(board, random.Random(seed), size), size=size)
        self._renderer: Renderer | None = None
        self._grain: tuple[Picture, Picture] | None = None
        self._shown: tuple[int, Colours] | None = None
        self._clean: Picture | None = None
        self._next = -float("inf")

    def read(self) -> Frame | None:
        """Return a new frame if one is due by the clock, else None."""
        now = self._clock()
        if now < self._next:
            return None
        self._next = max(self._next + 1 / self._fps, now + 0.5 / self._fps)
        return Frame(now, self._developed(self.clean()))

    def close(self) -> None:
        """Release the pictures; reading again draws them anew."""
        self._renderer = self._clean = self._shown = self._grain = None

    def clean(self) -> Picture:
        """Return the picture before noise. Do not change it."""
        if self._renderer is None:
            self._renderer = Renderer(self._board, self.pose, self.light, self._seed)
        scene = self._table.scene()
        colours: Colours = ()
        if self._leds is not None:
            colours = tuple((red, green, blue) for red, green, blue in self._leds())
        key = (scene.revision, colours)
        if self._clean is None or key != self._shown:
            self._clean = self._renderer.picture(scene, colours)
            self._shown = key
        return self._clean

    def move(self, **changes: Any) -> None:
        """Bump the camera: change parts of its pose, such as ``yaw`` or ``aim``."""
        self.pose = replace(self.pose, **changes)
        self._renderer = self._clean = None

    def _developed(self, clean: Picture) -> Picture:
        more, less = self._noise()
        height, width = clean.shape[:2]
        left, top = self._rng.randrange(PLAY_PX), self._rng.randrange(PLAY_PX)
        part = np.s_[top : top + height, left : left + width]
        picture = np.asarray(cv2.add(clean, more[part]), np.uint8)
        cv2.subtract(picture, less[part], picture)
        return picture

    def _noise(self) -> tuple[Picture, Picture]:
        """Return what noise adds and what it takes away, a little larger than the picture."""
        if self._grain is None:
            width, height = self.pose.size
            rng = np.random.default_rng(self._seed)
            shape = (height + PLAY_PX, width + PLAY_PX, 3)
            more, less = np.empty(shape, np.uint8), np.empty(shape, np.uint8)
            for top in range(0, shape[0], 64):  # in strips, which keeps the memory small
                part = more[top : top + 64]
                field = rng.standard_normal(part.shape, dtype=np.float32)
                field = cv2.GaussianBlur(field, (3, 3), 0.45) * (self.light.noise * 1.25)
                part[:] = (field + 0.5).clip(0, 255)
                less[top : top + 64] = (0.5 - field).clip(0, 255)
            self._grain = more, less
        return self._grain


def random_pose(board: Board, rng: random.Random, size: tuple[int, int]) -> Pose:
    """Return a pose as somebody might mount a camera, the whole frame in view with a margin."""
    pose = Pose(
        height_mm=rng.uniform(440, 540),
        tilt=rng.uniform(4, 20),
        yaw=rng.uniform(-5, 5),
        roll=rng.uniform(-1, 1),
        aim=(rng.uniform(-4, 4), rng.uniform(-4, 4)),
        bend=(rng.uniform(-0.08, -0.02), rng.uniform(0.0, 0.008)),
        size=size,
    )
    return fitted(pose, board)


def fitted(pose: Pose, board: Board, margin: float = 0.045) -> Pose:
    """Return the pose with aim and focal length such that the board's frame fills the picture."""
    half = board.frame_mm / 2
    frame = [(x, y, 0.0) for x in (-half, half) for y in (-half, half)]
    width, height = pose.size
    for _ in range(4):
        pixels = pose.project(frame)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        span = max((high[0] - low[0]) / width, (high[1] - low[1]) / height)
        off = (low + high) / 2 - (width / 2, height / 2)
        scale = pose.height_mm / pose.focal_px
        aim = (float(pose.aim[0] + off[0] * scale), float(pose.aim[1] - off[1] * scale))
        focal_px = float(pose.focal_px * (1 - 2 * margin) / span)
        pose = replace(pose, aim=aim, focal_px=focal_px)
    return pose
