"""The bench that a virtual Pico lies on: a small file shared with the program that started it.

Read by the Pico: the voltage at every input of the multiplexers, whether the starter still lives,
and why the Pico started. Written by it: what its LED and its watchdog do. The places below are the
same at the other end, in ``companion/sim/firmware.py``.
"""

import os

INPUTS_AT = 0  # 96 words: input 0 of multiplexer 0 first
ALIVE_AT = 192  # a byte that the starter keeps changing
CAUSE_AT = 193  # a byte: the cause of the start
STUCK_AT = 194  # a byte: 1 when the enable line of bank 1 is stuck at on
LED_AT = 196  # a word: how often the LED changed; odd when it is lit
WATCHDOG_AT = 198  # a word: milliseconds that the watchdog waits, 0 before it is started
FED_AT = 200  # a word: how often it was fed
SIZE = 202

_word = bytearray(2)


def find():
    """Return the bench as an open file, None without one."""
    if hasattr(os, "getenv"):
        path = os.getenv("COMPANION_BENCH")
    else:  # under Node there is no environment, but start.mjs makes a device
        path = "/dev/bench" if "bench" in os.listdir("/dev") else None
    return open(path, "r+b") if path else None


def show(file, at, value):
    """Write a word to the bench."""
    _word[0], _word[1] = value & 0xFF, value >> 8
    file.seek(at)
    file.write(_word)
