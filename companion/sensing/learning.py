"""Learning how a board looks from a picture of a known position.

What is bare is remembered pixel by pixel, what stands on it by its colour. The first lesson counts
in full; later ones move the memory slowly, as daylight does.
"""

from dataclasses import replace

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board, Place, Position, places_of
from companion.sensing.appearance import BARE, DARK, Appearance, Colour, light_change
from companion.sensing.camera import Array, Picture
from companion.sensing.regions import Regions

SLOWLY = 0.15
LEAST_PIXELS = 40
FAR_OFF = 0.3  # distance of colour shares at which a lesson is not believed
DEEP_SHADE = -0.7


def learn_from(
    board: Board,
    regions: Regions,
    looks: Appearance,
    laid: Picture,
    position: Position,
    covered: frozenset[Place],
    *,
    first: bool,
) -> Appearance:
    """Return the appearance refined by a flat picture of a known position."""
    seen = looks.reflectance(laid)
    light = light_change(seen, looks.bare)
    seen = seen / light.overall
    labels, _ = looks.label(looks.reflectance(laid))
    shown = places_of(position)
    taken = _outlines(board, regions, shown, labels.shape)
    colours = _colours(board, regions, looks, seen, shown, covered, 1.0 if first else SLOWLY)
    hidden = _hidden(board, regions, covered, labels.shape)
    level = np.log((seen.mean(-1) + DARK) / (looks.bare.mean(-1) + DARK)) - light.local
    bare = (taken == 0) & (hidden == 0) & (level > DEEP_SHADE)
    bare &= (labels == BARE) | (looks.sure == 0)
    pace = np.where(looks.sure > 0, SLOWLY, 1.0)[..., None] * bare[..., None]
    even = seen / np.exp(light.local)[..., None]
    memory = looks.bare + pace * (even - looks.bare)
    sure = np.maximum(looks.sure, bare)
    return replace(
        looks, colours=colours, bare=memory.astype(np.float32), sure=sure.astype(np.float32)
    )


def _outlines(
    board: Board, regions: Regions, shown: dict[Place, str], shape: tuple[int, ...]
) -> Array:
    """Return the pixels that things in these places may fill, generously."""
    taken = np.zeros(shape, np.uint8)
    for place, thing in shown.items():
        for region in _regions_of(board, regions, place, thing):
            taken.ravel()[regions.members(region)] = 1
    reach = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    return np.asarray(cv2.dilate(taken, reach))


def _hidden(
    board: Board, regions: Regions, covered: frozenset[Place], shape: tuple[int, ...]
) -> Array:
    hidden = np.zeros(shape, np.uint8)
    for numbers, places in ((regions.cells, board.squares), (regions.bodies, board.patches)):
        for number, place in zip(numbers, places, strict=True):
            if place in covered:
                hidden.ravel()[regions.members(int(number))] = 1
    return np.asarray(cv2.dilate(hidden, np.ones((15, 15), np.uint8)))


def _regions_of(board: Board, regions: Regions, place: Place, thing: str) -> list[int]:
    if thing == FENCE:
        return [int(regions.bodies[board.patches.index(place)])]
    shape = PELLET if thing == PELLET else board.pieces[thing].shape
    return [int(region) for region in regions.outlines[shape][board.squares.index(place)]]


def _colours(
    board: Board,
    regions: Regions,
    looks: Appearance,
    seen: Array,
    shown: dict[Place, str],
    covered: frozenset[Place],
    pace: float,
) -> dict[str, Colour]:
    """Return the colours of all things, those in view moved towards what they look like."""
    pixels: dict[str, list[Array]] = {}
    for place, thing in shown.items():
        if place in covered or thing not in looks.colours:
            continue
        if thing == FENCE:
            region = int(regions.tops[board.patches.index(place)])
        else:
            region = _regions_of(board, regions, place, thing)[0]
        pixels.setdefault(thing, []).append(regions.members(region))
    flat = seen.reshape(-1, 3)
    colours = dict(looks.colours)
    for thing, members in pixels.items():
        values = flat[np.concatenate(members)]
        if len(values) >= LEAST_PIXELS:
            colours[thing] = _towards(colours[thing], values, pace)
    return colours


def _towards(old: Colour, values: Array, pace: float) -> Colour:
    middle = np.median(values, axis=0) + DARK
    share = middle / middle.sum()
    if np.linalg.norm(share - old.share) > FAR_OFF:
        return old
    mixed = np.array(old.share) + 0.7 * pace * (share - old.share)
    bright = float(np.exp(np.log(old.brightness) * (1 - pace) + np.log(middle.mean()) * pace))
    return Colour((float(mixed[0]), float(mixed[1]), float(mixed[2])), bright, old.room)
