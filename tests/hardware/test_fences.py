"""A fence stands as straight in its groove as the eyes want it."""

import copy
import random
from dataclasses import replace

import pytest

from companion.board import FENCE
from companion.sim.room import Room, Setting
from hardware import fencerules, plan
from tests.counts import examples
from tests.sensing.studio import BOARD, look, random_position, told

BUILD = plan.load()


def with_printed(**changes):
    other = copy.deepcopy(BUILD.plan)
    other["printed"].update(changes)
    return other


def wrong(other):
    return list(fencerules.faults(BUILD.board, other))


def test_fences_stand_straight_enough():
    assert wrong(BUILD.plan) == []
    usual, worst = fencerules.leans_deg(BUILD.board, BUILD.plan)
    assert usual < 5 < worst <= fencerules.MOST_LEAN_DEG


def test_a_fence_without_a_foot_leans_too_far():
    found = wrong(with_printed(fence_foot_mm=BUILD.board.fence.thickness_mm))
    assert found == ["a fence may lean 22° in its groove, the eyes read 9°"]


def test_a_foot_that_may_not_go_into_the_groove_is_found():
    found = wrong(with_printed(fence_foot_mm=5.9))
    assert found == ["a fence may be 0.1 mm too thick for its groove"]
    with pytest.raises(ValueError, match=r"a foot that goes into 6 mm, got 6\.1 mm"):
        fencerules.lean_deg(6, 4, 6.1, 0)


def test_a_deeper_groove_and_a_thicker_foot_hold_better():
    assert fencerules.lean_deg(6, 4, 6, 0) == pytest.approx(0, abs=0.01)
    assert fencerules.lean_deg(6, 4, 5, 0) == pytest.approx(16.9, abs=0.1)
    assert fencerules.lean_deg(6, 8, 5, 0) < fencerules.lean_deg(6, 4, 5, 0)


def read(studio, lean, seeds):
    """Return the share of leaning fences that the eyes still read."""
    right = total = 0
    for seed in seeds:
        rng = random.Random(seed)
        position = random_position(rng, 10)
        studio.table.set_up(position)
        with studio.table._lock:
            for id, body in studio.table._bodies.items():
                if body.kind == FENCE and body.state == "board":
                    tipped = replace(body, lean=rng.choice((-lean, lean)))
                    studio.table._bodies[id] = tipped
            studio.table._revision += 1
        fences = {spot for spot, thing in position.items() if thing == FENCE}
        right += len(fences & set(told(look(studio.shoot())).walls))
        total += len(fences)
    return right / total


def test_the_eyes_read_fences_that_lean_as_far_as_the_rule_allows():
    """They read those at the 17° of a fence without a foot as well; people do not like them."""
    studio, seeds = Room(BOARD, Setting("daylight", 500)), range(500, 500 + examples(2, 12))
    assert read(studio, fencerules.MOST_LEAN_DEG, seeds) >= 0.9
