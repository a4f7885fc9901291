"""Which change of the table is heard, and as what."""

from dataclasses import replace

import pytest

from companion import config
from companion.board import Change
from companion.games.game import Outcome
from companion.panel.sounds import TUNES, heard
from companion.referee.verdict import Kind, Verdict
from companion.service.snapshot import Snapshot
from tests.lights.views import snapshot

QUIET = snapshot(moves=("e2",), to_act=1)


def after(kind: Kind, before: Snapshot = QUIET, **more: object) -> Snapshot:
    return replace(before, verdict=Verdict(kind, ""), **more)


def test_a_move_that_is_accepted_is_heard():
    assert heard(QUIET, after(Kind.ACCEPTED, moves=("e2", "e8"))) == "accepted"


def test_a_move_taken_back_is_not():
    assert heard(QUIET, after(Kind.WAITING, moves=())) is None


@pytest.mark.parametrize(
    ("kind", "sound"), [(Kind.NOT_ALLOWED, "refused"), (Kind.UNSURE, "question")]
)
def test_a_refusal_and_a_question_are_heard_once(kind, sound):
    raised = after(kind)
    assert heard(QUIET, raised) == sound
    assert heard(raised, replace(raised, number=2)) is None
    assert heard(raised, after(Kind.WAITING)) is None


def test_the_end_of_a_game_goes_before_its_last_move():
    won = after(Kind.ACCEPTED, moves=("e2", "e8"), outcome=Outcome((1,), "there"))
    assert heard(QUIET, won) == "win"
    assert heard(won, replace(won, number=2)) is None


SOLO = replace(
    QUIET, to_act=0, seats=(QUIET.seats[0], replace(QUIET.seats[1], level=3)), moves=("e2", "e8")
)


def test_it_is_your_turn_when_the_companions_move_stands_on_the_board():
    led = after(Kind.SET_UP, SOLO)
    assert heard(led, after(Kind.WAITING, SOLO)) == "turn"
    away = Verdict(Kind.WAITING, "off the board", changes=(Change("pacman", "e2", None),))
    assert heard(led, replace(SOLO, verdict=away)) is None
    assert heard(led, after(Kind.WAITING, SOLO, to_act=1)) is None


def test_between_people_nobody_is_called():
    assert heard(after(Kind.SET_UP), after(Kind.WAITING)) is None


def test_hands_on_the_board_and_another_game_are_silent():
    assert heard(QUIET, after(Kind.HANDS)) is None
    assert heard(QUIET, after(Kind.NOT_ALLOWED, game_id=2)) is None


def test_every_sound_can_be_named_in_the_settings():
    assert tuple(TUNES) == config.SOUNDS


@pytest.mark.parametrize("name", TUNES)
def test_a_tune_is_short_and_within_what_a_small_buzzer_can_do(name):
    assert sum(seconds for _, seconds in TUNES[name]) < 1.0
    assert all(hertz == 0 or 1000 <= hertz <= 4000 for hertz, _ in TUNES[name])
