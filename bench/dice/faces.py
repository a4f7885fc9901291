"""Dice cut out of drawn pictures, one by one, to learn to read them; and what is no die."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.dice.body import SPECIAL, Array, Rng
from bench.dice.lessons import LEFT_OUT, SIDE, Lessons
from bench.dice.scene import taken
from bench.dice.table import put_down, table
from companion.sensing.dice.finder import Found, cut_out
from companion.sensing.dice.net import CLOSE, FIRST, NONE, STRIDE, UNIT, WIDE

OFF, LARGER = 0.06, 0.12  # of a die's size, that a finder may be off; how much too large or small
EMPTY = 2  # places without a die, of each picture
ASIDE = 0.42  # of its size: so far from a die's middle there is none
TURN = 18  # degrees, by which a cut-out is turned
THINGS = 600  # a file: things that are no dice, each in the middle of a cut-out


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


def things(folder: Path, part: int) -> Faces:
    """Return cut-outs of things that are no dice, each where a die would be."""
    path = folder / f"things-{part:04}.npz"
    if not path.exists():
        pictures = [_thing(np.random.default_rng([78, part, number])) for number in range(THINGS)]
        folder.mkdir(parents=True, exist_ok=True)
        kept = path.with_suffix(".part.npz")
        np.savez(kept, pictures=np.stack(pictures))
        kept.replace(path)
    with np.load(path) as saved:
        return Faces(saved["pictures"], np.full(THINGS, NONE))


def _thing(rng: Rng) -> Array:
    side, scale = 2 * CLOSE, WIDE * rng.uniform(0.8, 1.6)
    ground = table(rng, side, scale)
    put_down(rng, ground, side / 2 + rng.normal(0, 0.08, 2) * scale, scale)
    seen = taken(rng, np.clip(ground, 0, 1), scale)
    half = scale / 2
    middle = (side - 1) / 2
    box = (middle - half, middle - half, middle + half, middle + half)
    return cut_out(seen, Found(1.0, box), WIDE, False)


def some(parts: list[Faces], rng: Rng, size: int) -> tuple[Array, Array]:
    """Return some cut-outs, each moved, mirrored, recoloured and lit by lot, and what they show."""
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
        shown[n] = _anew(rng, shown[n])
    assert shown.shape[1:] == (CLOSE, CLOSE, 3)
    return shown, said


def _anew(rng: Rng, picture: Array) -> Array:
    """Return a cut-out a little turned, moved and scaled, as another camera would show it."""
    if rng.random() < 0.8:
        middle = (CLOSE - 1) / 2
        way = cv2.getRotationMatrix2D(
            (middle, middle), rng.uniform(-TURN, TURN), rng.uniform(0.93, 1.08)
        )
        way[:, 2] += rng.uniform(-1.2, 1.2, 2)
        picture = cv2.warpAffine(
            picture, way, (CLOSE, CLOSE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
    if rng.random() < 0.4:
        picture = _other_colours(rng, picture)
    kind = rng.random()
    if kind < 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.9))
    elif kind < 0.5:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.6, 1.5))
        more = rng.uniform(0.2, 1.2)
        picture = cv2.addWeighted(picture, 1 + more, soft, -more, 0)
    if rng.random() < 0.3:  # too much light, or a lamp's gleam
        gain = rng.uniform(0.9, 1.5)
        picture = cv2.convertScaleAbs(picture, alpha=gain, beta=rng.uniform(-10, 20))
    if rng.random() < 0.15:
        _gleam(rng, picture)
    return picture


def _other_colours(rng: Rng, picture: Array) -> Array:
    """Return a picture whose colours are turned about their mean: so body and pips may be as
    light as each other, and differ in their hue alone."""
    turn, _ = cv2.Rodrigues(_way(rng) * rng.uniform(0.3, 1.8))
    mean = picture.mean(axis=(0, 1))
    back = np.clip(mean, 60, 170) - turn @ mean
    turned: Array = cv2.transform(picture, np.column_stack([turn, back]))
    return turned


def _way(rng: Rng) -> Array:
    way = rng.normal(0, 1, 3)
    unit: Array = way / np.linalg.norm(way)
    return unit


def _gleam(rng: Rng, picture: Array) -> None:
    """Put the reflection of a lamp onto a face, long and thin or large and faint."""
    at = CLOSE / 2 + rng.uniform(-0.35, 0.35, 2) * WIDE
    long = rng.uniform(2, 9)
    axes = (long, long * rng.uniform(0.15, 0.4))
    gleam = np.zeros((CLOSE, CLOSE), np.float32)
    box = (tuple(map(float, at)), axes, float(rng.uniform(0, 180)))
    cv2.ellipse(gleam, box, 1.0, -1, cv2.LINE_AA)
    gleam = cv2.GaussianBlur(gleam, (0, 0), rng.uniform(0.4, 1.5)) * rng.uniform(0.3, 1)
    picture[:] = np.rint(picture + (255 - picture) * gleam[..., None])
