"""The hall grid's end of the serial protocol: the host's bytes and scans in, frames out.

It has no clock and no port; :mod:`companion.sim.grid` gives it both.
"""

from collections.abc import Sequence

from companion.sensing.hall import wire

FIRMWARE = (0, 1, 1)
SERIAL = bytes.fromhex("5349 4d00 0000 0001")
PER_SECOND = 20  # snapshots, until the host asks for another rate
SLACK_SECONDS = 0.002  # a scan that comes this much early still carries the snapshot
PUT_COUNTS = 80  # this far from rest, a magnet has come
LIFT_COUNTS = 50  # this near to rest, it has gone
BASELINE_SCANS = 64
NOISE_CHANNELS = 9  # looked at in each scan, so that all have their turn eleven times a second
NOISE_SHARE = 32  # of which a new step makes up one
NOISE_UNITS = 16  # of what is kept in an eighth of a count
NOISE_MOST = 31  # counts; a greater step is a magnet that moved
COUNTED = 0xFFFF  # the greatest count of a report


class Pico:
    """A hall grid without hardware.

    It stands in for the firmware where there is no MicroPython to run that; the same tests are run
    with either. Call :meth:`receive` with what the host sent and :meth:`scan` with every scan; both
    return the frames to send. ``rest`` is what a channel shows before a baseline was taken.
    """

    kind = "a stand-in for the firmware"

    def __init__(
        self,
        rest: int,
        full_scale: int,
        versions: tuple[int, int] = (wire.OLDEST, wire.NEWEST),
        serial: bytes = SERIAL,
    ) -> None:
        self._full_scale = full_scale
        self._versions = versions
        self._serial = serial
        self._rest = [rest] * wire.CHANNELS
        self._taken = False
        self.restart()

    def restart(self) -> None:
        """Start as after a loss of power; only the rest values have been kept."""
        self.blink_until = self.light_until = 0.0
        self._raw_until = 0.0
        self._looked_at: list[int] | None = None
        self._noise = [0] * wire.CHANNELS
        self._next_look = 0
        self._second = 0
        self._dropped = 0
        self._scans = self._scans_before = 0
        self._decoder = wire.Decoder()
        self._period = 1 / PER_SECOND
        self._sums: list[int] | None = None
        self._summed = 0
        self._forget_host()

    def _forget_host(self) -> None:
        self._number = 0
        self._agreed = False
        self._answered: tuple[int, wire.Status] | None = None
        self._next_snapshot = 0.0
        self._occupied: list[bool] | None = None

    def receive(self, data: bytes, now: float) -> list[bytes]:
        """Obey the host; return the frames that answer it."""
        out: list[bytes] = []
        for message in self._decoder.feed(data):
            if isinstance(message, wire.Hello):
                out += self._greet(message)
            elif isinstance(message, wire.Command):
                out.append(self._answer(message, now))
                if isinstance(message, wire.AskReport) and self._agreed:
                    out.append(self._report(now))
        return out

    def scan(self, values: Sequence[int], now: float, room: bool = True) -> list[bytes]:
        """Take in one scan of all channels; return the frames it gives rise to.

        Without room for them on the line they are dropped, but counted.
        """
        frames = self._frames(values, now)
        if room:
            return frames
        self._dropped = min(self._dropped + len(frames), COUNTED)
        return []

    def blinking(self, now: float) -> bool:
        """Tell whether it blinks because the host asked it to."""
        return now < self.blink_until

    def close(self) -> None:
        """Nothing to let go of."""

    def _frames(self, values: Sequence[int], now: float) -> list[bytes]:
        self._measure_noise(values)
        self._count(now)
        if not self._agreed:
            return []
        out = self._events(values, now) + self._measure_rest(values)
        if now < self._raw_until:
            self._next_snapshot = now
        if now >= self._next_snapshot - SLACK_SECONDS:
            self._next_snapshot = max(self._next_snapshot, now - self._period) + self._period
            out.append(self._send(wire.Snapshot(self._number, _ms(now), tuple(values))))
        return out

    def _send(self, message: wire.Message) -> bytes:
        self._number = (self._number + 1) % wire.NUMBERS
        return wire.encode(message)

    def _greet(self, hello: wire.Hello) -> list[bytes]:
        self._forget_host()
        oldest, newest = self._versions
        version = min(newest, hello.newest)
        self._agreed = version >= max(oldest, hello.oldest)
        welcome = wire.Welcome(
            0,
            hello.number,
            version if self._agreed else 0,
            oldest,
            newest,
            wire.CHANNELS,
            self._full_scale,
            FIRMWARE,
            self._serial,
        )
        return [self._send(welcome), self._send_rest()] if self._agreed else [self._send(welcome)]

    def _answer(self, command: wire.Command, now: float) -> bytes:
        if self._answered is None or self._answered[0] != command.number:
            status = self._obey(command, now) if self._agreed else wire.Status.HELLO_FIRST
            self._answered = command.number, status
        return self._send(wire.Ack(self._number, *self._answered))

    def _obey(self, command: wire.Command, now: float) -> wire.Status:
        match command:
            case wire.Identify(_, seconds):
                if seconds > wire.LONGEST_BLINK:
                    return wire.Status.OUT_OF_RANGE
                self.blink_until = now + seconds
            case wire.Baseline():
                self._sums, self._summed = [0] * wire.CHANNELS, 0
            case wire.Rate(_, per_second):
                if not wire.SLOWEST <= per_second <= wire.FASTEST:
                    return wire.Status.OUT_OF_RANGE
                self._period = 1 / per_second
                self._next_snapshot = now
            case wire.Ask():
                self._next_snapshot = now
            case wire.Raw(_, seconds):
                if seconds > wire.LONGEST_BLINK:
                    return wire.Status.OUT_OF_RANGE
                self._raw_until = now + seconds
            case wire.LedTest(_, seconds):
                if seconds > wire.LONGEST_BLINK:
                    return wire.Status.OUT_OF_RANGE
                self.light_until = now + seconds
            case wire.AskReport():
                pass
            case _:
                return wire.Status.UNKNOWN
        return wire.Status.DONE

    def _events(self, values: Sequence[int], now: float) -> list[bytes]:
        away = [abs(value - rest) for value, rest in zip(values, self._rest, strict=True)]
        if self._occupied is None:  # what already stands there is no event
            self._occupied = [far > PUT_COUNTS for far in away]
        out = []
        for channel, occupied in enumerate(self._occupied):
            if occupied and away[channel] < LIFT_COUNTS:
                event: type[wire.Event] = wire.Lifted
            elif not occupied and away[channel] > PUT_COUNTS:
                event = wire.Put
            else:
                continue
            self._occupied[channel] = not occupied
            out.append(self._send(event(self._number, _ms(now), channel, values[channel])))
        return out

    def _measure_rest(self, values: Sequence[int]) -> list[bytes]:
        if self._sums is None:
            return []
        self._sums = [total + value for total, value in zip(self._sums, values, strict=True)]
        self._summed += 1
        if self._summed < BASELINE_SCANS:
            return []
        self._rest = [round(total / self._summed) for total in self._sums]
        self._taken, self._sums, self._occupied = True, None, None
        return [self._send_rest()]

    def _measure_noise(self, values: Sequence[int]) -> None:
        """Follow the mean step of some channels, the others in the next scans."""
        if self._looked_at is None:
            self._looked_at = list(values)
        for channel in range(self._next_look, self._next_look + NOISE_CHANNELS):
            step = min(abs(values[channel] - self._looked_at[channel]), NOISE_MOST)
            wanted = step * 8 * NOISE_UNITS
            self._noise[channel] += (wanted - self._noise[channel]) // NOISE_SHARE
            self._looked_at[channel] = values[channel]
        self._next_look = (self._next_look + NOISE_CHANNELS) % wire.CHANNELS

    def _count(self, now: float) -> None:
        if int(now) != self._second:
            self._second, self._scans_before, self._scans = int(now), self._scans, 0
        self._scans += 1

    def _report(self, now: float) -> bytes:
        report = wire.Report(
            self._number,
            _ms(now),
            0,
            wire.Start.POWER,
            self._scans_before,
            self._dropped,
            min(self._decoder.bad, COUNTED),
            tuple(noise // NOISE_UNITS for noise in self._noise),
            (),
        )
        return self._send(report)

    def _send_rest(self) -> bytes:
        return self._send(wire.Rest(self._number, self._taken, tuple(self._rest)))


def _ms(now: float) -> int:
    return int(now * 1000) % (1 << 32)
