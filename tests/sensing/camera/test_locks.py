"""Locks of a USB camera, on a driver that behaves, or lies, as real ones do."""

import cv2
import numpy as np
import pytest

from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.camera.locks import Locks

AUTO_OF = {cv2.CAP_PROP_AUTOFOCUS: 1, cv2.CAP_PROP_AUTO_EXPOSURE: 3, cv2.CAP_PROP_AUTO_WB: 1}
EXPOSURE = cv2.CAP_PROP_AUTO_EXPOSURE
SCENE = np.kron(np.indices((12, 16)).sum(axis=0) % 2, np.ones((40, 40)))


class Webcam:
    """A camera in a room: automatic things follow it, locked ones stay, or jump to ``stale``."""

    def __init__(self, refuses=(), jumps=()) -> None:
        self.refuses, self.jumps = refuses, jumps
        self.room = 1.0  # how bright it is
        self.gain = 1.0
        self.values = dict.fromkeys(AUTO_OF, 0.0)  # another program has locked everything
        self.now = 0.0

    def set(self, property: int, value: float) -> bool:
        if property in self.refuses:
            return False
        self.values[property] = value
        return True

    def is_auto(self, property: int) -> bool:
        return self.values[property] == AUTO_OF[property]

    def shoot(self) -> Frame:
        self.now += 0.2
        if self.is_auto(EXPOSURE):
            self.gain = 1 / self.room
        light = 120 * self.room * (0.4 if self.jumped(EXPOSURE) else self.gain)
        blue = 0.7 if self.jumped(cv2.CAP_PROP_AUTO_WB) else 1.0
        scene = cv2.GaussianBlur(SCENE, (0, 0), 5 if self.jumped(cv2.CAP_PROP_AUTOFOCUS) else 1)
        picture: Picture = np.stack([scene * blue, scene, scene], axis=2) * light + 20
        return Frame(self.now, np.clip(picture, 0, 255).astype(np.uint8))

    def jumped(self, property: int) -> bool:
        return property in self.jumps and not self.is_auto(property)


def run(webcam: Webcam, locks: Locks, seconds: float = 40) -> None:
    end = webcam.now + seconds
    while webcam.now < end:
        locks.note(webcam.shoot())


def test_what_the_driver_can_is_found_first_and_then_locked():
    webcam = Webcam()
    locks = Locks(webcam)
    assert all(map(webcam.is_auto, AUTO_OF))
    run(webcam, locks, 2)
    assert all(map(webcam.is_auto, AUTO_OF))
    assert (locks.is_settled, locks.text) == (False, "")
    run(webcam, locks)
    assert not any(map(webcam.is_auto, AUTO_OF))
    assert locks.text == "Locked: focus, exposure and white balance."


@pytest.mark.parametrize(
    ("property", "name"),
    [
        (cv2.CAP_PROP_AUTOFOCUS, "focus"),
        (EXPOSURE, "exposure"),
        (cv2.CAP_PROP_AUTO_WB, "white balance"),
    ],
)
def test_a_lock_after_which_the_picture_is_another_is_taken_back_and_told(property, name):
    webcam = Webcam(jumps=[property])
    locks = Locks(webcam)
    run(webcam, locks)
    assert locks.is_settled
    assert [each for each in AUTO_OF if webcam.is_auto(each)] == [property]
    assert f"The picture jumps when {name} is locked: left alone." in locks.text
    assert "Locked: " in locks.text


def test_what_the_driver_refuses_is_told():
    webcam = Webcam(refuses=AUTO_OF)
    locks = Locks(webcam)
    run(webcam, locks, 1)
    assert locks.text == "Its driver cannot lock focus, exposure and white balance."


def test_when_the_light_of_the_room_changes_for_long_the_exposure_is_found_anew():
    webcam = Webcam()
    locks = Locks(webcam)
    run(webcam, locks)
    webcam.room = 0.3
    run(webcam, locks, 10)
    assert webcam.shoot().picture.max() < 100, "for a while it stays locked: it may be a hand"
    run(webcam, locks)
    assert webcam.shoot().picture.max() > 130
    assert not webcam.is_auto(EXPOSURE)


def test_a_focus_that_is_to_be_left_alone_is():
    webcam = Webcam()
    locks = Locks(webcam, "off")
    run(webcam, locks)
    assert locks.text == "Locked: exposure and white balance."


def test_a_distance_in_millimetres_means_nothing_to_a_usb_camera_and_it_says_so():
    locks = Locks(Webcam(refuses=AUTO_OF), 500)
    assert "A USB camera takes no distance as camera.focus" in locks.text
