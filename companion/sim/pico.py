"""The hall grid's Pico without a Pico: the very files of its firmware, run by this Python.

Here is only what those files find around them on a Pico: sensors, LED, line, flash and clock, and
what MicroPython has and CPython lacks. :mod:`companion.sim.grid` gives it scans, bytes and time.
"""

import builtins
import operator
from array import array
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from zlib import crc32

from companion.sensing.hall import firmware

SERIAL = bytes.fromhex("5349 4d00 0000 0001")
POWER, WATCHDOG = 1, 3  # causes of a start, as ``machine`` numbers them
FLICKER_SECONDS = 0.4
FLICKER_CHANGES = 5  # of the LED in that time: it identifies itself


class Led:
    """An LED that is watched; whoever switches it counts its ``changes``."""

    def __init__(self) -> None:
        self.changes = 0
        self._seen: deque[tuple[float, int]] = deque()

    @property
    def lit(self) -> bool:
        """Tell whether it is on."""
        return bool(self.changes & 1)

    @property
    def flickers(self) -> bool:
        """Tell whether it flickers, as the host may ask it to."""
        return bool(self._seen) and self._seen[-1][1] - self._seen[0][1] >= FLICKER_CHANGES

    def watch(self, now: float) -> None:
        """Look at it, again and again."""
        self._seen.append((now, self.changes))
        while now - self._seen[0][0] > FLICKER_SECONDS:
            self._seen.popleft()


class Pico:
    """A Pico whose firmware runs in this process; it stands in where there is no MicroPython.

    Call :meth:`receive` with what the host sent and :meth:`scan` with every scan; both return the
    frames to send. ``firmware`` is the program, None until the first scan after a start has booted
    it. ``flash`` outlives :meth:`restart`. ``folder`` is where the code is.
    """

    kind = "a stand-in for the firmware"

    def __init__(self, folder: Path | None = None) -> None:
        self.flash = _Flash()
        self._folder = folder or firmware.folder()
        self.restart()

    def restart(self) -> None:
        """Start as after a loss of power; only the flash has been kept."""
        self.led = Led()
        self.firmware: Any = None
        self._sensors = _Sensors()
        self._line = _Line()
        self._ms = 0

    def receive(self, data: bytes) -> list[bytes]:
        """Take what the host sent between two scans; return the frames that answer it."""
        self._line.heard += data
        while self.firmware and self._line.heard:
            self.firmware.turn()  # no time has passed since the last scan, so this is none
        return self._line.frames()

    def scan(self, values: Sequence[int], now: float, room: bool = True) -> list[bytes]:
        """Take in one scan of all channels; return the frames that it gives rise to.

        Without room for them on the line, the firmware keeps what it can and drops the rest.
        """
        self._ms = int(now * 1000)
        self._sensors.values = array("H", values)
        self._line.room = room
        if self.firmware is None:
            files = _Modules(self._folder, self._around(), {"open": self.flash.open})
            self.firmware = files.load("main").Firmware(self._line)
        if self.firmware.turn():  # somebody has asked for the prompt, which ends it
            self.restart()
        self.led.watch(now)
        return self._line.frames()

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def _around(self) -> dict[str, Any]:
        """Return the modules that are not among the firmware's files, or not for this computer."""
        return {
            "fast": SimpleNamespace(checksum=_checksum),
            "machine": SimpleNamespace(
                PWRON_RESET=POWER,
                WDT_RESET=WATCHDOG,
                reset_cause=lambda: POWER,
                unique_id=lambda: SERIAL,
                Pin=_Pins(self.led),
            ),
            "micropython": SimpleNamespace(),
            "mux": SimpleNamespace(Mux=lambda: self._sensors),
            "os": SimpleNamespace(rename=self.flash.rename),
            "time": SimpleNamespace(
                ticks_ms=lambda: self._ms, ticks_diff=operator.sub, ticks_add=operator.add
            ),
            "uctypes": SimpleNamespace(
                addressof=lambda words: words,
                bytearray_at=lambda words, size: memoryview(words).cast("B"),
            ),
        }


class _Modules:
    """The modules of one Pico: no other sees them, and ``sys.modules`` knows nothing of them."""

    def __init__(
        self, folder: Path, around: Mapping[str, Any], functions: Mapping[str, Any]
    ) -> None:
        self._folder = folder
        self._loaded = dict(around)
        self._builtins = {**vars(builtins), **functions, "__import__": self.load}

    def load(self, name: str, *how: Any) -> Any:
        """Return a module as ``import`` does; what is no file of the firmware is Python's own."""
        if name not in self._loaded:
            file = self._folder / f"{name}.py"
            if not file.is_file():
                return __import__(name, *how)
            module = self._loaded[name] = ModuleType(name)
            vars(module)["__builtins__"] = self._builtins
            exec(compile(file.read_bytes(), file, "exec"), vars(module))
        return self._loaded[name]


class _Sensors:
    """In the place of the multiplexers: what they would read, pin by pin, is there at once."""

    def __init__(self) -> None:
        self.values = array("H")

    def scan(self, values: "array[int]") -> None:
        values[:] = self.values

    def idle(self, line: int) -> int:
        return 0


class _Pins:
    """The pins as far as they are used without multiplexers: the LED's."""

    OUT = 1

    def __init__(self, led: Led) -> None:
        self._led = led

    def __call__(self, number: object, mode: int, value: int) -> Any:
        return self._switch

    def _switch(self, level: int) -> None:
        self._led.changes += self._led.lit != level


class _Line:
    """The console: bytes that the host sent, and blocks for it while there is room."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.room = True
        self._said = bytearray()

    def ready(self, wait_ms: int = 0) -> bool:
        return bool(self.heard)

    def read(self) -> int:
        return self.heard.pop(0)

    def pump(self, outbox: Any) -> None:
        while outbox.waiting and self.room:
            self._said += outbox.next()
            outbox.sent()

    def frames(self) -> list[bytes]:
        """Return what was said since, without the zeros that fill up its blocks."""
        said, self._said = self._said, bytearray()
        return [b"\0" + frame + b"\0" for frame in said.split(b"\0") if frame]


class _Flash(dict[str, bytes]):
    """The files of a Pico, by name."""

    @contextmanager
    def open(self, name: str, mode: str) -> Iterator[BytesIO]:
        if "w" not in mode and name not in self:
            raise FileNotFoundError(name)
        file = BytesIO(b"" if "w" in mode else self[name])
        yield file
        self[name] = file.getvalue()

    def rename(self, name: str, to: str) -> None:
        self[to] = self.pop(name)


def _checksum(
    data: bytes, start: int, stop: int, low: Any, high: Any, out: bytearray, to: int
) -> None:
    """The firmware's fast checksum: machine code here as there."""
    out[to : to + 4] = crc32(memoryview(data)[start:stop]).to_bytes(4, "little")
