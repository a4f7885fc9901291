"""Frames on the line: a zero, payload and CRC-32 in COBS, a zero (docs/serial.md).

Everything happens in place, in buffers made once: neither sending nor receiving allocates.
"""

from array import array

import plain

LONGEST = 254  # bytes of an encoded frame without its two zeros
HEAD = 3  # bytes: the kind and the number
PAYLOAD = 2  # where a payload begins in a frame to be sent
ZERO = b"\0"


def _table():
    """Return the CRC-32 of every byte, its low and its high halves."""
    low, high = array("H", bytes(512)), array("H", bytes(512))
    for byte in range(256):
        near, far = byte, 0
        for _ in range(8):
            odd = near & 1
            near, far = near >> 1 | (far & 1) << 15, far >> 1
            if odd:
                near, far = near ^ 0x8320, far ^ 0xEDB8
        low[byte], high[byte] = near, far
    return low, high


LOW, HIGH = _table()


def _choose():
    """Return the fast checksum where there is one and it is right, else the plain one."""
    try:
        from fast import checksum
    except (ImportError, SyntaxError):
        return plain.checksum
    out = bytearray(4)
    checksum(b"123456789", 0, 9, LOW, HIGH, out, 0)
    return checksum if out == b"\x26\x39\xf4\xcb" else plain.checksum


checksum = _choose()


def close(frame, size):
    """Make a frame of the payload of so many bytes at frame[PAYLOAD:]; return its length."""
    end = PAYLOAD + size
    checksum(frame, PAYLOAD, end, LOW, HIGH, frame, end)
    return stuff(frame, end + 4)


def stuff(frame, end):
    """Take the zeros out of frame[PAYLOAD:end] by COBS, put one on either side; return the length.

    Less than 254 bytes, so COBS only replaces each zero by the distance to the next.
    """
    frame[0] = 0
    code = 1  # where the distance to the next zero goes
    while True:
        zero = frame.find(ZERO, code + 1, end)
        if zero < 0:
            break
        frame[code] = zero - code
        code = zero
    frame[code] = end - code
    frame[end] = 0
    return end + 1


def unstuff(data, size):
    """Undo COBS within data[:size], leaving data[1:size]; tell whether that was possible."""
    at = 0
    while at < size:
        step = data[at]
        if at:
            data[at] = 0
        at += step
    return at == size and size > 0


class Decoder:
    """Finds payloads in a stream of bytes that may begin, break off or go wrong anywhere.

    After :meth:`feed` returned a size, the payload is ``data[1:1 + size]`` until the next call.
    """

    def __init__(self):
        self.data = bytearray(LONGEST)
        self.begun = 0  # bytes of the frame under way
        self.bad = 0
        self._lost = False  # the frame under way is too long already
        self._sum = bytearray(4)

    def feed(self, byte):
        """Take one byte; return the size of the payload that it completes, else 0."""
        if byte:
            if self.begun < LONGEST:
                self.data[self.begun] = byte
                self.begun += 1
            else:
                self._lost = True
            return 0
        size, lost = self.begun, self._lost
        self.begun, self._lost = 0, False
        if not size:
            return 0
        if lost or not unstuff(self.data, size) or not self._sound(size):
            self.bad += 1
            return 0
        return size - 5

    def _sound(self, size):
        end = size - 4
        if end - 1 < HEAD:
            return False
        data, made = self.data, self._sum
        checksum(data, 1, end, LOW, HIGH, made, 0)
        at = 0
        while at < 4:
            if made[at] != data[end + at]:
                return False
            at += 1
        return True
