"""Boards of spots as files."""

import pytest

from companion.boards.spots import (
    PlainSpot,
    SpotBoard,
    check_spots,
    draw_spots_svg,
    draw_spots_text,
    load_spots,
    spots_toml,
)
from companion.errors import ProfileError

BOARD = SpotBoard(
    name="my-board",
    title='A "star"',
    spacing_mm=20.0,
    hole_mm=9.0,
    colours={"board": (10, 20, 30), "hole": (1, 2, 3)},
    spots={
        "a1": PlainSpot("hole", -10.0, 0.0),
        "b1": PlainSpot("home", 10.0, 0.0),
        "a2": PlainSpot("hole", 0.0, 17.32),
    },
    provenance={
        "geometry": "stand-in: nobody has measured",
        "colours": "estimate: a picture",
        "spots": "estimate: a picture",
    },
)


def write(tmp_path, text):
    path = tmp_path / "my-board.toml"
    path.write_text(text)
    return path


def test_what_is_written_is_read_again(tmp_path):
    path = write(tmp_path, spots_toml(BOARD))
    assert check_spots(path) == []
    assert load_spots(path) == BOARD
    assert load_spots(path).counts == {"hole": 2, "home": 1}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('kind = "home"', 'kind = "bucket"', "spots.b1.kind: expected one of"),
        ("[10.00, 0.00]", "[-9.00, 0.00]", "b1: expected a place of its own, got one beside a1"),
        ("spacing_mm = 20.00", "spacing_mm = 0", "geometry.spacing_mm: expected a positive number"),
        ("hole_mm = 9.00", "hole_mm = 9.0\nhoel = 1", "geometry.hoel: unknown key"),
        ("[10.00, 0.00]", '["x", 0]', "spots.b1.at_mm: expected two numbers"),
    ],
)
def test_what_is_wrong_is_told_with_the_name_of_the_spot(tmp_path, old, new, told):
    text = spots_toml(BOARD)
    assert old in text
    path = write(tmp_path, text.replace(old, new))
    assert told in "\n".join(check_spots(path))
    with pytest.raises(ProfileError):
        load_spots(path)


def test_a_board_without_spots_is_told(tmp_path):
    path = write(tmp_path, spots_toml(BOARD).split("[spots]")[0] + "[spots]\n[provenance]\n")
    assert check_spots(path)


def test_a_board_is_drawn_with_letters_and_to_scale():
    assert draw_spots_text(BOARD).splitlines() == ["  o", "o  H"]
    svg = draw_spots_svg(BOARD)
    assert svg.count("<circle") == 3
    assert "#0a141e" in svg
