"""The firmware's parts under a real MicroPython, each script a set of tests of its own."""

import re
import shutil
from pathlib import Path

import pytest

from tests.firmware.conftest import SCRIPTS

VECTORS = Path(__file__).parents[2] / "docs/serial-vectors.json"


@pytest.mark.parametrize("name", ["vectors.py", "parts.py", "memory.py"])
def test_script(name, run_script, tmp_path):
    shutil.copy(VECTORS, tmp_path)
    said = run_script(name)
    written = re.findall(r"^def (test_\w+)", (SCRIPTS / name).read_text(), re.MULTILINE)
    assert re.findall(r"^passed (\w+)", said, re.MULTILINE) == sorted(written)
