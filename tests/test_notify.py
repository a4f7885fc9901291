"""What systemd is told, heard on a real socket."""

import socket

import pytest

from companion.service.notify import FEEDS, Notifier


@pytest.fixture
def line(tmp_path):
    """A socket as systemd has it, and its address."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(5)
        yield line


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
