"""What a rendered picture shows is drawn from its seed, and could be on a real table."""

import math
import random

import pytest

from bench.studio.clutter import ROOM_MM, TABLE_MM
from bench.studio.colours import of_kelvin
from bench.studio.lights import LIGHTS, WARMEST_KELVIN, Bulb, Sun, draw_lighting
from bench.studio.plan import LED_COLOURS, Plan, plan_picture
from bench.studio.setting import TROUBLES
from bench.studio.themes import BOARDS, FENCES, FROM_CELLS, PAINTS, distance, stands_out
from companion.board import patches
from companion.boards import profile

BOARD = profile.load("reference")
SEEDS, NUMBERS = (1, 2, 3), range(48)


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [plan_picture(BOARD, seed, number) for seed in SEEDS for number in NUMBERS]


def test_a_seed_always_gives_the_same_plan(plans):
    assert plan_picture(BOARD, 1, 7) == plans[7]
    assert plan_picture(BOARD, 1, 7) != plan_picture(BOARD, 2, 7)
    assert plans[7].dice("hand").random() == plan_picture(BOARD, 1, 7).dice("hand").random()


def test_pictures_of_a_plan_have_names_of_their_own(plans):
    assert len({plan.name for plan in plans}) == len(plans)


def test_no_two_things_share_a_square(plans):
    for plan in plans:
        setting = plan.setting
        taken = [*setting.pieces.values(), *setting.pellets]
        taken += [square for pair in setting.ambiguous.values() for square in pair]
        assert len(taken) == len(set(taken))
        assert set(taken) <= set(BOARD.squares)


def test_every_piece_stands_on_its_square_or_between_its_two(plans):
    for plan in plans:
        setting = plan.setting
        assert set(setting.stands) == {*setting.pieces, *setting.ambiguous}
        for name, square in setting.pieces.items():
            stand = setting.stands[name]
            assert math.dist((stand.x_mm, stand.y_mm), BOARD.at(square)) <= 6
        for name, pair in setting.ambiguous.items():
            stand = setting.stands[name]
            for square in pair:
                away = math.dist((stand.x_mm, stand.y_mm), BOARD.at(square)) / BOARD.pitch_mm
                assert 0.4 < away < 0.6


def test_fences_never_overlap_or_cross(plans):
    for plan in plans:
        covered = [patch for fence in plan.setting.fences for patch in patches(fence.slot)]
        assert len(covered) == len(set(covered))
        assert len(plan.setting.fences) <= BOARD.fence.count


def test_only_fences_that_are_skewed_leave_their_grooves(plans):
    for plan in plans:
        for fence in plan.setting.fences:
            x, y = BOARD.at(fence.slot)
            across = fence.y_mm - y if fence.slot[2] == "h" else fence.x_mm - x
            assert abs(across) <= (BOARD.groove_mm - BOARD.fence.thickness_mm) / 2
            seated = fence.top_mm == BOARD.fence.height_mm and not (fence.tip_deg or fence.lean_deg)
            assert seated != fence.skewed


def test_pieces_run_into_no_fence(plans):
    for plan in plans:
        for name, stand in plan.setting.stands.items():
            radius = BOARD.pieces[name].diameter_mm / 2
            for fence in plan.setting.fences:
                half = BOARD.fence.length_mm / 2, BOARD.fence.thickness_mm / 2
                wide, high = half if fence.slot[2] == "h" else half[::-1]
                gap_x = max(0.0, abs(stand.x_mm - fence.x_mm) - wide)
                gap_y = max(0.0, abs(stand.y_mm - fence.y_mm) - high)
                assert math.hypot(gap_x, gap_y) > radius - 0.5  # what wood and plastic give


def test_fences_can_be_told_from_the_board_in_every_theme(plans):
    for plan in plans:
        theme = plan.theme
        assert stands_out(theme.fence_colour, theme.cell, theme.groove), theme
        assert distance(theme.fence_colour, theme.cell) > FROM_CELLS


