"""Where the camera stands, from the corners of the markers."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.errors import CornersError
from companion.sensing.corners import Corners
from companion.sensing.vision.pose import (
    USUAL_BEND,
    Pose,
    find_pose,
    find_pose_from_corners,
    marker_corners,
    usual_focal,
)
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


FIELD = np.array(BOARD.field_corners)


def _looking(fov_deg: float, elevation: float, azimuth: float, roll: float, fill: float) -> Pose:
    """Return a camera whose lens sees so many degrees from corner to corner, that looks at the
    middle of the board, which fills so much of the picture's width or height."""
    focal = np.hypot(WIDTH, HEIGHT) / 2 / np.tan(np.radians(fov_deg / 2))
    bend = USUAL_BEND * (focal / usual_focal(WIDTH)) ** 2
    turn = np.eye(3)
    for axis, degrees in ((2, -azimuth), (0, 90 + elevation), (2, roll)):
        step, _ = cv2.Rodrigues(np.radians(degrees) * np.eye(3)[axis])
        turn = step @ turn
    vector, _ = cv2.Rodrigues(turn)
    a, b, c = (float(part) for part in vector.ravel())
    middle = np.array([WIDTH - 1, HEIGHT - 1]) / 2
    for far_mm in np.geomspace(200, 8000, 200):
        pose = Pose(WIDTH, HEIGHT, float(focal), float(bend), (a, b, c), (0.0, 0.0, float(far_mm)))
        depth = FIELD @ turn[2] + far_mm
        if depth.min() > 150 and (np.abs(pose.project(FIELD) - middle) < fill * middle).all():
            return pose
    raise AssertionError("no place for the camera")


@given(
    fov=st.floats(20, 110),
    elevation=st.floats(30, 90),
    azimuth=st.floats(-180, 180),
    roll=st.floats(-15, 15),
    fill=st.floats(0.6, 0.97),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=examples(40, 1000), deadline=None)
def test_corners_set_to_a_pixel_lay_the_grid_whatever_the_lens(
    fov, elevation, azimuth, roll, fill, seed
):
    real = _looking(fov, elevation, azimuth, roll, fill)
    noise = np.random.default_rng(seed).uniform(-1, 1, (4, 2))
    try:
        corners = Corners.checked((real.project(FIELD) + noise).tolist(), WIDTH, HEIGHT)
    except CornersError:
        assume(False)
    found = find_pose_from_corners(BOARD, corners, WIDTH, HEIGHT)
    assert found is not None
    line = np.linspace(-BOARD.field_mm / 2, BOARD.field_mm / 2, 10)
    x, y, z = (part.ravel() for part in np.meshgrid(line, line, [0.0]))
    grid = np.stack([x, y, z], axis=-1)
    off = np.linalg.norm(found.project(grid) - real.project(grid), axis=1)
    assert np.sqrt(np.mean(off**2)) < 1.5
    # At a slant, one wrong corner moves the cells nearest to the camera by more than itself.
    assert off.max() < 3.0


def test_corners_that_no_camera_sees_so_give_no_pose():
    bent = Corners.checked([[300, 800], [900, 850], [1200, 100], [500, 500]], WIDTH, HEIGHT)
    assert find_pose_from_corners(BOARD, bent, WIDTH, HEIGHT) is None
