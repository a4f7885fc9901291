"""The sensor behind the lens: light becomes a picture, with the camera's own idea of white,
noise, blur, sharpening and all."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.studio.colours import encode
from bench.studio.dice import Dice
from bench.studio.lights import Lighting
from companion.sensing.camera.frame import Picture

METERING = (0.25, 0.6, 0.15)
LUMA = (0.299, 0.587, 0.114)
MIDDLE_GREY = 0.18
CORNER_LOSS = 0.45  # of the light, in the corners of the worst lens
LEAST_BLUR_PX = 0.15  # what is less is left out
BRIGHTNESS = {"usual": (0.8, 1.3), "dark": (0.4, 0.8), "bright": (1.3, 2.4)}
SOFTNESS_PX = {"sharp": (0.3, 0.7), "soft": (0.7, 1.8)}
FINE = 4  # times finer than a pixel, in which the path of a shaken camera is drawn


@dataclass(frozen=True)
class Exposure:
    """How one picture is taken; ``balance`` is how much of the light's colour is taken out."""

    noise: float
    red_shift: float
    blue_shift: float
    brightness: float
    balance: float
    vignetting: float
    blur_px: float
    blur_deg: float
    softness_px: float
    contrast: float
    saturation: float
    sharpening: float
    jpeg: int
    defocus_px: float = 0.0  # the radius of the disc that a point becomes


def draw_exposure(dice: Dice, lighting: Lighting, troubles: Collection[str]) -> Exposure:
    """Return how a picture in this light is taken."""
    rng = dice.rng
    shift = {"good": 0.12, "off": 0.5}[dice.word("white balance")]
    shaken = "motion blur" in troubles
    unsharp = "wrong focus" in troubles
    return Exposure(
        noise=rng.uniform(*lighting.noise),
        red_shift=rng.uniform(-shift, shift),
        blue_shift=rng.uniform(-shift, shift),
        brightness=rng.uniform(*BRIGHTNESS[dice.word("exposure")]),
        balance=rng.uniform(*lighting.balance),
        vignetting=dice.span("vignetting"),
        blur_px=rng.uniform(2.5, 6) if shaken else 0.0,
        blur_deg=rng.uniform(0, 180),
        softness_px=rng.uniform(*SOFTNESS_PX[dice.word("focus")]),
        contrast=dice.span("contrast"),
        saturation=dice.span("saturation"),
        sharpening=dice.span("sharpening"),
        jpeg=round(dice.span("jpeg")),
        defocus_px=rng.uniform(2.0, 5.5) if unsharp else 0.0,
    )


def at_scale(exposure: Exposure, scale: float) -> Exposure:
    """Return what a picture with fewer pixels is taken with: blurs are as wide on the board, and
    the noise of several pixels is averaged."""
    return replace(
        exposure,
        noise=exposure.noise * scale,
        blur_px=exposure.blur_px * scale,
        softness_px=exposure.softness_px * scale,
        defocus_px=exposure.defocus_px * scale,
    )


def develop(
    light: NDArray[Any], exposure: Exposure, white: NDArray[Any], rng: np.random.Generator
) -> Picture:
    """Return the picture (blue first) of light (red first); ``white`` is what white paper shows."""
    light = _metered(light * _balance(exposure, white), exposure.brightness)
    light = light * _vignette(light.shape[0], light.shape[1], exposure.vignetting)[..., None]
    if exposure.blur_px > LEAST_BLUR_PX:
        light = cv2.filter2D(
            light.astype(np.float32), -1, _shake(exposure.blur_px, exposure.blur_deg)
        )
    if exposure.defocus_px > LEAST_BLUR_PX:
        light = cv2.filter2D(light.astype(np.float32), -1, _disc(exposure.defocus_px))
    light = np.minimum(light, 6)
    spread = exposure.noise * light + (exposure.noise * 0.35) ** 2 + 1e-7
    light = light + rng.normal(size=light.shape) * np.sqrt(np.maximum(spread, 0))
    light = np.clip(light, 0, 1.15)
    if exposure.softness_px > LEAST_BLUR_PX:
        light = _blurred(light, exposure.softness_px)
    values = encode(np.clip(light, 0, 1))
    values = values + exposure.contrast * (values * values * (3 - 2 * values) - values)
    grey = (values @ np.array(LUMA))[..., None]
    values = grey + exposure.saturation * (values - grey)
    values = values + exposure.sharpening * (values - _blurred(values, 1.1))
    return np.ascontiguousarray((np.clip(values, 0, 1) * 255 + 0.5).astype(np.uint8)[..., ::-1])


def _balance(exposure: Exposure, white: NDArray[Any]) -> NDArray[Any]:
    red, _, blue = white / white[1]
    return np.array(
        [
            red**-exposure.balance * math.exp(0.6 * exposure.red_shift),
            1.0,
            blue**-exposure.balance * math.exp(0.6 * exposure.blue_shift),
        ]
    )


def _metered(light: NDArray[Any], brightness: float) -> NDArray[Any]:
    """Expose for the mean of the picture, in which lamps and mirrored windows count little."""
    grey = light @ np.array(METERING)
    mean = np.minimum(grey, 3 * grey.mean()).mean()
    return light * (brightness * MIDDLE_GREY / max(float(mean), 1e-5))


def _vignette(height: int, width: int, amount: float) -> NDArray[Any]:
    rows, columns = np.mgrid[0:height, 0:width]
    outward = (columns - width / 2) ** 2 + (rows - height / 2) ** 2
    return np.asarray(1 - amount * CORNER_LOSS * outward / (width**2 / 4 + height**2 / 4))


def _shake(length_px: float, degrees: float) -> NDArray[np.float32]:
    """Return the path of a camera that moved while the picture was taken, as a filter."""
    size = int(length_px) * 2 + 5
    path = np.zeros((size * FINE, size * FINE), np.float32)
    middle, reach = size * FINE / 2 - 0.5, length_px * FINE / 2
    x, y = reach * math.cos(math.radians(degrees)), reach * math.sin(math.radians(degrees))
    start, end = (
        (round((middle + way * x) * 16), round((middle + way * y) * 16)) for way in (-1, 1)
    )
    cv2.line(path, start, end, 1.0, 2, cv2.LINE_AA, 4)
    small = cv2.resize(path, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)


def _disc(radius_px: float) -> NDArray[np.float32]:
    """Return what a lens that is not in focus makes of a point, as a filter."""
    half = math.ceil(radius_px)
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    disc = np.clip(radius_px + 0.5 - np.hypot(rows, columns), 0, 1)
    return np.asarray(disc / disc.sum(), np.float32)


def _blurred(values: NDArray[Any], sigma: float) -> NDArray[Any]:
    return np.asarray(cv2.GaussianBlur(values.astype(np.float32), (0, 0), sigma))
