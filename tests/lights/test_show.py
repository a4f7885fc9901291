"""The show keeps time: pace, presence, the night, and calm when the table cannot decide."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lights.palette import SAFE
from companion.lights.scene import scene
from companion.lights.show import HOLD_SECONDS, Show, Taste, is_night
from companion.lights.strip import Colours
from companion.lights.view import Mood
from companion.referee.verdict import Kind, Verdict
from tests.lights.views import BOARD, CELLS, TROUBLE, VIEWS, WAITING, choices, snapshot


class Stage:
    """A show whose frames are kept."""

    def __init__(self, taste: Taste | None = None, hour: int = 12, board=BOARD) -> None:
        self.frames: list[Colours] = []
        self.board = board
        self.show = Show(board, self.frames.append, taste, lambda: hour)

    def at(self, view, now: float) -> dict[str, tuple[int, int, int]]:
        """Show a snapshot at a time and return the lights that are on."""
        self.show(view, now)
        return {n: self.frames[-1][i] for n, i in self.board.lights.names.items()}


UNDERWAY = snapshot(moves=("e2",))


def test_thirty_frames_a_second_are_made():
    stage = Stage()
    for tick in range(1000):
        stage.show(UNDERWAY, tick / 1000)
    assert 28 <= len(stage.frames) <= 31


def test_a_frame_is_the_scene_of_its_moment():
    stage = Stage()
    stage.show(UNDERWAY, 50.0)
    assert stage.frames == [scene(UNDERWAY, BOARD, 50.0, Mood())]


def test_a_change_after_calm_is_shown_at_once_and_the_next_one_waits():
    stage = Stage()
    other = replace(UNDERWAY, to_act=1)
    stage.at(UNDERWAY, 0.0)
    assert stage.at(other, 10.0)["N5"] != (0, 0, 0)
    assert stage.at(UNDERWAY, 10.1)["N5"] != (0, 0, 0)
    assert stage.at(UNDERWAY, 10.1 + HOLD_SECONDS)["N5"] == (0, 0, 0)


def test_after_a_while_without_anything_the_lights_play_and_stop_when_something_happens():
    stage = Stage(Taste(attract_seconds=60))
    usual = stage.at(UNDERWAY, 0.0)
    assert stage.at(UNDERWAY, 59.0) == usual
    assert stage.at(UNDERWAY, 60.0) != usual
    assert stage.at(replace(UNDERWAY, verdict=Verdict(Kind.WAITING, "Your turn.")), 61.0) == usual


def test_a_device_that_comes_and_goes_is_no_sign_of_people():
    stage = Stage(Taste(attract_seconds=60))
    usual = stage.at(UNDERWAY, 0.0)
    stage.at(replace(UNDERWAY, devices=TROUBLE), 58.0)
    assert stage.at(UNDERWAY, 61.0) != usual


def test_somebody_who_presses_a_button_wakes_the_lights():
    stage = Stage(Taste(attract_seconds=60))
    usual = stage.at(UNDERWAY, 0.0)
    stage.show.wake(70.0)
    assert stage.at(UNDERWAY, 71.0) == usual


def test_a_new_game_begins_with_its_start_and_a_resumed_one_without():
    stage = Stage()
    fresh = snapshot(moves=())
    assert stage.at(fresh, 0.0)["N5"] != (0, 0, 0)
    assert stage.at(fresh, 5.0)["N5"] == (0, 0, 0)
    assert stage.at(replace(fresh, game_id=2), 10.0)["N5"] != (0, 0, 0)
    assert stage.at(replace(UNDERWAY, game_id=3), 20.0)["N5"] == (0, 0, 0)


def test_a_phone_is_awaited_for_a_minute_or_until_it_has_come():
    stage = Stage()
    usual = stage.at(UNDERWAY, 0.0)
    stage.show.pair(1.0)
    assert stage.at(UNDERWAY, 2.0) != usual
    assert stage.show.is_pairing(60.9)
    assert not stage.show.is_pairing(61.0)
    assert stage.at(UNDERWAY, 62.0) == usual
    stage.show.pair(63.0)
    stage.show.pair(64.0, 0)
    assert stage.at(UNDERWAY, 65.0) == usual


def test_places_are_pointed_at_until_told_otherwise():
    stage = Stage(board=CELLS)
    usual = stage.at(UNDERWAY, 0.0)
    stage.show.point("e5")
    assert {n for n, colour in stage.at(UNDERWAY, 1.0).items() if any(colour)} == {"e5"}
    stage.show.point()
    assert stage.at(UNDERWAY, 2.0) == usual


@pytest.mark.parametrize(
    ("night", "hours"),
    [((22, 7), {22, 23, 0, 1, 2, 3, 4, 5, 6}), ((1, 3), {1, 2}), (None, set()), ((5, 5), set())],
)
def test_the_night_is_between_two_hours(night, hours):
    assert {hour for hour in range(24) if is_night(hour, night)} == hours


def test_at_night_the_lights_are_dim():
    taste = Taste(night=(22, 7), night_level=0.2)
    day, dark = (Stage(taste, hour).at(UNDERWAY, 0.0)["S5"] for hour in (12, 23))
    assert 0 < sum(dark) < sum(day) / 4


def test_the_palette_and_the_targets_are_a_matter_of_taste():
    lifted = replace(UNDERWAY, lifted="pacman", choices=choices("e3"))
    assert Stage(Taste(targets=False)).at(lifted, 0.5) == Stage().at(UNDERWAY, 0.5)
    assert Stage(Taste(palette=SAFE)).at(UNDERWAY, 0.0)["S5"] != Stage().at(UNDERWAY, 0.0)["S5"]


@pytest.mark.parametrize("board", [BOARD, CELLS], ids=["frame", "cells"])
@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(list(VIEWS)), st.integers(1, 40)), min_size=2, max_size=12)
)
def test_whatever_the_table_says_how_often_nothing_flashes_above_three_hertz(board, said):
    """In no second does a light rise four times by a tenth of its range."""
    stage, tick = Stage(board=board), 0
    for name, frames in said:
        for _ in range(frames):
            stage.show(VIEWS[name], 100 + tick / 30)
            tick += 1
    for led in range(board.lights.count):
        rises = _rises([sum(frame[led]) / 3 for frame in stage.frames])
        for first, fourth in zip(rises, rises[3:], strict=False):
            assert fourth - first >= 30, (led, first)


def _rises(levels: list[float]) -> list[int]:
    """Return when the levels have risen by a tenth of the range after falling as much."""
    found, low, high, rising = [], levels[0], levels[0], False
    for at, level in enumerate(levels):
        low, high = min(low, level), max(high, level)
        if not rising and level - low >= 25.5:
            found.append(at)
            rising, high = True, level
        elif rising and high - level >= 25.5:
            rising, low = False, level
    return found


def test_the_oracle_of_flashes_counts():
    assert _rises([0, 255] * 4) == [1, 3, 5, 7]
    assert _rises([100, 110] * 20) == []
    assert len(_rises([*range(0, 255, 5), *range(255, 0, -5)])) == 1


def test_a_verdict_that_flickers_does_not_make_the_lights_flicker():
    stage = Stage()
    wrong = replace(UNDERWAY, verdict=Verdict(Kind.NOT_ALLOWED, "", places=("e5",)))
    calm = replace(UNDERWAY, verdict=WAITING)
    for tick in range(60):
        stage.show((wrong, calm)[tick % 2], tick / 30)
    changes = sum(a != b for a, b in itertools.pairwise(f[0] for f in stage.frames))
    assert changes <= 6
