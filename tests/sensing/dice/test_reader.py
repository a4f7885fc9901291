"""Dice in pictures that were drawn for this, with seeds that nothing was trained or tuned on."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sensing.camera.files import read_picture
from companion.sensing.dice.finder import TILE, Found, _starts, cut_out, each_once
from companion.sensing.dice.net import CLOSE, FINDER, NONE, READER, VALUES, evened
from companion.sensing.dice.reader import LOOKS, SURE_VALUE, DiceReader, shares, together, told

FOLDER = Path(__file__).parents[2] / "dice"
TRUTH = json.loads((FOLDER / "truth.json").read_text())


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def read(reader: DiceReader, name: str, factor: float = 1.0) -> tuple[list[str], list[str]]:
    """Return what is said where dice lie, in the order of the truth, and what else is said."""
    picture = read_picture(FOLDER / name)
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way))
    dice, said = reader.read(picture), []
    for box in TRUTH[name]["boxes_px"]:
        x0, y0, x1, y1 = (side * factor for side in box)
        mine = []
        for die in dice:
            x, y = (die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2
            if x0 < x < x1 and y0 < y < y1:
                mine.append(die)
        said.append(" ".join(str(die.value) for die in mine))
        dice = [die for die in dice if die not in mine]
    return said, [str(die.value) for die in dice]


@pytest.mark.parametrize("name", ["drawn_0000.jpg", "drawn_0002.jpg"])
def test_dice_are_found_and_none_is_read_wrong(reader: DiceReader, name: str) -> None:
    said, _ = read(reader, name)
    values = list(map(str, TRUTH[name]["values"]))
    wrong = [(a, b) for a, b in zip(said, values, strict=True) if a not in (b, "None", "")]
    assert wrong == []
    assert sum(bool(each) for each in said) >= 0.8 * len(said)


def test_dice_are_read(reader: DiceReader) -> None:
    said, _ = read(reader, "drawn_0000.jpg")
    values = list(map(str, TRUTH["drawn_0000.jpg"]["values"]))
    assert sum(a == b for a, b in zip(said, values, strict=True)) >= 3


def test_dice_may_be_large(reader: DiceReader) -> None:
    said, _ = read(reader, "drawn_0000.jpg", 3.0)
    assert sum(bool(each) for each in said) >= 0.7 * len(said)


@pytest.mark.parametrize("shape", [(1, 1), (5, 900), (64, 64), (600, 30)])
def test_a_picture_of_nothing_has_no_dice(reader: DiceReader, shape: tuple[int, int]) -> None:
    assert reader.read(np.full((*shape, 3), 128, np.uint8)) == []


def test_every_pixel_lies_in_a_tile_with_a_margin() -> None:
    for length in (1, 300, TILE, TILE + 1, 961, 2000):
        starts = list(_starts(length))
        covered = {pixel for start in starts for pixel in range(start, start + TILE)}
        assert covered >= set(range(length))


def test_of_two_that_are_one_die_the_likelier_is_kept() -> None:
    one, same = Found(0.9, (0, 0, 30, 30)), Found(0.95, (4, 3, 34, 33))
    within, beside = Found(0.99, (10, 10, 20, 20)), Found(0.5, (31, 0, 61, 30))
    assert each_once([one, same, beside]) == [same, beside]
    assert each_once([one, within]) == [within]


def test_a_close_look_has_the_die_in_its_middle() -> None:
    picture = np.zeros((100, 140, 3), np.uint8)
    cv2.rectangle(picture, (100, 20), (119, 39), (255, 255, 255), -1)
    found = Found(1.0, (100.0, 20.0, 120.0, 40.0))
    for size, mirrored in LOOKS:
        cut = cut_out(picture, found, size, mirrored)
        rows = np.flatnonzero(cut[:, CLOSE // 2, 0] > 127)
        columns = np.flatnonzero(cut[CLOSE // 2, :, 0] > 127)
        for seen in (rows, columns):
            assert abs(len(seen) - size) <= 1
            assert abs(seen.mean() - (CLOSE - 1) / 2) <= 0.5


def test_a_die_at_the_edge_is_looked_at_as_if_the_table_went_on() -> None:
    picture = np.full((60, 60, 3), 77, np.uint8)
    for box in ((-10.0, -12.0, 20.0, 18.0), (45.0, 45.0, 75.0, 75.0)):
        assert (cut_out(picture, Found(1.0, box), 34, False) == 77).all()


def test_the_nets_are_small() -> None:
    assert FINDER.stat().st_size + READER.stat().st_size <= 600_000


def test_dice_of_all_colours_are_shown_alike_to_the_net() -> None:
    one = np.random.default_rng(1).integers(90, 160, (1, CLOSE, CLOSE, 3)).astype(np.uint8)
    darker = (one.astype(float) * 0.6 + np.array([20, 0, 40])).astype(np.uint8)
    np.testing.assert_allclose(evened(one), evened(darker), atol=0.2)
    assert np.isfinite(evened(np.zeros((1, CLOSE, CLOSE, 3), np.uint8))).all()


def said(*values: int) -> np.ndarray:
    """Return logits of looks, each sure of the number of a value."""
    return 12.0 * np.eye(NONE + 1, dtype=np.float32)[list(values)]


BOX = (10.0, 10.0, 40.0, 40.0)


def test_what_all_looks_agree_on_is_told() -> None:
    die = told(Found(0.95, BOX), shares(said(*[4] * len(LOOKS))))
    assert die is not None
    assert die.value == 5
    assert die.box == pytest.approx((7.6, 7.6, 42.4, 42.4))  # a little room around it


def test_when_a_look_sees_something_else_it_is_a_question() -> None:
    die = told(Found(0.95, BOX), shares(said(*[4] * (len(LOOKS) - 1), 5)))
    assert die is not None
    assert die.value is None
    assert die.surety < SURE_VALUE


def test_what_may_be_no_die_is_asked_about_or_left_out() -> None:
    sure = shares(said(*[4] * len(LOOKS)))
    doubtful = told(Found(0.5, BOX), sure)
    assert doubtful is not None
    assert doubtful.value is None
    assert told(Found(0.2, BOX), sure) is None
    assert told(Found(0.99, BOX), shares(said(*[NONE] * len(LOOKS)))) is None


def test_letters_are_not_asked_for_in_a_mirror() -> None:
    letters = VALUES.index("F2")
    looks = [1 if mirrored else letters for _, mirrored in LOOKS]
    die = told(Found(0.95, BOX), shares(said(*looks)))
    assert die is not None
    assert die.value == "F2"


def test_pips_that_fit_settle_what_the_net_is_not_sure_of() -> None:
    said = np.array([0.02, 0.02, 0.02, 0.4, 0.4, 0.02, 0.02, 0.1])
    fitting = np.array([0.2, 0.3, 0.3, 0.4, 3.0, 0.2])
    share = together(said, fitting)
    assert share.sum() == pytest.approx(1)
    assert VALUES[share.argmax()] == 5
    assert share.max() > 0.75
    against = together(said, np.array([3.0, 0.3, 0.3, 0.4, 0.4, 0.2]))
    assert against.max() < SURE_VALUE
