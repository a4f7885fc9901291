"""Start and end, nobody there, a phone, trouble, calibration and the night, each by itself."""

import dataclasses

from companion.board import DeviceView, Lights
from companion.games.game import Outcome
from companion.lights.names import faded
from companion.lights.palette import USUAL
from companion.lights.scene import scene
from companion.referee.verdict import Kind, Verdict
from tests.lights.views import (
    BOARD,
    CELLS,
    COLOURS,
    TROUBLE,
    lit,
    names,
    snapshot,
)

BLANK = snapshot(to_act=None)


def test_hands_on_the_board_dim_the_lights():
    dark = lit(snapshot(verdict=Verdict(Kind.HANDS, "")))
    assert dark == {name: faded(colour, 0.3) for name, colour in lit(snapshot()).items()}


def test_a_game_that_begins_fills_the_sides_from_the_middle():
    assert set(lit(BLANK, begun_seconds=0.0)) == names("S5 N5")
    first, later = lit(BLANK, begun_seconds=0.7), lit(BLANK, begun_seconds=2.9)
    assert names("S5 N5") <= set(first) < set(later)
    assert len(later) == 18
    assert later["S1"] == faded(COLOURS[0], 0.8)
    assert lit(BLANK, begun_seconds=3.0) == {}


def test_a_game_that_is_under_way_does_not_begin():
    assert lit(snapshot(to_act=None, moves=("e2",)), begun_seconds=1.0) == {}


def test_a_win_sends_a_rainbow_around_and_marks_the_winners_side():
    view = snapshot(to_act=None, outcome=Outcome((0,), "won"))
    assert len(set(lit(view).values())) > 25
    assert lit(view, 0.0) != lit(view, 0.5)
    assert lit(view, 1.0)["S5"] == COLOURS[0]


def test_a_loss_to_the_companion_is_calm_and_blue():
    seats = tuple(
        dataclasses.replace(seat, level=level)
        for seat, level in zip(BLANK.seats, (None, 5), strict=True)
    )
    view = dataclasses.replace(BLANK, seats=seats, outcome=Outcome((1,), "won"))
    others = {colour for name, colour in lit(view).items() if name[0] != "N"}
    assert all(red == green == 0 < blue for red, green, blue in others)
    won = dataclasses.replace(view, outcome=Outcome((0,), "won"))
    assert len(set(lit(won).values())) > 25


def test_a_win_between_two_of_the_companions_seats_is_a_win():
    seats = tuple(dataclasses.replace(seat, level=5) for seat in BLANK.seats)
    view = dataclasses.replace(BLANK, seats=seats, outcome=Outcome((1,), "won"))
    assert len(set(lit(view).values())) > 25


def test_a_draw_is_a_calm_white():
    view = snapshot(to_act=None, outcome=Outcome((), "agreed"))
    assert set(lit(view, 0.0).values()) == {(51, 51, 51)}
    assert lit(view, 0.0) == lit(view, 7.3)


def test_a_device_in_trouble_breathes_amber_in_the_lives():
    devices = (DeviceView("camera", "trouble", "plug it in"), DeviceView("hall", "ok", ""))
    shown = lit(snapshot(to_act=None, devices=devices))
    assert set(shown) == names("L1 L2 L3")
    assert all(red > green > blue == 0 for red, green, blue in shown.values())


CORNERS = "N1 N9 E1 E9 S1 S9 W1 W9"


def test_where_the_lives_are_in_use_the_corners_tell_of_trouble():
    view = snapshot(to_act=None, devices=TROUBLE, tallies={"lives": (2, 0)})
    assert set(lit(view)) == names(CORNERS, "L1 L2")


def test_without_lives_the_corners_tell_of_trouble():
    kept = {name: n for name, n in BOARD.lights.names.items() if name[0] != "L"}
    board = dataclasses.replace(BOARD, lights=Lights(36, "GRB", 1500, kept, {}))
    assert set(lit(snapshot(to_act=None, devices=TROUBLE), board=board)) == names(CORNERS)


def test_without_frame_and_lives_it_is_the_corners_of_the_field():
    view = snapshot(to_act=None, devices=TROUBLE, tallies={"lives": (0, 0)})
    assert set(lit(view, board=CELLS)) == names("a1 a9 i1 i9")


def test_devices_that_are_well_or_off_say_nothing():
    devices = (DeviceView("camera", "ok", ""), DeviceView("lights", "off", ""))
    assert lit(snapshot(to_act=None, devices=devices)) == {}


def test_when_nothing_happens_for_long_the_lights_play_by_themselves():
    calm = lit(snapshot(), idle_seconds=59, attract_seconds=60)
    assert calm == lit(snapshot())
    shown = [lit(snapshot(), time, idle_seconds=60, attract_seconds=60) for time in (0.1, 4.0)]
    assert shown[0] != shown[1] != calm
    assert 5 <= len(shown[0]) <= 10
    assert max(max(colour) for colour in shown[0].values()) < 100


def test_a_phone_that_may_be_paired_is_awaited_by_a_circling_light():
    def head(time: float) -> str:
        shown = lit(BLANK, time, pairing=True)
        return max(shown, key=lambda name: sum(shown[name]))

    order = sorted(BOARD.lights.names, key=BOARD.lights.names.__getitem__)
    places = [order.index(head(time)) for time in (0.2, 0.9, 1.6, 2.3)]
    assert places == sorted(set(places))
    assert lit(BLANK, 0.5, pairing=True)[head(0.5)][2] > 200
    assert USUAL.phone[2] == 255


def test_while_something_is_set_up_only_the_place_to_look_at_is_lit():
    assert set(lit(snapshot(), pointed=("e5",))) == names("N5 S5 W5 E5")
    assert set(lit(snapshot(), board=CELLS, pointed=("a1", "i9"))) == {"a1", "i9"}


def test_at_night_everything_is_dimmer():
    day, dark = lit(snapshot()), lit(snapshot(), level=0.5)
    assert dark == {name: faded(colour, 0.5) for name, colour in day.items()}


def test_a_board_without_lights_has_an_empty_scene():
    board = dataclasses.replace(BOARD, lights=Lights(0, "GRB", 0, {}, {}))
    for view in (snapshot(verdict=Verdict(Kind.NOT_ALLOWED, "")), BLANK):
        assert scene(view, board, 0.0) == ()
    for mood in ({"pairing": True}, {"idle_seconds": 9.0, "attract_seconds": 1.0}):
        assert lit(snapshot(outcome=Outcome((0,), "")), board=board, **mood) == {}
