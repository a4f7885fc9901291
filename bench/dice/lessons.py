"""Pictures to learn from, with what the net should say at each of its steps, in files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.dice.body import SPECIAL, Array, Drawn, Rng
from bench.dice.scene import Lying, scene
from companion.sensing.dice.net import FIRST, LARGEST, LEAST, STRIDE, UNIT

SIDE = 128  # pixels of a picture to learn from
STEPS = SIDE // STRIDE
PART = 100  # pictures a file
SMALLEST, BIGGEST = LEAST - 3, LARGEST + 6  # dice are to be found a little beyond what is asked for
NOT_YET, NO_MORE = 14, 68  # between these and those, the net may say what it likes
CORE, RIM = 0.24, 0.45  # of a die's size: a step this near its middle is the die's; beyond, not
LEFT_OUT = -1
CLEAR, HALF = 0.86, 0.5  # of a die must be seen for its value, and to be one


@dataclass(frozen=True)
class Lesson:
    """Pictures, (n, SIDE, SIDE, 3); for each step whether a die is there, its value and its box."""

    pictures: Array
    there: Array  # 1, 0 or LEFT_OUT
    value: Array  # its number among VALUES, or LEFT_OUT
    box: Array  # how far its four sides are from the step, in UNIT pixels


def drawn(rng: Rng, dice: Sequence[Drawn]) -> tuple[Array, list[Lying]]:
    """Draw a picture to learn from; dice are too large or too small in some."""
    kind = rng.random()
    if kind < 0.06:
        scale = rng.uniform(64, 130)
    elif kind < 0.12:
        scale = rng.uniform(9, 15)
    else:
        scale = np.exp(rng.uniform(np.log(LEAST), np.log(LARGEST)))
    most = min(30, 2 + 1.1 * (SIDE / scale) ** 2)
    count = 0 if rng.random() < 0.08 else int(rng.integers(2, most))
    return scene(rng, dice, SIDE, float(scale), count)


def wanted(lying: Sequence[Lying], steps: int = STEPS) -> tuple[Array, Array, Array]:
    """Return what the net should say: there, value, box."""
    there = np.zeros((steps, steps), np.int8)
    value = np.full((steps, steps), LEFT_OUT, np.int8)
    box = np.zeros((4, steps, steps), np.float32)
    nearest = np.full((steps, steps), np.inf)
    at = np.arange(steps) * STRIDE + FIRST
    for die in lying:
        if die.size < NOT_YET or die.size > NO_MORE:
            continue
        x0, y0, x1, y1 = die.box
        off_x, off_y = at[None] - (x0 + x1 - 1) / 2, at[:, None] - (y0 + y1 - 1) / 2
        far = np.hypot(off_x, off_y)
        mine = far < nearest
        nearest = np.minimum(nearest, far)
        good = SMALLEST <= die.size <= BIGGEST and die.seen >= HALF
        core = mine & (far < max(CORE * die.size, STRIDE * 0.72))
        rim = mine & (far < RIM * die.size)
        there[rim & (there == 0)] = LEFT_OUT
        there[core] = 1 if good else LEFT_OUT
        known = good and die.seen >= CLEAR
        value[core] = die.value - 1 if known else LEFT_OUT
        sides = np.stack(np.broadcast_arrays(x0 - at, y0 - at[:, None], x1 - at, y1 - at[:, None]))
        box[:, core] = sides[:, core] / UNIT
    return there, value, box


class Lessons:
    """Pictures by the file; those of a file that is not there are drawn when they are wanted."""

    def __init__(self, folder: Path, seed: int, dice: Sequence[Drawn]) -> None:
        self._folder, self._seed, self._dice = folder, seed, dice
        self.parts: list[Lesson] = []

    def draw(self, part: int) -> Path:
        """Draw the pictures of one file unless they are there; return the file."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{self._seed}-{part:04}.npz"
        if not path.exists():
            numbers = range(part * PART, (part + 1) * PART)
            _save(path, [_one(self._seed, number, self._dice) for number in numbers])
        return path

    def take(self, count: int) -> None:
        """Have so many files at hand."""
        while len(self.parts) < count:
            with np.load(self.draw(len(self.parts))) as kept:
                names = ("pictures", "there", "value", "box")
                self.parts.append(Lesson(*(kept[name] for name in names)))


def _one(seed: int, number: int, dice: Sequence[Drawn]) -> tuple[Array, ...]:
    picture, lying = drawn(np.random.default_rng([seed, number]), dice)
    return picture, *wanted(lying)


def _save(path: Path, made: Sequence[tuple[Array, ...]]) -> None:
    pictures, there, value, box = (np.stack(each) for each in zip(*made, strict=True))
    part = path.with_suffix(".part.npz")
    np.savez(part, pictures=pictures, there=there, value=value, box=box.astype(np.float16))
    part.replace(path)


def batch(parts: Sequence[Lesson], rng: Rng, size: int) -> Lesson:
    """Return some of the pictures, each mirrored, recoloured and lit by lot."""
    chosen = [(parts[rng.integers(len(parts))], rng.integers(PART)) for _ in range(size)]
    pictures = np.stack([part.pictures[n] for part, n in chosen]).astype(np.float32)
    pictures *= np.float32(1 / 255)
    there = np.stack([part.there[n] for part, n in chosen])
    value = np.stack([part.value[n] for part, n in chosen])
    box = np.stack([part.box[n] for part, n in chosen]).astype(np.float32)
    for n in range(size):
        if rng.random() < 0.5 and not (value[n] == SPECIAL - 1).any():
            pictures[n] = pictures[n, :, ::-1].copy()
            there[n], value[n] = there[n, :, ::-1].copy(), value[n, :, ::-1].copy()
            box[n] = box[n, :, :, ::-1][[2, 1, 0, 3]].copy()
            box[n, [0, 2]] *= -1
        if rng.random() < 0.5:
            pictures[n] = pictures[n][..., rng.permutation(3)]
        gain = rng.uniform(0.75, 1.25) * rng.normal(1, 0.05, 3)
        pictures[n] *= gain.astype(np.float32)
        pictures[n] += np.float32(rng.normal(0, 0.04))
    np.clip(pictures, 0, 1, out=pictures)
    return Lesson(pictures, there, value, box)
