"""The watchdog is fed while everything goes on, and only then; a real socket hears what is told."""

import logging
import os
import select
import signal
import socket
import subprocess
import sys

import pytest

from companion.service.watchdog import (
    ASK_SECONDS,
    FEEDS,
    PAGE_SECONDS,
    Growth,
    Notifier,
    Pulse,
    Watchdog,
)
from companion.sim.room import Clock


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


def hear(line: socket.socket) -> list[str]:
    return line.recv(4096).decode().split("\n")


def test_ready_feed_status_and_stopping_arrive_as_systemd_expects_them(line):
    notifier = Notifier({"NOTIFY_SOCKET": line.getsockname()})
    assert notifier.listened
    notifier.ready("quoridor, 0 moves.")
    assert hear(line) == ["READY=1", "STATUS=quoridor, 0 moves."]
    notifier.feed()
    assert hear(line) == ["WATCHDOG=1"]
    notifier.status("quoridor, 1 moves.")
    assert hear(line) == ["STATUS=quoridor, 1 moves."]
    notifier.stopping()
    assert hear(line) == ["STOPPING=1", "STATUS=Stopping."]


def test_a_status_is_one_line_and_is_not_repeated(line):
    notifier = Notifier({"NOTIFY_SOCKET": line.getsockname()})
    notifier.ready("fine")
    notifier.status("fine")
    notifier.status("not\nREADY=1\nfine")
    assert hear(line) == ["READY=1", "STATUS=fine"]
    assert hear(line) == ["STATUS=not READY=1 fine"]


def test_an_address_with_an_at_sign_is_in_the_abstract_name_space():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("\0companion-test-notify")
        line.settimeout(5)
        Notifier({"NOTIFY_SOCKET": "@companion-test-notify"}).feed()
        assert hear(line) == ["WATCHDOG=1"]


@pytest.mark.parametrize("said", ["", "relative/path", "/nowhere/at/all"])
def test_without_a_listener_nothing_happens(said):
    notifier = Notifier({"NOTIFY_SOCKET": said})
    notifier.ready("fine")
    notifier.feed()
    notifier.stopping()


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30 / FEEDS),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, 30 / FEEDS),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_says_how_often_it_wants_to_be_fed_and_by_whom(environ, seconds):
    assert Notifier(environ, pid=7).feed_seconds == seconds
