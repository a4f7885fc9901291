"""A strip of LEDs that is not there: it takes the bytes a real one would get and reads them."""

from collections.abc import Callable

from adafruit_pixelbuf import PixelBuf

from companion.board import Lights


class SimPixels(PixelBuf):  # type: ignore[misc]
    """Catches the very bytes that a real strip of this profile would receive.

    ``sent`` are the last ones, ``sends`` counts how often bytes came. While it ``is_broken``, it
    takes none.
    """

    def __init__(self, lights: Lights, is_broken: Callable[[], bool] = lambda: False) -> None:
        self._is_broken = is_broken
        self.sent = bytes(3 * lights.count)
        self.sends = 0
        super().__init__(lights.count, byteorder=lights.order, auto_write=False)

    def _transmit(self, buffer: bytearray) -> None:
        if self._is_broken():
            raise OSError("the strip is not there")
        self.sent = bytes(buffer)
        self.sends += 1

    @property
    def colours(self) -> tuple[tuple[int, int, int], ...]:
        """Return the colours that the LEDs show, as decoded from the bytes alone."""
        red, green, blue = (self.byteorder.index(letter) for letter in "RGB")
        sent = self.sent  # the page asks from another thread: one frame, not halves of two
        groups = (sent[at : at + 3] for at in range(0, len(sent), 3))
        return tuple((group[red], group[green], group[blue]) for group in groups)
