"""Opens what is fitted around the board, as the settings say: the strip of lights and the panel."""

import math

from companion.board import COLUMNS, Lights
from companion.config import LightSettings, PanelSettings
from companion.errors import DeviceError
from companion.lights.palette import PALETTES
from companion.lights.pixels import open_pixels
from companion.lights.show import Taste
from companion.lights.strip import Pixels, Strip
from companion.panel.panel import CONFIRM, TAKE_BACK, WAKE
from companion.panel.pins import Pins


def named(said: str | None) -> str | None:
    """Return the device that a setting names; None where it says nothing, or "none"."""
    return None if said == "none" else said


def check_sight(lights: Lights, camera: str | None) -> None:
    """Raise DeviceError if light from under the cells would keep a camera from seeing them."""
    under = any(name[0] in COLUMNS for name in lights.names)
    if under and named(camera):
        raise DeviceError(
            "lights under the cells look like pieces to the camera, so they stay off: set"
            ' camera.source to "none" and play by the hall grid, or take lights around the frame'
        )


def open_strip(settings: LightSettings, lights: Lights, simulated: Pixels | None) -> Strip | None:
    """Return the strip, on simulated pixels if there are any; None without lights.

    DeviceError says why a strip that the settings name cannot be used.
    """
    driver = named(settings.driver)
    if driver is None:
        return None
    pixels = simulated or open_pixels(driver, settings.pin, lights)
    return Strip(pixels, settings.milliamps or lights.milliamps, settings.brightness)


def taste_of(settings: LightSettings) -> Taste:
    """Return how people want their lights."""
    minutes = settings.attract_minutes
    return Taste(
        palette=PALETTES[settings.palette],
        targets=settings.targets,
        attract_seconds=60 * minutes if minutes else math.inf,
        night=settings.night,
        night_level=settings.night_brightness,
    )


def open_pins(settings: PanelSettings) -> Pins | None:
    """Return buttons and buzzer on their pins, None if there are none; DeviceError says why not."""
    if settings.driver != "gpio":
        return None
    wired = {CONFIRM: settings.confirm, TAKE_BACK: settings.take_back, WAKE: settings.wake}
    return Pins(wired, settings.buzzer, settings.hold_seconds)
