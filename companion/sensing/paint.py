"""Whose paint is it: how far a colour is from that of each piece.

Paint fades and lamps differ, so a piece may be paler or deeper than its profile says; its hue
stays. The hue of pale paint is less certain, because noise and a wrong white turn it more. And
some cameras show more contrast than others: that makes orange redder, and red no less red.
"""

import numpy as np

from companion.sensing.colours import Colour

HUE_DEGREES = 4.0  # by which the hue of a deep colour may be off
SHARE_OFF = 0.04  # by which colour shares may be off
SATURATION = 0.4  # of the logarithm of how deep a colour is
BRIGHTNESS = 0.8
CONTRASTS = (0.75, 0.87, 1.0, 1.15, 1.32)  # of cameras; powers of the light
CONTRAST = 0.15  # of their logarithm


def paint_distance(share: tuple[float, float], level: float, colour: Colour) -> float:
    """Return the squared distance, in standard deviations, of a colour from a piece's paint."""
    hue, depth = _polar(share[0], share[1])
    room = float(np.hypot(HUE_DEGREES, np.degrees(SHARE_OFF / max(depth, 0.02))))
    brighter = (level - np.log(colour.brightness)) / BRIGHTNESS

    def off(contrast: float) -> float:
        own, deep = _polar(*_with_contrast(colour, contrast))
        turned = (np.degrees(hue - own) + 180) % 360 - 180
        paler = np.log(max(depth, 0.02) / deep) / SATURATION
        more = np.log(contrast) / CONTRAST
        return float((turned / room) ** 2 + paler**2 + more**2)

    return min(map(off, CONTRASTS)) + float(brighter**2)


def _with_contrast(colour: Colour, contrast: float) -> tuple[float, float]:
    """Return the shares of red and green that a colour has for a camera of this contrast."""
    red, green, blue = (part**contrast for part in colour.share)
    return red / (red + green + blue), green / (red + green + blue)


def _polar(red: float, green: float) -> tuple[float, float]:
    """Return hue, in radians, and depth of a colour given by its shares of red and green."""
    blue = 1 - red - green
    across, up = (red - green) / np.sqrt(2), (red + green - 2 * blue) / np.sqrt(6)
    return float(np.arctan2(up, across)), float(np.hypot(across, up))
