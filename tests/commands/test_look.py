"""``companion look`` as people and programs call it."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main

PHOTO = Path(__file__).parent.parent / "photos" / "still_0000.jpg"


def test_a_photograph_becomes_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", "--json", str(PHOTO)]) == 0
    seen = json.loads(capsys.readouterr().out)
    truth = json.loads(PHOTO.with_suffix(".json").read_text())
    assert seen["image"] == str(PHOTO)
    assert seen["board_found"] is True
    assert seen["pieces"] == truth["pieces"]
    assert seen["walls"] == truth["walls"]
    assert seen["pellets"] == truth["pellets"]
    assert seen["unsure"] == seen["covered"] == []


def test_without_json_it_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", str(PHOTO)]) == 0
    out = capsys.readouterr().out
    assert "Pac-Man on d7" in out
    assert "pellets on g6" in out


def test_pictures_without_a_board_are_named_and_the_others_still_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank, text = tmp_path / "blank.png", tmp_path / "text.jpg"
    cv2.imwrite(str(blank), np.full((480, 640, 3), 90, np.uint8))
    text.write_text("not a picture")
    assert main(["look", "--json", str(blank), str(text), str(PHOTO)]) == 1
    captured = capsys.readouterr()
    found = [json.loads(line)["board_found"] for line in captured.out.splitlines()]
    assert found == [False, False, True]
    first, second = captured.err.splitlines()
    assert "blank.png: no board in view" in first
    assert "text.jpg is not a picture" in second


def test_what_was_seen_is_drawn(tmp_path: Path) -> None:
    target = tmp_path / "seen.png"
    assert main(["look", str(PHOTO), "--overlay", str(target)]) == 0
    drawn, photo = cv2.imread(str(target)), cv2.imread(str(PHOTO))
    assert drawn is not None
    assert photo is not None
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()


def test_one_overlay_for_two_pictures_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "seen.png")
    assert main(["look", str(PHOTO), str(PHOTO), "--overlay", target]) == 2
    assert "--overlay takes one picture" in capsys.readouterr().err
