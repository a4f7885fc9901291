"""Strips of every driver with something listening at the end of their wire.

The drivers are the real ones of Adafruit's libraries; only the last step, where hardware takes
the bytes, is a stand-in that keeps them.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from unittest import mock

from companion.board import Lights
from companion.lights import pixels as drivers
from companion.lights.strip import Pixels
from companion.sim.strip import SimPixels

KINDS = ("sim", "neopixel", "spi")
ONE = 0b11110000  # how the SPI driver writes a bit of the strip as a byte of the bus

Wire = tuple[Pixels, Callable[[], bytes]]


class Bus:
    """An SPI bus that keeps what was written last."""

    frequency = 6_400_000

    def __init__(self) -> None:
        self.written = b""

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def configure(self, **options: int) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.written = bytes(data)

    def received(self) -> bytes:
        """Return the bytes that a strip would read from the pulses."""
        bits = [byte == ONE for byte in self.written if byte]
        groups = (bits[at : at + 8] for at in range(0, len(bits), 8))
        return bytes(sum(bit << (7 - n) for n, bit in enumerate(group)) for group in groups)


def _modules(bus: Bus, caught: list[bytes]) -> dict[str, object]:
    """Return stand-ins for what only a Pi has."""

    class Pin:
        direction = 0

        def __init__(self, number: str) -> None:
            self.number = number

        def deinit(self) -> None:
            pass

    write = ModuleType("neopixel_write")
    write.neopixel_write = lambda pin, data: caught.append(bytes(data))  # type: ignore[attr-defined]
    return {
        "board": SimpleNamespace(D18="D18", SPI=lambda: bus),
        "digitalio": SimpleNamespace(DigitalInOut=Pin, Direction=SimpleNamespace(OUTPUT=1)),
        "neopixel_write": write,
    }


@contextmanager
def open_wire(kind: str, lights: Lights) -> Iterator[Wire]:
    """Open a strip by a driver; with it comes what tells the last bytes at the end of its wire."""
    if kind == "sim":
        strip = SimPixels(lights)
        yield strip, lambda: strip.sent
        return
    bus, caught = Bus(), [b""]
    with (
        mock.patch.dict(sys.modules, _modules(bus, caught)),
        mock.patch.object(drivers.os, "geteuid", return_value=0),
    ):
        sys.modules.pop("neopixel", None)
        importlib.invalidate_caches()
        pixels = drivers.open_pixels(kind, "D18", lights)
        yield pixels, bus.received if kind == "spi" else lambda: caught[-1]
