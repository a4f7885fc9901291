"""The hall grid on a real serial port: a thread that reads, reconnects and never makes anyone wait.

What is said over the line is the business of :mod:`companion.sensing.hall.session`.
"""

import errno
import logging
import termios
import time
from collections.abc import Callable
from dataclasses import replace
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Literal

import serial
from serial.tools import list_ports

from companion.board import DeviceView
from companion.errors import DeviceError
from companion.sensing.hall import wire
from companion.sensing.hall.session import NAME, HallState, Session

log = logging.getLogger(__name__)

#: Is told when a port was opened, bytes came (``line``) or were sent; called in the link's thread.
Tap = Callable[[float, Literal["opened", "line", "sent"], bytes], None]

BAUD = 115200  # USB ignores it
READ_SECONDS = 0.05
GATHER_SECONDS = 0.035  # less than people notice; several frames cost hardly more than one
RETRY_SECONDS = 0.2
REOPEN_SECONDS = 5.0  # this long without a sound frame, the port itself is under suspicion
RASPBERRY_PI = 0x2E8A  # USB vendor number
MICROPYTHON, DEBUG_PROBE = 0x0005, 0x000C  # USB product numbers of that vendor
PATIENCE_SECONDS = 2.0  # a start that takes longer is worth a line in the log


def find_port() -> str | None:
    """Return the serial port of a Pico, preferably one with MicroPython; None without."""
    ports = [
        (port.pid != MICROPYTHON, str(port.device))
        for port in list_ports.comports()
        if port.vid == RASPBERRY_PI and port.pid != DEBUG_PROBE
    ]
    return min(ports)[1] if ports else None


