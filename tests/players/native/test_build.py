"""Building the core when the companion is installed: with a compiler, and without one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.players.native import Library

ROOT = Path(__file__).parents[3]


def build(folder: Path, compiler: str) -> list[Path]:
    """Return the libraries that come of building the companion with a compiler."""
    done = subprocess.run(
        [
            *(sys.executable, "setup.py", "-q", "build_ext"),
            *("--build-lib", str(folder / "lib"), "--build-temp", str(folder / "temp")),
        ],
        cwd=ROOT,
        env=os.environ | {"CC": compiler},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(folder.rglob("_quoridor*.so"))


def test_with_a_compiler_it_is_built_and_can_be_loaded(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    (path,) = build(tmp_path, compiler)
    assert Library(path).core()


def test_without_a_compiler_all_the_rest_is_installed(tmp_path: Path) -> None:
    assert build(tmp_path, "/bin/false") == []


def test_a_library_of_another_kind_is_refused(tmp_path: Path) -> None:
    strange = tmp_path / "_quoridor.so"
    strange.write_bytes(b"not for this machine")
    with pytest.raises(OSError, match="_quoridor"):
        Library(strange)
