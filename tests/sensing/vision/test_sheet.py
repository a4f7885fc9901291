"""The field laid flat, and what counts as a change of it: things that move, not flicker."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.sensing.camera.frame import Picture
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.sheet import COARSE_PX, PX, Sheet, coarse, differs
from tests.sensing.studio import BOARD

SIZE = 11 * COARSE_PX  # of the pictures that are compared


def dark(rng: np.random.Generator) -> Picture:
    return rng.integers(8, 11, (SIZE, SIZE, 3), np.uint8)


def flickering(picture: Picture, rng: np.random.Generator) -> Picture:
    """Return a picture of which a part has moved by a step of its compression, block by block."""
    steps = rng.choice((0, 4, 10), (SIZE // 8, SIZE // 8), p=(0.84, 0.15, 0.01))
    blue = np.repeat(np.repeat(steps, 8, axis=0), 8, axis=1)
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
        now[COARSE_PX : COARSE_PX + int((SIZE - 2 * COARSE_PX) * share)] += 14
        assert differs(now, picture), share


POSE = Pose(1296, 972, 1150.0, -0.05, (2.95, 0.02, 0.01), (5.0, -17.0, 500.0))


@pytest.mark.parametrize("scale", [0.4, 1.0, 2.5])
def test_a_point_of_the_board_lies_at_the_same_pixel_in_pictures_of_any_size(scale: float) -> None:
    pose = replace(
        POSE,
        width=round(1296 * scale),
        height=round(972 * scale),
        focal_px=POSE.focal_px * scale,
    )
    picture = np.zeros((pose.height, pose.width, 3), np.uint8)
    spot = np.array([[*BOARD.at("c7"), 0.0]])
    x, y = np.rint(pose.project(spot)[0]).astype(int)
    cv2.circle(picture, (int(x), int(y)), round(9 * scale), (255, 255, 255), -1)
    laid = Sheet.of(BOARD, pose).lay(picture)
    rows, columns = np.nonzero(laid[..., 0] > 127)
    assert columns.mean() == pytest.approx((1 + 2.5) * PX - 0.5, abs=0.025 * PX)
    assert rows.mean() == pytest.approx((1 + 2.5) * PX - 0.5, abs=0.025 * PX)


def test_a_picture_is_averaged_before_it_is_compared() -> None:
    """Fine stripes become grey: they would alias into coarse ones."""
    picture = np.zeros((972, 1296, 3), np.uint8)
    picture[:, ::2] = 255
    laid = coarse(Sheet.of(BOARD, POSE).lay(picture))
    assert laid.shape == (SIZE, SIZE, 3)
    assert laid[COARSE_PX:-COARSE_PX, COARSE_PX:-COARSE_PX, 0].astype(float).std() < 50


def test_lean_points_away_from_the_foot_of_the_camera() -> None:
    sheet = Sheet.of(BOARD, POSE)
    east, south = sheet.lean
    assert sheet.size == (11 * PX, 11 * PX)
    assert (np.diff(east, axis=1) > 0).all()
    assert (np.diff(south, axis=0) > 0).all()
    x, y, _ = POSE.eye
    column = round((sheet.size[1] - 1) / 2 + x * PX / BOARD.pitch_mm)
    row = round((sheet.size[0] - 1) / 2 - y * PX / BOARD.pitch_mm)
    assert np.abs(sheet.lean[:, row, column]).max() < 0.02
