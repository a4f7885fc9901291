"""What is kept in flash across power cuts: the rest values.

Written beside the old file and renamed over it (atomic), so a power cut leaves the old values or
the new ones; read only when its checksum is right.
"""

import os

from framing import HIGH, LOW, checksum

FILE = "rest.bin"
FRESH = "rest.new"
MARK = b"HALL\x01"
NONE, KEPT, DAMAGED = 0, 1, 2


def load(rest):
    """Read the rest values into an array; return KEPT, or NONE or DAMAGED and leave it alone."""
    try:
        with open(FILE, "rb") as file:
            data = file.read()
    except OSError:
        return NONE
    end = len(MARK) + 2 * len(rest)
    if len(data) != end + 4 or data[: len(MARK)] != MARK or _checksum(data, end) != data[end:]:
        return DAMAGED
    for channel in range(len(rest)):
        at = len(MARK) + 2 * channel
        rest[channel] = data[at] | data[at + 1] << 8
    return KEPT


def save(rest):
    """Keep the rest values; tell whether it worked."""
    data = bytearray(MARK)
    for value in rest:
        data.append(value & 0xFF)
        data.append(value >> 8)
    data.extend(_checksum(data, len(data)))
    try:
        with open(FRESH, "wb") as file:
            file.write(data)
        os.rename(FRESH, FILE)
    except OSError:
        return False
    return True


def _checksum(data, end):
    out = bytearray(4)
    checksum(data, 0, end, LOW, HIGH, out, 0)
    return out
