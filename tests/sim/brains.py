"""The virtual Picos that the device tests are run with: the firmware under either Python."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.sensing.hall import firmware
from companion.sim import micropython
from companion.sim.firmware import FirmwarePico
from companion.sim.grid import Brain
from companion.sim.pico import Pico

FOUND = micropython.find()


def stand_in() -> Brain:
    """Return the firmware under this Python."""
    return Pico()


def real_firmware() -> Brain:
    """Return the firmware under the best MicroPython there is."""
    if not FOUND:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(micropython.HOW_TO_GET_ONE)
    return FirmwarePico(FOUND[0])


def changed_pico(folder: Path, file: str, old: str, new: str) -> Pico:
    """Return a stand-in with a text of the firmware changed, in a copy of it in this folder."""
    files = shutil.copytree(firmware.folder(), folder / "firmware")
    text = (files / file).read_text(encoding="utf-8")
    assert old in text
    (files / file).write_text(text.replace(old, new), encoding="utf-8")
    return Pico(files)


def pico_of_protocol(folder: Path, oldest: int, newest: int) -> Pico:
    """Return a stand-in whose firmware speaks these versions of the protocol."""
    spoken = f"OLDEST, NEWEST = {oldest}, {newest}"
    return changed_pico(folder, "commands.py", "OLDEST = NEWEST = 1", spoken)


BRAINS: list[Callable[[], Brain]] = [stand_in, real_firmware]
