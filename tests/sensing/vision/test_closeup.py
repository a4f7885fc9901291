"""A close look at a fence: the same cut-out whichever way it runs, and what its end tells."""

import random

import numpy as np
import pytest

from companion.board import FENCE
from companion.sensing.vision.closeup import SIZE, CloseUp, cut_out, mirrored
from companion.sensing.vision.pose import Pose, find_markers, find_pose
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD

POSE = Pose(1296, 972, 1150.0, -0.05, (3.0, 0.02, 0.01), (5.0, -17.0, 500.0))


def test_a_fence_lies_in_the_middle_of_its_cut_out_along_the_longer_side() -> None:
    for slot in ("c3h", "f6v"):
        picture = np.zeros((972, 1296, 3), np.uint8)
        x, y = BOARD.at(slot)
        along = np.linspace(-26, 26, 200)
        points = np.full((200, 3), BOARD.fence.height_mm)
        points[:, :2] = (x, y)
        points[:, 0 if slot[2] == "h" else 1] += along
        for column, row in np.rint(POSE.project(points)).astype(int):
            picture[row - 2 : row + 3, column - 2 : column + 3] = 255
        planes = cut_out(BOARD, POSE, picture, slot)
        assert planes.shape == (5, SIZE[1], SIZE[0])
        rows, columns = np.nonzero(planes[0] > 0.5)
        assert np.ptp(columns) > 5 * np.ptp(rows)
        assert columns.mean() == pytest.approx((SIZE[0] - 1) / 2, abs=2.5)
        assert rows.mean() == pytest.approx((SIZE[1] - 1) / 2, abs=1.5)


def test_the_lean_of_a_cut_out_points_away_from_the_cameras_foot() -> None:
    black = np.zeros((972, 1296, 3), np.uint8)
    for slot in ("a1h", "h1h", "h8h"):
        x, y = BOARD.at(slot)
        east, north = (np.array([x, y]) - POSE.eye[:2]) / POSE.eye[2]
        planes = cut_out(BOARD, POSE, black, slot)
        assert planes[3:, 0, 0] == pytest.approx([east, -north], abs=1e-5)
        upright = slot[:2] + "v"
        x, y = BOARD.at(upright)
        east, north = (np.array([x, y]) - POSE.eye[:2]) / POSE.eye[2]
        planes = cut_out(BOARD, POSE, black, upright)
        assert planes[3:, 0, 0] == pytest.approx([-north, -east], abs=1e-5)


def test_a_mirrored_cut_out_is_that_of_a_board_seen_from_the_other_side() -> None:
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 256, (972, 1296, 3), np.uint8)
    planes = cut_out(BOARD, POSE, picture, "b2h")
    for way, (along, across) in enumerate(((1, 1), (-1, 1), (1, -1), (-1, -1))):
        turned = mirrored(planes, way)
        np.testing.assert_array_equal(turned[:3], planes[:3, ::across, ::along])
        assert turned[3:, 0, 0] == pytest.approx([along, across] * planes[3:, 0, 0])
        np.testing.assert_array_equal(mirrored(turned, way), planes)


@pytest.mark.parametrize("light", ["daylight", "lamp"])
def test_most_fences_with_an_end_up_are_told_from_those_that_are_in(light: str) -> None:
    """Fences far enough from the foot of the camera that a raised end shows."""
    room, rng, closeup = Room(BOARD, Setting(light, 31)), random.Random(31), CloseUp()
    slots = ["b2h", "g2v", "b6v", "g6h", "d8h", "e1v", "h4h", "a4h"]
    wrong = {"taken": 0, "doubted": 0}
    for _ in range(3):
        room.table.set_up(dict.fromkeys(slots, FENCE))
        up = set(rng.sample(slots, 4))
        for slot in up:
            room.table.half_seat(room.table.fence_at(slot) or "")
        picture = room.shoot().picture
        pose = find_pose(BOARD, find_markers(BOARD, picture), 1296, 972)
        assert pose is not None
        for slot in slots:
            loose = sum(closeup.look(BOARD, pose, picture, slot, way) for way in range(4)) > 0
            wrong["taken"] += slot in up and not loose
            wrong["doubted"] += slot not in up and loose
    assert wrong["taken"] <= 1
    assert wrong["doubted"] <= 1
