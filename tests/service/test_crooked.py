"""Pieces put down between squares and fences dropped on the board, from the picture to the word."""

import pytest

from bench.crooked import Answer, answers, is_right, measure
from companion.sim.room import Setting
from tests.counts import LONG, examples

SEED = 700


def placements(what: str, sample: int, full: int) -> list[Answer]:
    """Return the answers to a sample, by camera alone and with the grid, or to all of them."""
    if LONG:
        return measure(what, examples(sample, full), SEED)
    rooms = [Setting("daylight", SEED), Setting("evening", SEED + 1, hall=True)]
    return [answer for room in rooms for answer in answers(what, room, sample // 2)]


@pytest.fixture(scope="module")
def pieces() -> list[Answer]:
    return placements("pieces", 10, 200)


def test_a_piece_off_the_middle_is_accepted_asked_about_or_to_be_pushed(pieces):
    assert [answer for answer in pieces if not is_right(answer)] == []


def test_no_sensor_is_accused_for_a_piece_between_squares(pieces):
    assert [answer for answer in pieces if answer.accused] == []


def test_a_legal_move_up_to_six_millimetres_off_is_accepted_unasked():
    found = placements("near", 4, 100)
    assert sum(answer.word == "accepted" for answer in found) >= 0.95 * len(found), found


def test_a_loose_or_crossed_fence_is_named_with_its_place():
    """Many are waited for instead, or asked about as if they stood in a slot; none is a move."""
    found = placements("fences", 6, 50)
    assert "wrong" not in [answer.word for answer in found]
    assert sum(answer.word == "named" for answer in found) >= len(found) // 4, found


def test_a_ghost_beside_a_pellet_is_told_the_rule_sv_10():
    """One that is taken to be on its way is led on instead; none is a move."""
    found = placements("pellets", 2, 20)
    assert not {"wrong", "stuck"} & {answer.word for answer in found}
    assert any(answer.rule == "SV-10" for answer in found), found