class HallLink:
    """The hall grid behind a serial port; with port None, behind the first Pico that is found.

    >>> link = HallLink("/dev/ttyACM0")
    >>> state = link.poll()          # None while there is no grid
    >>> print(link.status.text)
    >>> link.close()

    ``note`` is a sentence that is added to what is said of a grid that works. The device may be
    missing at the start, be unplugged and come back at any time. ``tap`` hears all that is said.
    """

    def __init__(
        self,
        port: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        rate: int = 20,
        retry_seconds: float = RETRY_SECONDS,
        note: str = "",
        tap: Tap = lambda now, what, data: None,
    ) -> None:
        self._wanted = port
        self._note = note
        self._tap = tap
        self._clock = clock
        self._rate = rate
        self._retry_seconds = retry_seconds
        self._lock = Lock()  # guards the session
        self._condition = DeviceView(
            NAME, "trouble", "The companion waits for the hall grid to answer."
        )
        self._reported: str | None = None
        self._orders: SimpleQueue[tuple[type[wire.Command], tuple[int, ...]]] = SimpleQueue()
        self._sessions = 0
        self._session = self._begin_session()
        self._started = clock()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="hall link", daemon=True)
        self._thread.start()

    def poll(self) -> HallState | None:
        """Return the newest values and the events since the last call; never waits.

        None before the first values and while the grid is lost or silent.
        """
        now = self._clock()
        with self._lock:
            return self._session.take(now)

    @property
    def status(self) -> DeviceView:
        """Say how the grid is."""
        return self._condition

    @property
    def good_frames(self) -> int:
        """Return how many sound frames came since the port was opened."""
        return self._session.decoder.good

    @property
    def bad_frames(self) -> int:
        """Return how many unreadable frames came since the port was opened."""
        return self._session.decoder.bad

    @property
    def report(self) -> wire.Report | None:
        """Return the grid's last report of its health; it is asked for after every hello."""
        return self._session.report

    @property
    def welcome(self) -> wire.Welcome | None:
        """Return how the grid answered hello: its versions and its number."""
        return self._session.welcome

    def take_baseline(self) -> None:
        """Have the grid measure its rest values; the board must be empty."""
        self.send(wire.Baseline)

    def send(self, command: type[wire.Command], *values: int) -> None:
        """Have the grid carry out a command, such as ``wire.Identify`` with its seconds.

        DeviceError when a value is out of range, or there is no grid; but a rate that is set
        without one counts as soon as it comes, as it does after every reconnection.
        """
        for value in values:
            least, most, what = wire.LIMITS[command]
            if not least <= value <= most:
                raise DeviceError(f"expected {least} to {most} {what}, got {value!r}")
        if command is wire.Rate:
            (self._rate,) = values
        elif self.status.state != "ok":
            raise DeviceError(f"the hall grid cannot be asked now: {self.status.text}")
        self._orders.put((command, values))

    def close(self) -> None:
        """Release the port; calling it twice is fine."""
        self._closing.set()
        self._thread.join()
        self._condition = DeviceView(NAME, "off", "The hall grid is switched off.")

    def _run(self) -> None:
        while not self._closing.is_set():
            port = self._wanted or find_port()
            if port is None:
                self._report(DeviceView(NAME, "trouble", "No hall grid found. Plug the Pico in."))
            else:
                try:
                    with _open(port) as line:
                        self._talk(line)
                except (OSError, termios.error) as error:  # pyserial's are OSErrors too
                    self._report(DeviceView(NAME, "trouble", explain(port, error)))
            self._begin_session()
            self._closing.wait(self._retry_seconds)

    def _begin_session(self) -> Session:
        """Forget all that was said; what was asked of a lost grid too, as a late baseline would do
        harm."""
        self._sessions += 1
        first = self._sessions * 257 % wire.NUMBERS  # no late answer fits a new session's hello
        with self._lock:
            self._session = Session(self._clock(), self._rate, first)
        while not self._orders.empty():
            self._orders.get()
        return self._session

    def _talk(self, line: serial.Serial) -> None:
        session = self._begin_session()
        self._tap(self._clock(), "opened", b"")
        while not self._closing.is_set():
            data = line.read(line.in_waiting or 1)  # waits for a byte when there is none
            now = self._clock()
            if data:
                self._tap(now, "line", data)
            with self._lock:
                session.receive(data, now)
                while session.agreed and not self._orders.empty():
                    command, values = self._orders.get()
                    session.send(command, *values)
                out = session.due(now)
                condition = session.condition(now)
                rejected, session.rejected = session.rejected, []
            for ack in rejected:
                log.warning("the hall grid refused a command: %s", ack.status.name.lower())
            if out:
                line.write(out)
                self._tap(now, "sent", out)
            if condition is not None:
                note = f" {self._note}" if self._note and condition.state == "ok" else ""
                self._report(replace(condition, text=f"{condition.text}{note}"))
            if session.welcome is None and session.silent_for(now) > REOPEN_SECONDS:
                return
            if data:
                time.sleep(GATHER_SECONDS)

    def _report(self, condition: DeviceView) -> None:
        """Publish how the grid is, once it is in the log."""
        if condition.state != self._reported:
            self._log(condition)
        self._condition = condition

    def _log(self, condition: DeviceView) -> None:
        """Log once when the grid is lost and once when it is back."""
        if condition.state == "ok":
            log.info("hall grid connected: %s", condition.text)
        elif self._reported is None and self._clock() - self._started < PATIENCE_SECONDS:
            return
        else:
            log.warning("hall grid lost: %s", condition.text)
        self._reported = condition.state


def _open(port: str) -> serial.Serial:
    try:
        return serial.Serial(port, BAUD, timeout=READ_SECONDS, write_timeout=1.0, exclusive=True)
    except serial.SerialException as error:
        if error.errno is None:  # it opens, but cannot be set up
            raise OSError(errno.ENOTTY, str(error)) from error
        raise


def explain(port: str, error: Exception) -> str:
    """Say in a sentence why a port cannot be used and what to do."""
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return f"There is no port {port}. Plug the hall grid in, or name its port in the settings."
    if number in (errno.EACCES, errno.EPERM):
        return f"No permission to open {port}. Add this user to the group dialout."
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"{port} is in use by another program. Close that one."
    if number in (errno.ENOTTY, errno.EINVAL):
        return f"{port} is no serial port. Name the hall grid's port in the settings."
    return f"The hall grid on {port} is gone. Plug it in again."
