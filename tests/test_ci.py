"""What continuous integration says at its end, with a ``make`` whose tests go as a test wishes; and
what ``make quick`` tries."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHECK = ROOT / ".ci/check"
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
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests/flaky.py", tmp_path / "tests")
    (tmp_path / "tests/flaky.toml").touch()
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
    new = f"passed only at the second try: {FAILED} (make {target}), new: add to tests/flaky.toml"
    assert new in said
    assert said[-1].startswith("make test: ")
    assert f"make {target}: 1 failed, 41 passed in 9.50s" in said
    assert f"make {target}: 1 passed, 41 deselected in 0.50s" in said
    assert "lint " in (folder / "made").read_text().splitlines()


def test_what_is_known_to_pass_only_at_the_second_try_is_named_with_its_reason(
    folder: Path,
) -> None:
    entry = f'[[flaky]]\ntest = "{FAILED}"\nseen = 2026-11-02\nreason = "the port is taken"\n'
    (folder / "tests/flaky.toml").write_text(entry)
    code, said = check(folder, failing="test")
    assert code == 0
    known = f"{FAILED} (make test), known since 2026-11-02: the port is taken"
    assert f"passed only at the second try: {known}" in said
    assert said[-1] == "make test: 1 failed, 41 passed in 9.50s"


def test_with_a_list_that_cannot_be_read_the_names_are_told_all_the_same(folder: Path) -> None:
    (folder / "tests/flaky.toml").write_text("[[flaky")
    code, said = check(folder, failing="test")
    assert code == 0
    assert f"passed only at the second try: {FAILED} (make test)" in said
    assert said[-1] == "make test: 1 failed, 41 passed in 9.50s"


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


# --- make quick -----------------------------------------------------------------------------------


def test_every_room_has_a_test_in_make_quick() -> None:
    command = ["make", "--dry-run", "--no-print-directory", "quick"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tried = {word for word in said.split() if word.startswith("tests/")}
    assert [path for path in tried if not (ROOT / path).exists()] == []
    rooms = {path.parent.name for path in (ROOT / "companion").glob("*/__init__.py")}
    assert rooms - {path.split("/")[1] for path in tried} == set()
