"""Whose paint is it: how far a colour is from that of each piece.

Paint fades and lamps differ, so a piece may be paler or deeper than its profile says; its hue
stays, or is turned by a part of the way to the hue of the next thing. The hue of pale paint is
less certain, because noise and a wrong white turn it more. And some cameras show more contrast than
others: that makes orange redder, and red no less red.
"""

from collections.abc import Mapping

import numpy as np

from companion.sensing.vision.colours import Colour

HUE_DEGREES = (4.0, 15.0)  # by which the hue of a deep colour may be off, at least and at most
WAY = 0.25  # the same as a part of the way to the next hue
SHARE_OFF = 0.04  # by which colour shares may be off
SATURATION = 0.4  # of the logarithm of how deep a colour is
BRIGHTNESS = 0.8
CONTRASTS = (0.75, 0.87, 1.0, 1.15, 1.32)  # of cameras; powers of the light
CONTRAST = 0.15  # of their logarithm


Rooms = tuple[float, float]  # degrees by which a hue may be off, to either side


def hue_rooms(colours: Mapping[str, Colour]) -> dict[str, Rooms]:
    """Return for each of these things by how much its hue may be off, downwards and upwards."""
    hues = {name: np.degrees(_polar(*colour.share[:2])[0]) for name, colour in colours.items()}

    def room(hue: float, side: int) -> float:
        away = (side * (other - hue) % 360 for other in hues.values() if other != hue)
        return float(np.clip(WAY * min(away, default=360.0), *HUE_DEGREES))

    return {name: (room(hue, -1), room(hue, 1)) for name, hue in hues.items()}


def paint_distance(share: tuple[float, float], level: float, colour: Colour, rooms: Rooms) -> float:
    """Return the squared distance, in standard deviations, of a colour from a piece's paint."""
    hue, depth = _polar(share[0], share[1])
    pale = np.degrees(SHARE_OFF / max(depth, 0.02))
    brighter = (level - np.log(colour.brightness)) / BRIGHTNESS

    def off(contrast: float) -> float:
        own, deep = _polar(*_with_contrast(colour, contrast))
        turned = (np.degrees(hue - own) + 180) % 360 - 180
        paler = np.log(max(depth, 0.02) / deep) / SATURATION
        more = np.log(contrast) / CONTRAST
        room = np.hypot(rooms[int(turned > 0)], pale)
        return float((turned / room) ** 2 + paler**2 + more**2)

    return min(map(off, CONTRASTS)) + float(brighter**2)


def _with_contrast(colour: Colour, contrast: float) -> tuple[float, float]:
    """Return the shares of red and green that a colour has for a camera of this contrast."""
    red, green, blue = (part**contrast for part in colour.share)
    return red / (red + green + blue), green / (red + green + blue)


def _polar(red: float, green: float) -> tuple[float, float]:
    """Return hue, in radians, and depth (saturation) of a colour by its shares of red and green."""
    blue = 1 - red - green
    across, up = (red - green) / np.sqrt(2), (red + green - 2 * blue) / np.sqrt(6)
    return float(np.arctan2(up, across)), float(np.hypot(across, up))
