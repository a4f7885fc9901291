"""Dice cut out of drawn pictures, one by one, to learn to read them; and places without one."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.dice.body import SPECIAL, Array, Rng
from bench.dice.lessons import LEFT_OUT, SIDE, Lessons
from companion.sensing.dice.finder import Found, cut_out
from companion.sensing.dice.net import CLOSE, FIRST, NONE, STRIDE, UNIT, WIDE

OFF, LARGER = 0.06, 0.12  # of a die's size, that a finder may be off; how much too large or small
EMPTY = 2  # places without a die, of each picture
ASIDE = 0.42  # of its size: so far from a die's middle there is none


@dataclass(frozen=True)
class Faces:
    """Cut-outs, (n, CLOSE, CLOSE, 3), and what they show, by its number among VALUES, or NONE."""

    pictures: Array
    values: Array


def faces(lessons: Lessons, folder: Path, part: int) -> Faces:
    """Return what is cut out of the pictures of one file, once and for all."""
    path = folder / f"faces-{part:04}.npz"
    if not path.exists():
        lessons.take(part + 1)
        lesson = lessons.parts[part]
        made = []
        for number in range(len(lesson.pictures)):
            rng = np.random.default_rng([77, part, number])
            boxes = list(_boxes(lesson.there[number], lesson.value[number], lesson.box[number]))
            made += _cut(rng, lesson.pictures[number], boxes)
        pictures, values = zip(*made, strict=True)
        folder.mkdir(parents=True, exist_ok=True)
        kept = path.with_suffix(".part.npz")
        np.savez(kept, pictures=np.stack(pictures), values=np.array(values, np.int64))
        kept.replace(path)
    with np.load(path) as saved:
        return Faces(saved["pictures"], saved["values"])


def _boxes(there: Array, value: Array, box: Array) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yield the dice of a picture again, each once."""
    seen = set()
    for row, column in np.argwhere(there == 1):
        at = np.array([column, row, column, row]) * STRIDE + FIRST
        sides = at + box[:, row, column].astype(float) * UNIT
        key = tuple(np.rint(sides / 4).astype(int))
        if key not in seen:
            seen.add(key)
            yield int(value[row, column]), tuple(map(float, sides))


def _cut(
    rng: Rng, picture: Array, boxes: list[tuple[int, tuple[float, ...]]]
) -> list[tuple[Array, int]]:
    made = []
    for value, (x0, y0, x1, y1) in boxes:
        if value == LEFT_OUT:
            continue
        found = _shaken(rng, (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0 + y1 - y0) / 2)
        made.append((cut_out(picture, found, WIDE, False), value))
    for _ in range(EMPTY):
        x, y, size = *rng.uniform(4, SIDE - 4, 2), rng.uniform(16, 60)
        if boxes and rng.random() < 0.5:  # beside one
            x0, y0, x1, y1 = boxes[int(rng.integers(len(boxes)))][1]
            size = (x1 - x0) * rng.uniform(0.5, 1.6)
            around, away = rng.uniform(0, 2 * np.pi), (x1 - x0) * rng.uniform(ASIDE, 1)
            x, y = (x0 + x1) / 2 + away * np.cos(around), (y0 + y1) / 2 + away * np.sin(around)
        if not 0 <= x < SIDE or not 0 <= y < SIDE:
            continue
        if all(
            np.hypot(x - (b[0] + b[2]) / 2, y - (b[1] + b[3]) / 2) > ASIDE * max(size, b[2] - b[0])
            for _, b in boxes
        ):
            made.append((cut_out(picture, _shaken(rng, x, y, size), WIDE, False), NONE))
    return made


def _shaken(rng: Rng, x: float, y: float, size: float) -> Found:
    x, y = (at + rng.uniform(-OFF, OFF) * size for at in (x, y))
    half = size / 2 * rng.uniform(1 - LARGER, 1 + LARGER)
    return Found(1.0, (x - half, y - half, x + half, y + half))


def some(parts: list[Faces], rng: Rng, size: int) -> tuple[Array, Array]:
    """Return some cut-outs, each mirrored and recoloured by lot, and what they show."""
    each = -(-size // 4)
    pictures, values = [], []
    for _ in range(4):
        part = parts[rng.integers(len(parts))]
        chosen = rng.integers(0, len(part.values), each)
        pictures.append(part.pictures[chosen])
        values.append(part.values[chosen])
    shown, said = np.concatenate(pictures), np.concatenate(values)
    for n in range(len(said)):
        if said[n] != SPECIAL - 1 and rng.random() < 0.5:
            shown[n] = shown[n, :, ::-1].copy()
        if rng.random() < 0.5:
            shown[n] = shown[n][..., rng.permutation(3)]
    assert shown.shape[1:] == (CLOSE, CLOSE, 3)
    return shown, said
