"""What all tests share: a real browser, and examples judged by what happens, not by how fast."""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
