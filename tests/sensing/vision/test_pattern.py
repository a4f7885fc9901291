"""Cells and grooves are known again in dim light and under added light, and not through a hand."""

import numpy as np
import pytest

from companion.sensing.camera.frame import Array
from companion.sensing.vision.pattern import RIM, SIDE, Pattern, coarse

ROWS = COLUMNS = 9
GREY, BLUE = (40.0, 40.0, 40.0), (76.0, 36.0, 38.0)  # as bright as each other; blue, green, red
DARK_BLUE = (30.0, 10.0, 8.0)


def board(cell: tuple[float, ...] = GREY, groove: tuple[float, ...] = DARK_BLUE) -> Array:
    """Return cells between grooves, as a coarse picture."""
    tile = np.full((SIDE, SIDE, 3), cell, np.float32)
    tile[[0, -1]] = tile[:, [0, -1]] = groove
    return np.tile(tile, (ROWS, COLUMNS, 1))


def noisy(picture: Array, level: float) -> Array:
    grain = np.random.default_rng(3).normal(0, level, picture.shape)
    return (picture + grain).clip(0, 255).astype(np.float32)


def likeness(now: Array, then: Array, clear: Array | None = None) -> Array:
    everything = np.ones((ROWS * 25, COLUMNS * 25), bool)
    return Pattern(now, then).likeness(everything if clear is None else clear)


def test_grooves_as_bright_as_the_cells_show_by_their_colour() -> None:
    bare = board(groove=BLUE)
    now = noisy(bare, 2.0)
    assert likeness(now, bare).min() > 0.9
    now[2 * SIDE : 4 * SIDE, 3 * SIDE : 6 * SIDE] = GREY
    found = likeness(noisy(now, 2.0), bare)
    assert found[2:4, 3:6].max() < 0.25
    assert found[6:].min() > 0.9


@pytest.mark.parametrize("noise", [1.0, 3.0, 5.0])
def test_a_dim_corner_is_as_much_like_the_board_as_its_noise_allows(noise: float) -> None:
    light = np.linspace(0.25, 1.0, ROWS * SIDE, dtype=np.float32)[:, None, None]
    bare = board() * light
    assert likeness(noisy(bare, noise), bare).min() > 0.65


def test_what_lies_in_a_dim_corner_is_still_not_the_board() -> None:
    light = np.linspace(0.5, 1.0, ROWS * SIDE, dtype=np.float32)[:, None, None]
    bare = board() * light
    now = bare.copy()
    now[: 2 * SIDE, : 3 * SIDE] = (22.0, 24.0, 26.0)
    assert likeness(noisy(now, 3.0), bare)[:2, :3].max() < 0.4


def test_light_that_is_added_slowly_hides_no_pattern() -> None:
    bare = board()
    x = np.linspace(-1, 1, COLUMNS * SIDE, dtype=np.float32)
    lamp = 150 * np.exp(-(x[:, None, None] ** 2 + x[None, :, None] ** 2) * 4)
    assert likeness(noisy(bare + lamp, 1.0), bare).min() > 0.8


def test_an_arm_over_more_than_half_of_the_board_is_told_from_it() -> None:
    bare = board()
    now = bare.copy()
    now[:, 3 * SIDE :] = (90.0, 120.0, 160.0)
    found = likeness(noisy(now, 2.0), bare)
    assert found[:, 4:].max() < 0.3
    assert found[:, :2].min() > 0.9


def test_where_nothing_is_clear_nobody_can_tell() -> None:
    bare = board()
    nothing = np.zeros((ROWS * 25, COLUMNS * 25), bool)
    assert (likeness(np.zeros_like(bare), bare, nothing) == 1).all()


def test_tiles_that_are_known_to_show_under_glare_do() -> None:
    bare = board()
    known = np.zeros((ROWS, COLUMNS), bool)
    known[4, 4] = True
    everything = np.ones((ROWS * 25, COLUMNS * 25), bool)
    found = Pattern(np.zeros_like(bare), bare, known).likeness(everything)
    assert found[4, 4] == 1
    assert found[~known].max() < 0.3


def test_a_map_becomes_coarse_without_moving() -> None:
    flat = np.zeros((ROWS * 25, COLUMNS * 25), np.uint8)
    flat[25:50, 50:75] = 1
    small = coarse(flat)
    assert small.shape == (ROWS * SIDE, COLUMNS * SIDE)
    assert small[SIDE + RIM : 2 * SIDE - RIM, 2 * SIDE + RIM : 3 * SIDE - RIM].min() == 1
    assert small[:SIDE].max() == 0
