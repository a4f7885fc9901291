"""The clean picture of a scene: the standing scenery, and on it what can move.

What rests is drawn once and kept until it moves, and so is the light of the LEDs on it; hands and
what they hold come on top.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Picture
from companion.sim.body import TABLE_TOP_MM, Body, Scene, fences_touch
from companion.sim.picture.lens import Pose
from companion.sim.picture.light import Light
from companion.sim.picture.palm import HandArtist
from companion.sim.picture.scenery import LED_MM, clutter, draw_scenery
from companion.sim.picture.shapes import Artist
from companion.sim.picture.stamp import Box, Stamp, box_around

Colour = tuple[int, int, int]
Colours = tuple[Colour, ...]
Leds = Callable[[], Sequence[Colour]]


class Renderer:
    """Draws scenes for one board, pose and light, remembering what did not change."""

    def __init__(self, board: Board, pose: Pose, light: Light, seed: int = 0) -> None:
        self._board, self._pose = board, pose
        self._artist = Artist(board, pose, light)
        self._hand_artist = HandArtist(pose, light)
        self._scenery = draw_scenery(board, pose, light, seed)
        for stamp in clutter(self._artist, board):
            stamp.press(self._scenery)
        self._stamps: dict[Body, tuple[Stamp, Stamp]] = {}
        self._resting: tuple[Body, ...] = ()
        self._rest = self._scenery
        self._shining: list[tuple[int, Colour]] = []
        self._lit = self._rest
        self._glow_masks = self._all_glow_masks()
        self._glows: dict[tuple[int, Colour], Stamp] = {}

    def picture(self, scene: Scene, colours: Colours = ()) -> Picture:
        """Return the scene without noise, with the LEDs in these colours. Do not change it."""
        resting = tuple(body for body in scene.bodies if body.state != "held")
        shining = [(i, c) for i, c in enumerate(colours) if i in self._glow_masks and any(c)]
        if resting != self._resting:
            self._rest = self._with_bodies(self._scenery, resting)
        if resting != self._resting or shining != self._shining:
            self._lit = self._with_glows(self._rest, shining) if shining else self._rest
            self._resting, self._shining = resting, shining
        held = [body for body in scene.bodies if body.state == "held"]
        if not held and not scene.hands:
            return self._lit
        picture = self._lit.copy()
        for hand in scene.hands:
            self._hand_artist.shadow(hand).press(picture)
        for body in held:
            self._artist.shadow(body, 0.0).press(picture)
            self._artist.body(body).press(picture)
        for hand in scene.hands:
            self._hand_artist.hand(hand).press(picture)
        return picture

    def _with_bodies(self, under: Picture, bodies: tuple[Body, ...]) -> Picture:
        picture = under.copy()
        self._stamps = {body: self._stamps.get(body) or self._draw(body) for body in bodies}
        for body in bodies:
            self._stamps[body][0].press(picture)
        for body in self._far_to_near(bodies):
            self._stamps[body][1].press(picture)
        return picture

    def _with_glows(self, under: Picture, shining: list[tuple[int, Colour]]) -> Picture:
        picture = under.copy()
        for number, colour in shining:
            self._glow(number, colour).press(picture)
        return picture

    def _draw(self, body: Body) -> tuple[Stamp, Stamp]:
        ground = TABLE_TOP_MM if body.state == "supply" else 0.0
        return self._artist.shadow(body, ground), self._artist.body(body)

    def _far_to_near(self, bodies: tuple[Body, ...]) -> list[Body]:
        """Return bodies so that the near ones hide the far ones, and what lies across a fence
        hides that."""
        fences = [body for body in bodies if body.is_seated]

        def nearness(body: Body) -> float:
            under = fences if body.state == "skewed" else []
            touched = [b for b in under if fences_touch(body, b, self._board.fence)]
            return max([self._nearness(body), *(self._nearness(b) + 0.1 for b in touched)])

        return sorted(bodies, key=nearness)

    def _nearness(self, body: Body) -> float:
        """Return how near a body is to the camera, beside others."""
        eye = self._pose.eye
        away = float(np.hypot(body.x - eye[0], body.y - eye[1]))
        return -away + 0.5 * body.z

    def _all_glow_masks(self) -> dict[int, tuple[Box, Picture]]:
        glows: dict[int, tuple[Box, Picture]] = {}
        half = LED_MM / 2
        for name, (x, y) in self._board.lights.at_mm.items():
            corners = ((-half, -half), (half, -half), (half, half), (-half, half))
            pixels = self._pose.project([(x + a, y + b, 0.0) for a, b in corners])
            box = box_around(pixels, 26)
            core = np.zeros((box.height, box.width), np.float32)
            outline = ((pixels - (box.left, box.top)) * 16).round().astype(np.int32)
            cv2.fillConvexPoly(core, outline, 1.0, cv2.LINE_8, 4)
            near, wide = (cv2.GaussianBlur(core, (0, 0), sigma) for sigma in (1.2, 8.0))
            glow = 1.0 * near + 3.0 * wide
            glows[self._board.lights.names[name]] = (
                box,
                np.repeat((glow.clip(0, 1) * 255).astype(np.uint8)[..., None], 3, axis=2),
            )
        return glows

    def _glow(self, number: int, colour: Colour) -> Stamp:
        if len(self._glows) > 200:  # a strip that fades shows ever new colours
            self._glows.clear()
        stamp = self._glows.get((number, colour))
        if stamp is None:
            box, mask = self._glow_masks[number]
            lifted = [(c / 255) ** 0.45 * 255 for c in reversed(colour)]
            light = cv2.multiply(mask, np.array([*lifted, 0], np.float64), scale=1 / 255)
            dimmed = np.asarray(255 - (mask >> 1), np.uint8)
            stamp = Stamp(box, dimmed, np.asarray(light, np.uint8))
            self._glows[number, colour] = stamp
        return stamp
