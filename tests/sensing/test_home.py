"""Fences pushed home and fences with one end up, all over the board."""

import random
from collections import Counter

import numpy as np
import pytest

from companion.board import FENCE, Spot, patches
from companion.sensing.eyes import Eyes
from companion.sensing.flat import Flat
from companion.sensing.home import Home
from companion.sensing.pose import Pose
from tests.sensing.studio import BOARD, Studio, told

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


@pytest.mark.parametrize(
    ("seed", "light"), [(31, "daylight"), (32, "lamp"), (33, "dim"), (34, "evening")]
)
def test_seated_fences_are_believed_and_hardly_one_that_is_half_in(seed: int, light: str) -> None:
    rng = random.Random(seed)
    studio, eyes = Studio(seed, light), Eyes(BOARD)
    studio.table.set_up(START)
    eyes.look(studio.shoot())
    eyes.learn(START)
    believed: Counter[bool] = Counter()
    for _ in range(4):
        slots = _apart(rng, 8)
        for half in (False, True):
            studio.table.set_up(START | dict.fromkeys(slots, FENCE))
            for slot in slots if half else ():
                id = studio.table.fence_at(slot)
                assert id is not None
                studio.table.half_seat(id)
            believed[half] += len(set(told(eyes.look(studio.shoot())).walls) & set(slots))
    assert believed[False] == 32
    assert believed[True] <= 6


def test_a_raised_end_leaves_less_than_the_referee_asks_for() -> None:
    studio = Studio(5, "daylight")
    studio.table.set_up(START | {"b4h": FENCE})
    eyes = Eyes(BOARD)
    id = studio.table.fence_at("b4h")
    assert id is not None
    studio.table.half_seat(id)
    sight = eyes.look(studio.shoot())
    assert sum(sight.evidence[patch][FENCE] for patch in patches("b4h")) < 6
    assert "b4h" in told(sight).unsure


def test_a_fence_of_a_known_position_is_not_doubted_again() -> None:
    studio = Studio(5, "daylight")
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
