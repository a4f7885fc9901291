"""Colours as light has them: linear red, green and blue, how far apart two look, and the colour
of a glowing body."""

import colorsys
import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb = tuple[float, float, float]

BRIGHTEST = 0.9  # that any surface sends back of the light it gets


def linear(encoded: Sequence[float]) -> Rgb:
    """Return the light behind sRGB values from 0 to 1."""
    red, green, blue = (
        value / 12.92 if value < 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in encoded
    )
    return red, green, blue


def encode(light: NDArray[Any]) -> NDArray[Any]:
    """Return the sRGB values of linear light, any number of them."""
    curved = 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055
    return np.where(light <= 0.0031308, 12.92 * light, curved)


def of_hex(text: str) -> Rgb:
    """Return the light of a colour written like ``#2040e0``."""
    return linear([int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)])


def of_hsv(hue: float, saturation: float, value: float) -> Rgb:
    """Return the light of a hue (0 to 1), as deep and bright as it can be had."""
    return linear(colorsys.hsv_to_rgb(hue % 1, min(1.0, saturation), min(1.0, value)))


def of_kelvin(kelvin: float) -> Rgb:
    """Return the colour of a black body, green being 1; a fit of the usual curves."""
    hundreds = kelvin / 100
    if hundreds <= 66:
        red, green = 255.0, 99.47 * math.log(hundreds) - 161.1
    else:
        red, green = 329.7 * (hundreds - 60) ** -0.1332, 288.1 * (hundreds - 60) ** -0.0755
    blue = 255.0
    if hundreds < 66:
        blue = 138.5 * math.log(hundreds - 10) - 305 if hundreds > 19 else 0.0
    light = linear([min(max(value, 1), 255) / 255 for value in (red, green, blue)])
    return light[0] / light[1], 1.0, light[2] / light[1]


def times(colour: Rgb, factors: float | Sequence[float]) -> Rgb:
    """Return a colour whose channels are multiplied, by one factor or one each."""
    red, green, blue = (factors,) * 3 if isinstance(factors, float) else factors
    return colour[0] * red, colour[1] * green, colour[2] * blue


def surface(colour: Rgb) -> Rgb:
    """Return a colour no brighter than a surface can be."""
    return min(BRIGHTEST, colour[0]), min(BRIGHTEST, colour[1]), min(BRIGHTEST, colour[2])


def distance(one: Rgb, other: Rgb) -> float:
    """Return how different two colours look: the distance in CIE Lab."""
    pair = encode(np.array([[one, other]], np.float32)).astype(np.float32)
    lab = cv2.cvtColor(pair, cv2.COLOR_RGB2LAB)[0]
    return float(np.linalg.norm(lab[0] - lab[1]))
