"""From what lies on a board, in millimetres, to the labels of a sample."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.eyes.sample import LEFT_OUT, MOST, SIDE, middles
from companion.sensing.vision.net import CROSSING, GROOVE, KINDS, SQUARE, paint_of

HIDDEN, TOUCHED = 0.3, 0.08  # shares of a place from which it is covered, or nothing is asked of it
BETWEEN = 0.30  # pitches from the middle of a thing's square beyond which it is not asked for
FLAT_RIM = 0.25  # pitches around a loose fence of which nothing is asked
PLACES = middles()

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Standing:
    """A thing on the board: its kind, its foot in pitches east and south of the middle."""

    kind: str
    x: float
    y: float
    paint: Rgb | None = None


@dataclass(frozen=True)
class Stave:
    """A fence: its middle, its direction in degrees from east towards north, how it sits."""

    x: float
    y: float
    angle: float
    length: float  # in pitches
    seated: bool
    lies: bool = False
    half: bool = False  # in its groove, but not all the way: too little for a look from afar
    paint: Rgb | None = None


def label(
    things: Iterable[Standing], staves: Iterable[Stave], hidden: Mapping[str, NDArray[np.float64]]
) -> dict[str, NDArray[np.generic]]:
    """Return the labels of a board; ``hidden`` has for each head the share of its places that
    hands and other things hide from the camera."""
    labels = {name: np.zeros(p.shape[:2], np.int8) for name, p in PLACES.items()}
    paint = np.full((SIDE, SIDE, 3), np.nan, np.float32)
    off = np.full((SIDE, SIDE, 2), np.nan, np.float32)
    bands = {
        "across": np.full((SIDE - 1, SIDE, 3), np.nan, np.float32),
        "along": np.full((SIDE, SIDE - 1, 3), np.nan, np.float32),
    }
    for stave in sorted(staves, key=lambda stave: stave.seated):
        (_seat if stave.seated or stave.half else _lay)(stave, labels, bands)
    things = tuple(things)
    for thing in things:
        _stand(thing, labels["square"], paint, off)
    for name, share in hidden.items():
        labels[name][share > TOUCHED] = LEFT_OUT
        labels[name][share >= HIDDEN] = KINDS[name].index("covered")
    gone = labels["square"] == SQUARE.index("covered")
    paint[gone], off[gone] = np.nan, np.nan
    for name, band in bands.items():
        band[labels[name] == GROOVE.index("covered")] = np.nan
    return {
        **labels,
        "paint": paint,
        "off": off,
        "across_stave": bands["across"],
        "along_stave": bands["along"],
        "things": _in_view(things, hidden["square"]),
    }


def _in_view(things: tuple[Standing, ...], hidden: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the things near which nothing is hidden."""
    listed = np.full((MOST, 6), np.nan, np.float32)
    count = 0
    for thing in things[:MOST]:
        far = np.hypot(*(PLACES["square"] - [thing.x, thing.y]).transpose(2, 0, 1))
        if far.min() < 0.75 and hidden[far < 1.5].max() <= TOUCHED:
            listed[count, :3] = thing.x, thing.y, SQUARE.index(thing.kind)
            if thing.paint is not None:
                listed[count, 3:] = paint_of(thing.paint)
            count += 1
    return listed


def _stand(
    thing: Standing,
    squares: NDArray[np.int8],
    paint: NDArray[np.float32],
    off: NDArray[np.float32],
) -> None:
    away = np.array([thing.x, thing.y]) - PLACES["square"]
    far = np.hypot(away[..., 0], away[..., 1])
    row, column = np.unravel_index(far.argmin(), far.shape)
    off_by = np.abs(away[row, column]).max()
    if off_by > 0.6:  # off the field
        return
    if off_by > BETWEEN:
        squares[far < 0.9] = np.where(squares[far < 0.9] > 0, squares[far < 0.9], LEFT_OUT)
        return
    squares[row, column] = SQUARE.index(thing.kind)
    off[row, column] = away[row, column]
    if thing.paint is not None:
        paint[row, column] = paint_of(thing.paint)


def _seat(
    stave: Stave, labels: dict[str, NDArray[np.int8]], bands: dict[str, NDArray[np.float32]]
) -> None:
    away = np.abs(PLACES["crossing"] - [stave.x, stave.y]).sum(axis=-1)
    row, column = np.unravel_index(away.argmin(), away.shape)
    if away[row, column] > 0.3:
        return
    name = "across" if abs(math.cos(math.radians(stave.angle))) > 0.7 else "along"
    labels["crossing"][row, column] = LEFT_OUT if stave.half else CROSSING.index(name)
    for step in (0, 1):
        at = (row, column + step) if name == "across" else (row + step, column)
        labels[name][at] = LEFT_OUT if stave.half else GROOVE.index("fence")
        if stave.paint is not None:
            bands[name][at] = paint_of(stave.paint)


def _lay(
    stave: Stave, labels: dict[str, NDArray[np.int8]], bands: dict[str, NDArray[np.float32]]
) -> None:
    """Mark where a fence lies loose, or stands where it is not pushed in."""
    turn = math.radians(stave.angle)
    ux, uy = math.cos(turn), -math.sin(turn)
    reach = 0.4 if stave.lies else 0.2
    for name, places in PLACES.items():
        if name == "square" and not stave.lies:
            continue
        away = places - [stave.x, stave.y]
        along = np.abs(away[..., 0] * ux + away[..., 1] * uy) - stave.length / 2
        across = np.abs(away[..., 1] * ux - away[..., 0] * uy)
        near = np.hypot(np.maximum(along, 0), across)
        here = labels[name]
        here[(near < reach + FLAT_RIM) & (here == 0)] = LEFT_OUT
        here[(near < reach) & (along < 0)] = KINDS[name].index(
            "flat" if name == "square" else "loose"
        )
