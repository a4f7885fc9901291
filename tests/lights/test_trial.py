"""Trying a strip: every question is about what is lit just then."""

from dataclasses import replace

import pytest

from companion.boards import profile
from companion.lights.names import frame_of
from companion.lights.trial import STEP_SECONDS, trials

BOARD = profile.load("reference")
BY_NAME = {trial.name: trial for trial in trials(BOARD)}


def test_each_colour_direction_and_count_is_asked_for():
    assert list(BY_NAME) == ["red", "green", "blue", "front", "walk", "ends"]
    assert all(trial.question.endswith("?") and trial.remedy for trial in BY_NAME.values())


@pytest.mark.parametrize(
    ("name", "colour"), [("red", (255, 0, 0)), ("green", (0, 255, 0)), ("blue", (0, 0, 255))]
)
def test_a_colour_is_on_every_light(name, colour):
    assert set(frame_of(BOARD, BY_NAME[name].paint(0.0))) == {colour}


def test_the_front_is_the_side_of_row_1():
    assert set(BY_NAME["front"].paint(0.0)) == {f"S{n}" for n in range(1, 10)}


def test_one_light_walks_over_all_of_them_in_the_order_of_the_wire():
    seen = []
    for n in range(BOARD.lights.count):
        (name,) = BY_NAME["walk"].paint((n + 0.5) * STEP_SECONDS)
        seen.append(BOARD.lights.names[name])
    assert seen == sorted(BOARD.lights.names.values())
    assert str(BOARD.lights.count) in BY_NAME["walk"].question


def test_the_ends_of_the_strip_are_green_and_red():
    frame = frame_of(BOARD, BY_NAME["ends"].paint(0.0))
    assert frame[0] == (0, 255, 0)
    assert frame[-1] == (255, 0, 0)
    assert set(frame[1:-1]) == {(0, 0, 0)}


def test_a_board_without_lights_has_nothing_to_try():
    lights = replace(BOARD.lights, count=0, names={}, at_mm={})
    assert trials(replace(BOARD, lights=lights)) == ()
