"""Keeps the service small: returns freed heap memory to the system.

Pictures come and go by the megabyte, in several threads. The C library keeps what they free for
later; on a small computer that is a third of the whole service. Where the library is not glibc,
nothing happens here.
"""

import ctypes

ARENA_MAX = -8  # the number that glibc's mallopt knows this setting by
ARENAS = 2


def use_few_arenas() -> None:
    """Let all threads share a few arenas of the heap; call it before they start."""
    mallopt = getattr(_library(), "mallopt", None)
    if mallopt is not None:
        mallopt(ARENA_MAX, ARENAS)


def give_back() -> None:
    """Return freed memory to the system (malloc_trim); takes a few milliseconds."""
    trim = getattr(_library(), "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))


def _library() -> object:
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # no C library to be had this way
        return None
