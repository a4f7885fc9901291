"""One picture as the net learns from it: the field laid flat, and what each place of it shows."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from companion.sensing.vision.sheet import PX

Array = NDArray[np.generic]

SIDE = 9  # squares a side of the boards in the studio
WIDE_MARGIN = 2.0  # pitches, so that a sample can be shifted and turned
WIDE = round((SIDE + 2 * WIDE_MARGIN) * PX)
MOST = 24  # things of a sample, NaN where there are fewer
LEFT_OUT = -1  # nothing is asked of this place


class Kept:
    """A dataclass of arrays that can be written to a file."""

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, **{each.name: getattr(self, each.name) for each in fields(self)})  # type: ignore[arg-type]
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return what was saved."""
        with np.load(path) as data:
            return cls(**{each.name: data[each.name] for each in fields(cls)})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Sample(Kept):
    """Labels are numbers of the kinds in :mod:`companion.sensing.vision.net`, rows from north
    to south, :data:`LEFT_OUT` where nothing is asked; paint is NaN where there is none.
    """

    picture: NDArray[np.uint8]  # (WIDE, WIDE, 3), BGR
    eye: NDArray[np.float32]  # place of the camera in pitches: east and south of the middle, up
    square: NDArray[np.int8]  # (9, 9)
    across: NDArray[np.int8]  # (8, 9)
    along: NDArray[np.int8]  # (9, 8)
    crossing: NDArray[np.int8]  # (8, 8)
    paint: NDArray[np.float32]  # (9, 9, 3)
    across_stave: NDArray[np.float32]  # (8, 9, 3)
    along_stave: NDArray[np.float32]  # (9, 8, 3)
    off: NDArray[np.float32]  # (9, 9, 2)
    things: NDArray[np.float32]  # (MOST, 6): place in pitches, kind, paint; those wholly in view


def middles() -> dict[str, NDArray[np.float32]]:
    """Return each head's places, (rows, columns, 2), in pitches east and south of the middle."""
    cells = np.arange(SIDE) - (SIDE - 1) / 2
    gaps = cells[:-1] + 0.5
    heads = {"square": (cells, cells), "across": (gaps, cells)}
    heads |= {"along": (cells, gaps), "crossing": (gaps, gaps)}
    return {
        name: np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float32)
        for name, (rows, columns) in heads.items()
    }
