"""What holds of every scene on every strip: a colour for each LED, and nothing that flickers."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lights import names as paint
from companion.lights.scene import LAYERS, scene
from companion.lights.strip import Colours
from companion.referee.verdict import Kind, Verdict
from tests.lights.views import BOARD, CELLS, MOODS, TROUBLE, VIEWS, lit, ruled, snapshot

boards = pytest.mark.parametrize("board", [BOARD, CELLS], ids=["frame", "cells"])


@pytest.mark.parametrize(
    ("place", "squares"),
    [
        ("e5", "e5"),
        ("e3h", "e3 f3 e4 f4"),
        ("e3v", "e3 f3 e4 f4"),
        ("e3x", "e3 f3 e4 f4"),
        ("e3n", "e3 e4"),
        ("e3e", "e3 f3"),
        ("i9n", "i9"),
        ("tray", ""),
        ("", ""),
        ("e", ""),
    ],
)
def test_a_place_touches_its_squares(place, squares):
    assert paint.touched(place) == squares.split()


@boards
@given(st.sampled_from(list(VIEWS)), st.sampled_from(list(MOODS)), st.floats(0, 1e6))
def test_every_scene_has_a_valid_colour_for_every_led(board, view, mood, time):
    colours = scene(VIEWS[view], board, time, MOODS[mood])
    assert len(colours) == board.lights.count
    assert all(0 <= part <= 255 for colour in colours for part in colour)


def rises(frames: list[Colours], led: int, part: int) -> int:
    """Return how often a part of a light begins to grow brighter."""
    levels = [frame[led][part] for frame in frames]
    steps = [b > a for a, b in itertools.pairwise(levels) if a != b]
    return sum(b and not a for a, b in itertools.pairwise([False, *steps]))


@boards
@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("view", VIEWS)
def test_no_light_flashes_three_times_a_second(view, mood, board):
    frames = [scene(VIEWS[view], board, 5.0 + tick / 50, MOODS[mood]) for tick in range(51)]
    most = max(rises(frames, led, part) for led in range(board.lights.count) for part in range(3))
    assert most <= 2


def test_a_message_is_on_top_of_the_game_and_trouble_on_top_of_all():
    wrong = ruled(Kind.NOT_ALLOWED, places=("e1",))
    under = snapshot(to_act=0, verdict=wrong.verdict)
    assert lit(under, 0.5)["S5"] == lit(wrong, 0.5)["S5"]
    assert lit(under, 0.5)["S4"] != lit(snapshot(), 0.5)["S4"]  # the turn steps back
    troubled = snapshot(devices=TROUBLE, verdict=Verdict(Kind.HANDS, ""))
    assert lit(troubled, 1.0)["L1"] == (255, 120, 0)


def test_every_layer_is_in_the_scene_once():
    assert len(LAYERS) == len(set(LAYERS)) == 20
