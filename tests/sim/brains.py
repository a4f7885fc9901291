"""The virtual Picos that the device tests are run with: the stand-in, and the firmware itself."""

import os
from collections.abc import Callable

import pytest

from companion.sim import micropython
from companion.sim.firmware import FirmwarePico
from companion.sim.grid import Brain
from companion.sim.pico import Pico

FOUND = micropython.find()


def stand_in() -> Brain:
    """Return the protocol's end in Python."""
    return Pico(2048, 4095)


def real_firmware() -> Brain:
    """Return the firmware under the best MicroPython there is."""
    if not FOUND:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(micropython.HOW_TO_GET_ONE)
    return FirmwarePico(FOUND[0])


BRAINS: list[Callable[[], Brain]] = [stand_in, real_firmware]
