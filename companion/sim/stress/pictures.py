"""What spoils a picture on its way to the companion: light, lens, exposure and wire.

Each function returns a spoilt copy of a picture, by a severity from 1 to 5, the time in seconds
and a seed. What changes now and then does so at fixed times, each change drawn from the seed.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from companion.sensing.camera.frame import Picture
from companion.sim.picture.light import GAMMA, Floats

COARSE = 8  # soft light is worked out on every eighth pixel

#: What a shadow takes of the light, and the seconds it takes to go to and fro.
SHADOW_DEPTHS = (0.12, 0.22, 0.34, 0.48, 0.62)
SHADOW_SECONDS = (16.0, 13.0, 10.0, 8.0, 6.0)

#: What is left of the light where the lamp does not reach; the lamp is warm, the room is not.
LAMP_KEEPS = (0.85, 0.72, 0.58, 0.45, 0.33)
LAMP_SECONDS = 20.0
LAMP_TINT = (1.12, 1.0, 0.9)

GLARE_LEVELS = (60, 110, 165, 215, 255)
GLARE_SIZES = (0.045, 0.055, 0.07, 0.085, 0.1)  # of the picture's width
GLARE_SECONDS = 18.0

EXPOSURE_STOPS = (0.15, 0.3, 0.5, 0.75, 1.0)
EXPOSURE_SECONDS = 6.0

BUMP_SHIFTS = (0.002, 0.004, 0.008, 0.013, 0.02)  # of the picture's width
BUMP_TURNS = (0.1, 0.2, 0.4, 0.7, 1.0)
BUMP_SECONDS, SHAKE_SECONDS = 15.0, 0.4

BLURS = (0.0006, 0.0009, 0.0013, 0.0018, 0.0024)  # of the picture's width

JPEG_QUALITIES = (80, 65, 50, 40, 30)

Spoil = Callable[[Picture, int, float, int], Picture]


def shadow(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Lay the soft shadow of a head and shoulders that go to and fro over the picture."""
    height, width = picture.shape[:2]
    phase = 2 * math.pi * (time / SHADOW_SECONDS[severity - 1] + Random(seed).random())
    x, y = _coarse(width, height)
    middle = (width * (0.5 + 0.42 * math.sin(phase)), height * (0.55 + 0.2 * math.cos(0.7 * phase)))
    away = np.hypot((x - middle[0]) / (0.24 * width), (y - middle[1]) / (0.36 * height))
    depth = SHADOW_DEPTHS[severity - 1] / (1 + np.exp((away - 1) * 7))
    keep = _spread((1 - depth) ** (1 / GAMMA), 255, width, height)
    return np.asarray(cv2.multiply(picture, keep, scale=1 / 255), np.uint8)


def lamp(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Light one side of a straight line by a lamp, and the other side by the room alone."""
    height, width = picture.shape[:2]
    keep = _lamp_edge(width, height, severity, seed, int(time // LAMP_SECONDS))
    return np.asarray(cv2.multiply(picture, keep, scale=1 / 255), np.uint8)


@lru_cache(maxsize=2)
def _lamp_edge(width: int, height: int, severity: int, seed: int, number: int) -> Picture:
    rng = Random(f"lamp {seed} {number}")
    turn = rng.uniform(0, 2 * math.pi)
    x, y = (axis.astype(np.float32) for axis in np.ogrid[:height, :width][::-1])
    beyond = (x - width / 2) * math.cos(turn) + (y - height / 2) * math.sin(turn)
    lit = np.clip((beyond - rng.uniform(-0.2, 0.2) * height) / 3 + 0.5, 0, 1)[..., None]
    dark = LAMP_KEEPS[severity - 1] * np.array(LAMP_TINT, np.float32)
    kept = np.clip(lit + (1 - lit) * dark, 0, 1) ** (1 / GAMMA)
    return (kept * 255 + 0.5).astype(np.uint8)


def glare(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Add the mirror image of a lamp, out of focus, somewhere near the middle."""
    height, width = picture.shape[:2]
    shine = _mirrored_lamp(width, height, severity, seed, int(time // GLARE_SECONDS))
    return np.asarray(cv2.add(picture, shine), np.uint8)


@lru_cache(maxsize=2)
def _mirrored_lamp(width: int, height: int, severity: int, seed: int, number: int) -> Picture:
    rng = Random(f"glare {seed} {number}")
    x, y = _coarse(width, height)
    left, top = (x - width * rng.uniform(0.3, 0.7), y - height * rng.uniform(0.25, 0.75))
    turn, size = rng.uniform(0, math.pi), GLARE_SIZES[severity - 1] * width
    along = (left * math.cos(turn) + top * math.sin(turn)) / (1.6 * size)
    across = (top * math.cos(turn) - left * math.sin(turn)) / size
    shine = np.exp(-((along**2 + across**2) ** 1.5)) * GLARE_LEVELS[severity - 1]
    return _spread(shine, 1, width, height)


def exposure(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Brighten or darken the whole picture at once; every other time it is right again."""
    number = int(time // EXPOSURE_SECONDS)
    if number % 2 == 0:
        return picture.copy()
    stops = Random(f"exposure {seed} {number}").choice((-1, 1)) * EXPOSURE_STOPS[severity - 1]
    return np.asarray(cv2.convertScaleAbs(picture, alpha=2 ** (stops / GAMMA)), np.uint8)


def bump(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Turn the camera a little now and then: it shakes for a moment, and stays as it is."""
    height, width = picture.shape[:2]
    number, since = divmod(time, BUMP_SECONDS)
    rng = Random(f"bump {seed} {int(number)}")
    most = BUMP_SHIFTS[severity - 1] * width
    dx, dy = (rng.uniform(0.5, 1) * rng.choice((-1, 1)) * most for _ in range(2))
    turn = rng.uniform(-1, 1) * BUMP_TURNS[severity - 1]
    if since < SHAKE_SECONDS:
        swing = (1 - since / SHAKE_SECONDS) * math.sin(since * 40)
        dx, dy = dx * (1 + swing), dy * (1 - swing)
    moved = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    moved[:, 2] += dx, dy
    four = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)  # are moved in half the time of three
    four = cv2.warpAffine(four, moved, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(four, cv2.COLOR_BGRA2BGR), np.uint8)


def blur(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Put the lens out of focus; time and seed change nothing."""
    wide = BLURS[severity - 1] * picture.shape[1]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), wide), np.uint8)


def jpeg(picture: Picture, severity: int, time: float, seed: int) -> Picture:
    """Squeeze the picture and open it again; time and seed change nothing."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITIES[severity - 1]]
    _, data = cv2.imencode(".jpg", picture, quality)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


SPOILERS: dict[str, Spoil] = {
    "shadow": shadow,
    "lamp": lamp,
    "glare": glare,
    "exposure": exposure,
    "bump": bump,
    "blur": blur,
    "jpeg": jpeg,
}


def _coarse(width: int, height: int) -> tuple[Floats, Floats]:
    """Return the pixels of every eighth column and of every eighth row."""
    x = np.arange(COARSE / 2, width, COARSE, dtype=np.float32)
    y = np.arange(COARSE / 2, height, COARSE, dtype=np.float32)
    return x[None, :], y[:, None]


def _spread(coarse: Floats, level: int, width: int, height: int) -> Picture:
    """Return so many grey levels times a field that is known for every eighth pixel."""
    full: Floats = np.asarray(cv2.resize(coarse.astype(np.float32), (width, height)), np.float32)
    full *= level
    full += 0.5
    return np.asarray(cv2.cvtColor(full.astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)
