"""The MicroPythons of this computer; without any, these tests fail in continuous integration."""

import os
import subprocess
from pathlib import Path

import pytest

from companion.sensing.hall import firmware
from companion.sim import micropython
from companion.sim.micropython import MicroPython

SCRIPTS = Path(__file__).parent / "scripts"
FOUND = micropython.find()


@pytest.fixture(params=FOUND or [None], ids=lambda python: python.title if python else "none")
def python(request: pytest.FixtureRequest) -> MicroPython:
    """Every MicroPython in turn."""
    if request.param is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(micropython.HOW_TO_GET_ONE)
    return request.param


@pytest.fixture
def best_python() -> MicroPython:
    """The MicroPython that is the quickest."""
    if not FOUND:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(micropython.HOW_TO_GET_ONE)
    return FOUND[0]


@pytest.fixture
def run_script(python, tmp_path):
    """A function that runs one of the scripts and returns what it printed."""

    def run(name: str) -> str:
        files = firmware.folder()
        start = python.start(SCRIPTS / name, tmp_path, (SCRIPTS, files / "virtual", files))
        done = subprocess.run(
            start.command,
            env=start.environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
