"""Mazes that Ms. Pac-Man can be played in, and those that break a law of the game."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.errors import ProfileError
from companion.games.maze.data import load_maze
from companion.games.mspacman.data import FILE
from companion.games.mspacman.field import Field, Ghost, build_field, field_of
from companion.games.mspacman.rules import start_in
from tests.games.mspacman.tables import after

RING = ("a1", "a2", "a3", "b3", "c3", "c2", "c1", "b1")
SMALL: dict[str, Any] = {
    "quarters": {"red": ["a1", "a2"], "blue": ["a3", "b3"], "tan": ["c3", "c2"], "sea": ["c1"]},
    "exits": ["b1"],
    "ghosts": [
        Ghost(name, name.title(), colour, f"{letter}9")
        for name, colour, letter in zip(
            ("ann", "bo", "cy", "di"), ("red", "blue", "tan", "sea"), "abcd", strict=True
        )
    ],
    "links": [
        *zip(RING, [*RING[1:], "a1"], strict=True),
        *[("a9", "a1"), ("b9", "a3"), ("c9", "c3"), ("d9", "c1")],
    ],
    "power": ["a1"],
    "white": ["a2", "b3", "c2"],
    "spinner": [1, 2],
    "die": ["1", "1", "F2"],
}


def small(**changed: Any) -> Field:
    """Return a maze of a single ring with some of its facts changed."""
    return build_field(**(SMALL | changed))


def test_the_maze_that_comes_along_keeps_the_laws() -> None:
    """MS-1, MS-2: 17 squares of each of four colours, power squares in the corners."""
    field = field_of(load_maze(FILE))
    assert [quarter.bit_count() for quarter in field.quarters] == [17] * 4
    assert field.spots(field.power) == ["b1", "b10", "k1", "k10"]
    assert field == field_of(load_maze(FILE))
    assert [ghost.title for ghost in field.ghosts] == ["Inky", "Blinky", "Pinky", "Sue"]


def test_its_quarters_are_mirror_images() -> None:
    """MS-1: so that nobody is favoured."""
    field = field_of(load_maze(FILE))

    def mirrored(name: str, across: bool) -> str:
        column, row = name[0], int(name[1:])
        return (
            chr(ord("a") + ord("l") - ord(column)) + str(row) if across else f"{column}{11 - row}"
        )

    for number, name in enumerate(field.names):
        for across in (True, False):
            twin = field.number[mirrored(name, across)]
            near = {mirrored(field.names[other], across) for other in field.near[number]}
            assert near == {field.names[other] for other in field.near[twin]}
            for spots in (field.power, field.white, field.exits):
                assert spots >> number & 1 == spots >> twin & 1


def test_another_maze_is_played_the_same_way() -> None:
    """MS-A27: with its own numbers, the more often a face is there the likelier."""
    state = start_in(small(), 4)
    assert state.legal_moves() == ["spin:1", "spin:2"]
    state = after(state, "spin:1 spin:1 spin:1 spin:2 place:a2 spin:1 a1")
    assert state.legal_moves() == ["roll:1", "roll:F2"]
    assert state.weights() == [2, 1]
    assert state.draw().splitlines()[-2].split() == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"power": ["b1"]}, "a power square is a square with a dot (MS-2), and b1 is none"),
        ({"white": ["a2", "z9"]}, "a white circle is a square with a dot (MS-2), and z9 is none"),
        ({"white": ["a2", "b3"]}, "expected 3 white circles or more"),
        ({"exits": ["a1"]}, "a1 is named twice"),
        ({"links": [*SMALL["links"], ("a1", "x1")]}, "a link leads to x1, and there is no such"),
        ({"links": SMALL["links"][:-1]}, "cannot be reached from d9"),
        ({"links": SMALL["links"][1:7]}, "a1 cannot be reached"),
        ({"quarters": SMALL["quarters"] | {"sea": []}}, "the sea has none"),
        ({"ghosts": SMALL["ghosts"][:3]}, "expected 4 ghosts of 4 colours"),
        ({"spinner": [0, 1]}, "the spinner shows numbers from 1 to 12, not 0"),
        ({"spinner": [3, 3]}, "two numbers or more on the spinner"),
        ({"die": ["F3"]}, "the die shows numbers from 1 to 12 and F2, not 'F3'"),
        ({"die": []}, "a face or more on the die"),
    ],
)
def test_a_maze_that_breaks_a_law_is_refused_with_the_spot(
    changed: dict[str, Any], text: str
) -> None:
    with pytest.raises(ProfileError, match=re.escape(text)):
        small(**changed)


BLUE = 'b = { kind = "square", owner = "blue" }'


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (BLUE, 'b = { kind = "square" }', "c6: expected a colour for every square"),
        (BLUE, 'b = { kind = "hole" }', "c6: expected a kind that Ms. Pac-Man knows, got 'hole'"),
        (BLUE, 'b = { kind = "square", owner = "red" }', "as many squares of each colour (MS-1)"),
        (', marks = ["inky"]', "", "f6: expected the name of its ghost as a mark"),
        ('spinner = ["1"', 'spinner = ["one"', "chance.spinner: expected whole numbers, got 'one'"),
        ('"F2"', '"F9"', "not 'F9'"),
    ],
)
def test_a_profile_that_breaks_a_law_is_refused(
    old: str, new: str, text: str, tmp_path: Path
) -> None:
    content = FILE.read_text(encoding="utf-8")
    assert old in content
    if "hole" in new:
        content = content.replace("square = 56", "square = 42\nhole = 14")
    path = tmp_path / "maze.toml"
    path.write_text(content.replace(old, new), encoding="utf-8")
    with pytest.raises(ProfileError, match=re.escape(text)):
        field_of(load_maze(path))
