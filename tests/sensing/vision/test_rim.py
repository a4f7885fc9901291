"""Hands and other things on the frame, beside the field."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board import Place
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.band import Band
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.rim import STAYS_SECONDS
from companion.service.simulated.rig import Rig
from companion.sim.hands import Person
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD

START = {"e1": "pacman", "e9": "blinky"}
LIGHTS = [("daylight", 1), ("lamp", 2), ("dim", 3), ("evening", 4)]
EDGES = {"north": "d9", "south": "d1", "west": "a4", "east": "i4"}
BEAT = 1 / 15
SKIN = (140, 170, 225)


def settled(studio: Room, *, taught: bool) -> Eyes:
    """Return eyes that have looked at the table as it is set up."""
    studio.table.set_up(START)
    eyes = Eyes(BOARD)
    assert eyes.look(studio.shoot()).covered == frozenset()
    if taught:
        eyes.learn(START)
    return eyes


def pose_of(eyes: Eyes, studio: Room) -> Pose:
    pose = eyes.look(studio.shoot()).pose
    assert pose is not None
    return pose


def laid_on(picture: Picture, pose: Pose, x: float, y: float, colour=SKIN, size=14.0) -> Picture:
    """Return a picture with a disc of this size, in millimetres, on a place of the frame."""
    around = np.linspace(0, 2 * np.pi, 24)
    rim = [(x + size / 2 * np.cos(a), y + size / 2 * np.sin(a), 0.0) for a in around]
    outline = np.rint(pose.project(np.array(rim))).astype(np.int32)
    return np.asarray(cv2.fillPoly(picture.copy(), [outline], colour), np.uint8)


def near(covered: frozenset[Place], square: Place) -> bool:
    return any(
        abs(ord(p[0]) - ord(square[0])) <= 1 and abs(int(p[1]) - int(square[1])) <= 1
        for p in covered
    )


@pytest.mark.parametrize(("light", "seed"), LIGHTS)
@pytest.mark.parametrize("taught", [True, False])
def test_a_hand_that_has_just_put_a_pawn_on_an_outer_square_covers_it(light, seed, taught):
    studio = Room(BOARD, Setting(light, seed))
    eyes = settled(studio, taught=taught)
    for side, square in EDGES.items():
        studio.table.set_up(START)
        eyes.look(studio.shoot())
        for step in Person(studio.table, BOARD, side).move_pawn("blinky", "e9", square):
            if step.what == "put":
                assert near(eyes.look(studio.shoot()).covered, square), side
    studio.table.set_up(START)
    if taught:
        assert eyes.look(studio.shoot()).covered == frozenset()


@pytest.mark.parametrize("taught", [True, False])
def test_one_finger_on_the_frame_covers_only_what_is_next_to_it(taught):
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=taught)
    picture = laid_on(studio.shoot().picture, pose_of(eyes, studio), -58.0, -156.0)
    covered = eyes.look(Frame(studio.clock.now + 2, picture)).covered
    assert "c1" in covered
    assert covered <= {"b1", "b1e", "c1", "c1e", "d1"}


def test_what_is_covered_from_the_frame_is_still_read():
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=True)
    picture = laid_on(studio.shoot().picture, pose_of(eyes, studio), 14.5, -154.0, size=18)
    sight = eyes.look(Frame(studio.clock.now + 2, picture))
    assert "e1" in sight.covered
    assert sight.evidence["e1"]["pacman"] > 3


def test_a_hand_that_moves_on_the_frame_alone_is_motion():
    studio = Room(BOARD, Setting("lamp", 3))
    eyes = settled(studio, taught=True)
    frame = studio.shoot()
    pose = pose_of(eyes, studio)
    assert not eyes.look(Frame(studio.clock.now + BEAT, frame.picture)).moving
    shown = laid_on(frame.picture, pose, 40.0, -165.0)
    assert eyes.look(Frame(studio.clock.now + 2 * BEAT, shown)).moving
    assert not eyes.look(Frame(studio.clock.now + 3 * BEAT, shown)).moving


@pytest.mark.parametrize(("light", "seed"), LIGHTS)
def test_pieces_on_outer_squares_that_lean_over_the_frame_are_no_hand(light, seed):
    studio = Room(BOARD, Setting(light, seed))
    eyes = settled(studio, taught=True)
    outer = {"a9": "blinky", "e9": "inky", "i9": "pinky", "a1": "clyde", "i5": "pacman"}
    fences = dict.fromkeys(["a8v", "h8v", "a1v", "h1v", "a5h", "h5h"], "fence")
    studio.table.set_up(outer | fences)
    for some in (eyes, Eyes(BOARD)):
        assert some.look(studio.shoot()).covered == frozenset()


@pytest.mark.parametrize(("light", "seed"), LIGHTS)
def test_lights_in_any_colour_are_neither_a_hand_nor_motion(light, seed):
    studio = Room(BOARD, Setting(light, seed))
    eyes = settled(studio, taught=True)
    for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (255, 200, 0)):
        studio.pixels.fill(colour)
        studio.pixels.show()
        sight = eyes.look(studio.shoot(BEAT))
        assert sight.covered == frozenset()
        assert not eyes._rim.stirred
        assert Eyes(BOARD).look(studio.shoot(BEAT)).covered == frozenset()


@pytest.mark.parametrize("stops", [-1.0, 0.6, 1.0])
def test_another_exposure_is_no_hand(stops):
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=True)
    levels = np.clip(np.arange(256) * 2 ** (stops / 2.2), 0, 255).astype(np.uint8)
    frame = studio.shoot()
    assert eyes.look(Frame(frame.time, cv2.LUT(frame.picture, levels))).covered == frozenset()


def test_the_edge_of_a_shadow_on_the_frame_is_no_hand():
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=True)
    frame = studio.shoot()
    picture = frame.picture.copy()
    picture[:, : picture.shape[1] // 2] = picture[:, : picture.shape[1] // 2] * 0.65
    assert eyes.look(Frame(frame.time, picture)).covered == frozenset()


def test_a_mirrored_lamp_on_the_frame_is_no_hand():
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=True)
    frame, pose = studio.shoot(), pose_of(eyes, studio)
    x, y = pose.project(np.array([30.0, -165.0, 0.0]))
    down, across = np.ogrid[: pose.height, : pose.width]
    shine = 120 * np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * 40.0**2))
    picture = np.clip(frame.picture + shine[..., None], 0, 255).astype(np.uint8)
    for some in (eyes, Eyes(BOARD)):
        assert "e1" not in some.look(Frame(frame.time + 2, picture)).covered


@pytest.mark.parametrize(("light", "seed"), LIGHTS)
def test_a_strong_lamp_mirrored_half_on_the_frame_is_no_hand_but_white_paper_is(light, seed):
    studio = Room(BOARD, Setting(light, seed))
    eyes = settled(studio, taught=True)
    frame, pose = studio.shoot(), pose_of(eyes, studio)
    x, y = pose.project(np.array([-150.0, 10.0, 0.0]))
    down, across = np.ogrid[: pose.height, : pose.width]
    away = np.hypot((across - x) / 90, (down - y) / 145)
    picture = np.clip(frame.picture + 165 * np.exp(-(away**3))[..., None], 0, 255).astype(np.uint8)
    assert eyes.look(Frame(frame.time + 2, picture)).covered == frozenset()
    paper = laid_on(frame.picture, pose, -156.0, 10.0, (235, 235, 235))
    assert near(eyes.look(Frame(frame.time + 4, paper)).covered, "a5")


def test_what_stays_on_the_frame_becomes_part_of_it_until_it_goes():
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=True)
    frame = studio.shoot()
    pose = pose_of(eyes, studio)
    cup = laid_on(frame.picture, pose, 40.0, -160.0, (60, 60, 200), 30.0)
    start = studio.clock.now + 2
    assert eyes.look(Frame(start, cup)).covered
    assert eyes.look(Frame(start + STAYS_SECONDS - 1, cup)).covered
    assert not eyes.look(Frame(start + STAYS_SECONDS + 0.1, cup)).covered
    both = laid_on(cup, pose, -60.0, -160.0)
    assert near(eyes.look(Frame(start + 10, both)).covered, "c1"), "a hand beside it is seen"
    assert not eyes.look(Frame(start + 12, cup)).covered
    assert not eyes.look(Frame(start + 14, frame.picture)).covered, "it has gone"
    assert eyes.look(Frame(start + 16, cup)).covered, "it has come back"


def test_a_cup_that_was_there_at_the_first_lesson_is_not_missed_when_it_goes():
    studio = Room(BOARD, Setting("dim", 3))
    studio.table.set_up(START)
    frame = studio.shoot()
    pose = pose_of(Eyes(BOARD), studio)
    cup = laid_on(frame.picture, pose, 40.0, -160.0, (60, 60, 200), 30.0)
    eyes = Eyes(BOARD)
    assert eyes.look(Frame(10.0, cup)).covered
    assert not eyes.look(Frame(10.2 + STAYS_SECONDS, cup)).covered, "so a lesson can be given"
    eyes.learn(START)
    assert not eyes.look(Frame(20.0, cup)).covered
    assert not eyes.look(Frame(22.0, frame.picture)).covered


def test_a_hand_that_rests_on_the_outer_edge_of_the_frame_covers_nothing():
    studio = Room(BOARD, Setting("daylight", 3))
    eyes = settled(studio, taught=True)
    picture = laid_on(studio.shoot().picture, pose_of(eyes, studio), 60.0, -177.0)
    assert eyes.look(Frame(studio.clock.now + 2, picture)).covered == frozenset()


def test_a_hand_on_the_frame_of_a_board_without_markers_is_seen():
    studio = Room(BOARD, Setting("daylight", 3))
    studio.table.set_up(START)
    frame = studio.shoot()
    pose = pose_of(Eyes(BOARD), studio)
    points = pose.project(np.array(BOARD.field_corners)).tolist()
    corners = Corners(tuple((x, y) for x, y in points), pose.width, pose.height)
    eyes = Eyes(replace(BOARD, markers=(), marker_mm=0.0), corners)
    picture = laid_on(frame.picture, pose, 14.5, -156.0)
    assert near(eyes.look(Frame(1.0, picture)).covered, "e1")


def test_the_part_of_the_frame_outside_the_picture_is_not_looked_at():
    studio = Room(BOARD, Setting("daylight", 3))
    studio.table.set_up(START)
    pose = pose_of(Eyes(BOARD), studio)
    whole, cut = Band.of(BOARD, pose), Band.of(BOARD, pose.shifted(0, 60))
    assert 0 < len(cut.used) < len(whole.used)
    pixels = pose.shifted(0, 60).project(np.column_stack([cut.at, np.zeros(len(cut.at))]))
    assert (pixels >= 0).all()
    assert (pixels <= [pose.width - 1, pose.height - 1]).all()


def test_a_board_without_a_frame_has_nothing_to_watch():
    studio = Room(BOARD, Setting("daylight", 3))
    studio.table.set_up(START)
    frame = studio.shoot()
    board = replace(BOARD, frame_mm=BOARD.board_mm)
    assert len(Band.of(board, pose_of(Eyes(BOARD), studio)).used) == 0
    assert Eyes(board).look(frame).covered == frozenset()


def test_a_move_taken_back_before_the_hand_has_left_the_frame_is_no_move():
    rig = Rig(Room(BOARD, Setting("dim", 51)))
    rig.begin("quoridor", ("blinky", "pacman"))
    person = Person(rig.table, rig.board, "south")
    for step in person.move_pawn("blinky", "e1", "d1"):
        rig.wait(step.seconds)
        if step.what == "put":
            break
    rig.wait(1.0)
    rig.watch(person.move_pawn("blinky", "d1", "e1"))
    rig.wait(0.6)
    assert rig.loop.table.moves == []
    rig.watch(person.move_pawn("blinky", "e1", "f1"))
    assert rig.wait(1.0, until=lambda: rig.loop.table.moves == ["f1"])
    rig.close()
