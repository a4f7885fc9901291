"""How far the colours of pixels are from those of things and of the bare board.

Distances are squared, in units of a colour's own variance (as Mahalanobis distances are). Pixels
are given by their shares of red and of green and by the log of their brightness.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array
from companion.sensing.vision.colours import DARK, Colour

THING_SPREAD = 0.075  # of the colour shares
PALE_SPREAD = 0.15  # the same towards white, as gloss makes things paler
PALEST = 0.7  # of the way to white
BRIGHTER_ROOM, DARKER_ROOM = 0.5, 0.9  # of log brightness, without a cost
GLOSS_COST = 2.0
GLARE_ROOM = 0.2  # of log brightness beyond what is known to be added
MIXED = np.array([[2.0, 1.0], [1.0, 2.0]])  # the share of blue makes up for the other two


@dataclass(frozen=True)
class Palette:
    """The colours of some things, ready to be compared with many pixels at once.

    Towards white, as gloss makes a thing, distances count less than in any other direction, and
    brightness has some room. The squared distance of shares and the part of the way to white are
    both worked out for all things at once.
    """

    apart: Array  # (things, 3): squared distance without the pixel's own part, by 1, red and green
    paler: Array  # (things, 3): part of the way to white, the same way
    lengths: list[float]  # squared, of the way to white
    colours: list[Colour]

    def distances(self, red: Array, green: Array, level: Array) -> Array:
        """Return how far pixels are from each thing, shape (things, pixels)."""
        narrow = 1 / (np.float32(THING_SPREAD**2) + noise(level))
        own = (red * red + green * green + red * green) * narrow
        own += own
        terms = np.stack([np.ones_like(red), red, green])
        away, paler = (np.einsum("ti,in->tn", part, terms) for part in (self.apart, self.paler))
        distances: Array = away * narrow
        distances += own
        for far, part, length, colour in zip(
            distances, paler, self.lengths, self.colours, strict=True
        ):
            brighter: Array = level - math.log(colour.brightness)
            along = np.clip((brighter + 0.6) * 0.7, 0, PALEST)
            np.minimum(along, np.maximum(part, 0), out=along)
            part *= -2
            part += along
            part *= narrow
            part += along * (1 / PALE_SPREAD**2)
            along *= part
            along *= length
            far += along
            np.abs(brighter, out=brighter)
            brighter -= colour.room
            if float(brighter.max(initial=0)) > 0:
                beyond = np.maximum(brighter, 0)
                beyond *= beyond
                beyond *= 4
                far += beyond
        return distances


def palette(colours: Iterable[Colour]) -> Palette:
    """Return some colours ready to be compared with pixels."""
    colours = list(colours)
    share = np.array([colour.share[:2] for colour in colours])
    pull = 1 / 3 - share
    length = _product(pull, pull) + 1e-6
    apart = np.column_stack([_product(share, share), -2 * share @ MIXED])
    paler = np.column_stack([-_product(pull, share), pull @ MIXED]) / length[:, None]
    return Palette(apart.astype(np.float32), paler.astype(np.float32), length.tolist(), colours)


def _product(one: Array, other: Array) -> Array:
    product: Array = ((one @ MIXED) * other).sum(axis=1)
    return product


def noise(level: Array) -> Array:
    """Return the variance that noise adds to the shares of a colour: large in the dark."""
    if not level.size:
        return level
    dark: Array = np.asarray(cv2.exp(-level)).reshape(level.shape) * DARK
    return dark * dark


def faded_distance(
    seen: tuple[Array, Array], own: tuple[Array, Array], most: Array | float
) -> Array:
    """Return the squared distance of colours, given by shares of red and green, from the segment
    that leads from others towards white (desaturated), ``most`` of the way."""
    pull_red, pull_green = most * (1 / 3 - own[0]), most * (1 / 3 - own[1])
    off_red, off_green = seen[0] - own[0], seen[1] - own[1]
    length = 2 * (pull_red * pull_red + pull_green * pull_green + pull_red * pull_green)
    dot = off_red * (2 * pull_red + pull_green) + off_green * (2 * pull_green + pull_red)
    along = np.clip(dot / (length + 1e-9), 0, 1)
    off_red -= along * pull_red
    off_green -= along * pull_green
    away: Array = 2 * (off_red * off_red + off_green * off_green + off_red * off_green)
    return away


def bare_distance(pixels: list[Array], bare: list[Array], variance: Array) -> Array:
    """Return how far pixels are from the bare board, in shade or under gloss."""
    red, green, _, ratio = pixels
    bare_red, bare_green, guessed = bare
    # Gloss adds white light: a brighter pixel may be paler, at most by as much as was added.
    gloss = np.clip(1 - np.exp(-ratio), 0, 1) * guessed
    away = faded_distance((red, green), (bare_red, bare_green), gloss)
    shade = np.clip(-ratio - 0.2, 0, 1.2)  # light in a shadow has another tint
    away /= variance * (1 + 1.5 * shade)
    brighter = (np.maximum(0, ratio - BRIGHTER_ROOM) / 0.6) ** 2
    away += np.where(guessed, np.minimum(brighter, GLOSS_COST), brighter)
    away += (np.maximum(0, -ratio - DARKER_ROOM) / 0.6) ** 2
    return away


def glared_distance(
    red: Array, green: Array, level: Array, bare: tuple[Array, Array, Array], variance: Array
) -> Array:
    """Return how far pixels are from the bare board under a known highlight."""
    off_red, off_green = red - bare[0], green - bare[1]
    away: Array = off_red * off_red
    away += off_green * off_green
    off_red *= off_green
    away += off_red
    away += away
    away /= variance
    ratio = level - bare[2]
    away += (np.maximum(0, ratio - GLARE_ROOM) / GLARE_ROOM) ** 2
    away += (np.maximum(0, -ratio - DARKER_ROOM) / 0.6) ** 2
    return away
