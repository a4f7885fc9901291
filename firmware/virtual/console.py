"""The parts of ``select`` and of the console that Node's MicroPython lacks: it cannot poll."""

import companion_line

POLLIN, POLLOUT = 1, 4


def stream():
    """Return standard input and output as one stream of bytes."""
    return open("/dev/line", "r+b")


class poll:
    """The part of ``select.poll`` that the firmware uses."""

    def __init__(self):
        self._found = ()
        self._wanted = 0

    def register(self, stream, events):
        """Watch one stream."""
        self._found = ((stream, events),)
        self._wanted = events

    def ipoll(self, wait_ms):
        """Return the stream in a list if it is ready or becomes so in this time."""
        if self._wanted == POLLIN:
            return self._found if companion_line.ready(wait_ms) else ()
        return self._found if companion_line.room() else ()
