"""What the LED shows, as a function of time; :mod:`main` switches the pin.

One flash a second: waiting for the companion. Steady: talking to it. Two flashes a second: the
self-test found something. Quick flicker: identify. Steady for some seconds on request: LED test.
"""

FLASH_MS = 120
SECOND_FLASH_MS = 400  # after the first
ROUND_MS = 1000
FLICKER_MS = 50


class Lamp:
    """The LED; :meth:`level` is asked again and again."""

    def __init__(self):
        self.talking = False
        self.faulty = False
        self._flicker_ms = 0  # still to go
        self._test_ms = 0
        self._ms = 0  # since the start of the round

    def identify(self, seconds):
        """Flicker for some seconds."""
        self._flicker_ms = seconds * 1000

    def test(self, seconds):
        """Be lit for some seconds."""
        self._test_ms = seconds * 1000

    def level(self, elapsed):
        """Return 1 or 0 for the LED, so many milliseconds after the last call."""
        self._ms = (self._ms + elapsed) % ROUND_MS
        if self._test_ms > 0:
            self._test_ms -= elapsed
            return 1
        if self._flicker_ms > 0:
            self._flicker_ms -= elapsed
            return self._ms // FLICKER_MS & 1
        if self.faulty and 0 <= self._ms - SECOND_FLASH_MS < FLASH_MS:
            return 1
        if self.talking and not self.faulty:
            return 1
        return 1 if self._ms < FLASH_MS else 0
