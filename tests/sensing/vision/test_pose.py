"""Where the camera stands, from the corners of the markers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.vision.pose import Pose, find_pose, marker_corners
from tests.counts import examples
from tests.sensing.studio import BOARD

WIDTH, HEIGHT = 1296, 972


def _camera(focal_px: float = 1150.0) -> Pose:
    # Looks down from the south, tilted by about 13 degrees.
    return Pose(WIDTH, HEIGHT, focal_px, -0.06, (2.91, 0.03, 0.02), (2.0, 15.0, 540.0))


def _corners(pose: Pose, *leave_out: int) -> dict[int, np.ndarray]:  # type: ignore[type-arg]
    return {
        marker.id: pose.project(marker_corners(BOARD, marker))
        for marker in BOARD.markers
        if marker.id not in leave_out
    }


@pytest.mark.parametrize("leave_out", [(), (0,), (2,)])
def test_three_markers_give_the_pose_back(leave_out: tuple[int, ...]) -> None:
    real = _camera()
    found = find_pose(BOARD, _corners(real, *leave_out), WIDTH, HEIGHT)
    assert found is not None
    high = np.array([[x, y, 30.0] for x in (-116, 0, 116) for y in (-116, 0, 116)])
    assert np.abs(found.project(high) - real.project(high)).max() < 1.0


@given(plane=st.floats(-12, 12), size=st.floats(18, 30), left_out=st.integers(-1, 3))
@settings(max_examples=examples(20, 300), deadline=None)
def test_markers_of_any_size_on_any_plane_give_the_pose_back(plane, size, left_out):
    markers = tuple(replace(marker, z_mm=plane) for marker in BOARD.markers)
    board = replace(BOARD, markers=markers, marker_mm=size)
    real = _camera()
    corners = {m.id: real.project(marker_corners(board, m)) for m in markers if m.id != left_out}
    found = find_pose(board, corners, WIDTH, HEIGHT)
    assert found is not None
    field = np.array(board.field_corners)
    assert np.abs(found.project(field) - real.project(field)).max() < 1.0


@pytest.mark.parametrize("number", [0, 2])
def test_a_corner_that_a_cell_hides_has_little_say(number):
    real = _camera()
    corners = _corners(real, 1)
    corners[number][2] += (0.0, -8.0)
    found = find_pose(BOARD, corners, WIDTH, HEIGHT)
    assert found is not None
    field = np.array(BOARD.field_corners)
    assert np.abs(found.project(field) - real.project(field)).max() < 2.0


def test_two_markers_are_too_few() -> None:
    assert find_pose(BOARD, _corners(_camera(), 0, 1), WIDTH, HEIGHT) is None


def test_corners_that_fit_no_flat_board_are_refused() -> None:
    corners = _corners(_camera())
    corners[2] = corners[2] + 60.0
    assert find_pose(BOARD, corners, WIDTH, HEIGHT) is None


def test_tall_things_lean_away_from_the_camera() -> None:
    pose = _camera()
    foot = pose.foot(np.array([100.0, 100.0, 30.0]))
    away = np.array([100.0, 100.0]) - pose.eye[:2]
    assert np.dot(foot - [100.0, 100.0], away) > 0
