"""What all tests share: a real browser, and examples judged by what happens, not by how fast.

``make test`` tries a sample of every law, ``make test-long`` all of it: tests/counts.py.
"""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

from tests.counts import LONG

settings.register_profile("companion", deadline=None, derandomize=True)
settings.load_profile("companion")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_chromium() -> str | None:
    """Return the Chromium to drive: the one named in COMPANION_CHROMIUM, else the system's."""
    named = os.environ.get("COMPANION_CHROMIUM")
    if named:
        return named
    return shutil.which("chromium") or shutil.which("chromium", path="/usr/bin")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked ``long`` to ``make test-long``."""
    if LONG:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """One Chromium for the whole run; each test opens pages of its own."""
    chromium = find_chromium()
    if chromium is None:
        sentence = "no Chromium found: install Debian's package chromium, or set COMPANION_CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield started
        started.close()
