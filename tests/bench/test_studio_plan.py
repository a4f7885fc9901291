"""What a rendered picture shows is drawn from its seed, and could be on a real table."""

import math
import random
from itertools import combinations, pairwise

import pytest

from bench.studio.clutter import ROOM_MM
from bench.studio.colours import distance, of_hex, of_kelvin
from bench.studio.hands import SKINS
from bench.studio.lights import LIGHTS, WARMEST_KELVIN, Bulb, Sun, draw_lighting, white_of
from bench.studio.pawns import HEIGHTS
from bench.studio.plan import LED_COLOURS, Plan, plan_picture
from bench.studio.spreads import FAMILIES, ROUGHNESS, SPREADS, TROUBLES, Shares
from bench.studio.themes import NOT_A_PAINT, PAINTS, paint_of
from companion.board import patches
from companion.boards import profile

BOARD = profile.load("reference")
SEED, COUNT = 1, 600
UNSEATED = ("half", "askew", "crossed", "flat")


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [plan_picture(BOARD, SEED, number) for number in range(COUNT)]


def test_a_seed_always_gives_the_same_plan(plans):
    assert plan_picture(BOARD, SEED, 7) == plans[7]
    assert plan_picture(BOARD, SEED, 7) != plan_picture(BOARD, SEED + 1, 7)
    again = plan_picture(BOARD, SEED, 7)
    assert plans[7].dice("hand").random() == again.dice("hand").random()


def test_pictures_of_a_plan_have_names_of_their_own(plans):
    assert len({plan.name for plan in plans}) == len(plans)


@pytest.mark.parametrize("name", [n for n, s in SPREADS.items() if isinstance(s, Shares)])
def test_every_value_of_the_table_comes_and_no_other(plans, name):
    drawn = {value for plan in plans for value in plan.drawn.get(name, ())}
    assert drawn == set(SPREADS[name].of)


@pytest.mark.parametrize("name", [n for n, s in SPREADS.items() if not isinstance(s, Shares)])
def test_every_stretch_of_the_table_is_used_from_end_to_end(plans, name):
    span = SPREADS[name]
    drawn = [value for plan in plans for value in plan.drawn.get(name, ())]
    tenth = 0.1 * (span.high - span.low)
    assert span.low <= min(drawn) < span.low + tenth
    assert span.high - tenth < max(drawn) <= span.high


def test_a_share_is_kept_over_any_hundred_pictures(plans):
    for name in ("build", "light", "trouble", "cell colour", "fence shape"):
        shares = SPREADS[name].of
        whole = sum(shares.values())
        for start in range(0, COUNT, 100):
            first = [plan.drawn[name][0] for plan in plans[start : start + 100]]
            for value, share in shares.items():
                assert abs(first.count(value) - 100 * share / whole) < 4  # two rounds, two ends


def test_what_is_given_is_not_drawn():
    given = {"light": "tv", "cell": 30.0, "size": "other"}
    plan = plan_picture(BOARD, SEED, 3, given)
    assert plan.light == "tv"
    assert plan.board.cell_mm == 30.0


def test_families_of_colours_and_gloss_have_their_sizes():
    for name, spread in SPREADS.items():
        if name.endswith(("family", "cells colour")) or name in ("worn", "cell colour"):
            assert set(spread.of) <= set(FAMILIES)
        if name.endswith("gloss"):
            assert set(spread.of) == set(ROUGHNESS)


def test_no_two_things_share_a_square(plans):
    for plan in plans:
        setting = plan.setting
        taken = [*setting.pellets, *(token.square for token in setting.tokens)]
        taken += [stand.square for stand in setting.stands if stand.lies_deg is None]
        taken += [s.other for s in setting.stands if s.other and s.lies_deg is None]
        assert len(taken) == len(set(taken)), plan.name
        assert set(taken) <= set(BOARD.squares)


def test_no_two_pawns_have_one_name(plans):
    for plan in plans:
        names = [stand.pawn.name for stand in plan.setting.stands]
        assert len(names) == len(set(names)) <= 8


def test_every_pawn_stands_on_its_square_or_between_its_two(plans):
    for plan in plans:
        for stand in plan.setting.stands:
            here = stand.x_mm, stand.y_mm
            away = math.dist(here, plan.board.at(stand.square))
            if stand.lies_deg is not None:
                assert away <= 0.5 * plan.board.pitch_mm
                assert stand.pawn.can_fall
            elif stand.other:
                for square in (stand.square, stand.other):
                    away = math.dist(here, plan.board.at(square)) / plan.board.pitch_mm
                    assert 0.4 < away < 0.6
            else:
                assert away <= 0.27 * plan.board.cell_mm


