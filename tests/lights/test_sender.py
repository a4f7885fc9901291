"""The sender never keeps the loop waiting, sends the newest frame, and leaves the strip dark."""

import itertools
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from companion.board import Lights
from companion.lights.sender import HUNG_SECONDS, Sender
from companion.lights.strip import Strip
from companion.sim.room import Clock
from companion.sim.strip import SimPixels
from tests.waiting import wait_for

ONE = Lights(1, "GRB", 1000, {}, {})


class Gated(SimPixels):
    """A strip that takes its time: it sends only while its gate is open."""

    def __init__(self) -> None:
        super().__init__(ONE)
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        self.frames: list[bytes] = []
        self.broken = False

    def _transmit(self, buffer: bytearray) -> None:
        self.entered.set()
        assert self.gate.wait(20)
        if self.broken:
            raise OSError("no answer on the bus")
        super()._transmit(buffer)
        self.frames.append(self.sent)


class Ticking(Clock):
    """A clock that goes by itself a little with every look, and on when told."""

    def __call__(self) -> float:
        self.now += 0.02
        return self.now


@pytest.fixture
def pixels() -> Gated:
    return Gated()


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def sender(pixels: Gated, clock: Clock) -> Iterator[Sender]:
    one = Sender(Strip(pixels, 1000, 1.0), clock)
    yield one
    pixels.gate.set()
    one.close()


def grey(level: int) -> tuple[tuple[int, int, int], ...]:
    return ((level, level, level),)


def test_a_frame_is_sent(sender, pixels):
    sender.post(grey(9))
    wait_for(lambda: pixels.colours == grey(9))


def test_frames_that_were_overtaken_are_not_sent(sender, pixels):
    pixels.gate.clear()
    sender.post(grey(1))
    assert pixels.entered.wait(10)
    for level in range(2, 100):
        sender.post(grey(level))  # returns at once although the strip is busy
    pixels.gate.set()
    wait_for(lambda: pixels.colours == grey(99))
    assert len(pixels.frames) == 2


def test_a_strip_that_hangs_is_told_and_nobody_waits(sender, pixels, clock):
    pixels.gate.clear()
    sender.post(grey(1))
    assert pixels.entered.wait(10)
    assert sender.trouble == ""
    clock.now += HUNG_SECONDS + 1
    assert "not answered" in sender.trouble
    pixels.gate.set()
    wait_for(lambda: sender.trouble == "")


def test_a_strip_that_fails_is_told_until_it_is_back(sender, pixels):
    pixels.broken = True
    sender.post(grey(1))
    wait_for(lambda: "no answer on the bus" in sender.trouble)
    pixels.broken = False
    sender.post(grey(2))
    wait_for(lambda: sender.trouble == "")
    assert pixels.colours == grey(2)


def test_who_listens_is_told_of_every_frame_that_went_out(pixels, clock):
    seen: list[object] = []
    sender = Sender(Strip(pixels, 1000, 1.0), clock, lambda: seen.append(pixels.colours))
    for level in (5, 6):
        sender.post(grey(level))
        wait_for(lambda level=level: pixels.colours == grey(level))
    sender.close()
    assert seen == [grey(5), grey(6), grey(0)]
    assert [len(list(group)) for _, group in itertools.groupby(seen)] == [1, 1, 1]


def test_closing_leaves_the_strip_dark(sender, pixels):
    sender.post(grey(200))
    wait_for(lambda: pixels.colours == grey(200))
    sender.close()
    assert pixels.colours == grey(0)
    sender.close()


def test_a_program_that_ends_by_a_fault_leaves_the_strip_dark():
    program = """
import time
from companion.board import Lights
from companion.lights.sender import Sender
from companion.lights.strip import Strip
from companion.sim.strip import SimPixels

class Printing(SimPixels):
    def _transmit(self, buffer):
        super()._transmit(buffer)
        print(buffer.hex(), flush=True)

pixels = Printing(Lights(1, "RGB", 1000, {}, {}))
sender = Sender(Strip(pixels, 1000, 1.0), time.monotonic)
sender.post(((1, 2, 3),))
while not pixels.sends:
    time.sleep(0.001)
raise RuntimeError("out of hand")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["010203", "000000"]
    assert "out of hand" in done.stderr
