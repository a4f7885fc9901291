"""Sends colours to a strip of LEDs, with a rate limit and a current limit.

What the colours mean is decided in :mod:`companion.lights.scene`; this module knows only pixels.
"""

from collections.abc import Sequence
from typing import Protocol

Colour = tuple[int, int, int]
Colours = tuple[Colour, ...]

#: A WS2812 draws about this much for each of its three colours at full, and this much when dark.
CHANNEL_MILLIAMPS = 20.0
IDLE_MILLIAMPS = 1.0

SENDS_PER_SECOND = 60


class Pixels(Protocol):
    """What a strip needs of a driver; all of Adafruit's ``PixelBuf`` classes have it."""

    def __len__(self) -> int:
        """Return the number of LEDs."""

    def __setitem__(self, index: int, colour: Colour, /) -> None:
        """Set one LED, red-green-blue."""

    def show(self) -> None:
        """Send all LEDs their colours."""


def milliamps_of(colours: Sequence[Colour]) -> float:
    """Return the current that a strip of these colours draws."""
    return len(colours) * IDLE_MILLIAMPS + sum(map(sum, colours)) / 255 * CHANNEL_MILLIAMPS


def limited(colours: Sequence[Colour], brightness: float, milliamps: float) -> Colours:
    """Return the colours at this brightness, or all dimmer by one factor to stay within the budget
    (automatic brightness limiting)."""
    lit = sum(map(sum, colours)) / 255 * CHANNEL_MILLIAMPS
    room = max(0.0, milliamps - len(colours) * IDLE_MILLIAMPS)
    share = min(brightness, room / lit) if lit else 0.0
    return tuple((int(r * share), int(g * share), int(b * share)) for r, g, b in colours)


class Strip:
    """A strip of LEDs behind any driver.

    Wiring: data in from the driver's pin (through a 3.3 V to 5 V level shifter), 5 V and ground
    from a supply that gives the current budget and more; join its ground with the Pi's.

        strip = Strip(open_pixels("neopixel", "D18", board.lights), milliamps=1500)
        strip.show(scene(snapshot, board, now), now)
        strip.off()
    """

    def __init__(self, pixels: Pixels, milliamps: float, brightness: float = 0.5) -> None:
        self._pixels = pixels
        self._milliamps = milliamps
        self._brightness = brightness
        self._shown: Colours | None = None
        self._sent_at: float | None = None

    def show(self, colours: Sequence[Colour], now: float) -> bool:
        """Send the colours if they differ and the rate limit allows it; tell whether sent.

        Colours held back are not kept: call again, the scene will have moved on anyway.
        """
        if len(colours) != len(self._pixels):
            raise ValueError(f"expected {len(self._pixels)} colours, got {len(colours)}")
        wanted = limited(colours, self._brightness, self._milliamps)
        if wanted == self._shown:
            return False
        if self._sent_at is not None and 0 <= now - self._sent_at < 1 / SENDS_PER_SECOND:
            return False
        self._send(wanted)
        self._sent_at = now
        return True

    def off(self) -> None:
        """Turn all LEDs dark, at once."""
        self._send(((0, 0, 0),) * len(self._pixels))

    def _send(self, colours: Colours) -> None:
        before = self._shown or (None,) * len(colours)
        self._shown = None  # unknown until the driver is done
        for index, colour in enumerate(colours):
            if colour != before[index]:
                self._pixels[index] = colour
        self._pixels.show()
        self._shown = colours
