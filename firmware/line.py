"""The serial line, which is MicroPython's console: bytes in, blocks out, no waiting for either."""

import select

ENTER, INTERRUPT, RAW = 0x0D, 0x03, 0x01
QUIET_MS = 300


class Line:
    """The console as a line of bytes; both ends are streams that ``select`` can poll."""

    def __init__(self, source, sink, reader=None, writer=None):
        self._source = source
        self._sink = sink
        self._byte = bytearray(1)
        self._in, self._out = select.poll(), select.poll()
        self._in.register(reader or source, select.POLLIN)
        self._out.register(writer or sink, select.POLLOUT)

    def ready(self, wait_ms=0):
        """Tell whether a byte has come, waiting so long for one."""
        for _, event in self._in.ipoll(wait_ms):
            return bool(event & select.POLLIN)
        return False

    def read(self):
        """Return the byte that has come; -1 when the line has ended."""
        return self._byte[0] if self._source.readinto(self._byte) else -1

    def pump(self, outbox):
        """Write what the line takes now."""
        while outbox.waiting and self._has_room():
            self._sink.write(outbox.next())
            outbox.sent()

    def _has_room(self):
        for _, event in self._out.ipoll(0):
            return bool(event & select.POLLOUT)
        return False


def wants_prompt(data, begun):
    """Tell whether a frame under way is no frame but someone who asks for the prompt.

    That is what `mpremote` sends first: Enter and Ctrl+C, perhaps Ctrl+A. A frame cannot be so
    short; whoever asks makes sure that nothing follows.
    """
    if not 2 <= begun <= 8:
        return False
    seen = False
    for at in range(begun):
        if data[at] not in (ENTER, INTERRUPT, RAW):
            return False
        seen = seen or data[at] == INTERRUPT
    return seen