def test_a_pawn_that_is_off_centre_is_so_by_more_than_pawns_are_by_chance(plans):
    for plan in plans:
        away = [
            math.dist((s.x_mm, s.y_mm), plan.board.at(s.square)) / plan.board.cell_mm
            for s in plan.setting.stands
            if not s.other
        ]
        assert any(each > 0.14 for each in away) <= ("offcentre" in plan.troubles)


def test_pawns_fit_on_their_squares_and_have_a_known_shape(plans):
    for plan in plans:
        for stand in plan.setting.stands:
            pawn = stand.pawn
            assert pawn.width_mm <= plan.board.cell_mm
            assert pawn.shape.split()[0] in HEIGHTS
            assert pawn.height_mm > 3


def test_a_pawn_without_the_name_of_a_paint_has_none_of_the_five_colours(plans):
    for plan in plans:
        for stand in plan.setting.stands:
            if stand.pawn.paint is None:
                assert paint_of(stand.pawn.colour) is None


def test_pawns_can_be_told_apart_by_their_colours(plans):
    for plan in plans:
        own = [stand.pawn.colour for stand in plan.setting.stands if stand.pawn.paint is None]
        for one, other in combinations(own, 2):
            alike = distance(one, other) < NOT_A_PAINT
            assert not alike or of_hex("#303034") in (one, other)  # when none was left


def test_fences_never_overlap_or_cross_unless_they_are_meant_to(plans):
    for plan in plans:
        fences = [f for f in plan.setting.fences if f.state not in ("flat", "crossed")]
        covered = [patch for fence in fences for patch in patches(fence.slot)]
        assert len(covered) == len(set(covered))
        for fence in plan.setting.fences:
            if fence.state == "crossed":
                first, middle, second = patches(fence.slot)
                assert middle in covered
                assert not {first, second} & set(covered)


def test_only_fences_that_are_skewed_leave_their_grooves(plans):
    for plan in plans:
        board = plan.board
        for fence in plan.setting.fences:
            seated = fence.top_mm == board.fence.height_mm and not (fence.tip_deg or fence.lean_deg)
            assert seated == (fence.state == "seated")
            if fence.state == "seated":
                x, y = board.at(fence.slot)
                across = fence.y_mm - y if fence.slot[2] == "h" else fence.x_mm - x
                assert abs(across) <= (board.groove_mm - board.fence.thickness_mm) / 2 + 1e-6


def test_a_state_of_a_fence_is_always_named_as_a_trouble(plans):
    for plan in plans:
        states = {fence.state for fence in plan.setting.fences} - {"seated"}
        assert states == set(plan.troubles) & set(UNSEATED)


def test_pawns_run_into_no_fence(plans):
    for plan in plans:
        for stand in plan.setting.stands:
            if stand.lies_deg is not None:
                continue
            for fence in plan.setting.fences:
                if fence.state == "seated":
                    gap = fence.gap_to(plan.board, (stand.x_mm, stand.y_mm))
                    assert gap > stand.pawn.width_mm / 2 - 0.6  # what wood and plastic give


def test_nothing_stands_where_something_lies_on_the_field(plans):
    for plan in plans:
        for x, y, radius in plan.setting.clear:
            for stand in plan.setting.stands:
                if stand.lies_deg is None:
                    assert math.dist((x, y), (stand.x_mm, stand.y_mm)) > radius
            for fence in plan.setting.fences:
                if fence.state == "seated":
                    assert math.dist((x, y), (fence.x_mm, fence.y_mm)) > radius


def test_half_of_the_pictures_have_nothing_unusual(plans):
    assert sum(not plan.troubles for plan in plans) == pytest.approx(COUNT / 2, abs=0.04 * COUNT)
    for plan in plans:
        setting, troubles = plan.setting, plan.troubles
        assert set(troubles) <= set(TROUBLES.of)
        assert any(s.lies_deg is not None for s in setting.stands) == ("lying" in troubles)
        assert bool(setting.tokens) == ("foreign" in troubles)
        assert bool(plan.hands) == ("hand" in troubles)
        assert bool(plan.exposure.blur_px) == ("motion blur" in troubles)
        assert bool(plan.exposure.defocus_px) == ("wrong focus" in troubles)


def test_things_that_lie_around_do_not_touch(plans):
    for plan in plans:
        for number, item in enumerate(plan.items):
            for other in plan.items[:number]:
                apart = math.hypot(item.x_mm - other.x_mm, item.y_mm - other.y_mm)
                small = min(1.0, plan.board.cell_mm / 23)
                assert apart >= small * (ROOM_MM[item.kind] + ROOM_MM[other.kind])


