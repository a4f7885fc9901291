"""Boards without markers: corners that were given or remembered, nudges, and strange pictures."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.boards import profile
from companion.sensing.camera.files import read_picture
from companion.sensing.camera.frame import Array, Frame, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sensing.vision.finding import IMPOSSIBLE, MOVED, OTHER_SHAPE, Finder
from companion.sensing.vision.grid import agreement, settle
from companion.sensing.vision.outline import corners_of
from companion.sensing.vision.pose import find_pose_from_corners
from companion.sim.room import FPS, Room, Setting
from tests.sensing.studio import BOARD, told

FOLDER = Path(__file__).parents[2] / "photos"
PHOTOS = [FOLDER / f"still_{number}.jpg" for number in ("0000", "0001", "0008", "0018")]
REAL = Path(__file__).parents[4] / "shared" / "photos" / "real" / "quoridor"
BARE = replace(BOARD, markers=(), marker_mm=0.0)
POSITION = {"e1": "pacman", "e9": "blinky", "c3h": "fence", "d5v": "fence", "g7h": "fence"}


def painted_over(photo: Path) -> tuple[Picture, list[list[float]]]:
    """Return a photograph whose markers were painted in the colour of the frame beside them, and
    the corners of the field in it."""
    truth = json.loads(photo.with_suffix(".json").read_text())
    picture = read_picture(photo)
    middles = {int(id): np.array(at) for id, at in truth["marker_centers_px"].items()}
    half = float(np.linalg.norm(middles[0] - middles[1])) / 330 * 22
    for id, at in middles.items():
        way = middles[(id + 1) % 4] - at
        x, y = (at + way / np.linalg.norm(way) * half * 1.5).astype(int)
        colour = np.median(picture[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3), axis=0)
        low, high = (tuple(int(part) for part in at + sign * half) for sign in (-1, 1))
        cv2.rectangle(picture, low, high, [float(part) for part in colour], -1)
    return picture, truth["board_corners_px"]


def off(points: Array, seed: int, px: float) -> list[list[float]]:
    """Return corners as somebody might drag them, each somewhat off."""
    wrong: list[list[float]] = (
        np.asarray(points) + np.random.default_rng(seed).uniform(-px, px, (4, 2))
    ).tolist()
    return wrong


class Mount(Room):
    """A simulated camera above a board without markers, that can be bumped."""

    def __init__(self, board=BARE, light="daylight", seed=3, size=(864, 648)):
        super().__init__(board, Setting(light, seed), size=size)
        self.table.set_up(POSITION)
        self.size = self.camera.pose.size

    def look(self, eyes: Eyes, frames: int) -> Sight:
        for _ in range(frames):
            sight = eyes.look(self.shoot(1 / FPS))
        return sight

    @property
    def corners(self) -> Array:
        return self.camera.pose.project(np.array(self.board.field_corners))

    def error(self, sight: Sight) -> float:
        """Return by how many pixels the corners of the field are off in a sight."""
        assert sight.found, sight.text
        assert sight.pose is not None
        return float(
            np.abs(sight.pose.project(np.array(self.board.field_corners)) - self.corners).max()
        )


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_a_photograph_without_markers_is_read_by_dragged_corners(photo):
    picture, corners = painted_over(photo)
    height, width = picture.shape[:2]
    assert not Eyes(BOARD).look(Frame(0.0, picture)).found
    eyes = Eyes(BOARD, Corners.checked(off(corners, 1, 5.0), width, height))
    sight = eyes.look(Frame(0.0, picture))
    assert not sight.by_markers
    truth = json.loads(photo.with_suffix(".json").read_text())
    seen = told(sight)
    doubted = {*seen.unsure, *seen.covered}
    wrong = {*seen.pieces.items()} ^ {*truth["pieces"].items()}
    assert {square for _, square in wrong} <= doubted
    assert {*seen.walls} ^ {*truth["walls"]} <= doubted
    assert len(doubted) <= 4
    assert sight.pose is not None
    seen_corners = sight.pose.project(np.array(BOARD.field_corners))
    assert np.abs(seen_corners - corners).max() < 3.0


def test_a_board_is_read_with_doubt_where_it_does_not_lie():
    picture, corners = painted_over(PHOTOS[0])
    pose = find_pose_from_corners(BOARD, Corners.checked(corners, 1296, 972), 1296, 972)
    assert pose is not None
    eyes, half = Eyes(BOARD), BOARD.pitch_mm / 2
    assert eyes._doubt(pose, picture) < 0.1
    for aside in ((half, 0.0), (0.0, half), (-half, 0.0)):
        assert eyes._doubt(pose.shifted(*aside), picture) > 0.4


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_corners_alone_give_the_camera_its_place(photo):
    truth = json.loads(photo.with_suffix(".json").read_text())
    corners = Corners.checked(truth["board_corners_px"], 1296, 972)
    pose = find_pose_from_corners(BOARD, corners, 1296, 972)
    assert pose is not None
    assert (
        np.abs(pose.project(np.array(BOARD.field_corners)) - truth["board_corners_px"]).max() < 1.5
    )
    assert abs(pose.eye[2] - truth["camera"]["height_mm"]) < 60
    larger = find_pose_from_corners(BOARD, corners, 2592, 1944)
    assert larger is not None
    assert larger.eye[2] == pytest.approx(pose.eye[2], rel=0.01)
    assert find_pose_from_corners(BOARD, corners, 1280, 720) is None


def test_markers_go_before_corners():
    photo = PHOTOS[0]
    corners = Corners.checked([[100, 900], [1200, 900], [1200, 60], [100, 60]], 1296, 972)
    sight = Eyes(BOARD, corners).look(Frame(0.0, read_picture(photo)))
    assert sight.found
    assert sight.by_markers
    assert sight.markers == {0, 1, 2, 3}


def test_a_board_whose_markers_are_covered_later_is_still_known():
    photo = PHOTOS[0]
    picture, corners = painted_over(photo)
    eyes = Eyes(BOARD)
    assert eyes.look(Frame(0.0, read_picture(photo))).by_markers
    sight = eyes.look(Frame(0.1, picture))
    assert sight.found, sight.text
    assert not sight.by_markers
    assert sight.pose is not None
    assert np.abs(sight.pose.project(np.array(BOARD.field_corners)) - corners).max() < 1.5
    assert eyes.look(Frame(0.2, np.full_like(picture, 120))).found is False
    for n in range(20):
        sight = eyes.look(Frame(1.0 + n / 15, read_picture(photo)))
    assert sight.by_markers


@pytest.mark.parametrize("light", ["daylight", "lamp", "dim"])
def test_a_board_without_markers_is_found_and_read(light):
    mount = Mount(light=light)
    eyes = Eyes(BARE, Corners.checked(off(mount.corners, 1, 6.0), *mount.size))
    sight = eyes.look(mount.shoot(1 / FPS))
    assert mount.error(sight) < 3.0
    seen = told(sight, BARE)
    assert seen.pieces == {"pacman": "e1", "blinky": "e9"}
    assert set(seen.walls) == {"c3h", "d5v", "g7h"}


def test_without_markers_and_corners_it_is_said_what_to_do():
    mount = Mount()
    sight = Eyes(BARE).look(mount.shoot(1 / FPS))
    assert not sight.found
    assert "no markers: drag its four corners" in sight.text


@pytest.mark.parametrize(
    "bump",
    [
        {"aim": (1.2, 0.8)},
        {"aim": (5.0, 2.0)},
        {"aim": (14.5, 0.0)},  # half a cell
        {"aim": (29.0, 0.0)},  # a whole one: every groove but the last looks right
        {"yaw": 0.7},
        {"roll": 2.0},
    ],
    ids=str,
)
def test_a_nudged_camera_is_followed(bump):
    mount = Mount()
    eyes = Eyes(BARE, Corners.checked(mount.corners.tolist(), *mount.size))
    mount.look(eyes, 2)
    pose = mount.camera.pose
    changes = {
        name: (pose.aim[0] + by[0], pose.aim[1] + by[1])
        if name == "aim"
        else getattr(pose, name) + by
        for name, by in bump.items()
    }
    mount.camera.move(**changes)
    sight = mount.look(eyes, 20)
    assert mount.error(sight) < 3.5
    assert told(sight, BARE).pieces == {"pacman": "e1", "blinky": "e9"}


def test_a_camera_that_looks_elsewhere_is_said_to_have_moved_and_may_come_back():
    mount = Mount()
    eyes = Eyes(BARE, Corners.checked(mount.corners.tolist(), *mount.size))
    mount.look(eyes, 2)
    yaw = mount.camera.pose.yaw
    mount.camera.move(yaw=yaw + 40)
    sight = mount.look(eyes, 3)
    assert not sight.found
    assert sight.text == MOVED
    mount.camera.move(yaw=yaw)
    assert mount.error(mount.look(eyes, 2)) < 3.0


def test_a_hand_over_the_board_is_no_nudge():
    mount = Mount()
    eyes = Eyes(BARE, Corners.checked(mount.corners.tolist(), *mount.size))
    before = mount.look(eyes, 2)
    mount.table.hand(0, 0, 90)
    sight = mount.look(eyes, 10)
    assert mount.error(sight) < mount.error(before) + 1.0
    assert len(sight.covered) > 20


@pytest.mark.parametrize("seed", range(3))
def test_a_strange_picture_is_no_board(seed):
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 255, (12, 16, 3), np.uint8)
    picture = cv2.resize(coarse, (1296, 972), interpolation=cv2.INTER_CUBIC)
    picture = cv2.add(picture, rng.integers(0, 12, picture.shape, np.uint8))
    corners = Corners.checked([[342, 780], [884, 804], [896, 273], [377, 251]], 1296, 972)
    sight = Eyes(BARE, corners).look(Frame(0.0, np.asarray(picture, np.uint8)))
    assert not sight.found
    assert "no grooves where the corners say" in sight.text


def test_corners_in_a_picture_of_another_shape_are_not_used():
    corners = Corners.checked([[342, 780], [884, 804], [896, 273], [377, 251]], 1296, 972)
    sight = Eyes(BARE, corners).look(Frame(0.0, np.full((720, 1280, 3), 90, np.uint8)))
    assert not sight.found
    assert "another shape" in sight.text


def test_corners_that_no_camera_sees_so_are_called_what_they_are():
    corners = Corners.checked([[300, 800], [900, 850], [1200, 100], [500, 500]], 1296, 972)
    sight = Eyes(BARE, corners).look(Frame(0.0, np.full((972, 1296, 3), 90, np.uint8)))
    assert not sight.found
    assert sight.text == IMPOSSIBLE


def test_pictures_of_two_sizes_are_each_searched_at_once():
    mount, wide = Mount(), Mount(size=(960, 640))
    given = Corners.checked(mount.corners.tolist(), *mount.size)
    eyes = Eyes(BARE, given)
    for _ in range(2):
        assert eyes.look(Frame(0.0, mount.shoot().picture)).found
        assert eyes.look(Frame(0.0, wide.shoot().picture)).text == OTHER_SHAPE
    assert eyes.corners == given


@pytest.mark.skipif(not REAL.is_dir(), reason="the real photographs are not beside the code")
@pytest.mark.parametrize("name", ["real_00", "real_01"])
def test_three_markers_below_the_tiles_find_a_real_board(name):
    board = profile.load("plywood")
    finder = Finder(board)
    assert finder.keep(read_picture(REAL / f"{name}.jpg")) == ""
    assert (finder.view.by_markers, len(finder.markers)) == (True, 3)
    truth = json.loads((REAL / f"{name}.json").read_text())["board_corners_px"]
    off_px = np.linalg.norm(corners_of(board, finder.view.pose) - truth, axis=1)
    assert off_px.max() < 8  # the truth is read off by eye, to about six pixels


def test_other_corners_are_used_from_the_next_picture_on():
    mount = Mount()
    eyes = Eyes(BARE)
    assert not eyes.look(mount.shoot(1 / FPS)).found
    eyes.use_corners(Corners.checked(mount.corners.tolist(), *mount.size))
    assert mount.look(eyes, 1).found
    eyes.use_corners(None)
    assert not mount.look(eyes, 1).found


def test_grooves_are_agreed_with_only_where_they_are():
    picture, corners = painted_over(PHOTOS[0])
    pose = find_pose_from_corners(BOARD, Corners.checked(corners, 1296, 972), 1296, 972)
    assert pose is not None
    assert agreement(BOARD, pose, picture) > 0.6
    assert agreement(BOARD, pose.shifted(8.0, 0.0), picture) < 0.25
    settled = settle(BOARD, pose.shifted(8.0, -6.0), picture)
    assert settled is not None
    assert np.abs(settled.project(np.array(BOARD.field_corners)) - corners).max() < 3.0


def test_a_profile_may_leave_its_markers_out(tmp_path):
    text = (Path(profile.__file__).parent / "reference.toml").read_text()
    head, rest = text.split("[markers]")
    kept = head + "[" + rest.split("\n[", 1)[1]
    own = tmp_path / "own.toml"
    own.write_text("\n".join(line for line in kept.splitlines() if "marker sheet" not in line))
    assert profile.load(own).markers == ()
