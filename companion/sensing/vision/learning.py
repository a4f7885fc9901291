"""Learning how a board looks from a picture of a known position.

What is bare is remembered pixel by pixel, what stands on it by its colour. The first lesson counts
in full; later ones change the memory slowly, as daylight does (exponential moving average).
"""

import math
from dataclasses import replace

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board, Place, Position, places_of
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.appearance import BARE, Appearance
from companion.sensing.vision.colours import DARK, Colour, colour_seen
from companion.sensing.vision.flat import round_brush
from companion.sensing.vision.light import bare_tiles
from companion.sensing.vision.regions import Regions

SLOWLY = 0.15  # weight of a new lesson in the moving average
LEAST_PIXELS = 40
FAR_OFF = 0.3  # distance of colour shares from which a lesson is an outlier
DEEP_SHADE, BRIGHT = -0.7, 0.7  # of log brightness beside what was known or guessed


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
    labels, _, light = looks.label(laid)
    seen = looks.reflectance(laid) / light.overall[:, None, None]
    shown = places_of(position)
    taken = _outlines(board, regions, shown, labels.shape)
    colours = _colours(board, regions, looks, seen, shown, covered, 1.0 if first else SLOWLY)
    hidden = _hidden(board, regions, covered, labels.shape)
    level = np.log((seen.mean(axis=0) + DARK) / (looks.bare.mean(axis=0) + DARK)) - light.local
    bare = (taken == 0) & (hidden == 0) & (level > DEEP_SHADE)
    bare &= (labels == BARE) | ((looks.sure == 0) & (first | (level < BRIGHT)))
    if light.mirrored is not None:
        bare &= ~light.mirrored  # lamps come and go, the board stays
    pace = np.where(looks.sure > 0, SLOWLY, 1.0) * bare
    even = seen / np.exp(light.local)
    memory = looks.bare + pace * (even - looks.bare)
    if light.mirrored is not None:  # what was guessed there has the lamp in it
        guessed = light.mirrored & (looks.sure == 0)
        memory = np.where(guessed, bare_tiles(even, light.mirrored), memory)
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
        if thing == FENCE:
            taken.ravel()[regions.bodies[board.patches.index(place)]] = 1
        else:
            for region in _outlines_of(board, regions, place, thing):
                taken.ravel()[regions.members(region)] = 1
    return np.asarray(cv2.dilate(taken, round_brush(9)))


def _hidden(
    board: Board, regions: Regions, covered: frozenset[Place], shape: tuple[int, ...]
) -> Array:
    hidden = np.zeros(shape, np.uint8)
    for number, place in zip(regions.cells, board.squares, strict=True):
        if place in covered:
            hidden.ravel()[regions.members(int(number))] = 1
    for pixels, place in zip(regions.bodies, board.patches, strict=True):
        if place in covered:
            hidden.ravel()[pixels] = 1
    return np.asarray(cv2.dilate(hidden, round_brush(15)))


def _outlines_of(board: Board, regions: Regions, square: Place, thing: str) -> list[int]:
    shape = PELLET if thing == PELLET else board.pieces[thing].shape
    return [int(region) for region in regions.outlines[shape][board.squares.index(square)]]


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
            region = _outlines_of(board, regions, place, thing)[0]
        pixels.setdefault(thing, []).append(regions.members(region))
    flat = seen.reshape(3, -1)
    colours = dict(looks.colours)
    for thing, members in pixels.items():
        values = flat[:, np.concatenate(members)]
        if values.shape[1] >= LEAST_PIXELS:
            colours[thing] = _towards(colours[thing], values, pace)
    return colours


def _towards(old: Colour, values: Array, pace: float) -> Colour:
    new = colour_seen(values, old.room)
    share = np.array(new.share)
    if np.linalg.norm(share - old.share) > FAR_OFF:
        return old
    mixed = np.array(old.share) + 0.7 * pace * (share - old.share)
    bright = math.exp(math.log(old.brightness) * (1 - pace) + math.log(new.brightness) * pace)
    return Colour((float(mixed[0]), float(mixed[1]), float(mixed[2])), bright, old.room)
