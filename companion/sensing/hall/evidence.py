"""Hall values to evidence: which piece's magnet, if any, is over each square.

A piece is known by the polarity and the strength of its magnet. Each piece is expected with the
field it has in the middle of the square and, less likely, somewhat aside; an empty square near
its rest value. What the neighbours' magnets add (crosstalk) is subtracted first. Fences and pellets
have no magnets, so nothing is said of them.
"""

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.board import Board, Evidence, Hall, Spot, Thing, column_row
from companion.sensing.hall.trust import at_rail

MOST = 8.0  # the furthest one square may lean
FURTHEST_MM = 6.0  # aside from the middle, a piece still counts as on its square
USUAL_MM = 2.0  # how far aside, in each direction, pieces usually stand
SPREAD = 0.04  # magnets and sensors differ by this share from their nominal strength
DRIFT = 20.0  # counts by which a channel may be off: its rest value, what still bleeds in
SURPRISE = 1e-3  # outliers: the share of values that no model explains, in the hand, on an edge
SENSOR_DEPTH_MM = 12.0  # from the magnet of a piece that stands on the board down to the sensor


def feel(
    values: Sequence[int],
    board: Board,
    rest: Sequence[int] | None = None,
    dead: Set[Spot] = frozenset(),
    magnets: Mapping[Thing, int] = MappingProxyType({}),
) -> Evidence:
    """Return what one scan says of every square; channels that cannot be right say nothing.

    ``rest`` are the channels' values without magnets where they have been measured; ``dead``
    squares whose channels are broken; ``magnets`` the pieces' strengths where they were measured.
    """
    spots = _sound(values, board.hall, dead)
    if not spots:
        return {}
    channels = [board.hall.channels[spot] for spot in spots]
    offsets = np.asarray([values[channel] for channel in channels], dtype=np.float64)
    offsets -= board.hall.rest if rest is None else [rest[channel] for channel in channels]
    offsets -= _bleed(spots, board.pitch_mm) @ offsets
    strengths = {p.name: magnets.get(p.name, p.magnet) for p in board.pieces.values()}
    felt = tuple((name, strength) for name, strength in strengths.items() if strength)
    table = _leanings(felt, board.hall.full_scale, board.hall.noise)
    return {
        spot: table.get(offset, {})
        for spot, offset in zip(spots, np.rint(offsets).astype(int).tolist(), strict=True)
    }


def _sound(values: Sequence[int], hall: Hall, dead: Set[Spot]) -> tuple[Spot, ...]:
    """Return the squares whose channels can be believed in this scan."""
    return tuple(
        spot
        for spot, channel in hall.channels.items()
        if spot not in dead and channel < len(values) and not at_rail(values[channel], hall)
    )


@lru_cache(maxsize=8)
def _bleed(spots: tuple[Spot, ...], pitch_mm: float) -> NDArray[np.float64]:
    """Return what share of the field at each sensor is felt at each other one (crosstalk)."""
    at = np.asarray([column_row(spot) for spot in spots]) * pitch_mm
    aside = np.linalg.norm(at[:, None] - at[None, :], axis=2)
    share = fall(aside)
    np.fill_diagonal(share, 0.0)
    return share


@lru_cache(maxsize=8)
def _leanings(
    magnets: tuple[tuple[Thing, int], ...], full_scale: int, noise: float
) -> Mapping[int, Mapping[Thing, float]]:
    """Return, for each difference from rest, the log-likelihood ratio of each piece to none."""
    offsets = np.arange(-full_scale, full_scale + 1, dtype=np.float64)
    unexplained = SURPRISE / full_scale
    empty = np.log((1 - SURPRISE) * _bell(offsets, 0.0, np.hypot(noise, DRIFT)) + unexplained)
    leaning = np.zeros((len(magnets), len(offsets)))
    for row, (_, strength) in enumerate(magnets):
        piece = (1 - SURPRISE) * _on_square(offsets, strength, noise) + unexplained
        leaning[row] = np.log(piece) - empty
    # The best piece is cut at the most a square may say and takes the others down with it:
    # how sure it is *which* piece it is must not drown in how sure it is that there is one.
    if magnets:
        leaning -= np.maximum(leaning.max(axis=0) - MOST, 0.0)
    leaning = np.clip(leaning, -MOST, MOST).round(3)
    names = [name for name, _ in magnets]
    columns = zip(offsets.astype(int).tolist(), leaning.T.tolist(), strict=True)
    return {offset: dict(zip(names, column, strict=True)) for offset, column in columns}


def _on_square(offsets: NDArray[np.float64], strength: int, noise: float) -> NDArray[np.float64]:
    """Return the likelihood of each value for a piece that stands somewhere on the square."""
    aside = np.linspace(0.0, FURTHEST_MM, 49)
    weight = aside * np.exp(-np.square(aside / USUAL_MM) / 2)
    means = strength * fall(aside)
    widths = np.hypot(np.hypot(noise, DRIFT), SPREAD * means)
    bells = _bell(offsets[:, None], means[None, :], widths[None, :])
    return np.asarray(bells @ (weight / weight.sum()))


def _bell(
    x: NDArray[np.float64], mean: float | NDArray[np.float64], width: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the normal density."""
    return np.asarray(np.exp(-np.square((x - mean) / width) / 2) / (width * np.sqrt(2 * np.pi)))


def fall(aside_mm: ArrayLike, height_mm: ArrayLike = 0.0) -> NDArray[np.float64]:
    """Return the upright part of a dipole's field, 1 right over the sensor on the board's top.

    It falls with the cube of the distance and changes sign, very weak, beyond about 17 mm
    aside: a neighbour's magnet is felt a little, with the opposite sign.
    """
    aside2 = np.square(np.asarray(aside_mm, dtype=np.float64))
    depth = SENSOR_DEPTH_MM + np.asarray(height_mm, dtype=np.float64)
    depth2 = depth * depth
    return np.asarray(SENSOR_DEPTH_MM**3 / 2 * (2 * depth2 - aside2) / (depth2 + aside2) ** 2.5)
