"""``companion dice`` as people and programs call it."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.commands.dice import as_json, draw_dice, in_words
from companion.sensing.camera.files import read_picture
from companion.sensing.dice.reader import Die

FOLDER = Path(__file__).parent.parent / "dice"
PHOTO = FOLDER / "drawn_0000.jpg"
TRUTH = json.loads((FOLDER / "truth.json").read_text())[PHOTO.name]


def die(value: int | str | None) -> Die:
    return Die(value, (-2.4, 10.0, 30.6, 41.2), 0.9, 0.9)


def test_a_picture_becomes_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "--json", str(PHOTO)]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen["image"] == str(PHOTO)
    assert {each["value"] for each in seen["dice"]} <= set(TRUTH["values"])
    assert len(seen["dice"]) >= 3
    assert len(seen["dice"]) + len(seen["unsure"]) >= len(TRUTH["values"]) - 1
    height, width = read_picture(PHOTO).shape[:2]
    for each in [*seen["dice"], *seen["unsure"]]:
        x0, y0, x1, y1 = each["px"]
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height


def test_without_json_it_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", str(PHOTO)]) == 0
    assert "pips together" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "no dice"),
        ([3], "3"),
        ([3, 5], "5 and 3, 8 pips together"),
        ([3, "F2"], "3 and F2"),
        ([3, 5, 5, None], "5, 5 and 3, 13 pips together; 1 die is not sure"),
        ([None, None], "no die is read; 2 dice are not sure"),
    ],
)
def test_dice_in_words(values: list[int | str | None], words: str) -> None:
    assert in_words([die(value) for value in values]) == words


def test_boxes_are_whole_pixels_within_the_picture() -> None:
    said = as_json(Path("a.png"), [die("F2"), die(None)], 28, 40)
    box = [0, 10, 28, 40]
    assert said == {
        "image": "a.png",
        "dice": [{"value": "F2", "px": box}],
        "unsure": [{"px": box}],
    }


def test_what_is_no_picture_is_named_and_the_others_still_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank, text = tmp_path / "blank.png", tmp_path / "text.jpg"
    cv2.imwrite(str(blank), np.full((60, 80, 3), 90, np.uint8))
    text.write_text("not a picture")
    assert main(["dice", "--json", str(text), str(blank)]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"image": str(blank), "dice": [], "unsure": []}
    assert captured.err == (
        f"companion dice: {text} is not a picture: expected JPEG, PNG or the like\n"
    )


def test_what_was_read_is_drawn(tmp_path: Path) -> None:
    target = tmp_path / "seen.png"
    assert main(["dice", str(PHOTO), "--overlay", str(target)]) == 0
    drawn, photo = read_picture(target), read_picture(PHOTO)
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()


def test_an_overlay_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "nowhere" / "seen.png"
    assert main(["dice", str(PHOTO), "--overlay", str(target)]) == 2
    assert f"cannot write {target}" in capsys.readouterr().err


def test_a_question_is_drawn_in_another_colour() -> None:
    picture = np.zeros((60, 60, 3), np.uint8)
    told, asked = (draw_dice(picture, [die(value)]).max(axis=(0, 1)) for value in (4, None))
    assert told[0] < told[1] > told[2]  # green
    assert asked[0] < asked[1] <= asked[2]  # orange
    assert (draw_dice(picture, []) == picture).all()
