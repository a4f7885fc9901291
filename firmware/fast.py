"""The CRC-32 as machine code: on a Pico it takes a fiftieth of the time of :mod:`plain`.

A MicroPython without a native emitter cannot compile this file, and :mod:`framing` does without.
"""

import micropython

# ruff: noqa: F821  (the pointers are names of the compiler's)


@micropython.viper
def checksum(data: ptr8, start: int, stop: int, low: ptr16, high: ptr16, out: ptr8, to: int):
    """Write the CRC-32 of data[start:stop] to out[to:to + 4]; low and high are its table."""
    near: int = 0xFFFF
    far: int = 0xFFFF
    at: int = start
    while at < stop:
        index: int = (near ^ data[at]) & 0xFF
        near = (near >> 8 | (far & 0xFF) << 8) ^ low[index]
        far = far >> 8 ^ high[index]
        at += 1
    out[to] = (near & 0xFF) ^ 0xFF
    out[to + 1] = (near >> 8) ^ 0xFF
    out[to + 2] = (far & 0xFF) ^ 0xFF
    out[to + 3] = (far >> 8) ^ 0xFF
