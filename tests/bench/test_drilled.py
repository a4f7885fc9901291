"""Rendered boards to be taught from."""

import math

import numpy as np
import pytest

from bench.drilled import SHAPES, cross, grid, hexagon, maze, star, track


def test_boards_have_the_holes_of_their_games():
    counts = [len(star(4)), len(star(3)), len(hexagon(4)), len(grid(9)), len(cross(33))]
    assert counts == [121, 73, 61, 81, 33]
    assert len(cross(37)) == 37


@pytest.mark.parametrize("shape", SHAPES)
def test_no_hole_of_a_board_lies_nearer_than_the_next(shape):
    plan = SHAPES[shape](np.random.default_rng(5))
    apart = [math.dist(one, other) for n, one in enumerate(plan) for other in plan[:n]]
    assert min(apart) > 0.5


def test_a_seed_decides_everything():
    one, same = (maze(np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one, same)
    assert len(track(np.random.default_rng(1))) != len(track(np.random.default_rng(2)))
