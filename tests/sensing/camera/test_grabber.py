"""Reading a camera in the background: newest picture first, lost and found again."""

import logging
import threading
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError
from companion.sensing.camera import grabber as module
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.grabber import Grabber, Paced
from tests.waiting import wait_for

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Tape:
    """A source that plays what a test puts in: frames, or the end of the device."""

    def __init__(self, deck: "Deck") -> None:
        self.deck = deck

    def grab(self) -> Frame:
        with self.deck.changed:
            self.deck.changed.wait_for(lambda: self.deck.items, timeout=10)
            item = self.deck.items.pop(0)
            self.deck.changed.notify_all()
        if isinstance(item, Exception):
            raise item
        return Frame(item, PICTURE)

    def close(self) -> None:
        self.deck.closed += 1


class Deck:
    """Opens tapes; fails to as often as told."""

    def __init__(self) -> None:
        self.items: list[float | Exception] = []
        self.changed = threading.Condition()
        self.failures = 0
        self.opened = self.closed = 0

    def open(self) -> Tape:
        if self.failures:
            self.failures -= 1
            raise DeviceError("the camera 0 cannot be opened")
        self.opened += 1
        return Tape(self)

    def put(self, *items: float | Exception) -> None:
        with self.changed:
            self.items += items
            self.changed.notify_all()
            assert self.changed.wait_for(lambda: not self.items, timeout=10)


@pytest.fixture
def deck(monkeypatch: pytest.MonkeyPatch) -> Deck:
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.01)
    return Deck()


@pytest.fixture
def grab(deck: Deck) -> Iterator[Callable[..., Grabber]]:
    grabbers: list[Grabber] = []

    def start(on_frame: Callable[[], None] = lambda: None) -> Grabber:
        grabbers.append(Grabber(deck.open, on_frame))
        return grabbers[-1]

    yield start
    for grabber in grabbers:
        grabber._closing.set()
        with deck.changed:
            deck.items.append(0.0)  # wakes the thread that waits for a frame
            deck.changed.notify_all()
        grabber.close()


def test_each_frame_is_handed_out_once_and_only_the_newest(deck, grab):
    camera = grab()
    assert camera.read() is None
    deck.put(1.0)
    frame = wait_for(camera.read)
    assert frame.time == 1.0
    assert camera.read() is None
    deck.put(2.0, 3.0, 4.0)
    wait_for(lambda: camera._newest is not None and camera._newest.time == 4.0)
    assert camera.read().time == 4.0


def test_a_lost_camera_is_opened_again(deck, grab, caplog):
    caplog.set_level(logging.INFO)
    camera = grab()
    deck.put(1.0)
    wait_for(camera.read)
    deck.failures = 3
    deck.put(DeviceError("the camera 0 gives no more pictures"))
    wait_for(lambda: camera.trouble == "the camera 0 cannot be opened")
    deck.put(2.0)
    assert wait_for(camera.read).time == 2.0
    assert camera.trouble == ""
    assert (deck.opened, deck.closed) == (2, 1)
    said = [record.message for record in caplog.records]
    assert said == ["the camera 0 gives no more pictures", "the camera is back"]


def test_an_old_picture_is_not_handed_out_after_the_camera_was_lost(deck, grab):
    camera = grab()
    deck.put(1.0)
    wait_for(lambda: camera._newest)
    deck.failures = 1_000_000
    deck.put(DeviceError("the camera 0 gives no more pictures"))
    wait_for(lambda: camera.trouble)
    assert camera.read() is None


def test_whatever_breaks_the_source_is_survived(deck, grab):
    camera = grab()
    deck.put(cv2.error("a broken picture"))
    wait_for(lambda: camera.trouble)
    assert "a broken picture" in camera.trouble
    deck.put(1.0)
    assert wait_for(camera.read).time == 1.0


def test_closing_twice_is_fine_and_ends_the_thread(deck):
    camera = Grabber(deck.open)
    deck.put(1.0)
    camera._closing.set()
    deck.items.append(2.0)
    with deck.changed:
        deck.changed.notify_all()
    camera.close()
    camera.close()
    assert not camera._thread.is_alive()
    assert deck.closed == deck.opened


def test_a_fault_that_speaks_in_many_lines_is_told_in_one(deck, grab):
    camera = grab()
    deck.put(ValueError("first\nsecond"))
    assert wait_for(lambda: camera.trouble) == (
        "the camera has failed (first): is it plugged in well?"
    )


def test_a_camera_that_hangs_is_opened_again_when_asked(deck, grab):
    camera = grab()
    deck.put(1.0)
    camera.renew()
    deck.put(2.0)
    wait_for(lambda: deck.opened == 2)
    assert deck.closed == 1
    assert camera.trouble == ""
    deck.put(3.0)
    wait_for(lambda: (frame := camera.read()) and frame.time == 3.0)
    assert deck.opened == 2


def test_a_paced_source_waits_for_the_next_frame():
    frames = iter([None, None, Frame(1.0, PICTURE), None, Frame(2.0, PICTURE)])
    source = Paced(lambda: next(frames), wait_seconds=0.0)
    assert [source.grab().time, source.grab().time] == [1.0, 2.0]


def test_every_picture_is_a_sign_of_life_and_a_camera_that_hangs_gives_none(deck, grab):
    signs: list[float] = []
    grab(lambda: signs.append(1.0))
    wait_for(lambda: len(signs) == 1)  # it was opened
    deck.put(1.0)
    wait_for(lambda: len(signs) == 2)
    deck.put(2.0)
    wait_for(lambda: len(signs) == 3)


def test_looking_for_a_camera_in_vain_is_a_sign_of_life(deck, grab):
    signs: list[float] = []
    deck.failures = 3
    grab(lambda: signs.append(1.0))
    wait_for(lambda: deck.opened == 1 and len(signs) == 4)
