"""The grid's end of the protocol (docs/serial.md): commands and scans in, messages out.

No pins and no line: it writes into an :mod:`outbox`, and time is passed in.
"""

import uctypes
from filter import Filter
from framing import HEAD, PAYLOAD

OLDEST = NEWEST = 1
FULL_SCALE = 4095
SLOWEST, FASTEST = 2, 100  # snapshots a second
PER_SECOND = 20  # until the host asks for another rate
LONGEST_SECONDS = 60
SLACK_MS = 2  # a scan that comes this much early still carries the snapshot
DUE = 1000  # a snapshot's worth of milliseconds times snapshots a second
MOST = 0xFFFF

HELLO, IDENTIFY, BASELINE, RATE, ASK, RAW, LED_TEST, REPORT = 1, 2, 3, 4, 5, 6, 7, 8
WELCOME, ACK, SNAPSHOT, LIFTED, PUT, REST, TOLD = 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87
DONE, UNKNOWN, OUT_OF_RANGE, HELLO_FIRST = 0, 1, 2, 3
SIZES = {IDENTIFY: 1, BASELINE: 0, RATE: 1, ASK: 0, RAW: 1, LED_TEST: 1, REPORT: 0}  # of fields


class Health:
    """What a report contains besides the noise; filled in where it is found out."""

    def __init__(self, channels):
        self.self_test = 0
        self.started = 0
        self.scans_per_second = 0
        self.bad = 0
        self.out_of_range = bytearray((channels + 7) // 8)


class Grid:
    """The state of one session; a hello starts it over.

    ``values`` is the array that every scan is written to. ``to_keep`` is true when new rest
    values have not been written to flash yet.
    """

    def __init__(self, values, outbox, lamp, health, version, serial):
        self.values = values
        self.filter = Filter(len(values))
        self.to_keep = False
        self.agreed = False
        self._outbox = outbox
        self._lamp = lamp
        self._health = health
        self._version = version
        self._serial = serial
        self._near_ms = self._far_ms = 0  # time, in two halves of 16 bits
        self._rate = PER_SECOND
        self._raw_ms = 0
        self._due = 0
        self._answered = -1
        self._status = 0
        frame, size = memoryview(outbox.frame), 2 * len(values)
        self._snapshot_view = frame[PAYLOAD + HEAD + 4 :][:size]
        self._rest_view = frame[PAYLOAD + HEAD + 1 :][:size]
        self._values_bytes = _bytes_of(values)
        self._rest_bytes = _bytes_of(self.filter.rest)

    def obey(self, data, start, size):
        """Carry out the command at data[start:start + size]; tell whether it was one."""
        kind = data[start]
        number = data[start + 1] | data[start + 2] << 8
        fields = size - HEAD
        at = start + HEAD
        if kind == HELLO:
            if fields < 2 or not 1 <= data[at] <= data[at + 1]:
                return False
            self._greet(number, data[at], data[at + 1])
            return True
        if not 0 < kind < 0x80 or fields != SIZES.get(kind, fields):
            return False
        if number != self._answered:
            self._answered = number
            self._status = self._do(kind, data[at] if fields else 0) if self.agreed else HELLO_FIRST
        out = self._outbox
        out.begin(ACK)
        out.word(number)
        out.byte(self._status)
        out.send()
        if kind == REPORT and self.agreed:
            self._report()
        return True

    def _greet(self, number, oldest, newest):
        version = min(NEWEST, newest)
        self.agreed = self._lamp.talking = version >= max(OLDEST, oldest)
        self._answered = -1
        self._due = DUE
        self.filter.forget()
        out = self._outbox
        out.number = 0
        out.begin(WELCOME)
        out.word(number)
        out.byte(version if self.agreed else 0)
        out.byte(OLDEST)
        out.byte(NEWEST)
        out.byte(len(self.values))
        out.word(FULL_SCALE)
        for part in self._version:
            out.byte(part)
        for part in self._serial:
            out.byte(part)
        out.send()
        if self.agreed:
            self._rest()

    def _do(self, kind, field):
        if kind == RATE:
            if not SLOWEST <= field <= FASTEST:
                return OUT_OF_RANGE
            self._rate = field
            self._due = DUE
        elif kind in (IDENTIFY, RAW, LED_TEST):
            if field > LONGEST_SECONDS:
                return OUT_OF_RANGE
            if kind == IDENTIFY:
                self._lamp.identify(field)
            elif kind == RAW:
                self._raw_ms = field * 1000
            else:
                self._lamp.test(field)
        elif kind == BASELINE:
            self.filter.begin_baseline()
        elif kind == ASK:
            self._due = DUE
        elif kind != REPORT:
            return UNKNOWN
        return DONE

    def scan(self, elapsed):
        """Send what the host should hear of the scan in ``values``, so long after the last."""
        near = self._near_ms + elapsed
        self._near_ms = near & 0xFFFF
        self._far_ms = self._far_ms + (near >> 16) & 0xFFFF
        self.filter.follow_noise(self.values)
        if not self.agreed:
            return
        self._events(self.filter.look(self.values))
        if self.filter.measure_rest(self.values):
            self.to_keep = True
            self._rest()
        self._due += elapsed * self._rate
        if self._raw_ms > 0:
            self._raw_ms -= elapsed
            self._due = DUE
        if self._due >= DUE - SLACK_MS * self._rate:
            self._due = min(self._due - DUE, DUE)
            out = self._outbox
            self._begin_timed(SNAPSHOT)
            out.values(self._snapshot_view, self._values_bytes)
            out.send()

    def _events(self, found):
        out, at = self._outbox, 0
        while at < found:
            channel = self.filter.changed[at]
            self._begin_timed(PUT if self.filter.occupied[channel] else LIFTED)
            out.byte(channel)
            out.word(self.values[channel])
            out.send()
            at += 1

    def _begin_timed(self, kind):
        out = self._outbox
        out.begin(kind)
        out.word(self._near_ms)
        out.word(self._far_ms)

    def _rest(self):
        out = self._outbox
        out.begin(REST)
        out.byte(1 if self.filter.taken else 0)
        out.values(self._rest_view, self._rest_bytes)
        out.send()

    def _report(self):
        out, health = self._outbox, self._health
        self._begin_timed(TOLD)
        out.byte(health.self_test)
        out.byte(health.started)
        out.word(min(health.scans_per_second, MOST))
        out.word(out.dropped)
        out.word(min(health.bad, MOST))
        for channel in range(len(self.values)):
            out.byte(self.filter.noise(channel))
        for marks in health.out_of_range:
            out.byte(marks)
        out.send()


def _bytes_of(words):
    """Return the bytes of an array of words without copying them."""
    return uctypes.bytearray_at(uctypes.addressof(words), 2 * len(words))
