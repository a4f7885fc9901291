"""Measurements for setting the grid up: that the board is empty, and the magnet of a piece that
stands alone on it, on any square."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.board import Board, Piece, Spot
from companion.errors import DeviceError
from companion.sensing.hall.trust import at_rail, health

LEAST_COUNTS = 75  # threshold: less is no magnet, or lies far from its sensor
LEAST_SCANS = 10
STEADY_COUNTS = 30.0  # by which the strongest channel may vary while it is measured
MOST_NAMED = 4


@dataclass(frozen=True)
class Shown:
    """A piece that was shown: where it stands, and how strong its magnet is there, in counts."""

    spot: Spot
    counts: int


def offsets(values: Sequence[int], board: Board, rest: Sequence[int] | None) -> dict[Spot, int]:
    """Return by how many counts each sensor is away from rest."""
    usual = [board.hall.rest] * len(values) if rest is None else rest
    return {
        spot: round(values[channel] - usual[channel])
        for spot, channel in board.hall.channels.items()
        if channel < len(values)
    }


def check_empty(values: Sequence[int], board: Board, rest: Sequence[int] | None) -> None:
    """Raise DeviceError if magnets are felt on the board."""
    away = offsets(values, board, rest)
    felt = [spot for spot in sorted(away) if abs(away[spot]) >= LEAST_COUNTS]
    felt = [spot for spot in felt if not at_rail(values[board.hall.channels[spot]], board.hall)]
    if felt:
        more = f" and {len(felt) - MOST_NAMED} more" if len(felt) > MOST_NAMED else ""
        raise DeviceError(
            f"magnets are felt on {', '.join(felt[:MOST_NAMED])}{more}: take everything off the"
            " board, or say that it is empty"
        )


def doubt(shown: Shown, piece: Piece, board: Board) -> str:
    """Return in a sentence why this may not be the piece, nothing when it is likely to be."""
    like = min(
        (other for other in board.pieces.values() if other.magnet),
        key=lambda other: abs(other.magnet - shown.counts),
        default=piece,
    )
    if like.name == piece.name:
        return ""
    if piece.magnet * shown.counts < 0:
        return f"Its magnet is the other way up than the profile has it; {like.title}'s is so."
    return f"That is rather the strength of {like.title}'s magnet."


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
    if len(order) > 1 and abs(offsets[order[1]]) >= LEAST_COUNTS:
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
