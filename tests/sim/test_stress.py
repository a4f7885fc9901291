"""The twelve stressors: each does something, more of it when more severe, and the same again."""

import random
from itertools import pairwise

import numpy as np
import pytest

from companion.board import Board
from companion.errors import OptionError
from companion.sensing.camera.frame import Frame
from companion.sim import stress
from companion.sim.hands import Person
from companion.sim.stress import STRESSORS, Stress, StressedCamera, people, pictures
from companion.sim.table import SimTable

TIMES = [6.0 + 1.3 * number for number in range(20)]


class OnePicture:
    """A camera that always shows the same."""

    def __init__(self, picture) -> None:
        self.picture, self.now, self.closed = picture, 6.0, False

    def read(self) -> Frame | None:
        return Frame(self.now, self.picture)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.repeat(np.repeat(rng.integers(20, 200, (60, 80, 3), np.uint8), 6, 0), 6, 1)


def test_there_are_twelve_and_each_acts_somewhere():
    acting = {*pictures.SPOILERS, *people.REACHES, *people.HABITS, "leds"}
    assert len(STRESSORS) == 12
    assert acting == set(STRESSORS)


@pytest.mark.parametrize("name", pictures.SPOILERS)
def test_a_picture_is_spoilt_more_by_a_higher_severity(name, picture):
    spoil, before = pictures.SPOILERS[name], picture.copy()
    changes = []
    for severity in (1, 5):
        spoilt = [spoil(picture, severity, time, 3) for time in TIMES]
        assert {(s.shape, s.dtype) for s in spoilt} == {(picture.shape, picture.dtype)}
        changes.append(np.mean([np.abs(s.astype(int) - picture).mean() for s in spoilt]))
    assert 0 < changes[0] < changes[1]
    assert np.array_equal(picture, before)


@pytest.mark.parametrize("name", pictures.SPOILERS)
def test_a_picture_is_spoilt_the_same_way_again(name, picture):
    spoil = pictures.SPOILERS[name]
    assert all(np.array_equal(spoil(picture, 4, t, 3), spoil(picture, 4, t, 3)) for t in TIMES)


@pytest.mark.parametrize("name", sorted(pictures.SPOILERS.keys() - {"blur", "jpeg"}))
def test_what_changes_now_and_then_depends_on_the_seed(name, picture):
    spoil = pictures.SPOILERS[name]
    assert any(not np.array_equal(spoil(picture, 4, t, 3), spoil(picture, 4, t, 8)) for t in TIMES)


def test_a_camera_around_a_camera_spoils_what_it_shows(picture):
    inner = OnePicture(picture)
    camera = StressedCamera(inner, [Stress("blur", 3), Stress("hand", 2)])
    frame = camera.read()
    assert frame.time == inner.now
    assert np.array_equal(frame.picture, pictures.blur(picture, 3, 6.0, 0))
    camera.close()
    assert inner.closed


@pytest.mark.parametrize("name", people.REACHES)
def test_a_hand_comes_and_goes_and_stays_longer_when_more_severe(name):
    reach = people.REACHES[name]
    times = [number / 15 for number in range(15 * 120)]
    here = [sum(reach(severity, time, 2) is not None for time in times) for severity in (1, 3, 5)]
    assert 0 < here[0] < here[1] < here[2] < len(times)
    assert [reach(3, time, 2) for time in times] == [reach(3, time, 2) for time in times]


def test_a_busy_table_shows_the_hands_and_tells_that_something_changed(table: SimTable):
    now = 0.0
    seen = stress.busy(table, [Stress("hand", 5)], lambda: now, seed=2)
    scenes = []
    for number in range(300):
        now = number / 15
        scenes.append(seen.scene())
    assert {len(scene.hands) for scene in scenes} == {0, 1}
    for one, then in pairwise(scenes):
        assert (one.hands == then.hands) == (one.revision == then.revision)


def test_a_quiet_table_is_left_as_it_is(table: SimTable):
    assert stress.busy(table, [Stress("blur", 1)], lambda: 0.0) is table


def test_every_light_is_on_in_many_colours():
    dark = [(0, 0, 0)] * 39
    faint, bright = (
        stress.lit(lambda: dark, [Stress("leds", severity)], lambda: 1.0)() for severity in (1, 5)
    )
    assert len(faint) == len(bright) == 39
    assert all(any(colour) for colour in faint)
    assert len(set(bright)) == people.HUES
    assert max(map(max, faint)) < max(map(max, bright)) == 255


def test_the_strip_is_left_alone_without_its_stressor():
    def leds():
        return [(1, 2, 3)]

    assert stress.lit(leds, [Stress("glare", 5)], lambda: 0.0) is leds


@pytest.mark.parametrize("severity", [1, 5])
def test_pieces_stand_off_centre_and_still_on_their_square(board: Board, severity: int):
    habits = stress.habits([Stress("off-centre", severity)])
    table = SimTable(board, random.Random(1), habits)
    position = {"a1": "pacman", "e5": "blinky", "i9": "clyde"}
    table.set_up(position)
    for spot, thing in position.items():
        body, (x, y) = table.body(thing), board.at(spot)
        away = np.hypot(body.x - x, body.y - y)
        assert 0.74 * habits.off_centre_mm < away <= habits.off_centre_mm
    assert table.truth() == position


def test_a_person_leaves_a_fence_half_in_and_then_pushes_it_home(board: Board):
    habits = stress.habits([Stress("half-seated", 5)])
    table = SimTable(board, random.Random(3), habits)
    table.set_up({})
    pushes = set()
    for slot in ("a1h", "c1h", "e1h", "g1h", "b4v", "d4v", "f4v", "h4v"):
        steps = [
            (step.what, table.fence_at(slot)) for step in Person(table, board).place_fence(slot)
        ]
        pushed = [what for what, _ in steps].count("push")
        pushes.add(pushed)
        assert (dict(steps)["put"] is None) == bool(pushed)
        assert table.fence_at(slot)
    assert pushes == {0, 1}


def test_a_fence_that_is_in_cannot_be_pushed_home(table: SimTable):
    table.set_up({"c3h": "fence"})
    with pytest.raises(ValueError, match="expected a fence half in its groove"):
        table.push_home(table.fence_at("c3h") or "")


def test_a_stressor_is_read_as_it_is_written():
    assert stress.parse("half-seated:2") == Stress("half-seated", 2)
    assert str(stress.parse("glare:3")) == "glare:3"


@pytest.mark.parametrize("text", ["glare", "glare:0", "glare:6", "glare:x", "fog:2", "", ":3"])
def test_what_is_no_stressor_is_refused_with_those_that_are(text):
    with pytest.raises(OptionError, match=r"hand, sleeve, .* 1 to 5") as error:
        stress.parse(text)
    assert repr(text) in str(error.value)
