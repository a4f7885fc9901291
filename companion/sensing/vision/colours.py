"""Colours as the eyes compare them: what a surface returns of white light (its reflectance).

Pixels become linear light, divided by the light that falls there. What matters most is the share
of red, green and blue (chromaticity); brightness varies with shadow, gloss and the shape of things.
Reflectances are arrays of three planes, red, green, blue.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture

GAMMA = 2.2  # by which cameras turn light into grey levels
LINEAR = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)
DARK = np.float32(0.004)  # reflectance below which a colour is mostly noise
BRIGHTNESS_ROOM = 1.0


@dataclass(frozen=True)
class Colour:
    """What a thing returns of white light: shares of red, green, blue, and its brightness.

    ``room`` is how far the logarithm of the brightness may lie to either side.
    """

    share: tuple[float, float, float]
    brightness: float
    room: float = BRIGHTNESS_ROOM


#: What fences are often made of when they do not have the profile's colour.
USUAL_FENCES = (
    Colour((0.45, 0.37, 0.18), 0.75),  # pale wood
    Colour((0.15, 0.17, 0.68), 0.14),  # dark blue
)


def colour_of(rgb: tuple[int, int, int]) -> Colour:
    """Return the reflectance of a colour as written in profiles."""
    return _colour(LINEAR[list(rgb)].astype(np.float64) + 1e-6, BRIGHTNESS_ROOM)


def colour_seen(values: Array, room: float = BRIGHTNESS_ROOM) -> Colour:
    """Return the median colour of some reflectances, shape (3, pixels)."""
    return _colour(np.median(values, axis=1) + DARK, room)


def _colour(values: Array, room: float) -> Colour:
    red, green, blue = (float(part) for part in values / values.sum())
    return Colour((red, green, blue), float(values.mean()), room)


def planes(laid: Picture) -> Array:
    """Return the linear light of a picture as planes of red, green and blue."""
    blue, green, red = cv2.split(laid)
    return np.stack([cv2.LUT(plane, LINEAR) for plane in (red, green, blue)])


def as_grey(light: Array) -> Array:
    """Return the grey levels, from 0 to 1, that cameras make of light (gamma encoding)."""
    return np.asarray(cv2.pow(np.maximum(light, 0), 1 / GAMMA))


def as_light(grey: Array) -> Array:
    """Return the linear light behind grey levels from 0 to 1 (gamma decoding)."""
    return np.asarray(cv2.pow(np.maximum(grey, 0), GAMMA))


def shares(seen: Array) -> tuple[Array, Array, Array]:
    """Return the shares of red and green, and the log of the brightness, of reflectances."""
    red, green, blue = seen
    total = red + green + blue + 3 * DARK
    return (red + DARK) / total, (green + DARK) / total, np.log(total * np.float32(1 / 3))
