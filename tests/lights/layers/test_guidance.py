"""What hands are to do: each hint by itself, and what happens on lights that two hints share."""

from dataclasses import replace

import pytest

from companion.board import Change
from companion.games.game import Choice, Effect
from companion.lights.names import faded
from companion.lights.palette import SAFE, USUAL
from companion.referee.verdict import Kind, Verdict
from tests.lights.views import (
    BACK,
    BOARD,
    CELLS,
    MOVED,
    choices,
    lit,
    names,
    of_pacman,
    pacman_start,
    ruled,
    snapshot,
)

PACMAN = BOARD.pieces["pacman"].colour


def refused(**more: object):
    change, back = Change("pacman", "e1", "b4"), Change("pacman", "b4", "e1")
    return ruled(Kind.NOT_ALLOWED, changes=(change,), repair=(back,), **more)


def test_what_is_not_allowed_is_red_and_where_it_belongs_is_green():
    shown = lit(refused())
    for name in names("N2 S2 W4 E4"):
        assert shown[name][0] > 60
        assert shown[name][1:] == (0, 0)
    for name in names("N5 S5 W1 E1"):
        assert shown[name] == USUAL.right


def test_for_colour_blind_players_it_is_told_by_other_colours_and_by_the_pulse():
    early, late = (lit(refused(), time, palette=SAFE) for time in (0.0, 0.5))
    assert early["N5"] == late["N5"] == SAFE.right
    assert sum(late["N2"]) > 2 * sum(early["N2"])
    assert late["N2"] == SAFE.wrong


def test_red_and_green_take_turns_on_a_shared_light():
    view = ruled(Kind.NOT_ALLOWED, changes=(MOVED,), repair=(BACK,))
    assert {lit(view, time)["N5"][1] > 0 for time in (0.5, 1.5)} == {True, False}


def test_a_thing_taken_off_against_the_rules_is_red_where_it_was():
    shown = lit(ruled(Kind.NOT_ALLOWED, changes=(Change("fence", "e3h", None),)))
    assert set(shown) == names("N5 N6 S5 S6 W3 W4 E3 E4")


def test_places_that_are_wrong_are_red_too():
    shown = lit(ruled(Kind.NOT_ALLOWED, places=("c3x", "h8n")))
    assert set(shown) == names("N3 N4 S3 S4 W3 W4 E3 E4", "N8 S8 W8 W9 E8 E9")


def test_choices_show_one_after_the_other_and_the_first_is_what_the_button_confirms():
    view = ruled(Kind.UNSURE, moves=("e4", "a1h"))
    assert set(lit(view, 0.5)) == names("N5 S5 W4 E4")
    assert set(lit(view, 0.5).values()) == {USUAL.right}
    assert set(lit(view, 1.5)) == names("N1 S1 N2 S2 W1 E1 W2 E2")
    assert set(lit(view, 1.5).values()) == {(255, 255, 255)}
    assert lit(view, 2.5) == lit(view, 0.5)
    assert lit(view, 1.001) == {}


@pytest.mark.parametrize("path", [("e6", "e7"), ("e2",), ("d3", "d4")])
def test_a_walk_in_question_shows_where_it_ends(path):
    walk = Choice("a walk", Effect("clyde", path))
    view = replace(ruled(Kind.UNSURE, moves=("a walk",)), choices=(walk,))
    assert set(lit(view, 0.5, CELLS)) == {path[-1]}


@pytest.mark.parametrize("effect", [Effect(rolled="6"), Effect("pacman"), Effect("blinky")])
def test_choices_that_are_no_places_leave_the_lights_alone(effect):
    asked = replace(ruled(Kind.UNSURE, moves=("this",)), choices=(Choice("this", effect),))
    assert lit(asked) == {}


