"""Drawings are to scale and show what stands where."""

import xml.etree.ElementTree as ET

import pytest

from companion.boards import profile
from companion.boards.drawing import draw_svg, draw_text

POSITION = {"e1": "pacman", "e9": "blinky", "c3": "pellet", "e3h": "fence", "b2v": "fence"}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def board():
    return profile.load("reference")


def rectangles(svg: str) -> list[tuple[float, float, float, float]]:
    keys = ("x", "y", "width", "height")
    return [
        tuple(float(rect.attrib[key]) for key in keys)  # type: ignore[misc]
        for rect in ET.fromstring(svg).iter(f"{SVG}rect")
    ]


def test_every_cell_marker_and_light_is_drawn(board):
    svg = ET.fromstring(draw_svg(board))
    cell = "#{:02x}{:02x}{:02x}".format(*board.colours["cell"])
    sides = [rect.get("width") for rect in svg.iter(f"{SVG}rect") if rect.get("fill") == cell]
    assert sides == ["23"] * 81
    ids = {rect.get("id") for rect in svg.iter(f"{SVG}rect")} - {None}
    assert ids == {f"light-{name}" for name in board.lights.names}


def test_a_fence_is_drawn_where_it_stands(board):
    added = set(rectangles(draw_svg(board, {"e3h": "fence"}))) - set(rectangles(draw_svg(board)))
    x, y = board.at("e3h")
    assert added == {(x - 26, -y - 2.5, 52, 5)}


def test_pieces_carry_their_titles(board):
    titles = [title.text for title in ET.fromstring(draw_svg(board, POSITION)).iter(f"{SVG}title")]
    assert titles[1:] == ["pellet", "Pac-Man", "Blinky"]


def test_lights_take_the_colours_given(board):
    svg = ET.fromstring(draw_svg(board, lights={"N5": (255, 0, 0)}))
    (light,) = (rect for rect in svg.iter(f"{SVG}rect") if rect.get("id") == "light-N5")
    assert light.get("fill") == "#ff0000"


def test_the_text_drawing_shows_pieces_and_fences(board):
    lines = draw_text(board, POSITION).splitlines()
    assert lines[0].split() == list("abcdefghi")
    assert lines[2] == "9 |                Bl                 | 9"
    assert lines[13] == "  +   +   +   +   +━━━━━━━+   +   +   +"
    assert lines[14] == "3 |       ┃ ·                         | 3"
    assert lines[15] == "  +   +   ┃   +   +   +   +   +   +   +"
    assert lines[18] == "1 |                Pa                 | 1"


def test_an_empty_board_has_no_fences(board):
    assert not {"━", "┃"} & set(draw_text(board))
