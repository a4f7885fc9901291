"""What the simulated camera's pictures show, measured with OpenCV."""

import cv2
import numpy as np
import pytest

from companion.board import FENCE, Board
from companion.sim.picture.camera import SimCamera
from companion.sim.picture.lens import Pose
from companion.sim.picture.light import LIGHTS
from companion.sim.picture.scenery import draw_scenery
from companion.sim.room import Room
from companion.sim.stress import Stress, StressedCamera


def colour_at(studio: Room, x: float, y: float, z: float = 0.0) -> np.ndarray:
    """Return the mean blue-green-red around the picture of a point of the table."""
    (px, py) = studio.camera.pose.project([(x, y, z)])[0].round().astype(int)
    part = studio.camera.clean()[py - 1 : py + 2, px - 1 : px + 2]
    return part.reshape(-1, 3).mean(axis=0)


def markers_in(picture: np.ndarray, board: Board) -> dict[int, np.ndarray]:
    words = cv2.aruco.getPredefinedDictionary(
        getattr(cv2.aruco, f"DICT_{board.marker_dictionary.upper()}")
    )
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(words, options).detectMarkers(picture)
    found = [] if ids is None else ids.ravel().tolist()
    return {int(id): corner.reshape(4, 2) for id, corner in zip(found, corners, strict=True)}


def test_opencv_finds_the_markers_where_the_pose_says(studio: Room) -> None:
    frame = studio.camera.read()
    assert frame is not None
    found = markers_in(frame.picture, studio.board)
    assert sorted(found) == sorted(marker.id for marker in studio.board.markers)
    half = studio.board.marker_mm / 2
    for marker in studio.board.markers:
        x, y = marker.x_mm, marker.y_mm
        corners = [(x - half, y + half), (x + half, y + half), (x + half, y - half)]
        corners.append((x - half, y - half))
        expected = studio.camera.pose.project([(*corner, 0.0) for corner in corners])
        assert np.abs(found[marker.id] - expected).max() < 1.0


@pytest.mark.parametrize("light", sorted(LIGHTS))
def test_markers_are_found_in_every_light(studio: Room, light: str) -> None:
    camera = SimCamera(
        studio.table, studio.board, studio.clock, light=light, seed=5, size=(648, 486)
    )
    frame = camera.read()
    assert frame is not None
    assert len(markers_in(frame.picture, studio.board)) == len(studio.board.markers)


def test_rays_are_the_inverse_of_projection() -> None:
    pose = Pose(tilt=20, yaw=5, bend=(-0.09, 0.01))
    slopes = pose.slopes(300, 200, 500, 400)
    for row, column in ((0, 0), (17, 301), (399, 499), (200, 250)):
        fall = pose.eye[2] - 16.0
        x, y = pose.eye[:2] + slopes[row, column] * fall
        pixel = pose.project([(x, y, 16.0)])[0]
        assert pixel == pytest.approx((300 + column, 200 + row), abs=0.05)


def test_a_pawn_is_seen_where_it_stands_and_with_its_height(studio: Room) -> None:
    piece = studio.board.pieces["blinky"]
    x, y = studio.board.at("c7")
    empty = colour_at(studio, x, y, piece.height_mm - 4)
    studio.table.set_up({"c7": "blinky"})
    body = studio.table.body("blinky")
    blue, green, red = colour_at(studio, body.x, body.y, piece.height_mm - 4)
    assert red > 2 * max(blue, green)
    assert red > empty[2] + 60


def test_a_fence_is_seen_along_its_whole_upper_edge(studio: Room) -> None:
    height = studio.board.fence.height_mm
    x, y = studio.board.at("d4v")
    studio.table.set_up({"d4v": FENCE})
    for along in (-20, 0, 20):
        blue, green, red = colour_at(studio, x, y + along, height)
        assert blue > 2 * max(red, green)


def test_a_half_seated_fence_looks_different_from_a_seated_one(studio: Room) -> None:
    studio.table.set_up({"d4v": FENCE})
    seated = studio.camera.clean().copy()
    studio.table.half_seat("fence1")
    assert cv2.absdiff(seated, studio.camera.clean()).max() > 60


