"""``companion teach`` as people and programs call it."""

import json

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.boards.spots import load_spots
from tests.sensing.teach.drawn import PITCH, RED, SQUARE, draw, holes_at, matched


@pytest.fixture
def pictures(tmp_path):
    """An empty board, and the same with two red marbles in it."""
    paths = [tmp_path / "empty.png", tmp_path / "set-up.png"]
    cv2.imwrite(str(paths[0]), draw(SQUARE))
    cv2.imwrite(str(paths[1]), draw(SQUARE, [(0, RED), (35, RED)], seed=2))
    return [str(path) for path in paths]


def test_each_picture_becomes_a_line_of_json(pictures, capsys):
    assert main(["teach", "--json", *pictures]) == 0
    empty, set_up = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert empty["image"] == pictures[0]
    assert empty["things"] == []
    found = [spot["px"] for spot in set_up["spots"]]
    assert matched(found, holes_at(SQUARE)) == (36, 0)
    assert {spot["kind"] for spot in set_up["spots"]} == {"hole"}
    things = sorted(set_up["things"], key=lambda thing: thing["spot"])
    assert things == [
        {"kind": "marble", "spot": "a6", "colour": "red"},
        {"kind": "marble", "spot": "f1", "colour": "red"},
    ]


def test_without_json_it_is_told_in_words(pictures, capsys):
    assert main(["teach", *pictures]) == 0
    out = capsys.readouterr().out
    assert "36 holes in squares" in out
    assert "2 red marbles: a6, f1" in out


def test_the_profile_is_sound_and_true_to_what_was_measured(pictures, tmp_path, capsys):
    out = tmp_path / "mine.toml"
    measure = ["--measure", "a1 f1 150", "--title", "Mine"]
    assert main(["teach", pictures[0], "--out", str(out), *measure]) == 0
    assert main(["boards", "check", str(out)]) == 0
    board = load_spots(out)
    assert board.title == "Mine"
    assert board.spacing_mm == pytest.approx(30, abs=0.01)
    assert board.hole_mm == pytest.approx(30 * 2 * 9 / PITCH, rel=0.15)
    assert board.provenance["geometry"].startswith("estimate: reckoned from one measured length")
    assert main(["boards", "draw", str(out)]) == 0
    assert "36 spots, 30 mm" in capsys.readouterr().out


def test_sizes_that_nobody_measured_are_called_stand_ins(pictures, tmp_path):
    out = tmp_path / "mine.toml"
    assert main(["teach", pictures[0], "--out", str(out)]) == 0
    assert load_spots(out).provenance["geometry"].startswith("stand-in: nobody has measured")


def test_what_was_found_is_drawn(pictures, tmp_path):
    target = tmp_path / "seen.png"
    assert main(["teach", *pictures, "--overlay", str(target)]) == 0
    assert not np.array_equal(cv2.imread(str(target)), cv2.imread(pictures[1]))


def test_a_game_with_other_holes_is_told(pictures, capsys):
    assert main(["teach", pictures[0], "--game", "marbles"]) == 0
    assert "marbles: expected 82 holes" in capsys.readouterr().out


def test_a_picture_without_a_board_is_an_answer_of_no(tmp_path, capsys):
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((480, 640, 3), 90, np.uint8))
    assert main(["teach", "--json", str(blank)]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"image": str(blank), "spots": [], "things": []}
    assert "blank.png: no board found: expected" in captured.err


def test_a_later_picture_of_something_else_is_told(pictures, tmp_path, capsys):
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((480, 640, 3), 90, np.uint8))
    assert main(["teach", "--json", pictures[0], str(blank)]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out.splitlines()[1])["spots"] == []
    assert "not found again" in captured.err


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["--measure", "a1 b1"], "expected two spots and millimetres"),
        (["--measure", "a1 z9 20"], "expected a spot of this board"),
        (["--measure", "a1 a1 20"], "expected two different spots"),
        (["--out", "mine.txt"], "expected a file named like my-board.toml"),
        (["--game", "chess"], "expected a game that is played on holes"),
    ],
)
def test_wrong_use_is_told_in_a_line(pictures, capsys, wrong, told):
    assert main(["teach", pictures[0], *wrong]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_an_unreadable_picture_is_wrong_use(tmp_path, capsys):
    text = tmp_path / "text.jpg"
    text.write_text("not a picture")
    assert main(["teach", str(text)]) == 2
    assert "text.jpg is not a picture" in capsys.readouterr().err
