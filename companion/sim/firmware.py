"""The hall grid's firmware in a virtual Pico: the very files, run by a real MicroPython.

The firmware's side of the pins is ``firmware/virtual``. Both sides share a small file, the bench:
this one writes the voltages of the sensors to it and reads what LED and watchdog do.
"""

import logging
import mmap
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.errors import DeviceError
from companion.sensing.hall import firmware
from companion.sim.micropython import HOW_TO_GET_ONE, MicroPython, find
from companion.sim.pico import POWER, WATCHDOG, Led, Pico

log = logging.getLogger(__name__)

#: Where things lie on the bench, as in firmware/virtual/bench.py.
INPUTS_AT, ALIVE_AT, CAUSE_AT, STUCK_AT, LED_AT = 0, 192, 193, 194, 196
WATCHDOG_AT, FED_AT, SIZE = 198, 200, 202
BUFFER_BYTES = 32768  # of the system between the two processes, which holds some 40 blocks of 64
READ_BYTES = 4096
STALL_SECONDS = 0.1  # the most that one look may count towards the watchdog's time
AGAIN_SECONDS = 1.0  # between two starts of a firmware that ends by itself
WANTED = ("auto", "real", "stand-in")
RESET = 3  # how ``machine.reset`` ends the process


def choose(wanted: str, clock: Callable[[], float]) -> "Pico | FirmwarePico":
    """Return a virtual Pico, one of ``WANTED``; DeviceError when the firmware cannot be run.

    By itself, the firmware is run only where that is light work: under Node it takes a fifth of a
    core and 60 MB, which a small computer needs for other things.
    """
    found = () if wanted == "stand-in" else find()
    if wanted == "auto":
        found = tuple(python for python in found if python.light)
    if found:
        return FirmwarePico(found[0], clock)
    if wanted == "real":
        raise DeviceError(f"the firmware cannot be run: {HOW_TO_GET_ONE}")
    return Pico()


class FirmwarePico:
    """A Pico that runs the firmware; used like :class:`companion.sim.pico.Pico`.

    Its flash is a folder of its own, which outlives :meth:`restart` and goes with :meth:`close`.
    """

    def __init__(self, python: MicroPython, clock: Callable[[], float] = time.monotonic) -> None:
        self.kind = f"the firmware under {python.title}"
        self._python = python
        self._clock = clock
        self._folder = Path(tempfile.mkdtemp(prefix="companion-pico-"))
        self.flash = self._folder / "flash"
        self.flash.mkdir()
        self._bench_file = self._folder / "bench"
        self._bench_file.write_bytes(bytes(SIZE))
        with open(self._bench_file, "r+b") as file:
            self._bench = mmap.mmap(file.fileno(), SIZE)
        self.process: subprocess.Popen[bytes] | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self.led = Led()
        self._fed = (0, 0.0)  # what it was, and for how many seconds
        self._looked = self._started = 0.0
        self._said = ""  # why it ended, said once

    def restart(self, cause: int = POWER) -> None:
        """Start as after a loss of power, or for another cause."""
        self._end()
        self._bench[LED_AT:SIZE] = bytes(SIZE - LED_AT)
        self._bench[CAUSE_AT] = cause
        self.led = Led()
        self._fed = (0, 0.0)
        self._started = self._looked = self._clock()
        self._line, theirs = socket.socketpair()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        for end in (self._line, theirs):
            end.setblocking(False)
        files = firmware.folder()
        start = self._python.start(
            files / "virtual/run.py", self.flash, (files / "virtual", files), self._bench_file
        )
        with theirs, open(self._folder / "errors", "wb") as errors:
            self.process = subprocess.Popen(
                start.command,
                env=start.environment,
                cwd=self.flash,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=errors,
                start_new_session=True,  # Ctrl+C is for the companion
            )

    def receive(self, data: bytes) -> list[bytes]:
        """Hand the host's bytes on; what the firmware answers comes with the next scan."""
        with suppress(BlockingIOError, ConnectionError):  # a Pico that does not read loses them
            self._line.send(data)
        return []

    def scan(self, values: Sequence[int], now: float, room: bool = True) -> list[bytes]:
        """Lay one scan's values on the bench; return what the firmware has said since."""
        struct.pack_into(f"<{len(values)}H", self._bench, INPUTS_AT, *values)
        self._bench[ALIVE_AT] = (self._bench[ALIVE_AT] + 1) % 256
        self.led.changes += (self._word(LED_AT) - self.led.changes) % (1 << 16)
        self.led.watch(now)
        self._watch(now)
        if not room:
            return []
        try:
            said = self._line.recv(READ_BYTES)
        except (BlockingIOError, ConnectionError):
            return []
        return [said] if said else []

    def join_banks(self, joined: bool = True) -> None:
        """Have the enable line of the second bank stuck at on, or not."""
        self._bench[STUCK_AT] = joined

    def close(self) -> None:
        """Switch off and forget everything; calling it twice is fine."""
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        self._line.close()

    def _word(self, at: int) -> int:
        return int.from_bytes(self._bench[at : at + 2], "little")

    def _watch(self, now: float) -> None:
        """Do what the watchdog does, and start a firmware again that has ended."""
        passed = min(now - self._looked, STALL_SECONDS)
        self._looked = now
        before, waited = self._fed
        fed = self._word(FED_AT)
        self._fed = (fed, waited + passed if fed == before else 0.0)
        patience = self._word(WATCHDOG_AT) / 1000
        if patience and self._fed[1] > patience:
            self.restart(WATCHDOG)
        elif self.process is not None and now - self._started > AGAIN_SECONDS:
            code = self.process.poll()
            if code is not None:
                self._say_why(code)
                self.restart()

    def _say_why(self, code: int) -> None:
        if code in (0, RESET):
            return
        text = (self._folder / "errors").read_text(errors="replace").strip()
        why = text.rpartition("\n")[2] or f"code {code}"
        if why != self._said:
            log.warning("the virtual Pico's firmware ended: %s", why)
        self._said = why
