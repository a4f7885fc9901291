"""Each layer of the scene says one thing; none flickers."""

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Change, Lights
from companion.boards import profile
from companion.device import DeviceView
from companion.lights import scene as lights
from companion.lights.scene import scene
from companion.referee.snapshot import SeatView, Snapshot
from companion.referee.verdict import Kind, Verdict
from companion.rules.game import Outcome

BOARD = profile.load("reference")
COLOURS = [piece.colour for piece in BOARD.pieces.values()]
WAITING = Verdict(Kind.WAITING, "")


def snapshot(seats: int = 2, **changes: object) -> Snapshot:
    base = Snapshot(
        number=1,
        game="quoridor",
        game_id=1,
        options={},
        seats=tuple(
            SeatView(piece.title, piece.name, piece.colour, 10)
            for piece in itertools.islice(BOARD.pieces.values(), seats)
        ),
        to_act=0,
        position={},
        moves=(),
        legal=(),
        last_changes=(),
        verdict=WAITING,
        outcome=None,
        devices=(),
        simulated=True,
    )
    return dataclasses.replace(base, **changes)  # type: ignore[arg-type]


def lit(view: Snapshot, time: float = 0.25) -> dict[str, tuple[int, int, int]]:
    """Return the lights that are on, by name, as the strip would show them."""
    colours = scene(view, BOARD, time)
    return {name: colours[n] for name, n in BOARD.lights.names.items() if any(colours[n])}


def names(*words: str) -> set[str]:
    return set(" ".join(words).split())


@pytest.mark.parametrize(
    ("seats", "seat", "side"),
    [(2, 0, "S"), (2, 1, "N"), (4, 0, "S"), (4, 1, "W"), (4, 2, "N"), (4, 3, "E")],
)
def test_the_side_of_the_seat_to_act_glows_in_its_colour(seats, seat, side):
    shown = lit(snapshot(seats, to_act=seat))
    assert set(shown) == {f"{side}{n}" for n in range(1, 10)}
    assert set(shown.values()) == {lights.faded(COLOURS[seat], 0.25)}


def test_the_last_move_shows_column_and_row():
    shown = lit(snapshot(to_act=None, last_changes=(Change("pacman", "e1", "e2"),)))
    assert set(shown) == names("N5 S5 W2 E2")
    assert set(shown.values()) == {lights.faded(BOARD.pieces["pacman"].colour, 0.6)}


def test_the_last_fence_shows_the_squares_it_touches():
    shown = lit(snapshot(to_act=None, last_changes=(Change("fence", None, "e3v"),)))
    assert set(shown) == names("N5 N6 S5 S6 W3 W4 E3 E4")
    assert set(shown.values()) == {lights.faded(BOARD.fence.colour, 0.6)}


def test_a_thing_taken_off_the_board_leaves_no_trace():
    assert lit(snapshot(to_act=None, last_changes=(Change("pellet", "c3", None),))) == {}


def not_allowed(**more: object) -> Snapshot:
    change = Change("pacman", "e1", "b4")
    back = Change("pacman", "b4", "e1")
    verdict = Verdict(Kind.NOT_ALLOWED, "too far", changes=(change,), repair=(back,))
    return snapshot(verdict=verdict, **more)


def test_what_is_not_allowed_is_red_and_where_it_belongs_is_green():
    shown = lit(not_allowed())
    for name in names("N2 S2 W4 E4"):
        assert shown[name][0] > 60
        assert shown[name][1:] == (0, 0)
    for name in names("N5 S5 W1 E1"):
        assert shown[name] == lights.GREEN


def test_red_and_green_take_turns_on_a_shared_light():
    changes = (Change("pacman", "e1", "e4"),)
    back = (Change("pacman", "e4", "e1"),)
    view = snapshot(verdict=Verdict(Kind.NOT_ALLOWED, "", changes=changes, repair=back))
    seen = {lit(view, time)["N5"][1] > 0 for time in (0.1, 0.6)}
    assert seen == {True, False}


def test_a_thing_taken_off_against_the_rules_is_red_where_it_was():
    verdict = Verdict(Kind.NOT_ALLOWED, "", changes=(Change("fence", "e3h", None),))
    shown = lit(snapshot(verdict=verdict))
    assert {name for name, colour in shown.items() if colour[0] > 60} >= names("N5 N6 W3 W4")


def test_places_that_are_wrong_are_red_too():
    shown = lit(snapshot(to_act=None, verdict=Verdict(Kind.NOT_ALLOWED, "", places=("c3x", "h8n"))))
    assert set(shown) == names("N3 N4 S3 S4 W3 W4 E3 E4", "N8 S8 W8 W9 E8 E9")


def test_choices_show_one_after_the_other_softly():
    view = snapshot(to_act=None, verdict=Verdict(Kind.UNSURE, "which?", moves=("e4", "a1h")))
    assert set(lit(view, 0.5)) == names("N5 S5 W4 E4")
    assert set(lit(view, 1.5)) == names("N1 S1 N2 S2 W1 E1 W2 E2")
    assert lit(view, 2.5) == lit(view, 0.5)
    assert lit(view, 1.001) == {}


def test_choices_that_are_no_places_leave_the_lights_alone():
    assert lit(snapshot(to_act=None, verdict=Verdict(Kind.UNSURE, "", moves=("roll 6",)))) == {}


