"""Measuring the magnet of a piece that is shown to the grid: alone on the board, on any square."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.board import Board, Spot
from companion.errors import DeviceError
from companion.sensing.trust import at_rail, health

LEAST_COUNTS = 150  # less than this is no magnet, or lies far from its sensor
LEAST_SCANS = 10
STEADY_COUNTS = 30.0  # by which the strongest channel may vary while it is measured
SECOND_SHARE = 0.5  # of the strongest: another one like that is another piece


@dataclass(frozen=True)
class Shown:
    """A piece that was shown: where it stands, and how strong its magnet is there, in counts."""

    spot: Spot
    counts: int


def measure(scans: Sequence[Sequence[int]], board: Board, rest: Sequence[int] | None) -> Shown:
    """Return where the one piece on the board stands and how strong it is, from several scans.

    DeviceError says what to do when there is none, more than one, or it was not left alone.
    """
    if len(scans) < LEAST_SCANS:
        raise DeviceError("the hall grid has sent too little: wait a moment and try again")
    broken = health(scans, board)
    spots = [spot for spot in board.hall.channels if spot not in broken]
    if not spots:
        raise DeviceError("no sensor of the hall grid works: check its cables")
    channels = [board.hall.channels[spot] for spot in spots]
    recent = np.asarray(scans)[-LEAST_SCANS:, channels].astype(float)
    offsets = np.median(recent, axis=0)
    offsets -= board.hall.rest if rest is None else np.asarray(rest, dtype=float)[channels]
    order = np.argsort(-np.abs(offsets))
    best = int(order[0])
    if abs(offsets[best]) < LEAST_COUNTS:
        raise DeviceError("no magnet is felt: put the piece on the middle of a square")
    if len(order) > 1 and abs(offsets[order[1]]) > SECOND_SHARE * abs(offsets[best]):
        one, other = sorted((spots[best], spots[int(order[1])]))
        raise DeviceError(
            f"magnets are felt on {one} and {other}: leave one piece on the board, on the middle"
            " of a square"
        )
    if np.ptp(recent[:, best]) > STEADY_COUNTS + 6 * board.hall.noise:
        raise DeviceError("the piece moved while it was measured: take your hand away")
    if at_rail(int(recent[-1, best]), board.hall):
        raise DeviceError("the magnet is too strong for the sensor: use a weaker one")
    return Shown(spots[best], round(float(offsets[best])))
