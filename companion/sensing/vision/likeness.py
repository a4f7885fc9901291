"""Which labels stand for one colour, and how a share of pixels becomes evidence."""

import numpy as np

from companion.board import FENCE, PELLET
from companion.sensing.camera.frame import Array
from companion.sensing.vision.appearance import Appearance
from companion.sensing.vision.distances import faded_distance

SAME_HUE = 0.93  # cosine of the angle between two hues
ALIKE = 0.12  # distance of colour shares below which two things have one colour
BURNT = 0.06  # the same from the way on which a colour fades to white


def alike(looks: Appearance, thing: str) -> list[int]:
    """Return the labels of fence and pellet when they share the colour of this thing."""
    own = np.array(looks.colours[thing].share)
    return [
        number
        for number, other in enumerate(looks.things, start=1)
        if other == thing
        or (other in (FENCE, PELLET) and np.linalg.norm(own - looks.colours[other].share) < ALIKE)
    ]


def fades_to(looks: Appearance, thing: str, other: str) -> bool:
    """Tell whether too much light gives one thing the colour of another, paler one."""
    own, paler = (np.array(looks.colours[name].share) for name in (thing, other))
    return bool(faded_distance((paler[0], paler[1]), (own[0], own[1]), 1.0) < BURNT**2)


def same_hue(looks: Appearance, thing: str) -> list[int]:
    """Return the labels of things that differ from this one by saturation alone, as its own
    colour does from dim to bright light."""
    own = np.array(looks.colours[thing].share) - 1 / 3
    found = []
    for number, other in enumerate(looks.things, start=1):
        away = np.array(looks.colours[other].share) - 1 / 3
        if own @ away > SAME_HUE * np.linalg.norm(own) * np.linalg.norm(away):
            found.append(number)
    return found


def scaled(share: Array, middle: float, slope: float, limit: float) -> Array:
    """Return evidence that is nothing at ``middle`` and reaches its limit ``slope`` beyond; what
    exceeds the limit is kept, to compare strong claims, until the end."""
    scaled: Array = limit * np.maximum((share - middle) / slope, -1)
    return scaled