def test_hands_on_the_board_dim_the_lights():
    bright = lit(snapshot())
    dark = lit(snapshot(verdict=Verdict(Kind.HANDS, "")))
    assert dark == {name: lights.faded(colour, 0.3) for name, colour in bright.items()}


def test_setting_up_points_at_the_place_of_the_next_thing_only():
    repair = (Change("blinky", None, "e9"), Change("pacman", None, "e1"))
    shown = lit(snapshot(to_act=None, verdict=Verdict(Kind.SET_UP, "", repair=repair)), 0.5)
    assert set(shown) == names("N5 S5 W9 E9")
    assert set(shown.values()) == {BOARD.pieces["blinky"].colour}


def test_setting_up_points_in_red_at_what_must_go():
    repair = (Change("fence", "a1v", None),)
    shown = lit(snapshot(to_act=None, verdict=Verdict(Kind.SET_UP, "", repair=repair)), 0.5)
    assert set(shown) == names("N1 N2 S1 S2 W1 W2 E1 E2")
    assert set(shown.values()) == {lights.RED}


def test_a_device_in_trouble_breathes_amber_in_the_lives():
    devices = (DeviceView("camera", "trouble", "plug it in"), DeviceView("hall", "ok", ""))
    shown = lit(snapshot(to_act=None, devices=devices))
    assert set(shown) == names("L1 L2 L3")
    assert all(red > green > blue == 0 for red, green, blue in shown.values())


def test_without_lives_the_corners_tell_of_trouble():
    kept = {name: n for name, n in BOARD.lights.names.items() if name[0] != "L"}
    strip = Lights(36, "GRB", 1500, kept, {})
    board = dataclasses.replace(BOARD, lights=strip)
    view = snapshot(to_act=None, devices=(DeviceView("camera", "trouble", ""),))
    colours = scene(view, board, 0.0)
    assert {name for name, n in kept.items() if any(colours[n])} == names("N1 N9 E1 E9 S1 S9 W1 W9")


def test_devices_that_are_well_or_off_say_nothing():
    devices = (DeviceView("camera", "ok", ""), DeviceView("lights", "off", ""))
    assert lit(snapshot(to_act=None, devices=devices)) == {}


def test_a_win_sends_a_rainbow_around():
    view = snapshot(to_act=None, outcome=Outcome((0,), "won"))
    assert len(set(lit(view).values())) > 30
    assert lit(view, 0.0) != lit(view, 0.5)


def test_a_draw_is_a_calm_white():
    view = snapshot(to_act=None, outcome=Outcome((), "agreed"))
    assert set(lit(view, 0.0).values()) == {(51, 51, 51)}
    assert lit(view, 0.0) == lit(view, 7.3)


def test_a_light_under_a_square_joins_in():
    strip = Lights(1, "GRB", 100, {"e5": 0}, {"e5": (0, 0)})
    board = dataclasses.replace(BOARD, lights=strip)
    view = snapshot(to_act=None, last_changes=(Change("pacman", "e4", "e5"),))
    assert any(scene(view, board, 0.0)[0])


def test_a_board_without_lights_has_an_empty_scene():
    board = dataclasses.replace(BOARD, lights=Lights(0, "GRB", 0, {}, {}))
    assert scene(not_allowed(), board, 0.0) == ()


@pytest.mark.parametrize(
    ("place", "squares"),
    [
        ("e5", "e5"),
        ("e3h", "e3 f3 e4 f4"),
        ("e3v", "e3 f3 e4 f4"),
        ("e3x", "e3 f3 e4 f4"),
        ("e3n", "e3 e4"),
        ("e3e", "e3 f3"),
        ("i9n", "i9"),
        ("tray", ""),
        ("", ""),
        ("e", ""),
    ],
)
def test_a_place_touches_its_squares(place, squares):
    assert lights.touched(place) == squares.split()


VIEWS = [
    snapshot(),
    not_allowed(devices=(DeviceView("camera", "trouble", ""),)),
    snapshot(
        verdict=Verdict(
            Kind.NOT_ALLOWED,
            "",
            (),
            "",
            (Change("pacman", "e1", "e4"),),
            (Change("pacman", "e4", "e1"),),
        )
    ),
    snapshot(verdict=Verdict(Kind.UNSURE, "", moves=("e4", "e5"))),
    snapshot(verdict=Verdict(Kind.SET_UP, "", repair=(Change("pacman", None, "e1"),))),
    snapshot(verdict=Verdict(Kind.HANDS, "")),
    snapshot(to_act=None, outcome=Outcome((1,), "won")),
]


@given(st.sampled_from(VIEWS), st.floats(0, 1e6))
def test_every_scene_has_a_valid_colour_for_every_led(view, time):
    colours = scene(view, BOARD, time)
    assert len(colours) == BOARD.lights.count
    assert all(0 <= part <= 255 for colour in colours for part in colour)


@pytest.mark.parametrize("view", VIEWS)
def test_no_light_flashes_three_times_a_second(view):
    """Of each part of each light the rises are counted: at most two in a second."""
    frames = [scene(view, BOARD, 5.0 + tick / 100) for tick in range(101)]
    for led in range(BOARD.lights.count):
        for part in range(3):
            levels = [frame[led][part] for frame in frames]
            steps = [b > a for a, b in itertools.pairwise(levels) if a != b]
            rises = sum(b and not a for a, b in itertools.pairwise([False, *steps]))
            assert rises <= 2
