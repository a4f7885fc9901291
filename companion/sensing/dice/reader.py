"""Reads dice: finds them, then looks closely at each, several times.

What may be a die is cut out so that it fills the same part of a small picture, as it is, mirrored,
a little larger and a little smaller. What the net says of these is held against which pattern of
pips fits. Only what all of it together is sure of is told; the rest is asked about.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.dice.finder import Box, Found, cut_out, find
from companion.sensing.dice.fit import fits
from companion.sensing.dice.net import FINDER, NONE, READER, VALUES, WIDE, Finder, Reader

SIZES = (WIDE - 3, WIDE, WIDE + 3)  # pixels that a die is wide in a close look
LOOKS = [(size, mirrored) for size in SIZES for mirrored in (False, True)]
STRAIGHT = [n for n, (_, mirrored) in enumerate(LOOKS) if not mirrored]
LETTERS = VALUES.index("F2")  # what is not the same in a mirror
PLAIN = LOOKS.index((WIDE, False))  # the look in which patterns are tried
TRUST = 1.0  # how much the net's word on a value counts
WEIGHT = 1.0  # how much likelier a value is that fits by a contrast better (logarithm)
SURE_THERE, SURE_VALUE = 0.8, 0.9
ROOM = 0.08  # of a die's size: how much wider, on each side, is the box that is told of it
SMALLEST = 20  # pixels: what is smaller cannot be told from a dot, and is left out
LIKELY = 0.35  # what is less likely to be a die is not even asked about


@dataclass(frozen=True)
class Die:
    """One die: what it shows, None where that is not sure, and the box around it in pixels."""

    value: int | str | None
    box: Box
    chance: float  # that it is one
    surety: float  # of the likeliest value


class DiceReader:
    """Reads pictures, one after the other."""

    def __init__(self, finder: Path = FINDER, reader: Path = READER) -> None:
        self._finder, self._reader = Finder(finder), Reader(reader)

    def read(self, picture: Picture) -> list[Die]:
        """Return the dice in a picture, from the top down."""
        dice = []
        for found in find(self._finder, picture):
            if found.size < SMALLEST:
                continue
            looks = [cut_out(picture, found, size, mirrored) for size, mirrored in LOOKS]
            said = shares(self._reader.answer(looks))
            die = told(found, together(said, fits(looks[PLAIN])))
            if die is not None:
                dice.append(die)
        return sorted(dice, key=lambda die: die.box[1])


def shares(logits: Array) -> Array:
    """Return how likely each answer is, in view of what all LOOKS said."""
    each = np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))
    straight: Array = each[STRAIGHT].mean(axis=0)
    both: Array = each.mean(axis=0)
    return straight if straight.argmax() == LETTERS else both


def together(said: Array, fitting: Array) -> Array:
    """Return how likely each answer is by what the net said and by how well values fit."""
    best = np.exp(WEIGHT * (fitting - fitting.max()))
    pips = best / best.sum()
    values = said[:NONE] ** TRUST * np.append(pips, pips.mean())  # letters fit like any value
    return np.append(values / values.sum() * (1 - said[NONE]), said[NONE])


def told(found: Found, share: Array) -> Die | None:
    """Return what is told of something that may be a die, None when it is not even asked about."""
    chance = found.chance * (1 - float(share[NONE]))
    if chance < LIKELY:
        return None
    best = int(share[:NONE].argmax())
    surety = float(share[best] / share[:NONE].sum())
    sure = chance >= SURE_THERE and surety >= SURE_VALUE
    return Die(VALUES[best] if sure else None, _roomy(found.box), chance, surety)


def _roomy(box: Box) -> Box:
    """Return a box around all of a die: what was found ends where its edges become round."""
    x0, y0, x1, y1 = box
    x, y = ROOM * (x1 - x0), ROOM * (y1 - y0)
    return x0 - x, y0 - y, x1 + x, y1 + y
