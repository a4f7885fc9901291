"""What goes wrong with hall sensors: each fault changes the values of one scan."""

import math
import random
from collections.abc import Callable, Mapping

from companion.board import Board, Spot

Values = list[int]

#: How a fault changes a scan: the board, the values, where it is, the time, and a source of chance.
SpoilValues = Callable[[Board, Values, tuple[Spot, ...], float, random.Random], None]


def _dead(board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object) -> None:
    for spot in spots:
        values[board.hall.channels[spot]] = board.hall.rest


def _stuck(board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object) -> None:
    for spot in spots:
        values[board.hall.channels[spot]] = board.hall.rest + board.hall.full_scale // 3


def _shorted(
    board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object
) -> None:
    for spot in spots:
        values[board.hall.channels[spot]] = board.hall.full_scale


def _cut(board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object) -> None:
    for spot in spots:
        values[board.hall.channels[spot]] = 0


def _noisy(
    board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: random.Random
) -> None:
    for spot in spots:
        _add(board, values, spot, round(rng.gauss(0, 400)))


def _bouncing(
    board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: random.Random
) -> None:
    for spot in spots:
        _add(board, values, spot, rng.choice((0, 900)))


def _weak(board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object) -> None:
    for spot in spots:
        channel = board.hall.channels[spot]
        values[channel] = board.hall.rest + round((values[channel] - board.hall.rest) * 0.15)


def _drifting(
    board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object
) -> None:
    for spot in spots:
        _add(board, values, spot, round(500 * math.sin(now / 5)))


def _bleeding(
    board: Board, values: Values, spots: tuple[Spot, ...], now: float, rng: object
) -> None:
    for spot in spots:
        beside = _beside(board, spot)
        felt = values[board.hall.channels[beside]] - board.hall.rest
        _add(board, values, spot, round(0.9 * felt))


def _add(board: Board, values: Values, spot: Spot, counts: int) -> None:
    channel = board.hall.channels[spot]
    values[channel] = max(0, min(board.hall.full_scale, values[channel] + counts))


def _beside(board: Board, spot: Spot) -> Spot:
    squares = board.squares
    number = squares.index(spot)
    return squares[number + 1 if (number + 1) % board.columns else number - 1]


SENSORS: Mapping[str, SpoilValues] = {
    "dead-sensor": _dead,
    "stuck-sensor": _stuck,
    "shorted-sensor": _shorted,
    "cut-sensor": _cut,
    "noisy-sensor": _noisy,
    "bouncing-sensor": _bouncing,
    "weak-sensor": _weak,
    "drifting-sensor": _drifting,
    "bleeding-sensor": _bleeding,
    "open-row": _cut,
    "open-column": _cut,
}
