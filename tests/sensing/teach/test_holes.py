"""All holes of a board, whatever its shape, and none where there is no board."""

import numpy as np
import pytest

from companion.sensing.teach.holes import find_holes
from companion.sensing.teach.lattice import coarser, cosets
from tests.sensing.teach.drawn import CROSS, PITCH, SQUARE, TRIANGLES, draw, holes_at, matched


@pytest.mark.parametrize(
    ("plan", "rows"), [(SQUARE, "squares"), (CROSS, "squares"), (TRIANGLES, "triangles")]
)
def test_all_holes_of_a_board_are_found_and_nothing_else(plan, rows):
    holes = find_holes(draw(plan))
    assert holes is not None
    assert matched(holes.pixels, holes_at(plan)) == (len(plan), 0)
    assert holes.rows == rows


def test_where_a_hole_is_is_told_to_a_few_pixels():
    found = find_holes(draw(SQUARE)).pixels
    far = np.linalg.norm(holes_at(SQUARE)[:, None] - found[None], axis=2).min(1)
    assert far.max() < PITCH / 10


def test_a_hole_under_a_mirrored_lamp_is_added_by_symmetry():
    corner = SQUARE.index((5, 5))
    holes = find_holes(draw(SQUARE, glare=corner))
    assert matched(holes.pixels, holes_at(SQUARE)) == (len(SQUARE), 0)


def test_a_place_without_a_hole_is_not_filled():
    plan = [place for place in SQUARE if place not in ((0, 0), (3, 2))]
    holes = find_holes(draw(plan))
    assert matched(holes.pixels, holes_at(SQUARE)) == (len(plan), 0)


def test_a_plain_picture_has_no_board():
    assert find_holes(np.full((480, 640, 3), 90, np.uint8)) is None


@pytest.mark.parametrize("seed", range(3))
def test_noise_has_no_board(seed):
    noise = np.random.default_rng(seed).integers(0, 256, (480, 640, 3), np.uint8)
    assert find_holes(noise) is None


def test_a_coarser_lattice_takes_every_second_third_or_fourth_place():
    places = np.array([(x, y) for x in range(12) for y in range(12)], float)
    sizes = []
    for steps in coarser():
        counts = np.bincount(cosets(places, steps))
        assert len(set(counts)) == 1
        sizes.append(len(counts))
    assert sorted(sizes) == [2] * 3 + [3] * 4 + [4] * 7
