"""The CRC-32 in plain MicroPython, where :mod:`fast` is not available."""


def checksum(data, start, stop, low, high, out, to):
    """Write the CRC-32 of data[start:stop] to out[to:to + 4]; low and high are its table.

    In two halves of 16 bits: a 32-bit number would be allocated on the heap.
    """
    near = far = 0xFFFF
    while start < stop:
        index = (near ^ data[start]) & 0xFF
        near = (near >> 8 | (far & 0xFF) << 8) ^ low[index]
        far = far >> 8 ^ high[index]
        start += 1
    out[to] = near & 0xFF ^ 0xFF
    out[to + 1] = near >> 8 ^ 0xFF
    out[to + 2] = far & 0xFF ^ 0xFF
    out[to + 3] = far >> 8 ^ 0xFF
