"""Dice that are drawn to learn from, and how readings of them are scored."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.dice import __main__ as command
from bench.dice.bank import bank
from bench.dice.body import PIPS, SIZE, SPECIAL, Drawn, draw
from bench.dice.faces import Faces, _other_colours, faces, some, things
from bench.dice.lessons import LEFT_OUT, SIDE, Lesson, Lessons, batch, drawn, wanted
from bench.dice.scene import Lying, scene
from bench.dice.score import in_words, score
from bench.dice.table import THINGS, put_down
from companion.sensing.dice.net import CLOSE, FIRST, NONE, STRIDE, UNIT
from companion.sensing.dice.reader import Die


@pytest.fixture(scope="module")
def dice() -> list[Drawn]:
    return [draw(np.random.default_rng([40, number])) for number in range(12)]


def test_a_seed_decides_on_a_die(dice: list[Drawn]) -> None:
    again = draw(np.random.default_rng([40, 3]))
    np.testing.assert_array_equal(again.picture, dice[3].picture)
    assert (again.value, again.lean) == (dice[3].value, dice[3].lean)
    assert not np.array_equal(dice[3].picture, dice[4].picture)


def test_a_die_is_whole_in_its_picture(dice: list[Drawn]) -> None:
    for die in dice:
        cover = die.picture[..., 3]
        edge = np.concatenate([cover[0], cover[-1], cover[:, 0], cover[:, -1]])
        assert not edge.any()
        assert (cover == 255).sum() > 0.2 * SIZE**2
        assert die.value in (*PIPS, SPECIAL)


def test_every_value_has_its_pips() -> None:
    assert {value: len(set(places)) for value, places in PIPS.items()} == {
        n: n for n in range(1, 7)
    }


def test_dice_in_a_scene_do_not_hide_each_other(dice: list[Drawn]) -> None:
    picture, lying = scene(np.random.default_rng(5), dice, 200, 30.0, 12)
    assert picture.shape == (200, 200, 3)
    assert len(lying) >= 6
    for die in lying:
        x0, y0, x1, y1 = die.box
        if min(x0, y0) >= 0 and max(x1, y1) <= 200:
            assert die.seen > 0.8
        assert 20 < die.size < 45


def test_what_the_net_should_say_is_over_the_die() -> None:
    die = Lying(5, (40.0, 50.0, 72.0, 80.0), 1.0)
    there, value, box = wanted([die])
    row, column = np.argwhere(there == 1).mean(axis=0)
    assert abs(column * STRIDE + FIRST - 55.5) < STRIDE / 2
    assert abs(row * STRIDE + FIRST - 64.5) < STRIDE / 2
    assert set(value[there == 1]) == {4}
    for y, x in np.argwhere(there == 1):
        at = np.array([x, y, x, y]) * STRIDE + FIRST
        np.testing.assert_allclose(at + box[:, y, x] * UNIT, die.box)
    assert there[0, 0] == 0


@pytest.mark.parametrize(
    ("die", "known"),
    [
        (Lying(3, (40.0, 40.0, 70.0, 70.0), 0.7), (1, LEFT_OUT)),  # half hidden: a die, no value
        (Lying(3, (40.0, 40.0, 70.0, 70.0), 0.3), (LEFT_OUT, LEFT_OUT)),
        (Lying(3, (40.0, 40.0, 56.0, 56.0), 1.0), (LEFT_OUT, LEFT_OUT)),  # nearly too small
        (Lying(3, (40.0, 40.0, 50.0, 50.0), 1.0), (0, LEFT_OUT)),
        (Lying(3, (0.0, 0.0, 120.0, 120.0), 1.0), (0, LEFT_OUT)),
    ],
)
def test_a_die_that_cannot_be_read_is_not_asked_for(die: Lying, known: tuple[int, int]) -> None:
    there, value, _ = wanted([die])
    x0, y0, x1, y1 = die.box
    column, row = (round(((a + b - 1) / 2 - FIRST) / STRIDE) for a, b in ((x0, x1), (y0, y1)))
    assert (there[row, column], value[row, column]) == known


def test_a_mirrored_lesson_says_the_same(dice: list[Drawn]) -> None:
    plain = [die for die in dice if die.value != SPECIAL]
    picture, lying = drawn(np.random.default_rng(8), plain)
    one = Lesson(*(np.stack([each] * 100) for each in (picture, *wanted(lying))))
    many = batch([one], np.random.default_rng(1), 12)
    mirrored = 0
    for n in range(12):
        if np.array_equal(many.there[n], one.there[0]):
            continue
        mirrored += 1
        np.testing.assert_array_equal(many.there[n], one.there[0][:, ::-1])
        widths = many.box[n, 2] - many.box[n, 0]
        np.testing.assert_allclose(widths, (one.box[0][2] - one.box[0][0])[:, ::-1], atol=1e-3)
    assert 0 < mirrored < 12
    assert many.pictures.shape == (12, SIDE, SIDE, 3)
    assert 0 <= many.pictures.min() <= many.pictures.max() <= 1


def test_what_was_drawn_is_kept(
    tmp_path: Path, dice: list[Drawn], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("bank", "lessons"):
        monkeypatch.setattr(f"bench.dice.{module}.PART", 2)
    first = bank(tmp_path, 40, 3)
    np.testing.assert_array_equal(first[2].picture, dice[2].picture)
    monkeypatch.setattr("bench.dice.bank.draw", None)  # nothing is drawn again
    np.testing.assert_array_equal(bank(tmp_path, 40, 3)[2].picture, first[2].picture)
    lessons = Lessons(tmp_path / "lessons", 1, dice)
    lessons.take(2)
    again = Lessons(tmp_path / "lessons", 1, [])
    again.take(2)
    np.testing.assert_array_equal(again.parts[1].pictures, lessons.parts[1].pictures)


def test_dice_are_cut_out_with_what_they_show(
    tmp_path: Path, dice: list[Drawn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.dice.lessons.PART", 3)
    plain = [die for die in dice if die.value != SPECIAL]
    one = faces(Lessons(tmp_path / "lessons", 4, plain), tmp_path, 0)
    assert one.pictures.shape[1:] == (CLOSE, CLOSE, 3)
    assert set(one.values) <= {die.value - 1 for die in plain} | {NONE}
    assert (one.values == NONE).any()
    again = faces(Lessons(tmp_path / "nowhere", 4, []), tmp_path, 0)
    np.testing.assert_array_equal(again.pictures, one.pictures)
    shown, values = some([one], np.random.default_rng(1), 20)
    assert shown.shape == (20, CLOSE, CLOSE, 3)
    assert len(values) == 20


def test_things_that_are_no_dice_are_cut_out_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.dice.faces.THINGS", 4)
    one = things(tmp_path, 0)
    assert one.pictures.shape == (4, CLOSE, CLOSE, 3)
    assert set(one.values) == {NONE}
    monkeypatch.setattr("bench.dice.faces._thing", None)  # nothing is drawn again
    np.testing.assert_array_equal(things(tmp_path, 0).pictures, one.pictures)


@pytest.mark.parametrize("kind", sorted(set(THINGS)))
def test_a_thing_is_seen_where_it_is_put_down(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.dice.table.THINGS", (kind,))
    ground = np.full((80, 80, 3), 2.0, np.float32)  # brighter than anything
    put_down(np.random.default_rng(3), ground, np.array([30.0, 50.0]), 30.0)
    rows, columns = np.nonzero((ground != 2.0).any(axis=-1))
    assert len(rows)
    if kind != "wire":  # that goes anywhere
        assert abs(columns.mean() - 30) < 6
        assert abs(rows.mean() - 50) < 6


def test_pips_may_differ_from_a_die_in_their_colour_alone() -> None:
    picture = np.full((CLOSE, CLOSE, 3), 70, np.uint8)
    picture[20:28, 20:28] = 170  # as light against dark as anything
    as_light = 0
    for seed in range(60):
        seen = _other_colours(np.random.default_rng(seed), picture).astype(float)
        apart = np.linalg.norm(seen[24, 24] - seen[2, 2])
        assert apart > 60
        as_light += abs(seen[24, 24].mean() - seen[2, 2].mean()) < 0.25 * apart
    assert as_light >= 6


def test_a_cut_out_still_shows_its_die_when_it_is_shown_anew() -> None:
    picture = np.full((1, CLOSE, CLOSE, 3), 40, np.uint8)
    picture[0, 7:41, 7:41] = 220
    many, values = some([Faces(picture, np.array([2]))], np.random.default_rng(2), 40)
    assert set(values) == {2}
    middle, corner = many[:, 20:28, 20:28], many[:, :3, :3]
    apart = np.linalg.norm(middle.mean(axis=(1, 2)) - corner.mean(axis=(1, 2)), axis=-1)
    assert (apart > 40).all()
    assert len({each.tobytes() for each in many}) > 30


def _die(value: int | None, x: float) -> Die:
    return Die(value, (x, 0.0, x + 30, 30.0), 1.0, 1.0)


def test_a_score_counts_every_reading_once() -> None:
    truth = [(n, (100.0 * n, 0.0, 100.0 * n + 32, 32.0)) for n in range(1, 5)]
    small = [(6, (900.0, 0.0, 920.0, 20.0))]
    dice = [_die(1, 100), _die(5, 200), _die(None, 300), _die(2, 600), _die(None, 700)]
    marks = score([*dice, _die(3, 895)], [*truth, *small])
    assert dict(marks) == {
        **{"dice": 4, "right": 1, "wrong": 1, "asked": 1, "missed": 1},
        **{"invented": 1, "asked in vain": 1},
    }
    assert "4 dice: 25.0 % right, 2 wrong (50.00 %; 1 of them where none lies)" in in_words(marks)


def test_two_readings_of_one_die_are_wrong() -> None:
    marks = score([_die(1, 100), _die(1, 101)], [(1, (100.0, 0.0, 132.0, 32.0))])
    assert marks["wrong"] == 1


def test_a_folder_without_truth_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    arguments = [out, "--score-only", "--readings", "0", "--real", str(tmp_path)]
    assert command.main(arguments) == 2
    assert "expected the truth of the pictures in" in capsys.readouterr().err


def test_photographs_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((90, 120, 3), 200, np.uint8))
    truth = {"a.png": {"values": [4], "boxes_px": [[10, 10, 50, 50]]}}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    arguments = [str(tmp_path), "--score-only", "--readings", "0", "--real", str(tmp_path)]
    assert command.main(arguments) == 0
    assert "photographs: 1 dice: 0.0 % right" in capsys.readouterr().out