def test_a_hand_hides_what_it_covers(studio: Room) -> None:
    studio.table.set_up({"e3": "pacman"})
    body = studio.table.body("pacman")
    blue, _, red = colour_at(studio, body.x, body.y, 15)
    assert red > 3 * blue
    studio.table.hand(body.x, body.y + 110, 90)
    blue, _, red = colour_at(studio, body.x, body.y, 15)
    assert red < 3 * blue
    studio.table.no_hand()
    blue, _, red = colour_at(studio, body.x, body.y, 15)
    assert red > 3 * blue


def test_a_body_throws_a_shadow(studio: Room) -> None:
    before = studio.camera.clean().copy()
    studio.table.set_up({"e5": "inky"})
    after = studio.camera.clean()
    darker = (before.astype(int) - after).max(axis=2) > 5
    assert darker.sum() > 200


def test_a_lit_led_glows_and_a_dark_one_does_not(studio: Room) -> None:
    name = "N5"
    x, y = studio.board.lights.at_mm[name]
    blue, green, red = colour_at(studio, x, y)
    assert abs(red - blue) < 25
    studio.pixels[studio.board.lights.names[name]] = (255, 0, 0)
    studio.pixels.show()
    blue, green, red = colour_at(studio, x, y)
    assert red > 230
    assert max(blue, green) < 150


def test_noise_differs_from_frame_to_frame_over_the_same_clean_picture(studio: Room) -> None:
    clean = studio.camera.clean()
    first = studio.camera.read()
    studio.clock.now += 1.0
    second = studio.camera.read()
    assert first is not None
    assert second is not None
    assert studio.camera.clean() is clean
    difference = cv2.absdiff(first.picture, second.picture)
    assert difference.mean() > 0.5
    assert abs(float(first.picture.mean()) - float(second.picture.mean())) < 0.5
    noise = first.picture.astype(np.int16) - clean
    assert np.std(noise) == pytest.approx(studio.camera.light.noise, rel=0.35)


def test_frames_come_at_the_rate_of_the_clock(studio: Room) -> None:
    camera = SimCamera(studio.table, studio.board, studio.clock, size=(648, 486))
    assert camera.read() is not None
    assert camera.read() is None
    got = 0
    for _ in range(300):
        studio.clock.now += 0.01
        got += camera.read() is not None
    assert 44 <= got <= 46


def test_a_frame_handed_out_is_not_touched_again(studio: Room) -> None:
    frame = studio.camera.read()
    assert frame is not None
    copy = frame.picture.copy()
    studio.table.set_up({"e5": "pinky"})
    studio.clock.now += 1.0
    studio.camera.read()
    assert np.array_equal(frame.picture, copy)


def test_a_bumped_camera_sees_the_board_elsewhere(studio: Room) -> None:
    camera = SimCamera(studio.table, studio.board, studio.clock, seed=5, size=(648, 486))
    before = markers_in(camera.clean(), studio.board)
    camera.move(yaw=camera.pose.yaw + 3.0)
    after = markers_in(camera.clean(), studio.board)
    marker = studio.board.markers[0]
    expected = camera.pose.project([(marker.x_mm, marker.y_mm, 0.0)])[0]
    assert np.abs(after[marker.id].mean(axis=0) - expected).max() < 1.0
    assert np.abs(after[marker.id] - before[marker.id]).max() > 3.0


def test_a_jpeg_camera_still_shows_the_markers(studio: Room) -> None:
    drawn = SimCamera(studio.table, studio.board, studio.clock, seed=5, size=(648, 486))
    camera = StressedCamera(drawn, [Stress("jpeg", 1)])
    frame = camera.read()
    assert frame is not None
    assert len(markers_in(frame.picture, studio.board)) == len(studio.board.markers)
    camera.close()
    camera.close()


def test_clutter_and_supply_lie_beside_the_frame(studio: Room) -> None:
    empty = draw_scenery(studio.board, studio.camera.pose, studio.camera.light, seed=3)
    changed = cv2.absdiff(empty, studio.camera.clean()).max(axis=2)
    corners = studio.board.field_corners
    field = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(field, studio.camera.pose.project(corners).astype(np.int32), 1)
    assert changed[field == 1].max() == 0
    assert changed.max() > 50
