"""Names by acquaintance: which pawn it is, by the paint that the net sees.

Cold, the profile's colours decide. Once a position is agreed, what the net saw of each pawn is what
it is called by from there on; every agreed position renews it (an exponential moving average).
"""

from collections.abc import Iterable, Mapping

import numpy as np

from companion.board import Board, Spot, Thing
from companion.sensing.camera.frame import Array
from companion.sensing.vision.answers import paint_of

COLD_SPREAD, WARM_SPREAD = 0.30, 0.16  # of a paint, in units of 50 of CIELAB
STRANGER = 4.5  # squared distance, in spreads, at which it may as well be none of them
RENEWED = 0.2  # weight of a new lesson


class Acquaintance:
    """Knows the pawns of one board by their paint."""

    def __init__(self, board: Board) -> None:
        self.names = tuple(board.pieces)
        paints = [paint_of(p / 255 for p in piece.colour) for piece in board.pieces.values()]
        self._paints = np.array(paints, np.float64)
        self._met = np.zeros(len(self.names), bool)

    def name(self, paint: Array) -> Array:
        """Return for paints, (n, 3), the log-probability of each name, (n, names)."""
        spread = np.where(self._met, WARM_SPREAD, COLD_SPREAD)
        far = ((paint[:, None] - self._paints[None]) / spread[:, None]) ** 2
        fit = -0.5 * far.sum(axis=-1) - 3 * np.log(spread / COLD_SPREAD)
        stranger = np.full((len(paint), 1), -0.5 * STRANGER)
        total = np.logaddexp.reduce(np.concatenate([fit, stranger], axis=1), axis=1)
        named: Array = fit - total[:, None]
        return named

    def meet(self, seen: Mapping[Thing, Array]) -> None:
        """Take in how pawns look whose names are known."""
        for thing, paint in seen.items():
            if thing in self.names:
                n = self.names.index(thing)
                weight = RENEWED if self._met[n] else 1.0
                self._paints[n] += weight * (paint - self._paints[n])
                self._met[n] = True


def places_px(board: Board, places: Iterable[Spot], size: tuple[int, int], px: float) -> Array:
    """Return column and row in the flat picture of places, (n, 2)."""
    at = np.array([board.at(place) for place in places]) * px / board.pitch_mm
    rows, columns = size
    return np.stack([at[:, 0] + (columns - 1) / 2, (rows - 1) / 2 - at[:, 1]], axis=-1)
