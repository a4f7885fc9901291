"""The versions of libraries that are tried, the oldest allowed and what the installer takes; and
the companion's own, as the changelog has it."""

import re
import tomllib
from datetime import date
from pathlib import Path

from companion import __version__

SOURCES = Path(__file__).parents[1]


def pins(file: str) -> dict[str, str]:
    """Return name and condition of every line of a file of constraints."""
    lines = (SOURCES / file).read_text().splitlines()
    found = (re.fullmatch(r"([\w-]+)([=<>].*)", line) for line in lines if line[0] != "#")
    return {match[1]: match[2] for match in found if match}


def test_the_oldest_versions_that_are_tried_are_the_oldest_that_are_allowed():
    project = tomllib.loads((SOURCES / "pyproject.toml").read_text())["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["test"]
    here = [requirement for requirement in asked if ";" not in requirement]  # not only on a Pi
    allowed = dict(requirement.split(">=") for requirement in here)
    tried = pins("tests/oldest.txt")
    assert tried.keys() == allowed.keys()
    for name, least in allowed.items():
        assert re.fullmatch(rf"=={re.escape(least)}(\.0)*(\.post\d+|\.\d\d)?", tried[name]), name


def test_the_tests_for_bookworm_hold_to_what_the_installer_holds_to():
    assert pins("deploy/bookworm.txt") == {"numpy": "<2", "opencv-python-headless": "<4.12"}
    assert (
        '--constraint "$work/source/deploy/bookworm.txt"'
        in (SOURCES / "deploy/common.sh").read_text()
    )
    assert "CONSTRAINTS=deploy/bookworm.txt" in (SOURCES / "Makefile").read_text()


def test_the_newest_version_of_the_changelog_is_the_companions_own():
    headings = re.findall(r"^## (.+)$", (SOURCES / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings.pop(0) == "Unreleased"
    dated = [re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)", text) for text in headings]
    assert all(dated)
    assert dated[0][1] == __version__
    days = [date.fromisoformat(version[2]) for version in dated]
    assert days == sorted(days, reverse=True)
