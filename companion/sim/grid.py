"""A virtual hall grid: the field of the simulated table's magnets, sent over a pseudo-terminal.

The host opens :attr:`SimGrid.port` with pyserial, as it would open a Pico's port, and cannot tell
the difference.
"""

import os
import select
import shutil
import tempfile
import time
import tty
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.errors import DeviceError
from companion.sensing.hall import wire
from companion.sensing.hall.evidence import fall
from companion.sim.body import Body, Stage
from companion.sim.faults import BROWN_OUT_SECONDS, Faults
from companion.sim.pico import Led, Pico

GAIN_SPREAD = 0.02  # how far the sensors differ from each other, as a share
REST_SPREAD = 8.0  # and in their rest values, in counts
BACKLOG = 4096  # unsent bytes after which frames are dropped
FAR_MM = 1e6  # where channels lie that no square has


class Brain(Protocol):
    """A virtual Pico: the firmware under MicroPython, or under this Python."""

    led: Led

    @property
    def kind(self) -> str:
        """Say which of the two it is."""

    def restart(self) -> None:
        """Start as after a loss of power."""

    def receive(self, data: bytes) -> list[bytes]:
        """Take what the host sent; return what is to be sent."""

    def scan(self, values: Sequence[int], now: float, room: bool = True) -> list[bytes]:
        """Take one scan; return what is to be sent, nothing without room for it."""

    def close(self) -> None:
        """Release everything."""


class Field:
    """The sensors under the board: what each channel measures of the bodies above it, whose magnets
    are dipoles."""

    def __init__(self, board: Board, seed: int) -> None:
        self._board = board
        self._rng = np.random.default_rng(seed)
        places = np.full((wire.CHANNELS, 2), FAR_MM)
        for spot, channel in board.hall.channels.items():
            places[channel] = board.at(spot)
        self._x, self._y = places.T
        self._gain = self._rng.normal(1.0, GAIN_SPREAD, wire.CHANNELS)
        self._rest = board.hall.rest + self._rng.normal(0.0, REST_SPREAD, wire.CHANNELS)

    def still(self, bodies: Iterable[Body]) -> NDArray[np.float64]:
        """Return the field without noise, in counts."""
        counts = self._rest.copy()
        for body in bodies:
            piece = self._board.pieces.get(body.thing)
            if piece is not None and piece.magnet:
                aside = np.hypot(self._x - body.x, self._y - body.y)
                counts += self._gain * piece.magnet * fall(aside, max(body.z, 0.0))
        return counts

    def noisy(self, still: NDArray[np.float64]) -> list[int]:
        """Return what the converter makes of a field in one scan."""
        hall = self._board.hall
        counts = still + self._rng.normal(0.0, hall.noise, wire.CHANNELS)
        values: list[int] = np.clip(np.rint(counts), 0, hall.full_scale).astype(int).tolist()
        return values


class SimGrid:
    """A virtual Pico with 81 sensors under a simulated table.

    >>> grid = SimGrid(table, board)
    >>> link = HallLink(grid.port)

    ``faults`` are what goes wrong with sensors, line and power. ``pico`` is what plays the Pico,
    closed with the grid.
    """

    def __init__(
        self,
        table: Stage,
        board: Board,
        clock: Callable[[], float] = time.monotonic,
        seed: int = 0,
        *,
        scans_per_second: float = 100.0,
        pico: Brain | None = None,
        faults: Faults | None = None,
    ) -> None:
        self.faults = faults or Faults(board)
        self._off_since: float | None = None
        self._pulled = False
        self._table = table
        self._clock = clock
        self._field = Field(board, seed)
        self._period = 1 / scans_per_second
        self._pico: Brain = pico or Pico()
        self._revision = -1
        self._still = self._field.still(())
        self._folder = Path(tempfile.mkdtemp(prefix="companion-hall-"))
        self._lock = Lock()  # guards the descriptors and what waits to be sent
        self._near = self._far = -1
        self._unsent = b""
        self._closing = Event()
        self.replug()
        self._thread = Thread(target=self._run, name="virtual hall grid", daemon=True)
        self._thread.start()

    @property
    def port(self) -> str:
        """Return the path to open; it stays the same when the grid is unplugged and comes back."""
        return str(self._folder / "port")

    @property
    def blinking(self) -> bool:
        """Tell whether the grid blinks because the host asked it to."""
        return self._pico.led.flickers

    @property
    def kind(self) -> str:
        """Say what plays the Pico."""
        return self._pico.kind

    def unplug(self) -> None:
        """Pull the cable: the port disappears."""
        with self._lock:
            if self._near >= 0:
                os.unlink(self.port)
                os.close(self._near)
                os.close(self._far)
                self._near = self._far = -1
                self._unsent = b""

    def replug(self) -> None:
        """Plug the cable in again: a new port under the old name."""
        with self._lock:
            if self._near >= 0:
                return
            self._pico.restart()
            try:
                self._near, self._far = os.openpty()
            except OSError as error:
                raise DeviceError(
                    "the simulated hall grid needs a pseudo-terminal, and this system gives none"
                    f" ({error.strerror}): is /dev/pts mounted?"
                ) from error
            tty.setraw(self._far)
            os.set_blocking(self._near, False)
            os.symlink(os.ttyname(self._far), self.port)

    def close(self) -> None:
        """Stop and remove the port; calling it twice is fine."""
        self._closing.set()
        self._thread.join()
        self.unplug()
        self._pico.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self) -> None:
        due = time.monotonic()
        while not self._closing.is_set():
            wait = due - time.monotonic()
            if wait > 0:
                self._listen(wait)
                continue
            due = max(due + self._period, time.monotonic())
            self._scan()

    def _scan(self) -> None:
        scene = self._table.scene()
        if scene.revision != self._revision:
            self._revision = scene.revision
            self._still = self._field.still(scene.bodies)
        values = self.faults.values(self._field.noisy(self._still), self._clock())
        self._power()
        with self._lock:
            room = len(self._unsent) < BACKLOG
            self._write(self._pico.scan(values, self._clock(), room))

    def _power(self) -> None:
        """Pull the cable, or cut the power, while a fault says so."""
        if "closed-port" in self.faults.active:
            self.unplug()
        elif self._near < 0 and self._pulled:
            self.replug()
        self._pulled = "closed-port" in self.faults.active
        if "brown-out" not in self.faults.active:
            self._off_since = None
        elif self._off_since is None or self._clock() - self._off_since > BROWN_OUT_SECONDS:
            self._off_since = self._clock()
            with self._lock:
                self._pico.restart()

    def _listen(self, seconds: float) -> None:
        """Answer the host, for so long at most."""
        near = self._near
        if near < 0:
            self._closing.wait(seconds)
            return
        try:
            ready, _, _ = select.select([near], [], [], seconds)
            if not ready:
                return
            with self._lock:
                if near == self._near:
                    self._write(self._pico.receive(os.read(near, 4096)))
        except (OSError, ValueError):  # unplugged while waiting
            self._closing.wait(self._period)

    def _write(self, frames: list[bytes]) -> None:
        """Send frames, never waiting for the host: what it does not take in time is dropped."""
        if self._near < 0:
            return
        for frame in frames:
            if len(self._unsent) < BACKLOG:
                self._unsent += self.faults.bytes(frame)
        if self._unsent:
            try:
                self._unsent = self._unsent[os.write(self._near, self._unsent) :]
            except BlockingIOError:
                return