def test_all_boards_lights_and_troubles_have_their_turn(plans):
    assert {plan.theme.board for plan in plans} == set(BOARDS)
    assert {plan.light for plan in plans} == set(LIGHTS)
    assert {plan.troubles for plan in plans} == {*TROUBLES, ()}
    assert len({plan.theme.fence for plan in plans}) >= 0.8 * len(FENCES)
    first = plans[: len(BOARDS)]
    assert len({plan.theme.board for plan in first}) == len(BOARDS)


def test_every_other_picture_has_nothing_unusual(plans):
    for plan in plans:
        assert bool(plan.troubles) == bool(plan.number % 2)
        setting = plan.setting
        assert bool(setting.ambiguous) == ("ambiguous" in plan.troubles)
        assert any(f.skewed for f in setting.fences) == ("barrier_skew" in plan.troubles)
        assert bool(plan.hand) == ("hand" in plan.troubles)
        assert bool(plan.exposure.blur_px) == ("motion_blur" in plan.troubles)


def test_a_piece_that_is_off_centre_is_so_by_more_than_pieces_are_by_chance(plans):
    for plan in plans:
        away = [
            math.dist((plan.setting.stands[name].x_mm, plan.setting.stands[name].y_mm), BOARD.at(s))
            for name, s in plan.setting.pieces.items()
        ]
        assert any(each >= 3.5 for each in away) == ("offcentre" in plan.troubles)


def test_things_that_lie_around_do_not_touch_and_are_beside_the_board(plans):
    for plan in plans:
        for number, item in enumerate(plan.items):
            out = max(abs(item.x_mm), abs(item.y_mm))
            assert out > BOARD.board_mm / 2
            assert item.z_mm in (0.0, TABLE_MM)
            assert (item.z_mm == TABLE_MM) == (out > BOARD.frame_mm / 2) or item.kind in (
                "card",
                "phone",
                "mug",
            )
            for other in plan.items[:number]:
                apart = math.hypot(item.x_mm - other.x_mm, item.y_mm - other.y_mm)
                assert apart >= ROOM_MM[item.kind] + ROOM_MM[other.kind]


def test_what_lies_on_the_frame_is_always_named_as_a_trouble(plans):
    for plan in plans:
        if any(item.z_mm == 0 for item in plan.items):
            assert {"clutter", "marker_covered"} & set(plan.troubles)


def test_lit_lights_are_lights_of_the_board_in_known_colours(plans):
    assert any(plan.strip.lit for plan in plans)
    for plan in plans:
        assert set(plan.strip.lit) <= set(BOARD.lights.names)
        assert set(plan.strip.lit.values()) <= set(LED_COLOURS)
        assert plan.strip.fitted or not plan.strip.lit


def test_every_piece_of_the_board_has_its_paint():
    assert set(PAINTS) == set(BOARD.pieces)


def test_no_candle_is_so_warm_that_its_light_has_no_blue():
    warmest = of_kelvin(WARMEST_KELVIN)
    assert WARMEST_KELVIN >= 2150
    for seed in range(40):
        for flame in draw_lighting(random.Random(seed), "candle", 0.0).lamps:
            assert isinstance(flame, Bulb)
            assert flame.colour[2] >= warmest[2] > 0


@pytest.mark.parametrize("name", LIGHTS)
def test_every_light_has_lamps_above_the_board_and_a_camera_that_bears_it(name):
    for seed in range(20):
        lighting = draw_lighting(random.Random(seed), name, 360 * seed / 20)
        assert 0 < lighting.noise[0] < lighting.noise[1]
        assert 0 < lighting.balance[0] < lighting.balance[1] <= 1
        assert lighting.ambient > 0
        assert all(lamp.brightness > 0 for lamp in lighting.lamps)
        assert all(isinstance(lamp, Sun) or lamp.at_mm[2] > 100 for lamp in lighting.lamps)


def test_light_is_the_redder_the_cooler_its_lamp():
    reds = [of_kelvin(kelvin)[0] for kelvin in (2200, 3000, 4500, 6500, 9000)]
    blues = [of_kelvin(kelvin)[2] for kelvin in (2200, 3000, 4500, 6500, 9000)]
    assert reds == sorted(reds, reverse=True)
    assert blues == sorted(blues)
    assert of_kelvin(6600) == pytest.approx((1, 1, 1), abs=0.03)
