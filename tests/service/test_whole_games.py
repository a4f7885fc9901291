"""Whole games by hand on the simulated table: drawn, seen and refereed by the real parts."""

import pytest

from bench.games import play
from bench.people import Tally
from companion.sim.room import Setting

PLIES = 30


@pytest.fixture(
    scope="module",
    params=[Setting("lamp", 11, lights=True), Setting("dim", 12, hall=True)],
    ids=["camera alone in lamplight", "camera and grid in the dusk"],
)
def tally(request) -> Tally:
    return play(request.param, PLIES)


def test_no_move_is_misunderstood(tally):
    assert tally.plies >= PLIES
    assert tally.wrong == 0, tally.faults


def test_proper_moves_are_not_refused_and_hardly_ever_questioned(tally):
    assert (tally.missed, tally.falsely_refused) == (0, 0), tally.faults
    assert tally.asked <= tally.plies // 30, tally.faults


def test_forbidden_things_are_refused(tally):
    assert tally.to_refuse > 0
    assert tally.refused == tally.to_refuse, tally.faults


def test_verdict_comes_soon_after_the_hand_has_left(tally):
    assert max(tally.seconds) <= 0.3  # of simulated time, at 15 frames a second
