"""Which MicroPython is found, and what plays the Pico with and without one."""

import time
from pathlib import Path

import pytest

from companion.errors import DeviceError
from companion.sim import firmware, micropython
from companion.sim.firmware import FirmwarePico, choose
from companion.sim.micropython import MicroPython
from companion.sim.pico import Pico

LIGHT = MicroPython("MicroPython 9.9", "/usr/bin/true")
HEAVY = MicroPython("MicroPython under Node", "/usr/bin/true", Path("/nowhere"))


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A computer without any MicroPython."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("COMPANION_MICROPYTHON", raising=False)
    return tmp_path


def install(folder, name, says):
    program = folder / name
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    return program


def test_a_micropython_on_the_path_is_found_with_its_version(bare):
    assert micropython.find() == ()
    program = install(bare, "micropython", "echo 1.25.0")
    assert micropython.find() == (MicroPython("MicroPython 1.25.0", str(program)),)
    assert micropython.find()[0].light


def test_something_else_of_that_name_is_passed_over(bare):
    install(bare, "micropython", "exit 1")
    assert micropython.find() == ()


def test_node_counts_only_with_the_package(bare, monkeypatch):
    node = install(bare, "node", "exit 0")
    monkeypatch.setattr(micropython.sys, "prefix", str(bare))
    assert micropython.find() == ()
    package = bare / "micropython" / micropython.PACKAGE
    package.parent.mkdir(parents=True)
    package.write_text("")
    (python,) = micropython.find()
    assert (python.program, python.package, python.light) == (str(node), package, False)


@pytest.mark.parametrize(
    ("wanted", "found", "kind"),
    [
        ("auto", (), Pico),
        ("auto", (LIGHT,), FirmwarePico),
        ("auto", (HEAVY,), Pico),
        ("auto", (LIGHT, HEAVY), FirmwarePico),
        ("real", (HEAVY,), FirmwarePico),
        ("stand-in", (LIGHT,), Pico),
    ],
)
def test_the_firmware_is_run_where_that_is_light_work_or_asked_for(
    wanted, found, kind, monkeypatch
):
    monkeypatch.setattr(firmware, "find", lambda: found)
    pico = choose(wanted, time.monotonic)
    assert type(pico) is kind
    pico.close()


def test_asking_for_the_firmware_without_a_micropython_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr(firmware, "find", lambda: ())
    with pytest.raises(DeviceError, match="install Debian's package micropython"):
        choose("real", time.monotonic)
