"""What continuous integration says at its end, with a ``make`` whose tests go as a test wishes."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / ".ci/check"
FAILED = "tests/test_x.py::test_of_a_port"
MAKE = """#!/bin/sh
echo "$1 $2" >>made
case "$1 $2" in
"test-313 ARGS=") echo "without Python 3.13, its tests are skipped" ;;
"{failing} ARGS=") echo "1 failed, 41 passed in 9.50s"; exit 2 ;;
"{failing} "*) echo "1 {again}, 41 deselected in 0.50s"; [ {again} = passed ] || exit 2 ;;
*) echo "42 passed in 9.50s (0:00:09)"; echo "all is said" ;;
esac
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    shutil.copy(CHECK, tmp_path / ".ci")
    for environment in (".venv", ".venv-oldest"):
        cache = tmp_path / environment / ".pytest_cache/v/cache"
        cache.mkdir(parents=True)
        (cache / "lastfailed").write_text(json.dumps({FAILED: True}))
    return tmp_path


def check(folder: Path, failing: str = "nothing", again: str = "passed") -> tuple[int, list[str]]:
    make = folder / "make"
    make.write_text(MAKE.format(failing=failing, again=again))
    make.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    done = subprocess.run(
        [folder / ".ci/check"], env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    return done.returncode, done.stdout.splitlines()


def test_every_run_of_the_tests_is_closed_at_the_end_and_the_whole_suite_last(folder: Path) -> None:
    code, said = check(folder)
    assert code == 0
    assert said[-4:] == [
        "make test-313: without Python 3.13, its tests are skipped",
        "make test-bookworm: 42 passed in 9.50s (0:00:09)",
        "make test-oldest: 42 passed in 9.50s (0:00:09)",
        "make test: 42 passed in 9.50s (0:00:09)",
    ]
    assert not any("second try" in line for line in said)
    assert "lint " in (folder / "made").read_text().splitlines()


@pytest.mark.parametrize("target", ["test", "test-oldest"])
def test_what_passes_only_at_the_second_try_is_named(folder: Path, target: str) -> None:
    code, said = check(folder, failing=target)
    assert code == 0
    assert f"passed only at the second try: {FAILED} (make {target})" in said
    assert f"make {target}: 1 failed, 41 passed in 9.50s" in said
    assert f"make {target}: 1 passed, 41 deselected in 0.50s" in said
    assert "lint " in (folder / "made").read_text().splitlines()


def test_what_fails_twice_fails(folder: Path) -> None:
    code, said = check(folder, failing="test", again="failed")
    assert code == 2
    assert not any("second try" in line for line in said)
    assert said[-1] == "make test: 1 failed, 41 passed in 9.50s"
    assert "lint " not in (folder / "made").read_text().splitlines()


def test_what_fails_before_any_test_is_not_tried_again(folder: Path) -> None:
    code, said = check(folder, failing="test-bookworm")
    assert code == 1
    assert said[-1] == "make test: 42 passed in 9.50s (0:00:09)"
    made = (folder / "made").read_text().splitlines()
    assert [line for line in made if "bookworm" in line] == ["test-bookworm ARGS="]
