"""A Pico's ``machine`` without a Pico: pins that really select an input of a multiplexer.

Which pin is which wire is taken from pins.py, and what the multiplexers do with their levels from
their data sheet; the values come from the bench, or from ``inputs`` when there is none.
"""

import sys
import time
from array import array

import pins
import uctypes

import bench

PWRON_RESET, WDT_RESET = 1, 3
LINES = len(pins.ANALOG)
BANK = LINES * pins.INPUTS
ORPHAN_MS = 5000

inputs = array("H", [2048] * (len(pins.ENABLE) * BANK))
fed = 0
stuck = 0  # 1 when bank 1 cannot be switched off
_bench = bench.find()
_seen = uctypes.bytearray_at(uctypes.addressof(inputs), 2 * len(inputs))
_notes = bytearray(3)  # alive, cause, stuck
_levels = {number: 0 for number in pins.ADDRESS + pins.ENABLE + (pins.LED,)}
_address = 0
_enabled = [0, 0]
_led_changes = 0
_alive = -1
_alive_since = time.ticks_ms()


def _look():
    """Read what lies on the bench; exit when whoever keeps it is gone."""
    global _alive, _alive_since, stuck
    _bench.seek(0)
    _bench.readinto(_seen)
    _bench.readinto(_notes)
    stuck = _notes[2]
    now = time.ticks_ms()
    if _notes[0] != _alive:
        _alive, _alive_since = _notes[0], now
    elif time.ticks_diff(now, _alive_since) > ORPHAN_MS:
        sys.exit(0)


if _bench:
    _look()


class Pin:
    """A pin, or the LED."""

    OUT = 1

    def __init__(self, number, mode=-1, value=None):
        self.number = number
        if value is not None:
            self(value)

    def __call__(self, level):
        global _address, _led_changes
        number = self.number
        _levels[number] = level
        if number in pins.ADDRESS:
            bit = 1 << pins.ADDRESS.index(number)
            _address = _address | bit if level else _address & ~bit
        elif number in pins.ENABLE:
            _enabled[pins.ENABLE.index(number)] = 0 if level else 1
            if _bench and not level:
                _look()
        elif number == pins.LED and _led_changes & 1 != level:
            _led_changes = _led_changes + 1 & 0xFFFF
            if _bench:
                bench.show(_bench, bench.LED_AT, _led_changes)


class ADC:
    """An analog pin: what the enabled multiplexers on it let through."""

    def __init__(self, pin):
        self._line = pins.ANALOG.index(pin.number)
        self._first = self._line * pins.INPUTS

    def read_u16(self):
        """Return the voltage as 16 bits, of which 12 are measured."""
        at = self._first + _address
        near, far = _enabled[0], _enabled[1] or stuck
        if near and far:  # they pull against each other
            value = (inputs[at] + inputs[at + BANK]) // 2
        elif near or far:
            value = inputs[at + BANK if far else at]
        else:
            value = 0  # by the resistors on the lines
        return value << 4 | value >> 8


class WDT:
    """The watchdog; whoever keeps the bench resets the Pico when it is not fed."""

    def __init__(self, timeout):
        if _bench:
            bench.show(_bench, bench.WATCHDOG_AT, timeout)

    def feed(self):
        """Feed it: do not reset yet."""
        global fed
        fed = fed + 1 & 0xFFFF
        if _bench:
            bench.show(_bench, bench.FED_AT, fed)


def unique_id():
    """Return the number of this Pico: VIRTPICO in letters."""
    return b"VIRTPICO"


def reset_cause():
    """Return why it started."""
    return _notes[1] if _bench else PWRON_RESET


def reset():
    """Restart: whoever started this does it."""
    sys.exit(3)
