"""Short games by hand while something troubles the camera; the bench plays longer ones."""

import json

import pytest

from bench.games import play
from bench.people import Tally
from bench.stress import Figure, keep, rooms
from companion.sim.stress import Stress

PLIES = 8


@pytest.mark.parametrize("stress", [Stress("exposure", 3), Stress("off-centre", 3)], ids=str)
def test_no_move_is_misunderstood_under_stress(stress):
    ((setting, plies),) = rooms(stress, PLIES)
    tally = play(setting, plies)
    assert tally.plies >= PLIES
    assert (tally.wrong, tally.asked) == (0, 0), tally.faults


def test_rooms_share_the_plies_and_differ_in_light():
    found = rooms(Stress("glare", 3), 2000)
    assert sum(plies for _, plies in found) == 2000
    assert len({setting.light for setting, _ in found}) == 4
    assert len({setting.seed for setting, _ in found}) == len(found)


def test_a_wrong_move_and_too_many_questions_are_marked():
    assert Figure(Stress("glare", 5), Tally(plies=10, wrong=1)).row.mark == "WRONG"
    assert Figure(Stress("glare", 3), Tally(plies=10, asked=1)).row.mark == "misses its aim"
    assert Figure(Stress("glare", 3), Tally(plies=10, missed=1)).row.mark == "misses its aim"
    assert Figure(Stress("glare", 3), Tally(plies=20, asked=1)).row.mark == ""
    assert Figure(Stress("glare", 5), Tally(plies=10, asked=1)).row.mark == ""


def test_new_figures_take_the_place_of_old_ones(tmp_path):
    path = tmp_path / "figures.json"
    keep([Figure(Stress("jpeg", 3), Tally(plies=5)), Figure(Stress("jpeg", 1), Tally())], "a", path)
    keep([Figure(Stress("jpeg", 3), Tally(plies=7)), Figure(Stress("hand", 5), Tally())], "b", path)
    kept = json.loads(path.read_text())["figures"]
    assert [(f["stressor"], f["severity"], f["plies"], f["command"]) for f in kept] == [
        ("hand", 5, 0, "b"),
        ("jpeg", 1, 0, "a"),
        ("jpeg", 3, 7, "b"),
    ]
