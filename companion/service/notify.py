"""Tells systemd how the service is, by the datagrams that a unit of ``Type=notify`` expects.

Started any other way there is nobody to tell, and every call does nothing.
"""

import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)

#: How many times the watchdog is fed in the time after which it would bite.
FEEDS = 4


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
        """Say that the service does its work from now on."""
        self._status = status
        self._send(f"READY=1\nSTATUS={_in_a_line(status)}")

    def status(self, text: str) -> None:
        """Say in a line how it is; the same line is not sent twice."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={_in_a_line(text)}")

    def feed(self) -> None:
        """Keep the watchdog quiet for another while."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end was asked for."""
        self._send("STOPPING=1\nSTATUS=Stopping.")

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.settimeout(1.0)
                line.sendto(message.encode(), self._address)
        except OSError as error:  # a service that plays on is worth more than one that tells
            log.debug("systemd did not hear %r: %s", message, error)


def _address(said: str) -> str | None:
    """Return the socket's address; one in the abstract name space is written with an @."""
    if said.startswith("@"):
        return f"\0{said[1:]}"
    return said if said.startswith("/") else None


def _feed_seconds(environ: Mapping[str, str], pid: int) -> float | None:
    """Return how often the watchdog wants to be fed, None when there is none for this process."""
    wanted = environ.get("WATCHDOG_USEC", "")
    whose = environ.get("WATCHDOG_PID", str(pid))
    if not wanted.isdecimal() or int(wanted) == 0 or whose != str(pid):
        return None
    return int(wanted) / 1_000_000 / FEEDS


def _in_a_line(text: str) -> str:
    return " ".join(text.split())
