"""A piece that is still in a hand is never a move, however little of the hand is seen."""

import pytest

from companion.board import FENCE, Reading, patches
from companion.referee.explain import Expectation
from companion.referee.judge import judge
from companion.referee.verdict import Kind, Verdict

from .seeing import PATCH, TWO, after, evidence_of

STATE = after("quoridor", "e2")


def verdict_on(position, covered=(), unseen=()) -> Verdict:
    evidence = {place: v for place, v in evidence_of(position).items() if place not in unseen}
    reading = Reading(0.0, evidence, frozenset(covered))
    return judge(Expectation(STATE, TWO.cast), reading, TWO)


def test_pawn_that_left_its_square_has_not_arrived_where_nothing_is_seen():
    lifted = {"e2": "pacman"}
    for target in ("e8", "d9", "f9"):
        verdict = verdict_on(lifted, unseen=[target])
        assert (verdict.kind, verdict.text) == (Kind.WAITING, "Blinky is off the board.")


def test_pawn_that_is_seen_beside_fingers_is_waited_for():
    held = {"e2": "pacman", "e8": "blinky"}
    assert verdict_on(held, covered=["e9", "d9e"]).kind is Kind.HANDS
    assert verdict_on(held, covered=["f8n"]).kind is Kind.HANDS


@pytest.mark.parametrize("far", ["c8", "g8", "e6", "a8", "a9", "e3", "g8n", "c8x"])
def test_what_is_covered_two_squares_away_is_no_finger_on_the_pawn(far):
    verdict = verdict_on({"e2": "pacman", "e8": "blinky"}, covered=[far])
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e8",))


def test_fence_that_fingers_touch_is_waited_for():
    placed = {"e2": "pacman", "e9": "blinky", "c4h": FENCE}
    assert verdict_on(placed, covered=["c5"]).kind is Kind.HANDS
    assert verdict_on(placed, covered=["h8"]).moves == ("c4h",)


def test_fence_that_is_hardly_seen_is_asked_about():
    start = {"e2": "pacman", "e9": "blinky"}
    seen = evidence_of(start) | {patch: {FENCE: PATCH / 2.5} for patch in patches("c4h")}
    verdict = judge(Expectation(STATE, TWO.cast), Reading(0.0, seen), TWO)
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("c4h",))
