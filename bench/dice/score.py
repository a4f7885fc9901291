"""Scores readings of dice against the truth: right, wrong, asked about, missed, invented."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.errors import PictureError
from companion.sensing.camera.files import read_picture
from companion.sensing.dice.reader import DiceReader, Die

WIDE = 30  # pixels: smaller dice are not asked for
Truth = tuple[int | str, tuple[float, ...]]  # what a die shows, the box around it


def score(dice: Sequence[Die], truth: Sequence[Truth], wide: float = WIDE) -> Counter[str]:
    """Return how many dice were told right, told wrong, asked about and missed, and how many
    readings were made where no die is. What lies on a small die counts for nothing."""
    left = list(dice)
    marks: Counter[str] = Counter()
    for value, (x0, y0, x1, y1) in truth:
        mine = [die for die in left if x0 <= _middle(die)[0] <= x1 and y0 <= _middle(die)[1] <= y1]
        for die in mine:
            left.remove(die)
        if x1 - x0 < wide:
            continue
        marks["dice"] += 1
        told = [die.value for die in mine if die.value is not None]
        if any(each != value for each in told) or len(told) > 1:
            marks["wrong"] += 1
        elif told:
            marks["right"] += 1
        else:
            marks["asked" if mine else "missed"] += 1
    marks["invented"] = sum(die.value is not None for die in left)
    marks["asked in vain"] = sum(die.value is None for die in left)
    return marks


def _middle(die: Die) -> tuple[float, float]:
    x0, y0, x1, y1 = die.box
    return (x0 + x1) / 2, (y0 + y1) / 2


def score_folder(
    reader: DiceReader, folder: Path, names: Iterable[str] | None = None
) -> Counter[str]:
    """Return the score of the pictures in a folder with a truth.json; of some, if named."""
    kept = folder / "truth.json"
    try:
        truth = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PictureError(f"expected the truth of the pictures in {kept}: {error}") from error
    marks: Counter[str] = Counter()
    for name in sorted(truth) if names is None else names:
        dice = reader.read(read_picture(folder / name))
        lies = list(zip(truth[name]["values"], map(tuple, truth[name]["boxes_px"]), strict=True))
        marks += score(dice, lies)
        marks["pictures"] += 1
    return marks


def in_words(marks: Counter[str]) -> str:
    """Return a score in a line."""
    dice = max(1, marks["dice"])
    wrong = marks["wrong"] + marks["invented"]
    return (
        f"{marks['dice']} dice: {100 * marks['right'] / dice:.1f} % right,"
        f" {wrong} wrong ({100 * wrong / dice:.2f} %; {marks['invented']} of them where none lies),"
        f" {100 * marks['asked'] / dice:.1f} % asked about, {marks['missed']} missed,"
        f" {marks['asked in vain']} questions where none lies"
    )
