"""The compiled core, which every machine with a compiler has."""

import shutil

import pytest

from companion.players.native import Library, load


@pytest.fixture(scope="session")
def library() -> Library:
    """Return the compiled core; only a machine without a compiler may lack it."""
    found = load()
    if found is None:
        assert shutil.which("cc") is None, "there is a C compiler and no core: install again"
        pytest.skip("the compiled core needs a C compiler, and none is installed")
    return found