def test_setting_up_points_at_the_place_of_the_next_thing_only():
    repair = (Change("blinky", None, "e9"), Change("pacman", None, "e1"))
    shown = lit(ruled(Kind.SET_UP, repair=repair), 0.5)
    assert set(shown) == names("N5 S5 W9 E9")
    assert set(shown.values()) == {BOARD.pieces["blinky"].colour}


def test_setting_up_points_in_red_at_what_must_go():
    shown = lit(ruled(Kind.SET_UP, repair=(Change("fence", "a1v", None),)), 0.5)
    assert set(shown) == names("N1 N2 S1 S2 W1 W2 E1 E2")
    assert set(shown.values()) == {USUAL.wrong}


def test_a_piece_is_led_from_where_it_is_in_white_to_where_it_goes_in_its_colour():
    view = ruled(Kind.SET_UP, repair=(Change("pacman", "b2", "e4"), Change("inky", "i9", "i8")))
    shown = lit(view, 0.5)
    assert set(shown) == names("N2 S2 W2 E2", "N5 S5 W4 E4")
    assert shown["N5"] == PACMAN
    red, green, blue = shown["N2"]
    assert 0 < red == green == blue < 128


def test_from_and_to_take_turns_on_a_shared_light():
    view = ruled(Kind.SET_UP, repair=(MOVED,))
    there, here = lit(view, 0.5)["N5"], lit(view, 1.5)["N5"]
    assert there == PACMAN
    assert here[0] == here[1] == here[2]


def test_under_the_squares_from_and_to_are_seen_at_once():
    shown = lit(ruled(Kind.SET_UP, repair=(MOVED,)), 0.5, CELLS)
    assert set(shown) == {"e1", "e4"}


def test_setting_up_points_in_red_at_a_fence_that_lies_loose():
    shown = lit(ruled(Kind.SET_UP, places=("c5",)), 0.5)
    assert set(shown) == names("N3 S3 W5 E5")
    assert set(shown.values()) == {USUAL.wrong}


def test_a_piece_is_pushed_to_the_middle_of_its_square():
    ruling = ruled(Kind.SET_UP, repair=(Change("pacman", "d2", "d2"),))
    assert set(lit(ruling, 0.5)) == names("N4 S4 W2 E2")


def test_a_set_up_without_anything_to_do_is_just_dim():
    view = snapshot(verdict=Verdict(Kind.SET_UP, ""))
    assert lit(view) == {name: faded(c, 0.3) for name, c in lit(snapshot()).items()}


LIFTED = snapshot(choices=choices("d1", "f1", "e2", "c3h"), lifted="pacman")


def test_a_lifted_piece_may_go_to_the_squares_that_are_lit():
    shown = lit(LIFTED, board=CELLS)
    bright = {name for name in shown if shown[name] == faded(PACMAN, 0.5)}
    assert bright == {"d1", "f1", "e2"}


def test_around_the_frame_the_targets_come_one_after_the_other():
    for time, square in ((0.5, "d1"), (1.5, "e2"), (2.5, "f1")):
        shown = lit(LIFTED, time)
        bright = {name for name in shown if shown[name] == PACMAN}
        column, row = "abcdefghi".index(square[0]) + 1, square[1]
        assert bright == names(f"N{column} S{column} W{row} E{row}")


def test_targets_can_be_switched_off():
    assert lit(LIFTED, targets=False) == lit(snapshot())


def test_a_piece_that_is_not_to_move_has_no_targets():
    assert lit(replace(LIFTED, lifted="blinky")) == lit(snapshot())


def test_a_lifted_ghost_has_targets_of_its_own():
    state = pacman_start().play("e6-d6")
    view = of_pacman(state, lifted="clyde")
    ends = {move[-2:] for move in state.legal_moves() if move[0] == "C" and move[-1] != "="}
    shown = lit(view, board=CELLS)
    clyde = faded(BOARD.pieces["clyde"].colour, 0.5)
    assert {name for name, colour in shown.items() if colour == clyde} == ends
