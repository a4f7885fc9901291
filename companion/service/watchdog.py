"""Feeds systemd's watchdog while every part of the service runs, and stops when one hangs.

A :class:`Pulse` tells a part that runs from one that hangs (a heartbeat with a time-out), the
:class:`Notifier` sends the datagrams of ``sd_notify`` that a unit of ``Type=notify`` expects, and
the :class:`Watchdog` joins the two. An unplugged device does not count as hanging: its thread goes
on looking for it. Unless systemd started the service, every call does nothing.
"""

import logging
import os
import socket
from collections.abc import Callable, Mapping
from typing import Any

log = logging.getLogger(__name__)

ASK_SECONDS = 5.0  # how often the page is checked
PAGE_SECONDS = 20.0  # how long it may hang
STATUS_SECONDS = 2.0
#: How many times the watchdog is fed within its time-out.
FEEDS = 4

Clock = Callable[[], float]

_NOTHING = object()  # equals no value


class Pulse:
    """Something that should happen again and again, and has stalled when it does not."""

    def __init__(self, clock: Clock, patience_seconds: float) -> None:
        self._clock = clock
        self._patience = patience_seconds
        self._last = clock()

    def beat(self) -> None:
        """Note that it has happened just now."""
        self._last = self._clock()

    @property
    def stalled(self) -> bool:
        """Tell whether it has not happened for too long."""
        return self._clock() - self._last > self._patience


class Growth:
    """A value that should change while it is due: one that stays the same has stalled."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._before: Any = _NOTHING

    def stalled(self, value: Any, *, due: bool = True) -> bool:
        """Tell whether a value has not changed for too long; one that is not due may stay."""
        if not due or value != self._before:
            self._before = value if due else _NOTHING
            self._pulse.beat()
        return self._pulse.stalled


class Notifier:
    """The line to systemd.

    Example::

        notifier = Notifier(os.environ)
        notifier.ready("waiting for the first move")
        notifier.feed()  # at least every ``feed_seconds``
        notifier.stopping()
    """

    def __init__(self, environ: Mapping[str, str], pid: int | None = None) -> None:
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self.feed_seconds = _feed_seconds(environ, os.getpid() if pid is None else pid)
        self._status = ""

    @property
    def listened(self) -> bool:
        """Tell whether anybody listens."""
        return self._address is not None

    def ready(self, status: str) -> None:
        """Say that the service is up from now on."""
        self._status = status
        self._send(f"READY=1\nSTATUS={_in_a_line(status)}")

    def status(self, text: str) -> None:
        """Say in a line how it is; the same line is not sent twice."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={_in_a_line(text)}")

    def feed(self) -> None:
        """Feed the watchdog."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the service was asked to stop."""
        self._send("STOPPING=1\nSTATUS=Stopping.")

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.settimeout(1.0)
                line.sendto(message.encode(), self._address)
        except OSError as error:  # that the game goes on matters more than that systemd knows
            log.debug("systemd did not hear %r: %s", message, error)


def _address(said: str) -> str | None:
    """Return the socket's address; one in the abstract name space is written with an @."""
    if said.startswith("@"):
        return f"\0{said[1:]}"
    return said if said.startswith("/") else None


def _feed_seconds(environ: Mapping[str, str], pid: int) -> float | None:
    """Return how often to feed the watchdog, None when there is none for this process."""
    wanted = environ.get("WATCHDOG_USEC", "")
    whose = environ.get("WATCHDOG_PID", str(pid))
    if not wanted.isdecimal() or int(wanted) == 0 or whose != str(pid):
        return None
    return int(wanted) / 1_000_000 / FEEDS


def _in_a_line(text: str) -> str:
    return " ".join(text.split())


class Watchdog:
    """Watches the service; :meth:`look` is to be called more often than ``feed_seconds``.

    ``stalled`` returns the parts that hang, ``page_goes_on`` tells whether the page responds, and
    ``status`` says in a line how things are. Without systemd nothing is checked. The page is not
    checked by a request: a crowd of phones is no reason to end a game.
    """

    def __init__(
        self,
        notifier: Notifier,
        stalled: Callable[[], tuple[str, ...]],
        page_goes_on: Callable[[], bool],
        status: Callable[[], str],
        clock: Clock,
    ) -> None:
        self._notifier = notifier
        self._stalled = stalled
        self._page_goes_on = page_goes_on
        self._status = status
        self._clock = clock
        self._page = Pulse(clock, PAGE_SECONDS)
        self._ask_at = self._feed_at = self._tell_at = clock()
        self._hanging: tuple[str, ...] = ()

    def look(self) -> None:
        """Check every part; feed the watchdog if it is time and all of them run."""
        if not self._notifier.listened:
            return
        feed_seconds = self._notifier.feed_seconds
        if feed_seconds is not None:
            hanging = self._find_hanging()
            if not hanging and self._clock() >= self._feed_at:
                self._notifier.feed()
                self._feed_at = self._clock() + feed_seconds
        if self._clock() >= self._tell_at:
            self._tell_at = self._clock() + STATUS_SECONDS
            self._notifier.status(_stuck(self._hanging) if self._hanging else self._status())

    def _find_hanging(self) -> tuple[str, ...]:
        if self._clock() >= self._ask_at:
            if self._page_goes_on():
                self._page.beat()
            self._ask_at = self._clock() + ASK_SECONDS
        hanging = self._stalled() + (("page",) if self._page.stalled else ())
        if hanging and hanging != self._hanging:
            log.error("%s Nothing needs to be done.", _stuck(hanging))
        elif self._hanging and not hanging:
            log.info("everything goes on again")
        self._hanging = hanging
        return hanging


def _stuck(parts: tuple[str, ...]) -> str:
    verb = "hangs" if len(parts) == 1 else "hang"
    return f"{', '.join(parts)} {verb}: systemd will start the companion afresh."
