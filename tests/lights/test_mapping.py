"""A strip that nobody knows is mapped by what somebody sees."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Lights
from companion.boards import profile
from companion.lights.mapping import (
    MappingError,
    draw_lights,
    expand,
    find_order,
    find_wire,
    letter,
    to_toml,
)
from companion.lights.trial import meaning, sweep
from companion.sim.strip import SimPixels
from tests.lights.views import BOARD, CELLS

ORDERS = ["".join(letters) for letters in itertools.permutations("RGB")]


class Eyes:
    """Somebody who looks at a strip of a certain order and says its colour."""

    def __init__(self, order: str) -> None:
        self._sent = SimPixels(Lights(1, "RGB", 1000, {}, {}))
        self._order = order

    def light(self, colour) -> None:
        self._sent[0] = colour
        self._sent.show()

    def ask(self, question: str) -> str:
        assert "red, green or blue" in question
        shining = self._order[self._sent.sent.index(255)]
        return {"R": "red", "G": "green", "B": "blue"}[shining]


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_the_colours_is_found_by_looking(order):
    eyes = Eyes(order)
    assert find_order(eyes.light, eyes.ask) == order


def test_an_answer_that_is_no_colour_or_was_given_before_is_asked_again():
    answers = iter(["purple", "", "green", "green", "r"])
    assert find_order(lambda colour: None, lambda question: next(answers)) == "GRB"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("S1", "S1"),
        ("S1..S4", "S1 S2 S3 S4"),
        ("N9..N7", "N9 N8 N7"),
        ("a3..d3", "a3 b3 c3 d3"),
        ("d3..b3", "d3 c3 b3"),
        ("e1..e3", "e1 e2 e3"),
        ("L1..L3", "L1 L2 L3"),
        ("e5..e5", "e5"),
        ("-", "-"),
    ],
)
def test_an_answer_names_one_light_or_a_run(text, names):
    assert expand(text) == names.split()


@pytest.mark.parametrize("text", ["", "S0", "S10", "j1", "S1..", "..S1", "S1..E4", "a1..b2", "S 1"])
def test_another_answer_is_refused_with_what_was_expected(text):
    with pytest.raises(MappingError, match=r"expected .*, got"):
        expand(text)


def mapped(count: int, *answers: str) -> tuple[list[str], list[int], list[str]]:
    """Return the wire, the LEDs that were lit, and what was told."""
    lit: list[int] = []
    told: list[str] = []
    given = iter(answers)
    wire = find_wire(count, lit.append, lambda question: next(given), told.append)
    return wire, lit, told


def test_each_led_is_lit_in_turn_until_all_are_known():
    wire, lit, told = mapped(5, "S1..S3", "-", "L1")
    assert wire == ["S1", "S2", "S3", "-", "L1"]
    assert lit == [0, 3, 4]
    assert told == []


def test_a_wrong_answer_is_told_and_asked_again():
    wire, _, told = mapped(3, "S1", "S1", "nonsense", "S2..S9", "S2", "-")
    assert wire == ["S1", "S2", "-"]
    assert "every light once, got S1" in told[0]
    assert "got 'nonsense'" in told[1]
    assert "expected 2 lights or fewer to come, got 8" in told[2]


def test_back_takes_the_last_answer_back():
    wire, lit, _ = mapped(4, "back", "S1", "S2..S3", "back", "a1..a3")
    assert wire == ["S1", "a1", "a2", "a3"]
    assert lit == [0, 0, 1, 3, 1]


REFERENCE = (Path(profile.__file__).parent / "reference.toml").read_text()


def with_lights(section: str) -> str:
    """Return the reference profile with another section of lights."""
    start, end = REFERENCE.index("[lights]"), REFERENCE.index("# Channel numbers")
    return REFERENCE[:start] + section + "\n" + REFERENCE[end:]


@pytest.mark.parametrize("board", [BOARD, CELLS], ids=["frame", "cells"])
def test_what_is_written_is_a_section_that_the_profile_reads(board, tmp_path):
    lights = board.lights
    wire = sorted(lights.names, key=lights.names.__getitem__)
    lives = {name: lights.at_mm[name] for name in ("L1", "L2", "L3")}
    file = tmp_path / "mine.toml"
    file.write_text(with_lights(to_toml(lights.order, lights.milliamps, wire, 142, lives)))
    assert profile.load(file).lights == lights


@given(st.permutations([*sorted(BOARD.lights.names), "-", "-"]), st.sampled_from(ORDERS))
def test_any_strip_can_be_written_and_read(tmp_path_factory, wire, order):
    lives = {name: BOARD.lights.at_mm[name] for name in ("L1", "L2", "L3")}
    file = tmp_path_factory.mktemp("profile") / "mine.toml"
    file.write_text(with_lights(to_toml(order, 800, wire, 142, lives)))
    read = profile.load(file).lights
    assert (read.count, read.order, read.milliamps) == (len(wire), order, 800)
    assert all(wire[number] == name for name, number in read.names.items())


def test_a_sweep_lights_every_led_by_itself_and_ends_in_the_dark():
    for board in (BOARD, CELLS):
        steps = list(sweep(board))
        alone = [next(iter(lit)) for _, lit in steps if len(lit) == 1]
        assert set(alone) >= set(board.lights.names)
        assert steps[-1] == ("all lights are off", {})
        assert [len(lit) for _, lit in steps[:3]] == [board.lights.count] * 3


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("N3", "on the north side, at column c"),
        ("S9", "on the south side, at column i"),
        ("W4", "on the west side, at row 4"),
        ("E1", "on the east side, at row 1"),
        ("L2", "life 2"),
        ("e5", "under e5"),
    ],
)
def test_a_light_is_told_in_words(name, text):
    assert meaning(name) == text


def test_lights_are_drawn_where_they_lie():
    drawn = draw_lights(BOARD, {"N1": (255, 0, 0), "E9": (0, 90, 0), "L2": (9, 9, 9)}).split("\n")
    assert drawn[0].split() == ["r", *"········"]
    assert drawn[1].split() == ["9", "·", "g"]
    assert drawn[-2].split() == ["L1", "·", "L2", "w", "L3", "·"]
    cells = draw_lights(CELLS, {"a9": (255, 200, 0)}).split("\n")
    assert cells[1].split() == ["9", "y", *"········"]


def test_colours_have_letters_whatever_their_brightness():
    colours = [(0, 0, 0), (7, 0, 0), (0, 0, 255), (60, 60, 60), (255, 120, 0)]
    assert [letter(colour) for colour in colours] == ["·", "r", "b", "w", "o"]
