"""What goes wrong with hall sensors: each fault changes the value of a sensor in one scan."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.board import Board, Hall, Spot


@dataclass(frozen=True)
class Sensed:
    """A sensor in one scan: what it and the one ``beside`` it feel, the time, and chance."""

    hall: Hall
    value: int
    beside: int
    now: float
    rng: random.Random


SENSORS: Mapping[str, Callable[[Sensed], float]] = {
    "dead-sensor": lambda sensed: sensed.hall.rest,
    "stuck-sensor": lambda sensed: sensed.hall.rest + sensed.hall.full_scale // 3,
    "shorted-sensor": lambda sensed: sensed.hall.full_scale,
    "cut-sensor": lambda sensed: 0,
    "noisy-sensor": lambda sensed: sensed.value + sensed.rng.gauss(0, 400),
    "bouncing-sensor": lambda sensed: sensed.value + sensed.rng.choice((0, 900)),
    "weak-sensor": lambda sensed: 0.15 * sensed.value + 0.85 * sensed.hall.rest,
    "drifting-sensor": lambda sensed: sensed.value + 500 * math.sin(sensed.now / 5),
    "bleeding-sensor": lambda sensed: sensed.value + 0.9 * (sensed.beside - sensed.hall.rest),
    "open-row": lambda sensed: 0,
    "open-column": lambda sensed: 0,
}


def spoil(
    name: str,
    board: Board,
    values: list[int],
    spots: Sequence[Spot],
    now: float,
    rng: random.Random,
) -> None:
    """Change the values of one scan as a fault of the sensors on these squares does."""
    hall = board.hall
    for spot in spots:
        channel = hall.channels[spot]
        beside = values[hall.channels.get(_beside(board, spot), channel)]
        value = SENSORS[name](Sensed(hall, values[channel], beside, now, rng))
        values[channel] = max(0, min(hall.full_scale, round(value)))


def _beside(board: Board, spot: Spot) -> Spot:
    squares = board.squares
    number = squares.index(spot)
    return squares[number + 1 if (number + 1) % board.columns else number - 1]
