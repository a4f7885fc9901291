"""The light a picture is taken in, as a list of lamps: windows, bulbs, candles, the sun through a
window, a window mirrored in the board. How bright a lamp is says what white paper on the board
sends back of it, so that 1 is full daylight in the room."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from bench.studio.colours import Rgb, of_kelvin, times
from bench.studio.lens import Point

MIDDLE: Point = (0.0, 0.0, 0.0)
WARMEST_KELVIN = 2150.0  # of a candle: what is warmer has no blue left to tell pieces by

LOW_NOISE, SOME_NOISE, MUCH_NOISE = (0.00025, 0.0008), (0.0006, 0.0013), (0.0024, 0.0045)
WELL_BALANCED, HARDLY_BALANCED, LEFT_COLOURED = (0.78, 1.0), (0.7, 0.92), (0.35, 0.7)


@dataclass(frozen=True)
class Panel:
    """A window or a ceiling light: a rectangle that faces a point of the board."""

    brightness: float
    colour: Rgb
    at_mm: Point
    size_mm: tuple[float, float]
    facing_mm: Point = MIDDLE


@dataclass(frozen=True)
class Bulb:
    """A ball of light: the larger, the softer its shadows."""

    brightness: float
    colour: Rgb
    at_mm: Point
    radius_mm: float


@dataclass(frozen=True)
class Sun:
    """The sun through an opening whose light falls around a point of the board.

    ``bars`` cross the opening: their offset from its middle and their size.
    """

    brightness: float
    colour: Rgb
    azimuth_deg: float
    elevation_deg: float
    onto_mm: tuple[float, float]
    opening_mm: tuple[float, float]
    turn_deg: float
    bars: tuple[tuple[float, float, float, float], ...]


Lamp = Panel | Bulb | Sun


@dataclass(frozen=True)
class Lighting:
    """All light of a picture, and what it does to the camera: the range of its noise, and how much
    of the light's colour it may take out."""

    lamps: tuple[Lamp, ...]
    ambient: float
    ambient_colour: Rgb
    noise: tuple[float, float] = LOW_NOISE
    balance: tuple[float, float] = WELL_BALANCED


def draw_lighting(
    rng: random.Random, name: str, azimuth_deg: float, camera_mm: Point = (0.0, 0.0, 500.0)
) -> Lighting:
    """Return one of ``LIGHTS``, coming from about that side."""
    if name in _MIRRORED:
        return _MIRRORED[name](rng, azimuth_deg, camera_mm)
    return _RECIPES[name](rng, azimuth_deg)


def white_of(lighting: Lighting) -> Rgb:
    """Return about what white paper sends back in this light."""
    parts = [(lamp.brightness, lamp.colour) for lamp in lighting.lamps]
    parts.append((lighting.ambient, lighting.ambient_colour))
    red, green, blue = (sum(much * colour[n] for much, colour in parts) for n in range(3))
    return red, green, blue


def _around(azimuth_deg: float, away_mm: float, up_mm: float) -> Point:
    angle = math.radians(azimuth_deg)
    return away_mm * math.cos(angle), away_mm * math.sin(angle), up_mm


def _day(rng: random.Random) -> Rgb:
    return of_kelvin(rng.uniform(5500, 7000))


def _sky(rng: random.Random) -> Rgb:
    return of_kelvin(rng.uniform(7500, 11000))


def _warm(rng: random.Random) -> Rgb:
    return of_kelvin(rng.uniform(2500, 3100))


def _pane(rng: random.Random, brightness: float, azimuth_deg: float, colour: Rgb) -> Panel:
    at = _around(azimuth_deg, rng.uniform(900, 1800), rng.uniform(500, 1100))
    return Panel(brightness, colour, at, (rng.uniform(500, 1100), rng.uniform(700, 1300)))


def _window(rng: random.Random, azimuth: float) -> Lighting:
    return Lighting((_pane(rng, 0.85, azimuth, _day(rng)),), rng.uniform(0.12, 0.3), _sky(rng))


def _two_windows(rng: random.Random, azimuth: float) -> Lighting:
    sky = _sky(rng)
    other = _pane(rng, 0.45, azimuth + rng.uniform(70, 180), sky)
    return Lighting((_pane(rng, 0.6, azimuth, _day(rng)), other), 0.15, sky)


def _overcast(rng: random.Random, azimuth: float) -> Lighting:
    at = rng.uniform(-300, 300), rng.uniform(-300, 300), 2000.0
    return Lighting((Panel(0.5, of_kelvin(7200), at, (3500, 3500)),), 0.45, of_kelvin(6800))


