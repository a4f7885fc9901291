"""Fences pushed home and fences with one end up, all over the board."""

import random
from collections import Counter
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.board import FENCE, Spot, patches
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.flat import Flat
from companion.sensing.vision.home import Home, is_seated
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.seated import Stance
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD, told

START = {"e1": "pacman", "e9": "blinky"}
STRAIGHT_DOWN = Pose(1296, 972, 1120.0, 0.0, (3.14159, 0.0, 0.0), (0.0, 0.0, 500.0))


def _apart(rng: random.Random, count: int) -> list[Spot]:
    """Return slots, spread at random, whose fences do not overlap."""
    chosen: list[Spot] = []
    for slot in rng.sample(BOARD.slots, len(BOARD.slots)):
        if len(chosen) < count and all(
            set(patches(slot)).isdisjoint(patches(other)) for other in chosen
        ):
            chosen.append(slot)
    return chosen


def _leave_half_in(studio: Room, slot: Spot) -> str:
    id = studio.table.fence_at(slot)
    assert id is not None
    studio.table.half_seat(id)
    return id


def _blurred(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)


def _squeezed(picture: Picture) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 40])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_seated_fences_are_believed_and_hardly_one_that_is_half_in() -> None:
    believed: Counter[bool] = Counter()
    for seed, light in ((31, "daylight"), (32, "lamp"), (33, "dim"), (34, "evening")):
        rng = random.Random(seed)
        studio, eyes = Room(BOARD, Setting(light, seed)), Eyes(BOARD)
        studio.table.set_up(START)
        eyes.look(studio.shoot())
        eyes.learn(START)
        for _ in range(4):
            slots = _apart(rng, 8)
            for half in (False, True):
                studio.table.set_up(START | dict.fromkeys(slots, FENCE))
                for slot in slots if half else ():
                    _leave_half_in(studio, slot)
                believed[half] += len(set(told(eyes.look(studio.shoot())).walls) & set(slots))
    assert believed[False] >= 4 * 31  # of 128
    assert believed[True] <= 4 * 3


def test_a_raised_end_leaves_less_than_the_referee_asks_for() -> None:
    studio = Room(BOARD, Setting("daylight", 5))
    studio.table.set_up(START | {"b4h": FENCE})
    eyes = Eyes(BOARD)
    id = studio.table.fence_at("b4h")
    assert id is not None
    studio.table.half_seat(id)
    sight = eyes.look(studio.shoot())
    assert sum(sight.evidence[patch][FENCE] for patch in patches("b4h")) < 6
    assert "b4h" in told(sight).unsure


@pytest.mark.parametrize("spoil", [_blurred, _squeezed])
def test_a_raised_end_is_seen_in_a_poor_picture_too(spoil: Callable[[Picture], Picture]) -> None:
    rng = random.Random(7)
    studio, eyes = Room(BOARD, Setting("evening", 36)), Eyes(BOARD)
    studio.table.set_up(START)
    eyes.look(Frame(0.0, spoil(studio.shoot().picture)))
    eyes.learn(START)
    believed: Counter[bool] = Counter()
    for turn in range(4):
        slots = _apart(rng, 5)
        for half in (False, True):
            studio.table.set_up(START | dict.fromkeys(slots, FENCE))
            for slot in slots if half else ():
                _leave_half_in(studio, slot)
            sight = eyes.look(Frame(4.0 * turn + 2 * half + 2, spoil(studio.shoot().picture)))
            believed[half] += len(set(told(sight).walls) & set(slots))
    assert believed[False] >= 19
    assert believed[True] <= 2


def test_a_fence_is_believed_as_soon_as_it_is_pushed_home() -> None:
    studio, eyes = Room(BOARD, Setting("evening", 36)), Eyes(BOARD)
    studio.table.set_up(START)
    eyes.look(studio.shoot())
    eyes.learn(START)
    studio.table.set_up(START | {"f6v": FENCE})
    id = _leave_half_in(studio, "f6v")
    assert "f6v" not in told(eyes.look(studio.shoot())).walls
    studio.table.push_home(id)
    assert "f6v" in told(eyes.look(studio.shoot())).walls


@pytest.mark.parametrize(
    ("stands", "cold", "seated"),
    [
        (Stance(5.5, 0.2, 5.0, 0.1), False, True),
        (Stance(5.5, 2.0, 5.0, 0.1), False, False),
        (Stance(5.5, 2.0, 5.0, 0.1), True, True),  # the board's own look is a guess
        (Stance(5.5, 2.0, 40.0, 0.1), False, True),  # no shape explains the picture
        (Stance(5.5, -1.0, 5.0, 2.0), False, False),  # turned further than the groove allows
    ],
)
def test_doubt_needs_more_the_less_can_be_seen(stands: Stance, cold: bool, seated: bool) -> None:
    assert is_seated(stands, cold) == seated


def test_a_fence_of_a_known_position_is_not_doubted_again() -> None:
    studio = Room(BOARD, Setting("daylight", 5))
    studio.table.set_up(START | {"b4h": FENCE})
    id = studio.table.fence_at("b4h")
    assert id is not None
    studio.table.half_seat(id)
    eyes = Eyes(BOARD)
    assert "b4h" not in told(eyes.look(studio.shoot())).walls
    eyes.learn(START | {"b4h": FENCE})  # somebody said so
    assert "b4h" in told(eyes.look(studio.shoot())).walls


def test_the_gap_between_two_fences_in_a_line_is_no_third() -> None:
    home = Home(Flat.of(BOARD, STRAIGHT_DOWN))
    shown = {*patches("d6v"), *patches("d8v"), "d7x"}
    values = np.array([4.0 if patch in shown else -4.0 for patch in BOARD.patches])
    fences, gaps = home._fences(values)
    assert sorted(fences) == ["d6v", "d8v"]
    assert [BOARD.patches[n] for n in gaps] == ["d7x"]
