"""Dice that are drawn once and shown in many pictures, in files of some hundred."""

from pathlib import Path

import numpy as np

from bench.dice.body import Drawn, Rng, draw
from companion.commands.progress import progress

PART = 100  # dice a file


def bank(folder: Path, seed: int, count: int) -> list[Drawn]:
    """Return so many dice, drawn unless they are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    dice: list[Drawn] = []
    parts = -(-count // PART)
    for part in progress(range(parts), folder.name, lambda: parts):
        path = folder / f"{seed}-{part:03}.npz"
        if not path.exists():
            _save(path, [draw(_rng(seed, part * PART + n)) for n in range(PART)])
        with np.load(path) as kept:
            pictures, values, leans = kept["pictures"], kept["values"], kept["leans"]
        dice += [
            Drawn(picture, int(value), float(lean))
            for picture, value, lean in zip(pictures, values, leans, strict=True)
        ]
    return dice[:count]


def _rng(seed: int, number: int) -> Rng:
    return np.random.default_rng([seed, number])


def _save(path: Path, dice: list[Drawn]) -> None:
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        pictures=np.stack([die.picture for die in dice]),
        values=np.array([die.value for die in dice]),
        leans=np.array([die.lean for die in dice]),
    )
    part.replace(path)
