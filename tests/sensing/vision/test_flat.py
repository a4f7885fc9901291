"""What counts as a change of the flat picture: things that move, not a camera that flickers."""

import numpy as np
import pytest

from companion.sensing.camera.frame import Picture
from companion.sensing.vision.flat import Flat, differs
from companion.sensing.vision.pose import Pose
from tests.sensing.studio import BOARD

SIZE = 225
#: Row and column of some pixels of the flat picture, and the pixels that OpenCV 5.0 lays there.
LAID = {
    (0, 0): (378.84375, 166.4375),
    (31, 100): (629.8125, 243.6875),
    (109, 85): (587.875, 438.3125),
    (223, 220): (955.5625, 753.03125),
}


def dark(rng: np.random.Generator) -> Picture:
    return rng.integers(8, 11, (SIZE, SIZE, 3), np.uint8)


def flickering(picture: Picture, rng: np.random.Generator) -> Picture:
    """Return a picture of which a part has moved by a step of its compression, block by block."""
    steps = rng.choice((0, 4, 10), (SIZE // 9, SIZE // 9), p=(0.84, 0.15, 0.01))
    blue = np.repeat(np.repeat(steps, 9, axis=0), 9, axis=1)
    shifted = picture.astype(int)
    shifted[..., 0] += blue
    return shifted.astype(np.uint8)


@pytest.mark.parametrize("seed", range(4))
def test_blocks_that_flicker_by_a_step_of_compression_are_no_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    picture = dark(rng)
    assert not differs(flickering(picture, rng), picture)


@pytest.mark.parametrize("seed", range(4))
def test_a_finger_tip_is_a_change_even_among_flickering_blocks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    picture = dark(rng)
    now = flickering(picture, rng)
    now[100:112, 100:112] += 20
    assert differs(now, picture)


def test_without_flicker_a_faint_thing_is_a_change() -> None:
    picture = np.full((SIZE, SIZE, 3), 9, np.uint8)
    now = picture.copy()
    now[100:112, 100:112] += 9
    assert differs(now, picture)
    assert not differs(picture, picture)


def test_however_much_of_the_board_moves_it_is_a_change() -> None:
    picture = np.full((SIZE, SIZE, 3), 9, np.uint8)
    for share in (0.05, 0.2, 0.45, 0.9):
        now = picture.copy()
        now[: int(SIZE * share)] += 14
        assert differs(now, picture), share


def test_every_opencv_lays_the_same_pixels_flat() -> None:
    pose = Pose(1296, 972, 1150.0, -0.05, (2.95, 0.02, 0.01), (5.0, -17.0, 500.0))
    places, parts = Flat.of(BOARD, pose).tables
    x, y = ((places[..., axis] * 32 + (parts >> 5 * axis) % 32) / 32 for axis in (0, 1))
    for (row, column), seen in LAID.items():
        assert (x[row, column], y[row, column]) == pytest.approx(seen, abs=1.5 / 32)
