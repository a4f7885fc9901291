"""The watchdog is fed while everything goes on, and only then."""

import logging
import os
import select
import signal
import socket
import subprocess
import sys

import pytest

from companion.errors import DeviceError
from companion.service.notify import Notifier
from companion.service.pulse import Growth, Pulse, watched
from companion.service.watchdog import ASK_SECONDS, PAGE_SECONDS, Watchdog


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Care:
    """A watchdog whose parts are set by hand, and the line on which systemd hears of it."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self.clock = Clock()
        self.stalled: tuple[str, ...] = ()
        self.page = True
        self.asked = 0
        environ = {"NOTIFY_SOCKET": line.getsockname(), "WATCHDOG_USEC": "4000000"}
        self.watchdog = Watchdog(
            Notifier(environ), lambda: self.stalled, self._ask, lambda: "fine", self.clock
        )

    def _ask(self) -> bool:
        self.asked += 1
        return self.page

    def fed(self, seconds: float) -> int:
        """Let time pass in steps of half a second; return how often the watchdog was fed."""
        fed = 0
        for _ in range(int(seconds * 2)):
            self.clock.now += 0.5
            self.watchdog.look()
            fed += self._heard().count("WATCHDOG=1")
        return fed

    def _heard(self) -> list[str]:
        heard = []
        while select.select([self.line], [], [], 0)[0]:
            heard += self.line.recv(4096).decode().split("\n")
        return heard


@pytest.fixture
def line(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(30)
        yield line


def test_while_all_goes_on_it_is_fed_four_times_as_often_as_it_bites(line):
    care = Care(line)
    assert care.fed(12) == 12


@pytest.mark.parametrize("part", ["loop", "camera", "hall grid", "journal"])
def test_one_part_that_hangs_starves_it_until_that_goes_on(line, part, caplog):
    care = Care(line)
    care.fed(3)
    care.stalled = (part,)
    with caplog.at_level(logging.INFO):
        assert care.fed(10) == 0
        care.stalled = ()
        assert care.fed(10) == 10
    assert [record.message for record in caplog.records] == [
        f"{part} hangs: systemd will start the companion afresh. Nothing needs to be done.",
        "everything goes on again",
    ]


def test_a_page_that_hangs_for_long_starves_it(line):
    care = Care(line)
    care.fed(3)
    care.page = False
    assert care.fed(PAGE_SECONDS - ASK_SECONDS) > 0
    care.fed(2 * ASK_SECONDS)
    assert care.fed(10) == 0


def test_without_systemd_nothing_is_looked_at():
    def never() -> bool:
        raise AssertionError("nobody asked")

    watchdog = Watchdog(Notifier({}), lambda: ("loop",), never, lambda: "", Clock())
    watchdog.look()


def test_a_value_that_stands_still_has_stalled_only_while_it_is_due():
    clock = Clock()
    growth = Growth(Pulse(clock, 10))
    assert not growth.stalled(1)
    clock.now += 11
    assert growth.stalled(1)
    assert not growth.stalled(2)
    clock.now += 11
    assert not growth.stalled(2, due=False)
    clock.now += 11
    assert not growth.stalled(2)  # it has only just become due


def test_looking_for_a_camera_in_vain_is_going_on():
    clock = Clock()
    pulse = Pulse(clock, 10)

    def unplugged():
        raise DeviceError("no camera")

    clock.now += 11
    assert pulse.stalled
    with pytest.raises(DeviceError):
        watched(unplugged, pulse)()
    assert not pulse.stalled


def test_every_picture_is_a_beat_and_a_camera_that_hangs_gives_none():
    clock = Clock()
    pulse = Pulse(clock, 10)
    closed = []

    class Camera:
        def grab(self):
            return "picture"

        def close(self):
            closed.append(True)

    camera = watched(Camera, pulse)()
    clock.now += 11
    assert pulse.stalled
    assert camera.grab() == "picture"
    assert not pulse.stalled
    camera.close()
    assert closed


def test_the_service_tells_systemd_that_it_is_ready_goes_on_and_stops(line, tmp_path):
    environ = {**os.environ, "NOTIFY_SOCKET": line.getsockname(), "WATCHDOG_USEC": "2000000"}
    environ.pop("WATCHDOG_PID", None)
    command = [sys.executable, "-m", "companion", "play", "--sim", "--port", "0"]
    command += ["--host", "127.0.0.1", "--data", str(tmp_path / "data")]
    service = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    try:
        ready = line.recv(4096).decode()
        assert ready.startswith("READY=1\nSTATUS=quoridor, 0 moves, simulated.")
        while line.recv(4096) != b"WATCHDOG=1":
            pass
        service.send_signal(signal.SIGTERM)
        while not line.recv(4096).startswith(b"STOPPING=1"):
            pass
        assert service.wait(30) == 0
    finally:
        service.kill()
        service.wait()
