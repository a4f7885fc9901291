"""The hall grid's firmware: scans 81 sensors 125 times a second and reports to the companion.

What the values mean is in :mod:`filter`, what is said in :mod:`commands`; this wires them to pins,
line, flash and clock.
"""

import gc
import os
import sys
import time
from array import array

import machine
import micropython
import pins
import selftest
import settings
from commands import Grid, Health
from framing import Decoder
from lamp import Lamp
from line import QUIET_MS, Line, wants_prompt
from mux import Mux
from outbox import Outbox
from version import VERSION

PERIOD_MS = 8
WATCHDOG_MS = 2000
AT_ONCE = 64  # bytes from the host; however many come, the scans go on
PROMPT = "prompt"  # a file that says: show the prompt after this start, do not run
POWER, WATCHDOG, RESET = 0, 1, 2


class Firmware:
    """All parts of the grid, joined; :meth:`turn`, called again and again, does everything."""

    def __init__(self, line):
        self.line = line
        self.mux = Mux()
        self.values = array("H", [0] * pins.CHANNELS)
        self.outbox = Outbox()
        self.lamp = Lamp()
        self.decoder = Decoder()
        self.health = Health(pins.CHANNELS)
        self.grid = Grid(
            self.values, self.outbox, self.lamp, self.health, VERSION, machine.unique_id()
        )
        self._led = machine.Pin(pins.LED, machine.Pin.OUT, value=0)
        self._lit = 0
        self._refused = 0
        self._examine()
        self._scanned = self._due = self._heard = self._counted = time.ticks_ms()
        self._scans = 0

    def _examine(self):
        health, cause = self.health, machine.reset_cause()
        if cause == machine.WDT_RESET:
            health.started = WATCHDOG
        else:
            health.started = POWER if cause == machine.PWRON_RESET else RESET
        health.self_test = selftest.run(self.mux, self.values, health.out_of_range)
        kept = settings.load(self.grid.filter.rest)
        self.grid.filter.taken = kept == settings.KEPT
        if kept == settings.DAMAGED:
            health.self_test |= selftest.SETTINGS_LOST
        self.lamp.faulty = health.self_test != 0

    def turn(self):
        """Hear the host until a scan is due, scan, send; true when someone asks for the prompt."""
        self._listen()
        now = time.ticks_ms()
        if time.ticks_diff(now, self._due) >= 0:
            self._scan(now)
        self.line.pump(self.outbox)
        return (
            time.ticks_diff(now, self._heard) > QUIET_MS
            and self.decoder.begun > 0
            and wants_prompt(self.decoder.data, self.decoder.begun)
        )

    def _listen(self):
        """Wait for the host until the next scan is due; obey what it has said."""
        wait = time.ticks_diff(self._due, time.ticks_ms())
        if not self.line.ready(max(wait, 0)):
            return
        decoder = self.decoder
        self._heard = time.ticks_ms()
        left = AT_ONCE
        while left and self.line.ready():
            left -= 1
            byte = self.line.read()
            if byte < 0:
                return
            size = decoder.feed(byte)
            self.health.bad = decoder.bad + self._refused
            if size and not self.grid.obey(decoder.data, 1, size):
                self._refused += 1

    def _scan(self, now):
        elapsed = time.ticks_diff(now, self._scanned)
        self._scanned = now
        self._due = time.ticks_add(self._due, PERIOD_MS)
        if time.ticks_diff(now, self._due) >= 0:  # late: catching up would help nobody
            self._due = time.ticks_add(now, PERIOD_MS)
        self.mux.scan(self.values)
        self.grid.scan(elapsed)
        self._show(elapsed)
        self._scans += 1
        if time.ticks_diff(now, self._counted) >= 1000:
            self._counted = time.ticks_add(self._counted, 1000)
            self.health.scans_per_second, self._scans = self._scans, 0
        if self.grid.to_keep:
            self.grid.to_keep = False
            settings.save(self.grid.filter.rest)

    def _show(self, elapsed):
        level = self.lamp.level(elapsed)
        if level != self._lit:
            self._lit = level
            self._led(level)


def run(line=None):
    """Run until someone asks for the prompt; then start again and show it."""
    if _prompt_asked():
        return
    micropython.kbd_intr(-1)  # a 3 in a frame is no Ctrl+C
    firmware = Firmware(line or Line(sys.stdin.buffer, sys.stdout.buffer, sys.stdin, sys.stdout))
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    gc.collect()
    while not firmware.turn():
        watchdog.feed()
    with open(PROMPT, "w"):
        pass
    machine.reset()


def _prompt_asked():
    try:
        os.remove(PROMPT)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    run()