def test_what_lies_on_frame_or_field_is_always_named_as_a_trouble(plans):
    named = {"clutter", "marker covered", "on board"}
    for plan in plans:
        if any(item.z_mm > plan.build.table_mm for item in plan.items):
            assert named & set(plan.troubles)


def test_lit_lights_are_lights_of_the_board_in_known_colours(plans):
    assert any(plan.strip.lit for plan in plans)
    for plan in plans:
        assert set(plan.strip.lit) <= set(BOARD.lights.names)
        assert set(plan.strip.lit.values()) <= set(LED_COLOURS)
        assert plan.strip.fitted or not plan.strip.lit


def test_markers_lie_beside_the_field_and_do_not_touch_it(plans):
    for plan in plans:
        half, room = plan.board.field_mm / 2, plan.board.marker_mm * 2 / 3
        for marker in plan.board.markers:
            out = max(abs(marker.x_mm), abs(marker.y_mm))
            assert out - room >= half - 0.01
            if plan.build.kind != "bare":
                assert abs(marker.x_mm) + room <= plan.build.frame_half_mm[0] + 0.01
                assert abs(marker.y_mm) + room <= plan.build.frame_half_mm[1] + 0.01


def test_screws_are_in_the_frame_and_not_in_markers(plans):
    assert any(plan.build.screws for plan in plans)
    for plan in plans:
        for x, y, radius in plan.build.screws:
            assert abs(x) - radius > plan.board.board_mm / 2 - 0.01
            for marker in plan.board.markers:
                off = max(abs(x - marker.x_mm), abs(y - marker.y_mm))
                assert off > plan.board.marker_mm / 2 + radius


def test_racks_lie_between_field_and_edge_of_the_frame(plans):
    assert any(plan.build.rack for plan in plans)
    for plan in plans:
        half, length = plan.board.field_mm / 2, plan.board.fence.length_mm / 2
        for each in plan.build.rack:
            out = max(abs(each.x_mm), abs(each.y_mm))
            assert out - length > half
            assert out + length < max(plan.build.frame_half_mm)
        whole = plan.board.fence.height_mm + plan.board.groove_depth_mm
        for one, other in pairwise(each for each in plan.build.rack if each.lies):
            apart = math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
            assert apart > whole


def test_tiles_stand_above_their_markers_and_frames_are_flush(plans):
    for plan in plans:
        build = plan.build
        assert (build.plane_mm < 0) == (build.kind == "tiles")
        assert (build.marker_plane_mm == 0) == (build.kind == "framed")
        assert build.table_mm < -plan.board.groove_depth_mm


def test_every_piece_of_the_board_has_its_paint():
    assert set(PAINTS) == set(BOARD.pieces)
    assert len(SKINS) > 5


def test_no_candle_is_so_warm_that_its_light_has_no_blue():
    warmest = of_kelvin(WARMEST_KELVIN)
    assert WARMEST_KELVIN >= 2150
    for seed in range(40):
        for flame in draw_lighting(random.Random(seed), "candle", 0.0).lamps:
            assert isinstance(flame, Bulb)
            assert flame.colour[2] >= warmest[2] > 0


def test_every_light_of_the_table_is_known():
    assert set(LIGHTS) == set(SPREADS["light"].of)


@pytest.mark.parametrize("name", LIGHTS)
def test_every_light_has_lamps_above_the_board_and_a_camera_that_bears_it(name):
    for seed in range(20):
        lighting = draw_lighting(random.Random(seed), name, 360 * seed / 20)
        assert 0 < lighting.noise[0] < lighting.noise[1]
        assert 0 < lighting.balance[0] < lighting.balance[1] <= 1
        assert lighting.ambient > 0
        assert all(lamp.brightness > 0 for lamp in lighting.lamps)
        assert all(isinstance(lamp, Sun) or lamp.at_mm[2] > 100 for lamp in lighting.lamps)
        assert min(white_of(lighting)) > 0


def test_light_is_the_redder_the_cooler_its_lamp():
    reds = [of_kelvin(kelvin)[0] for kelvin in (2200, 3000, 4500, 6500, 9000)]
    blues = [of_kelvin(kelvin)[2] for kelvin in (2200, 3000, 4500, 6500, 9000)]
    assert reds == sorted(reds, reverse=True)
    assert blues == sorted(blues)
    assert of_kelvin(6600) == pytest.approx((1, 1, 1), abs=0.03)