def _bulb(rng: random.Random, azimuth: float) -> Lighting:
    colour = _warm(rng)
    at = _around(azimuth, rng.uniform(150, 600), rng.uniform(600, 1000))
    lamp = Bulb(0.85, colour, at, rng.uniform(12, 35))
    return Lighting((lamp,), rng.uniform(0.05, 0.14), colour, SOME_NOISE)


def _desk_lamp(rng: random.Random, azimuth: float) -> Lighting:
    at = _around(azimuth, rng.uniform(300, 480), rng.uniform(280, 480))
    lamp = Bulb(0.9, of_kelvin(rng.uniform(2800, 4200)), at, rng.uniform(20, 45))
    return Lighting((lamp,), 0.1, of_kelvin(4500), SOME_NOISE)


def _led_panel(rng: random.Random, azimuth: float) -> Lighting:
    greenish = times(of_kelvin(6500), (0.94, 1.06, 0.97))
    at = rng.uniform(-500, 500), rng.uniform(-200, 900), rng.uniform(1000, 1600)
    return Lighting((Panel(0.85, greenish, at, (600, 600)),), 0.15, greenish)


def _window_lamp(rng: random.Random, azimuth: float) -> Lighting:
    share = rng.uniform(0.35, 0.65)
    opposite = azimuth + rng.uniform(100, 260)
    at = _around(opposite, rng.uniform(250, 650), rng.uniform(450, 900))
    lamp = Bulb(1 - share, _warm(rng), at, rng.uniform(15, 50))
    return Lighting((_pane(rng, share, azimuth, _day(rng)), lamp), 0.1, _sky(rng))


def _candle(rng: random.Random, azimuth: float) -> Lighting:
    flames = []
    for _ in range(rng.choice((1, 2, 2))):
        colour = of_kelvin(rng.uniform(WARMEST_KELVIN, 2450))
        at = _around(azimuth, rng.uniform(330, 480), rng.uniform(180, 320))
        flames.append(Bulb(0.2, colour, at, rng.uniform(6, 10)))
        azimuth += rng.uniform(60, 200)
    ambient = of_kelvin(rng.choice((2300, 4000)))
    return Lighting(tuple(flames), 0.035, ambient, MUCH_NOISE, HARDLY_BALANCED)


def _evening(rng: random.Random, azimuth: float) -> Lighting:
    at = _around(azimuth, rng.uniform(300, 900), rng.uniform(1300, 1900))
    lamp = Panel(0.16, of_kelvin(rng.uniform(2600, 3600)), at, (300, 300))
    return Lighting((lamp,), 0.08, of_kelvin(rng.choice((3200, 9000))), MUCH_NOISE)


def _cast(azimuth: float, colour: Rgb) -> Lighting:
    tube = Panel(0.75, colour, _around(azimuth, 700, 1300), (900, 300))
    return Lighting((tube,), 0.2, colour, LOW_NOISE, LEFT_COLOURED)


def _green_cast(rng: random.Random, azimuth: float) -> Lighting:
    return _cast(azimuth, times(of_kelvin(rng.uniform(4000, 6000)), (0.84, 1.12, 0.84)))


def _magenta_cast(rng: random.Random, azimuth: float) -> Lighting:
    return _cast(azimuth, times(of_kelvin(rng.uniform(4500, 7500)), (1.1, 0.86, 1.12)))


def _dusk(rng: random.Random, azimuth: float) -> Lighting:
    sky = of_kelvin(rng.uniform(8000, 12000))
    pane = _pane(rng, rng.uniform(0.05, 0.12), azimuth, sky)
    return Lighting((pane,), rng.uniform(0.03, 0.08), sky, MUCH_NOISE, HARDLY_BALANCED)


def _tv(rng: random.Random, azimuth: float) -> Lighting:
    """A screen that shines in some colour, in a dark room."""
    tint = rng.choice(((0.7, 0.9, 1.5), (0.6, 0.7, 2.0), (1.3, 0.8, 1.2), (0.8, 1.2, 0.9)))
    at = _around(azimuth, rng.uniform(700, 1300), rng.uniform(250, 500))
    screen = Panel(rng.uniform(0.12, 0.25), times(of_kelvin(7000), tint), at, (900, 500))
    lamp_at = _around(azimuth + rng.uniform(90, 270), 900, 1200)
    lamp = Panel(rng.uniform(0.02, 0.1), _warm(rng), lamp_at, (250, 250))
    return Lighting((screen, lamp), 0.03, of_kelvin(5000), MUCH_NOISE, HARDLY_BALANCED)


