"""The printed parts make the table: as many as planned, where they belong, none through another."""

from collections import Counter
from itertools import combinations

import cv2
import numpy as np
import pytest

from hardware import assembly, made, plan
from hardware.solid import Solid

BUILD = plan.load()
TABLE = assembly.table(BUILD.board, BUILD.plan)
TOP = 47.0  # of board and frame, over the table
ASIDE = np.array([0.0137, 0.0291, 0])  # no ray shall hit the edge of two triangles


def named(name):
    return [part for part in TABLE if part.name == name]


def reach(*names):
    """Return the lowest and the highest corner of all parts of these names."""
    boxes = [assembly.extent(part) for name in names for part in named(name)]
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def test_there_are_as_many_parts_as_planned():
    counts = Counter(part.name for part in TABLE)
    for part in BUILD.plan["prints"]:
        if part["name"] != "fence":
            assert counts[part["name"]] == part["count"], part["name"]


def test_frame_and_board_have_the_sizes_of_the_profile_and_are_flush():
    board = BUILD.board
    low, high = reach("frame-corner", "frame-side", "frame-side-lives")
    assert (high - low)[:2] == pytest.approx([board.frame_mm] * 2)
    assert high[2] == pytest.approx(TOP)
    low, high = reach("board-corner", "board-edge", "board-centre")
    assert (high - low)[:2] == pytest.approx([board.board_mm] * 2)
    assert high[2] == pytest.approx(TOP)


def test_squares_are_where_the_profile_has_them():
    """Just under the top there is board in the middle of every square, and none in a groove."""
    tiles = [p for p in TABLE if p.name.startswith("board-")]
    board = BUILD.board
    middles = np.array([(*board.at(spot), TOP - 1) for spot in board.squares])
    grooves = np.array([(*board.at(slot), TOP - 1) for slot in board.slots])
    middles += ASIDE
    grooves += ASIDE
    assert np.any([part.solid.holds(middles) for part in tiles], axis=0).all()
    assert not np.any([part.solid.holds(grooves) for part in tiles], axis=0).any()


def test_a_sensor_lies_under_the_middle_of_every_square():
    """There a tile is open at its top, where the pocket is, and closed further down."""
    tiles = named("sensor-tile")
    low = TOP - BUILD.board.groove_depth_mm - BUILD.plan["printed"]["base_mm"]
    at = np.array([BUILD.board.at(spot) for spot in BUILD.board.squares]) + ASIDE[:2]
    for depth, full in ((0.5, False), (2.5, True)):
        points = np.column_stack([at, np.full(len(at), low - depth)])
        found = np.any([part.solid.holds(points) for part in tiles], axis=0)
        assert (found == full).all()


def test_no_part_goes_through_another():
    rng = np.random.default_rng(1)
    laid = {"marker", "diffuser", "fence", *BUILD.board.pieces}
    for one, other in combinations([p for p in TABLE if p.name not in laid], 2):
        (low, high), (low2, high2) = assembly.extent(one), assembly.extent(other)
        start, end = np.maximum(low, low2) + 0.05, np.minimum(high, high2) - 0.05
        if (start >= end).any() or {one.name, other.name} == {"lens", "camera-head"}:
            continue
        points = rng.uniform(start, end, (200, 3))
        both = one.solid.holds(points) & other.solid.holds(points)
        assert not both.any(), f"{one.name} and {other.name} at {points[both][0]}"


def test_parts_that_do_are_found():
    leg = named("leg")[0]
    points = np.random.default_rng(2).uniform(*assembly.extent(leg), (200, 3))
    assert leg.solid.holds(points).mean() > 0.8
    aside = Solid(leg.solid.triangles + 100)
    assert not aside.holds(points).any()


def test_the_lens_is_where_the_plan_has_it():
    (low, high) = assembly.extent(named("lens")[0])
    assert ((low + high) / 2)[2] == pytest.approx(TOP + 500)
    head_low, head_high = assembly.extent(named("camera-head")[0])
    middle = (low + high) / 2
    assert (head_low - 1 < middle).all()
    assert (middle < head_high + 1).all()


def test_the_picture_shows_a_table_in_its_colours():
    """That it is the newest one is for the sums to say; drawing it takes too long."""
    kept = cv2.imread(str(made.PICTURES / "table.png"))
    assert kept.shape[1::-1] == assembly.SIZE
    blue, green, red = kept.reshape(-1, 3).astype(int).T
    assert ((red > 200) & (green > 150) & (blue < 90)).sum() > 50, "Pac-Man is yellow"
    assert ((blue > 120) & (red < 60)).sum() > 200, "fences are blue"
    assert 0.1 < (kept.min(axis=2) < 250).mean() < 0.6
