"""Where a camera stands and how its lens maps the world onto the picture, both ways: a pinhole with
radial distortion."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.sim.picture.light import Floats, Light

SOFT_LENS = 0.55  # how wide a point becomes, in pixels
NET = 16  # samples between the nodes of the net on which the lens is worked out


@dataclass(frozen=True)
class Pose:
    """A camera above the table that looks at ``aim`` from the side the players' row 1 is on.

    ``tilt`` leans it back from straight down, ``yaw`` walks it around the board, ``roll`` turns
    it about its own axis (degrees). ``bend`` are the radial lens coefficients k1 and k2.
    """

    height_mm: float = 505.0
    tilt: float = 12.0
    yaw: float = 2.0
    roll: float = -0.6
    aim: tuple[float, float] = (0.0, 0.0)
    focal_px: float = 1120.0
    bend: tuple[float, float] = (-0.045, 0.006)
    size: tuple[int, int] = field(default=(1296, 972))

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """Return the camera matrix."""
        middle = ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2)
        return np.array(
            [[self.focal_px, 0, middle[0]], [0, self.focal_px, middle[1]], [0, 0, 1]], np.float64
        )

    @cached_property
    def distortion(self) -> NDArray[np.float64]:
        """Return the lens distortion in OpenCV's order."""
        return np.array([*self.bend, 0.0, 0.0, 0.0], np.float64)

    @cached_property
    def eye(self) -> NDArray[np.float64]:
        """Return where the camera is, in millimetres."""
        yaw, back = math.radians(self.yaw), self.height_mm * math.tan(math.radians(self.tilt))
        x, y = self.aim
        return np.array([x + back * math.sin(yaw), y - back * math.cos(yaw), self.height_mm])

    @cached_property
    def rotation(self) -> NDArray[np.float64]:
        """Return the rotation from world to camera: rows point right, down and forward."""
        forward = np.array([*self.aim, 0.0]) - self.eye
        forward /= np.linalg.norm(forward)
        yaw, roll = math.radians(self.yaw), math.radians(self.roll)
        right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        down = np.cross(forward, right)
        turned = math.cos(roll) * right + math.sin(roll) * down
        return np.stack([turned, np.cross(forward, turned), forward])

    @cached_property
    def _place(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return rotation and translation from world to camera as OpenCV wants them."""
        rvec, _ = cv2.Rodrigues(self.rotation)
        return np.asarray(rvec, np.float64), -self.rotation @ self.eye

    def project(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Return the pixels, one x and y a row, of points given as x, y, z a row."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(points, *self._place, self.matrix, self.distortion)
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def slopes(self, left: int, top: int, width: int, height: int, fine: int = 1) -> Floats:
        """Return the rays of a part of the picture, ``fine`` of them each way in a pixel.

        A ray leaves the eye downwards: after falling d millimetres it is at eye + d · (slope, -1).
        The lens is worked out on a coarse net and interpolated, which is exact to 0.02 mm.
        """
        across, down = _net(width * fine), _net(height * fine)
        xs = left - 0.5 + (across + 0.5) / fine
        ys = top - 0.5 + (down + 0.5) / fine
        net = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 1, 2)
        bent = cv2.undistortPoints(net, self.matrix, self.distortion).reshape(-1, 2)
        rays = np.column_stack([bent, np.ones(len(bent))]) @ self.rotation
        fall = (rays[:, :2] / -rays[:, 2:]).reshape(len(ys), len(xs), 2).astype(np.float32)
        full = cv2.resize(fall, (len(xs) * NET, len(ys) * NET))
        return np.asarray(full[NET : NET + height * fine, NET : NET + width * fine], np.float32)


def vignette(pose: Pose, light: Light, left: int, top: int, width: int, height: int) -> Floats:
    """Return how much light the lens lets through in a part of the picture, as one channel."""
    xs = (np.arange(left, left + width, dtype=np.float32) - pose.size[0] / 2) / pose.size[0]
    ys = (np.arange(top, top + height, dtype=np.float32) - pose.size[1] / 2) / pose.size[0]
    off = (xs[None, :] ** 2 + ys[:, None] ** 2) / 0.39
    falls: Floats = (1.0 - light.vignette * off)[..., None].astype(np.float32)
    return falls


def _net(count: int) -> NDArray[np.float64]:
    """Return the places of a coarse net, in samples, that reaches one mesh beyond either end."""
    return (np.arange(-(-count // NET) + 2, dtype=np.float64) - 0.5) * NET - 0.5
