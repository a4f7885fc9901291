"""Giving memory back helps where the C library can do it, and harms nowhere."""

import ctypes

import pytest

from companion.service import malloc


class Recorder:
    """A C library that notes what it is asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def mallopt(self, setting: int, value: int) -> None:
        self.calls.append(("mallopt", setting, value))

    def malloc_trim(self, keep: ctypes.c_size_t) -> None:
        self.calls.append(("malloc_trim", keep.value))


def test_pools_are_limited_and_free_memory_goes_back(monkeypatch):
    library = Recorder()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)
    malloc.use_few_arenas()
    malloc.give_back()
    assert library.calls == [("mallopt", -8, 2), ("malloc_trim", 0)]


@pytest.mark.parametrize("library", [object(), OSError("none here")])
def test_other_libraries_are_left_alone(monkeypatch, library):
    def load(name):
        if isinstance(library, Exception):
            raise library
        return library

    monkeypatch.setattr(ctypes, "CDLL", load)
    malloc.use_few_arenas()
    malloc.give_back()
