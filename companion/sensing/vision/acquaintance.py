"""What agreed positions teach: the names of pawns by their paint, and the looks of places.

Cold, the profile's colours decide which pawn it is. Once a position is agreed, what the net saw of
each pawn is what it is called by from there on; every agreed position renews it (an exponential
moving average). One that the net hardly takes for a pawn is known for that, too. A bare square or groove in which the net keeps seeing something, a print or a
reflection, is known for it, too (background subtraction).
"""

from collections.abc import Mapping

import numpy as np

from companion.board import Board, Thing
from companion.sensing.camera.frame import Array
from companion.sensing.vision.net import paint_of

COLD_SPREAD, WARM_SPREAD = 0.30, 0.16  # of a paint, in units of 50 of CIELAB
STRANGER = 4.5  # squared distance, in spreads, at which it may as well be none of them
RENEWED = 0.2  # weight of a new lesson
CALM = 4.0  # what a place should say at the least of what is known to be there, or not
CLEAR = 7.0  # what a pawn should say of itself: a move needs it to be seen as clearly as that
MOST_TO, MOST_FROM = 6.0, 3.0  # by which a place may be corrected, to nothing and to something


class Acquaintance:
    """Knows the pawns of one board by their paint."""

    def __init__(self, board: Board) -> None:
        self.names = tuple(board.pieces)
        paints = [paint_of(p / 255 for p in piece.colour) for piece in board.pieces.values()]
        self._paints = np.array(paints, np.float64)
        self._met = np.zeros(len(self.names), bool)
        self.faint = np.zeros(len(self.names))  # what each lacks to be taken for a pawn

    def name(self, paint: Array) -> Array:
        """Return for paints, (n, 3), the log-probability of each name, (n, names)."""
        spread = np.where(self._met, WARM_SPREAD, COLD_SPREAD)
        far = ((paint[:, None] - self._paints[None]) / spread[:, None]) ** 2
        fit = -0.5 * far.sum(axis=-1) - 3 * np.log(spread / COLD_SPREAD)
        stranger = np.full((len(paint), 1), -0.5 * STRANGER)
        total = np.logaddexp.reduce(np.concatenate([fit, stranger], axis=1), axis=1)
        named: Array = fit - total[:, None]
        return named

    def meet(self, seen: Mapping[Thing, tuple[Array, float]]) -> None:
        """Take in how pawns look whose names are known: their paint, and the evidence that it is a
        pawn at all."""
        for thing, (paint, sure) in seen.items():
            if thing in self.names:
                n = self.names.index(thing)
                weight = RENEWED if self._met[n] else 1.0
                self._paints[n] += weight * (paint - self._paints[n])
                self.faint[n] += weight * (np.clip(CLEAR - sure, 0, MOST_FROM) - self.faint[n])
                self._met[n] = True


class Habits:
    """By how much the evidence of each place is off, as agreed positions show."""

    def __init__(self, count: int) -> None:
        self.bias = np.zeros(count)
        self._met = np.zeros(count, bool)

    def meet(self, said: Array, there: Array, clear: Array) -> None:
        """Take in what the places said while it was known where something was ``there``."""
        down = np.clip(-CALM - said, -MOST_TO, 0)
        up = np.clip(CALM - said, 0, MOST_FROM)
        wanted = np.where(there, up, down)
        pace = np.where(self._met, RENEWED, 1.0) * clear
        self.bias += pace * (wanted - self.bias)
        self._met |= clear
