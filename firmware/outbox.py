"""What waits to be sent: whole frames in blocks of 64 bytes; a frame without room is dropped.

A block is a USB packet. A frame is padded with zeros, which mean nothing between frames, so that
only blocks are ever written: if the USB port's buffer has any room, it has room for one of them,
and writing never blocks.
"""

from framing import PAYLOAD, close

BLOCK = 64
BLOCKS = 32


class _Whole:
    def __getitem__(self, part):
        return part


WHOLE = _Whole()[:]  # a slice made once: `a[:]` would make one on the heap each time


class Outbox:
    """A frame under construction, and a ring buffer of blocks to be sent.

    ``begin``, the ``byte`` and ``word`` fields or ``block`` of bytes, ``send``; later ``next`` and
    ``sent``, again and again.
    """

    def __init__(self):
        self.dropped = 0
        self.number = 0
        self.frame = bytearray(5 * BLOCK)
        view = memoryview(self.frame)
        self._parts = [view[at : at + BLOCK] for at in range(0, 4 * BLOCK, BLOCK)]
        self._blocks = [memoryview(bytearray(BLOCK)) for _ in range(BLOCKS)]
        self._first = self._waiting = 0
        self._at = 0

    @property
    def waiting(self):
        """Return how many blocks wait to be sent."""
        return self._waiting

    def begin(self, kind):
        """Begin a message; it takes the next number, sent or dropped."""
        self._at = PAYLOAD
        self.byte(kind)
        self.word(self.number)
        self.number = self.number + 1 & 0xFFFF

    def byte(self, value):
        """Add a field of one byte."""
        self.frame[self._at] = value
        self._at += 1

    def word(self, value):
        """Add a field of two bytes."""
        frame, at = self.frame, self._at
        frame[at] = value & 0xFF
        frame[at + 1] = value >> 8
        self._at = at + 2

    def values(self, view, data):
        """Copy bytes into a view of the frame, which must be the part that comes next."""
        view[WHOLE] = data
        self._at += len(data)

    def send(self):
        """Complete the message; put it in the ring, or drop and count it when there is no room."""
        end = close(self.frame, self._at - PAYLOAD)
        needed = (end + BLOCK - 1) // BLOCK
        if self._waiting + needed > BLOCKS:
            if self.dropped < 0xFFFF:
                self.dropped += 1
            return
        frame = self.frame
        while end < needed * BLOCK:
            frame[end] = 0
            end += 1
        part = 0
        while part < needed:
            to = (self._first + self._waiting) % BLOCKS
            self._blocks[to][WHOLE] = self._parts[part]
            self._waiting += 1
            part += 1

    def next(self):
        """Return the block to be written next."""
        return self._blocks[self._first]

    def sent(self):
        """Forget the block that has been written."""
        self._first = (self._first + 1) % BLOCKS
        self._waiting -= 1