def _sun_patch(rng: random.Random, azimuth: float) -> Lighting:
    width, height = rng.uniform(90, 240), rng.uniform(110, 260)
    bars = []
    if rng.random() < 0.6:
        bars.append((rng.uniform(-0.3, 0.3) * width, 0.0, 22.0, 2 * height))
    if rng.random() < 0.4:
        bars.append((0.0, rng.uniform(-0.3, 0.3) * height, 2 * width, 22.0))
    return _sunny(rng, azimuth, (2 * width, 2 * height), bars)


def _sun_bars(rng: random.Random, azimuth: float) -> Lighting:
    """The sun through blinds, or through the rails of a balcony."""
    width, height = rng.uniform(200, 500), rng.uniform(200, 500)
    count = rng.randint(3, 12)
    step = height / count
    thick = rng.uniform(0.25, 0.7) * step
    bars = [(0.0, (n + 0.5) * step - height / 2, width, thick) for n in range(count)]
    return _sunny(rng, azimuth, (width, height), bars)


def _sunny(
    rng: random.Random,
    azimuth: float,
    opening: tuple[float, float],
    bars: list[tuple[float, float, float, float]],
) -> Lighting:
    sky = _sky(rng)
    sun = Sun(
        brightness=rng.uniform(0.5, 0.9),
        colour=of_kelvin(rng.uniform(4600, 5600)),
        azimuth_deg=azimuth,
        elevation_deg=rng.uniform(35, 62),
        onto_mm=(rng.uniform(-110, 110), rng.uniform(-110, 110)),
        opening_mm=opening,
        turn_deg=rng.uniform(-20, 20),
        bars=tuple(bars),
    )
    return Lighting((sun, _pane(rng, 0.2, azimuth, sky)), rng.uniform(0.12, 0.25), sky)


def _window_glare(rng: random.Random, azimuth: float, camera: Point) -> Lighting:
    """A window where the camera sees it mirrored in some part of the board."""
    day = _day(rng)
    on = rng.uniform(-100, 100), rng.uniform(-90, 110), 0.0
    sight = on[0] - camera[0], on[1] - camera[1], camera[2]
    away = rng.uniform(900, 1300) / math.hypot(*sight)
    at = on[0] + away * sight[0], on[1] + away * sight[1], away * sight[2]
    size = rng.uniform(110, 220), rng.uniform(140, 260)
    mirrored = Panel(rng.uniform(0.7, 1.0), day, at, size, on)
    return Lighting((mirrored, _pane(rng, 0.45, azimuth, day)), 0.15, _sky(rng))


def _lamp_glare(rng: random.Random, azimuth: float, camera: Point) -> Lighting:
    """Lamps of the ceiling, mirrored in some cells."""
    colour, lamps = _warm(rng) if rng.random() < 0.5 else _day(rng), []
    count = rng.randint(1, 4)
    for _ in range(count):
        on = rng.uniform(-110, 110), rng.uniform(-110, 110), 0.0
        sight = on[0] - camera[0], on[1] - camera[1], camera[2]
        away = rng.uniform(900, 1500) / math.hypot(*sight)
        at = on[0] + away * sight[0], on[1] + away * sight[1], away * sight[2]
        lamps.append(Bulb(rng.uniform(0.7, 1.2) / count, colour, at, rng.uniform(15, 60)))
    return Lighting(tuple(lamps), rng.uniform(0.08, 0.2), colour, SOME_NOISE)


def _flash(rng: random.Random, azimuth: float, camera: Point) -> Lighting:
    """A lamp beside the camera."""
    aside, away = math.radians(azimuth), rng.uniform(30, 160)
    at = (
        camera[0] + away * math.cos(aside),
        camera[1] + away * math.sin(aside),
        camera[2] + rng.uniform(0, 60),
    )
    lamp = Bulb(0.9, of_kelvin(rng.uniform(3000, 6500)), at, rng.uniform(8, 30))
    return Lighting((lamp,), rng.uniform(0.05, 0.15), of_kelvin(4500), SOME_NOISE)


_MIRRORED: dict[str, Callable[[random.Random, float, Point], Lighting]] = {
    "window glare": _window_glare,
    "lamp glare": _lamp_glare,
    "flash": _flash,
}
_RECIPES: dict[str, Callable[[random.Random, float], Lighting]] = {
    "window": _window,
    "two windows": _two_windows,
    "overcast": _overcast,
    "bulb": _bulb,
    "desk lamp": _desk_lamp,
    "led panel": _led_panel,
    "window lamp": _window_lamp,
    "candle": _candle,
    "evening": _evening,
    "green cast": _green_cast,
    "magenta cast": _magenta_cast,
    "sun patch": _sun_patch,
    "sun bars": _sun_bars,
    "dusk": _dusk,
    "tv": _tv,
}
LIGHTS = (*_RECIPES, *_MIRRORED)
