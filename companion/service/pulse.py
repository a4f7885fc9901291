"""Tells parts that go on from parts that hang, so that the watchdog is fed only while all go on.

A device that is unplugged is no part that hangs: whoever looks for it in vain goes on looking.
"""

from collections.abc import Callable
from typing import Any

from companion.sensing.camera.frame import Frame, Tuned
from companion.sensing.camera.grabber import Source

Clock = Callable[[], float]

_NOTHING = object()  # equals no value


class Pulse:
    """Something that should happen again and again, and has stalled when it does not."""

    def __init__(self, clock: Clock, patience_seconds: float) -> None:
        self._clock = clock
        self._patience = patience_seconds
        self._last = clock()

    def beat(self) -> None:
        """Note that it has happened just now."""
        self._last = self._clock()

    @property
    def stalled(self) -> bool:
        """Tell whether it has not happened for too long."""
        return self._clock() - self._last > self._patience


class Growth:
    """A value that should change while it is asked for: one that stays the same has stalled."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._before: Any = _NOTHING

    def stalled(self, value: Any, *, due: bool = True) -> bool:
        """Tell whether a value has not changed for too long; one that is not due may rest."""
        if not due or value != self._before:
            self._before = value if due else _NOTHING
            self._pulse.beat()
        return self._pulse.stalled


class Watched(Tuned):
    """A camera of which each picture is a beat."""

    def __init__(self, source: Source, pulse: Pulse) -> None:
        self._source: Source = source
        self._pulse = pulse

    def grab(self) -> Frame:
        """Return the next frame."""
        frame = self._source.grab()
        self._pulse.beat()
        return frame

    def close(self) -> None:
        """Let go of the device."""
        self._source.close()


def watched(open_source: Callable[[], Source], pulse: Pulse) -> Callable[[], Source]:
    """Return how to open a camera of which each picture, and each try to open it, is a beat."""

    def open_watched() -> Source:
        try:
            return Watched(open_source(), pulse)
        finally:
            pulse.beat()

    return open_watched
