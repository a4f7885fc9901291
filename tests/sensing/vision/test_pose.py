"""Where the camera stands, from the corners of the markers."""

import numpy as np
import pytest

from companion.sensing.vision.pose import Pose, find_pose, marker_corners
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
