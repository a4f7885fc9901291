"""Plays tunes in a thread of its own: notes take time, and nothing should wait for them."""

import threading
from collections.abc import Callable

from companion.panel.sounds import Tune


class Buzzer:
    """Turns tunes into tones. ``tone`` sounds a frequency in hertz from now on, 0 ends it."""

    def __init__(self, tone: Callable[[float], None]) -> None:
        self._tone = tone
        self._tune: Tune | None = None
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Tune) -> None:
        """Begin a tune; one that still sounds gives way."""
        with self._changed:
            self._tune = tune
            self._changed.notify()

    def close(self) -> None:
        """Fall silent for good."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(timeout=1)

    def _run(self) -> None:
        while (tune := self._next()) is not None:
            for hertz, seconds in tune:
                self._tone(hertz)
                if self._interrupted(seconds):
                    break
            self._tone(0)

    def _next(self) -> Tune | None:
        with self._changed:
            self._changed.wait_for(lambda: self._tune is not None or self._closed)
            tune, self._tune = self._tune, None
            return None if self._closed else tune

    def _interrupted(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._tune is not None or self._closed, seconds)
