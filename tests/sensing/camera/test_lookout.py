"""A camera in trouble: each kind is named, believed in nothing, logged once, and over by itself."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import fields

import cv2
import numpy as np
import pytest

from companion.board import DeviceView, Evidence, Position
from companion.sensing.camera import health
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.camera.health import FROZEN_SECONDS
from companion.sensing.camera.lookout import (
    BAD_SECONDS,
    CUT_OFF,
    OLD_COVER_SECONDS,
    RENEW_SECONDS,
    SAID_SECONDS,
    STALE_SECONDS,
    STALLED,
)
from companion.sensing.vision.eyes import Eyes
from companion.sim.room import Room, Setting
from tests.sensing.lab import BARE, PAWNS, START, Lab, believed
from tests.sensing.studio import BOARD

FRAME = 0.1
FENCE = {"c3n", "c3x", "d3n"}
OK = DeviceView("camera", "ok", "The camera sees the board.")


class Watch(Lab):
    """A room whose time goes on frame by frame."""

    def __init__(self, studio: Room) -> None:
        super().__init__(camera=True, hall=True, studio=studio)
        self.good()

    @property
    def view(self) -> DeviceView:
        return self.devices()["camera"]

    def good(self, frames: int = 1) -> None:
        """Show pictures as they should be; each is read."""
        for _ in range(frames):
            self.now += FRAME
            self.scan()
            self.shoot()
            reading = self.senses.read()
            assert reading is not None
            assert reading.evidence["c3x"]["fence"] > 0

    def bad(self, picture: Picture, seconds: float) -> None:
        """Show a bad picture for so long; nothing is read from it."""
        for _ in range(round(seconds / FRAME)):
            self.now += FRAME
            self.scan()
            self.show(picture)
            reading = self.senses.read()
            assert reading is None or not any(place[2:] for place in reading.evidence)

    def only_grid(self) -> None:
        """See to it that the hall grid speaks, and speaks alone."""
        self.now += FRAME
        self.scan()
        reading = self.senses.read()
        assert reading is not None
        assert believed(reading.evidence) == PAWNS
        assert not any(place[2:] for place in reading.evidence)
        assert not reading.covered


@pytest.fixture(scope="module")
def studio() -> Room:
    return Room(BOARD, Setting("daylight", 3))


@pytest.fixture
def watch(studio: Room, caplog: pytest.LogCaptureFixture) -> Watch:
    caplog.set_level(logging.INFO)
    return Watch(studio)


@pytest.fixture
def nudged(watch: Watch, studio: Room) -> Iterator[Watch]:
    """A watch whose camera is put back where it was."""
    usual = studio.camera.pose
    yield watch
    studio.camera.move(**{key.name: getattr(usual, key.name) for key in fields(usual)})


def fences(evidence: Evidence) -> set[str]:
    """Return the patches on which a fence is seen."""
    return {place for place, things in evidence.items() if things.get("fence", 0.0) > 1}


def said(text: str) -> DeviceView:
    return DeviceView("camera", "trouble", f"{text[0].upper()}{text[1:]}.")


def torn(picture: Picture) -> Picture:
    half = picture.copy()
    half[500:] = 128
    return half


def night(picture: Picture) -> Picture:
    return np.asarray(
        cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8
    )


def odd(picture: Picture) -> Picture:
    return picture[..., 0]


FAULTS: dict[str, tuple[Callable[[Picture], Picture], str]] = {
    "black": (lambda picture: picture // 40, health.BLACK),
    "white": (lambda picture: picture | np.uint8(252), health.WHITE),
    "torn": (torn, health.TORN),
    "night": (night, health.GREY),
    "odd": (odd, "the camera sends pictures that cannot be read: expected colour"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_bad_pictures_are_named_count_nothing_and_heal(watch, kind, caplog):
    spoil, text = FAULTS[kind]
    assert watch.view == OK
    watch.bad(spoil(watch.studio.shoot().picture), 1.0)
    assert watch.view.state == "trouble"
    assert watch.view.text.startswith(text[0].upper() + text[1:])
    assert watch.view.text.endswith(".")
    watch.only_grid()
    watch.senses.learn({"a1": "inky"})  # there is nothing to learn from, and no harm
    watch.good()
    assert watch.view == OK
    lost, back = [record.message for record in caplog.records]
    assert lost.startswith(text)
    assert back == "the camera's pictures are good again"


def test_one_bad_picture_is_skipped_without_a_word(watch, caplog):
    for _ in range(3):
        watch.bad(torn(watch.studio.shoot().picture), FRAME)
        assert watch.view == OK
        watch.good()
    assert not caplog.records


def test_a_bad_first_picture_is_named(studio, caplog):
    room = Lab(camera=True, hall=True, studio=studio)
    for _ in range(round(BAD_SECONDS / FRAME) + 1):
        room.now += FRAME
        room.show(np.zeros((972, 1296, 3), np.uint8))
        room.senses.read()
    assert room.devices()["camera"] == said(health.BLACK)
    assert [record.message for record in caplog.records] == [health.BLACK]


def test_a_picture_that_cannot_be_shown_is_not_kept(watch):
    kept = watch.senses.frame
    watch.bad(odd(watch.studio.shoot().picture), 1.0)
    assert watch.senses.frame is kept
    watch.bad(np.zeros((972, 1296, 3), np.uint8), FRAME)
    assert watch.senses.frame is not kept, "people may see that it is black"


def test_a_camera_that_hangs_is_named_opened_again_and_heals(watch, caplog):
    assert watch.camera
    same = watch.studio.shoot().picture
    until = watch.now + FROZEN_SECONDS
    while watch.now < until:
        watch.now += FRAME
        watch.show(same)
        assert watch.senses.read() is not None, "nothing moves: that is not yet a fault"
    assert watch.view == OK
    watch.bad(same, 1.0)
    assert watch.view == said(health.FROZEN)
    assert watch.senses.frame is None, "what is repeated is not live"
    watch.only_grid()
    assert watch.camera.renewed == 1
    watch.bad(same, RENEW_SECONDS)
    assert watch.camera.renewed == 2
    watch.good()
    assert watch.view == OK
    assert [record.message for record in caplog.records] == [
        health.FROZEN,
        "the camera's pictures are good again",
    ]


def test_a_camera_that_stalls_is_named_and_heals(watch, caplog):
    watch.now += STALE_SECONDS
    assert watch.view == said(STALLED)
    watch.only_grid()
    watch.only_grid()
    watch.good()
    assert watch.view == OK
    assert [record.message for record in caplog.records] == [
        STALLED,
        "the camera's pictures are good again",
    ]


def test_a_frame_counts_as_live_only_while_new_ones_come(watch):
    assert watch.senses.frame is not None
    watch.now += STALE_SECONDS
    assert watch.senses.frame is None
    assert watch.senses.outline is None
    watch.good()
    assert watch.senses.frame is not None
    watch.bad(odd(watch.studio.shoot().picture), STALE_SECONDS + FRAME)
    assert watch.senses.frame is None, "what cannot be shown does not keep the last one alive"


def test_a_camera_unplugged_is_quoted_and_its_own_log_is_enough(watch, caplog):
    assert watch.camera
    watch.camera.trouble = "the camera 0 cannot be opened: is it plugged in?"
    watch.now += STALE_SECONDS
    assert watch.view.text == "The camera 0 cannot be opened: is it plugged in?"
    watch.only_grid()
    watch.camera.trouble = ""
    watch.good()
    assert watch.view == OK
    assert not caplog.records


def test_pictures_of_another_size_are_read_and_said_once(watch, caplog):
    def shrunk() -> Picture:
        picture = watch.studio.shoot().picture
        return np.asarray(cv2.resize(picture, (1024, 768), interpolation=cv2.INTER_AREA), np.uint8)

    for _ in range(3):
        watch.now += FRAME
        watch.show(shrunk())
        reading = watch.senses.read()
        assert believed(reading.evidence) == PAWNS
        assert reading.evidence["c3x"]["fence"] > 0
        assert watch.view == DeviceView("camera", "ok", "The pictures are 1024 × 768 pixels now.")
    watch.now += SAID_SECONDS
    watch.show(shrunk())
    watch.senses.read()
    assert watch.view == OK
    assert [record.message for record in caplog.records] == [
        "the pictures are 1024 × 768 pixels now, they were 1296 × 972 pixels"
    ]


def test_the_end_of_a_recording_is_told_and_its_last_picture_believed(watch):
    assert watch.camera
    picture = watch.studio.shoot().picture
    for _ in range(100):
        watch.now += FRAME
        watch.camera.next = Frame(watch.now, picture, recorded=True, note="the film has ended")
        assert watch.senses.read().evidence["c3x"]["fence"] > 0
    assert watch.view == DeviceView("camera", "off", "The film has ended.")


# --- a camera that is nudged ------------------------------------------------------------------


def test_a_nudged_camera_is_followed_at_once_and_the_frame_counts_as_moving(nudged):
    camera = nudged.studio.camera
    for yaw, aim in ((1.5, (4.0, -3.0)), (0.2, (0.8, 0.5))):
        x, y = camera.pose.aim
        camera.move(yaw=camera.pose.yaw + yaw, aim=(x + aim[0], y + aim[1]))
        nudged.now += FRAME
        nudged.shoot()
        reading = nudged.senses.read()
        assert reading.moving
        assert believed(reading.evidence) == PAWNS
        nudged.good(2)
        assert nudged.view == OK


def test_a_camera_on_the_move_claims_nothing_false(nudged):
    """It is turned away while exposing, so that its pictures are smeared, and back again."""
    camera = nudged.studio.camera
    x, y = camera.pose.aim
    for step in (6.0, 60.0, 14.0):
        camera.move(aim=(x + step, y))
        nudged.now += FRAME
        nudged.scan()
        nudged.show(cv2.blur(nudged.studio.shoot().picture, (round(step) + 1, 1)))
        reading = nudged.senses.read()
        assert believed(reading.evidence).items() <= PAWNS.items()
        assert reading.moving or fences(reading.evidence) <= FENCE
    camera.move(aim=(x, y))
    nudged.now += FRAME
    nudged.shoot()
    nudged.senses.read()
    nudged.good(2)
    assert nudged.view == OK


def test_a_board_half_out_of_the_picture_is_told(nudged):
    camera = nudged.studio.camera
    usual = camera.pose.aim
    camera.move(aim=(usual[0] + 160.0, usual[1] + 120.0))
    for _ in range(5):
        nudged.now += FRAME
        nudged.scan()
        nudged.shoot()
        reading = nudged.senses.read()
        assert believed(reading.evidence) == PAWNS
        assert reading.moving or fences(reading.evidence) <= FENCE
    assert nudged.view.state == "trouble"
    assert "turn the camera so that the whole board" in nudged.view.text
    camera.move(aim=usual)
    nudged.now += FRAME
    nudged.good(2)
    assert nudged.view == OK


def test_a_corner_cut_off_is_told_while_the_rest_is_read(nudged):
    camera = nudged.studio.camera
    focal_px = camera.pose.focal_px * 0.88
    camera.move(roll=45.0, tilt=2.0, yaw=0.0, focal_px=focal_px, aim=(36.0, 36.0))
    nudged.now += FRAME
    nudged.good(2)
    assert nudged.view == said(CUT_OFF)


def test_a_camera_turned_away_says_so_all_the_time_and_sees_nothing(watch):
    for _ in range(20):
        watch.now += FRAME
        watch.scan()
        watch.show(BARE)
        reading = watch.senses.read()
        assert believed(reading.evidence) == PAWNS, "from the grid"
        assert not any(place[2:] for place in reading.evidence)
        assert watch.view.state == "trouble"
        assert watch.view.text.startswith("No board in view: expected 4 markers")
    watch.good(4)
    assert watch.view == OK


def test_a_strange_board_is_said_to_be_one(studio):
    room = Lab(camera=True, hall=False, studio=studio)
    picture = room.studio.shoot().picture
    strange = picture.copy()
    corners = {
        marker.id: room.studio.camera.pose.project([(marker.x_mm, marker.y_mm, 0.0)])[0].round()
        for marker in BOARD.markers
    }
    for one, other in ((0, 1), (2, 3)):
        _swap(picture, strange, corners[one], corners[other])
    room.show(strange)
    reading = room.senses.read()
    assert not reading.evidence
    assert room.devices()["camera"].text.startswith("The markers in view do not fit this board")


def _swap(picture: Picture, strange: Picture, one: np.ndarray, other: np.ndarray) -> None:  # type: ignore[type-arg]
    reach = 55
    a, b = (
        np.s_[int(y) - reach : int(y) + reach, int(x) - reach : int(x) + reach]
        for x, y in (one, other)
    )
    strange[a], strange[b] = picture[b], picture[a]


# --- something that lies on the board -----------------------------------------------------------


class Pupil(Eyes):
    """Eyes that count their lessons."""

    lessons = 0

    def learn(self, position: Position) -> None:
        type(self).lessons += 1
        super().learn(position)


@pytest.fixture
def lying(studio: Room, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """A room in which a hand lies, after the first lesson, on the board, far from all pieces."""
    monkeypatch.setattr("companion.sensing.camera.lookout.Eyes", Pupil)
    monkeypatch.setattr(Pupil, "lessons", 0)
    room = Lab(camera=True, hall=False, studio=studio)
    watched(room, 1.0)
    room.senses.learn(START)
    studio.table.hand(60, -20, 180)
    yield room
    studio.table.no_hand()


def watched(room: Lab, seconds: float) -> None:
    for _ in range(round(seconds / 0.5)):
        room.now += 0.5
        room.shoot()
        room.senses.read()


def test_nothing_is_learned_while_a_hand_may_still_be_one(lying):
    watched(lying, OLD_COVER_SECONDS - 1.0)
    lying.senses.learn(START)
    assert Pupil.lessons == 1


def test_around_what_has_lain_there_for_long_the_board_is_learned(lying):
    watched(lying, OLD_COVER_SECONDS + 1.0)
    lying.senses.learn(START)
    assert Pupil.lessons == 2
    watched(lying, 1.0)
    assert len(lying.senses.lookout.sight.covered) > 3, (
        "what covers the board is not learned as part of it"
    )
    lying.studio.table.no_hand()
    watched(lying, 1.0)
    sight = lying.senses.lookout.sight
    assert not sight.covered
    assert believed(sight.evidence) == PAWNS


def test_what_moves_is_not_old_and_another_position_is_never_learned(lying):
    watched(lying, OLD_COVER_SECONDS - 1.0)
    lying.studio.table.hand(90, 40, 180)
    watched(lying, 3.0)
    lying.senses.learn(START)
    assert Pupil.lessons == 1
    watched(lying, OLD_COVER_SECONDS)
    lying.senses.learn({"e1": "pacman", "e8": "blinky", "c3h": "fence"})
    assert Pupil.lessons == 1


def test_the_first_lesson_waits_until_the_whole_board_is_seen(studio, monkeypatch):
    monkeypatch.setattr("companion.sensing.camera.lookout.Eyes", Pupil)
    monkeypatch.setattr(Pupil, "lessons", 0)
    room = Lab(camera=True, hall=False, studio=studio)
    studio.table.hand(60, -20, 180)
    watched(room, OLD_COVER_SECONDS + 1.0)
    room.senses.learn(START)
    studio.table.no_hand()
    assert Pupil.lessons == 0
