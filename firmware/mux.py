"""The pins: six multiplexers on three analog pins, read one after the other.

The address goes through its sixteen values in Gray code, so each step changes one pin. Between a
step and the first reading lie several microseconds of MicroPython; a multiplexer needs a tenth of
one. Resistors pull the analog lines to ground, so an open wire reads 0 and not a neighbour's
leftovers. The built-in ones are too weak on a Pico 2 (erratum RP2350-E9), and switching them on
would also switch on the digital input, whose leakage shifts the readings there.
"""

import pins
from machine import ADC, Pin

BANK = len(pins.ANALOG) * pins.INPUTS  # channels
ON, OFF = 0, 1  # of a bank's enable line


class Mux:
    """The 81 sensors; :meth:`scan` reads them all into an array of words, 12 bits each."""

    def __init__(self):
        self._enable = [Pin(number, Pin.OUT, value=OFF) for number in pins.ENABLE]
        self._address = [Pin(number, Pin.OUT, value=0) for number in pins.ADDRESS]
        self._analog = [ADC(Pin(number)) for number in pins.ANALOG]
        self._order = bytearray(step ^ step >> 1 for step in range(pins.INPUTS))
        self._wires = []  # the pin that each step changes
        self._levels = bytearray(pins.INPUTS)
        for step in range(pins.INPUTS):
            bit = self._order[step] ^ self._order[step - 1]
            line = 0
            while bit >> line + 1:
                line += 1
            self._wires.append(self._address[line])
            self._levels[step] = self._order[step] >> line & 1
        self._settle()

    def _settle(self):
        """Bring the address where a scan ends, which is where the next begins."""
        for line, pin in enumerate(self._address):
            pin(self._order[pins.INPUTS - 1] >> line & 1)

    def scan(self, values):
        """Read every channel once."""
        bank = 0
        while bank < len(self._enable):
            enable = self._enable[bank]
            enable(ON)
            self._scan_bank(values, bank * BANK)
            enable(OFF)
            bank += 1

    def _scan_bank(self, values, first):
        wires, levels, order = self._wires, self._levels, self._order
        left, middle, right = self._analog
        inputs, channels = pins.INPUTS, pins.CHANNELS
        step = 0
        while step < inputs:
            wires[step](levels[step])
            channel = first + order[step]
            values[channel] = left.read_u16() >> 4
            channel += inputs
            values[channel] = middle.read_u16() >> 4
            channel += inputs
            if channel < channels:
                values[channel] = right.read_u16() >> 4
            step += 1

    def idle(self, line):
        """Return what an analog pin shows while no bank is enabled."""
        return self._analog[line].read_u16() >> 4
