"""Waiting for something that another thread will do, with a deadline instead of a guess."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(what: Callable[[], T], seconds: float = 10.0) -> T:
    """Return the first true value of ``what()``; fail when none comes in time."""
    deadline = time.monotonic() + seconds
    while not (value := what()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.002)
    return value
