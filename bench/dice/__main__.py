"""``python -m bench.dice FOLDER``: draw dice, train the nets that read them, export and score.

Every step goes on where it was stopped: what is drawn is not drawn again, and training has
checkpoints. The score is on pictures with seeds of their own; with ``--real`` on the photographs of
a folder with a truth.json, too. ``--ship`` takes the nets into the package.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from bench.dice.bank import bank
from bench.dice.faces import faces, things
from bench.dice.lessons import SIDE, Lessons
from bench.dice.scene import scene
from bench.dice.score import Counter, in_words, score, score_folder
from companion.commands.progress import progress, say
from companion.errors import CompanionError
from companion.sensing.dice.net import CLOSE, FINDER, READER, VALUES
from companion.sensing.dice.reader import DiceReader

DICE, FILES = 2500, 100  # drawn to learn from: dice, and files of pictures with them
NOT_DICE = 10  # files of things that are none
SEED, HELD_BACK = 1, 3  # of what is learned from, and of what is scored
OTHERS = 200  # dice in the pictures for scoring
ACROSS = 400  # pixels of these pictures
SMALL, LARGE = 34, 75  # pixels of their dice
SHIPPED = (FINDER, READER)
NO_TORCH = "expected PyTorch to train with, found none: install it with `pip install '.[train]'`"


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    words = argparse.ArgumentParser(prog="python -m bench.dice", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="outside of the work tree")
    words.add_argument("--score-only", action="store_true", help="score the nets in the package")
    words.add_argument("--readings", type=int, default=1000, metavar="N", help="drawn, to score")
    words.add_argument("--seed", type=int, default=HELD_BACK, metavar="N", help="of what is scored")
    words.add_argument("--real", type=Path, metavar="PHOTOS", help="photographs with truth.json")
    words.add_argument("--ship", action="store_true", help="take the nets into the package")
    return words


def main(arguments: Sequence[str] | None = None) -> int:
    """Make what is missing and train; return 0, or 2 without PyTorch or pictures."""
    options = parser().parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        weights = SHIPPED if options.score_only else made(options.folder)
        if weights is None:
            print(NO_TORCH, file=sys.stderr)
            return 2
        marks = scores(options, DiceReader(*weights))
    except CompanionError as error:
        print(error, file=sys.stderr)
        return 2
    figures = {name: dict(mark) for name, mark in marks.items()}
    (options.folder / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    if options.ship:
        for path, place in zip(weights, SHIPPED, strict=True):
            shutil.copyfile(path, place)
    return 0


def made(folder: Path) -> tuple[Path, Path] | None:
    """Draw and train; return the files of finder and reader, None without PyTorch."""
    lessons = Lessons(folder / "lessons", SEED, bank(folder / "bank", SEED, DICE))
    lessons.take(FILES)
    parts = [faces(lessons, folder / "faces", part) for part in range(FILES)]
    parts += [things(folder / "faces", part) for part in range(NOT_DICE)]
    try:
        import torch

        from bench.dice.train import find_net, read_net
        from bench.eyes.export import write
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "onnx"):
            raise
        return None
    torch.set_num_threads(1)
    names = ("picture", "answers")
    finder, reader = (folder / place.name for place in SHIPPED)
    write(find_net(lessons.parts, folder), (3, SIDE, SIDE), finder, names)
    write(read_net(parts, folder), (3, CLOSE, CLOSE), reader, names)
    return finder, reader


def scores(options: argparse.Namespace, reader: DiceReader) -> dict[str, Counter[str]]:
    """Return how drawn pictures that nothing was trained on are read, and photographs."""
    dice = bank(options.folder / "bank", options.seed, OTHERS)
    marks: dict[str, Counter[str]] = {"drawn": Counter()}
    for number in progress(range(options.readings), "drawn", lambda: options.readings):
        if marks["drawn"]["dice"] >= options.readings:
            break
        rng = np.random.default_rng([options.seed, number])
        scale = float(np.exp(rng.uniform(np.log(SMALL), np.log(LARGE))))
        picture, lying = scene(rng, dice, ACROSS, scale, int(rng.integers(0, 16)))
        truth = [(VALUES[die.value - 1], die.box) for die in lying if die.seen > 0.9]
        cut_off = [die.box for die in lying if die.seen <= 0.9]
        told = [die for die in reader.read(picture) if not _on(cut_off, die.box)]
        marks["drawn"] += score(told, truth, wide=0)
    if options.real:
        marks["photographs"] = score_folder(reader, options.real)
    for name, mark in marks.items():
        say(f"{name}: {in_words(mark)}")
    return marks


def _on(boxes: Sequence[Sequence[float]], box: Sequence[float]) -> bool:
    """Tell whether the middle of a box lies in one of others."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes)


if __name__ == "__main__":
    sys.exit(main())
