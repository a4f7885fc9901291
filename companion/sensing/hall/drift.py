"""Sensors that drift: a value that goes on changing although no magnet moves.

A piece that is put down changes its sensor within a few tenths of a second and then rests; and no
magnet is felt by one sensor alone: when it is slid it comes nearer to the next one, and when it is
raised, all around it change with it, by some hundredths, the other way. A sensor that changes
steadily for seconds while those around it stay as they are is not moved by a magnet.
"""

from collections import deque
from collections.abc import Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from companion.board import Board, Spot, column_row

BLOCK_SECONDS = 0.5  # scans are averaged over this long: noise goes, movements stay
BLOCKS = 8
LEAST_SCANS = 2  # of a block
LEAST_STEP, MOST_STEP = 6.0, 75.0  # counts between two blocks: more than noise, less than a hand
LEAST_WAY = 150.0  # counts in all
LIKE_OTHERS = 2.0  # times the unrest of the whole board that those around may show
LEAST_SHARE = 0.012  # of a magnet's change is felt by those beside it, and twice that by most
LEAST_AROUND = 3
STILL = 8.0  # counts between two blocks of a sensor at rest
KINK = 20.0  # counts by which a step differs from the last one when a drift breaks off
KINK_BLOCKS = 4
STILL_AFTER_KINK, STILL_ANYWAY = 2, 6  # steps at rest after which a sensor is believed again

Floats = NDArray[np.float64]


class Drift:
    """Keeps for one grid which sensors drift, scan by scan; ``named`` has words for each square."""

    def __init__(self, board: Board) -> None:
        self._channels = board.hall.channels
        self._beside = {spot: _near(spot, self._channels, 1.0) for spot in self._channels}
        self._around = {spot: _near(spot, self._channels, 1.5) for spot in self._channels}
        self._blocks: deque[Floats] = deque(maxlen=BLOCKS)
        self._scans: list[Sequence[int]] = []
        self._began = self._last = float("-inf")
        self.named: dict[Spot, str] = {}

    def note(self, time: float, values: Sequence[int], broken: Set[Spot]) -> None:
        """Take in one scan; ``broken`` sensors tell nothing of themselves and of those around."""
        if time - self._last > BLOCK_SECONDS or len(values) != len((self._scans or [values])[0]):
            self._blocks.clear()
            self._scans, self._began = [], time
        elif time - self._began >= BLOCK_SECONDS:
            self._close(broken)
            self._scans, self._began = [], time
        self._last = time
        self._scans.append(values)

    def _close(self, broken: Set[Spot]) -> None:
        """Judge again, now that a block is complete."""
        if len(self._scans) < LEAST_SCANS:
            self._blocks.clear()
            return
        self._blocks.append(np.mean(self._scans, axis=0))
        means = np.array(self._blocks)
        for spot in self.named.keys() - broken:  # one at the end of its range seems to rest
            if rests(means[:, self._channels[spot]]):
                del self.named[spot]
        if len(means) == BLOCKS:
            for spot in self._found(means, broken | self.named.keys()):
                self.named[spot] = f"channel {self._channels[spot]} drifts: check its wires"

    def _found(self, means: Floats, out: Set[Spot]) -> list[Spot]:
        """Return the squares that drift, except those that are out already."""
        steps = np.diff(means, axis=0)
        steady = (np.abs(steps) >= LEAST_STEP).all(axis=0) & (np.abs(steps) <= MOST_STEP).all(
            axis=0
        )
        steady &= np.abs(np.sign(steps).sum(axis=0)) == len(steps)
        steady &= np.abs(means[-1] - means[0]) >= LEAST_WAY
        moving = set(np.flatnonzero(steady).tolist())
        return [
            spot
            for spot, channel in self._channels.items()
            if channel in moving and spot not in out and self._is_alone(spot, means, out)
        ]

    def _is_alone(self, spot: Spot, means: Floats, out: Set[Spot]) -> bool:
        """Tell whether the sensors around one are uncorrelated with what it feels."""
        around = [self._channels[s] for s in self._around[spot] if s not in out]
        beside = [self._channels[s] for s in self._beside[spot] if s not in out]
        if len(around) < LEAST_AROUND or not beside:
            return False
        unrest = means.var(axis=0)
        if unrest[around].mean() > LIKE_OTHERS * (np.median(unrest) + 1.0):
            return False
        own = means[:, self._channels[spot]]
        own = own - own.mean()
        share = own @ means[:, beside].mean(axis=1) / (own @ own)
        return bool(abs(share) < LEAST_SHARE)


def rests(means: Floats) -> bool:
    """Tell whether a sensor that drifted has come to rest: abruptly, or for a long time.

    Where it turns between up and down a drift is slow for a while, but it does not break off.
    """
    steps = np.diff(means)
    moved = np.flatnonzero(np.abs(steps) > STILL)
    still = len(steps) - (int(moved[-1]) + 1 if len(moved) else 0)
    broke_off = bool((np.abs(np.diff(steps))[-KINK_BLOCKS:] > KINK).any())
    return still >= (STILL_AFTER_KINK if broke_off else STILL_ANYWAY - 1)


def _near(spot: Spot, spots: Mapping[Spot, int], cells: float) -> tuple[Spot, ...]:
    """Return the squares at most so far from one."""
    at = np.asarray(column_row(spot))
    far = {other: float(np.linalg.norm(at - column_row(other))) for other in spots}
    return tuple(other for other, way in far.items() if 0 < way <= cells)
