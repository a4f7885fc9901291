"""One conversation with the hall grid: what to send, what was learned, whether all is well.

Bytes and times are passed in (sans-I/O), so a session knows nothing of ports and threads;
:mod:`companion.sensing.hall.link` carries its bytes.
"""

from collections import deque
from dataclasses import dataclass, replace

from companion.board import DeviceView
from companion.sensing.hall import wire

NAME = "hall grid"
SILENCE_SECONDS = 1.5  # three snapshots, the grid's heartbeat, that did not come
GREET_SECONDS = 0.5
DISAGREED_SECONDS = 2.0
RESEND_SECONDS = 0.25
TRIES = 5
KEEP_EVENTS = 256


@dataclass(frozen=True)
class HallState:
    """The newest values of all channels and what was lifted or put since the last look.

    ``rest`` are the values without magnets, None when the grid never took its baseline.
    """

    time: float
    values: tuple[int, ...]
    rest: tuple[int, ...] | None = None
    events: tuple[wire.Event, ...] = ()


class Session:
    """The host's side of the protocol, from hello on.

    Feed it with :meth:`receive`, send what :meth:`due` returns, look with :meth:`take` and
    :meth:`condition`. It greets until it is answered, asks for a snapshot when a sequence number is
    missing, resends each command until it is acknowledged (stop-and-wait: a sliding window of one)
    and greets again when the grid falls silent.
    """

    def __init__(self, now: float, rate: int = 20, first: int = 0) -> None:
        self.rejected: list[wire.Ack] = []
        self.decoder = wire.Decoder()
        self._rate = rate
        self.next_number = first
        self._heard = now  # the last sound frame, or the start
        self._bad_before = 0
        self._greet(now)

    def _greet(self, now: float) -> None:
        self.welcome: wire.Welcome | None = None
        self._hello = wire.Hello(self._count())
        self._greet_at = now
        self._expected: int | None = None
        self._waiting: deque[wire.Command] = deque()
        self._tries = 0
        self._resend_at = now
        self._state: HallState | None = None
        self._rest: tuple[int, ...] | None = None
        self.report: wire.Report | None = None
        self._events: deque[wire.Event] = deque(maxlen=KEEP_EVENTS)

    def _count(self) -> int:
        number = self.next_number
        self.next_number = (number + 1) % wire.NUMBERS
        return number

    @property
    def agreed(self) -> bool:
        """Tell whether both ends have found a version they speak."""
        return self.welcome is not None and self.welcome.version != 0

    def send(self, command: type[wire.Command], *values: int) -> None:
        """Have the grid carry out a command, once those before it are acknowledged."""
        wanted = command(self._count(), *values)
        self._waiting.append(wanted)
        if isinstance(wanted, wire.Rate):
            self._rate = wanted.per_second  # after the next hello too

    def receive(self, data: bytes, now: float) -> None:
        """Take in what came over the line."""
        for message in self.decoder.feed(data):
            if isinstance(message, wire.Welcome):
                self._welcomed(message, now)
            elif self.agreed and not isinstance(message, wire.Command):
                self._hear(now)
                self._follow(message.number)
                self._learn(message, now)

    def _welcomed(self, message: wire.Welcome, now: float) -> None:
        if self.agreed or message.command != self._hello.number:
            return
        self.welcome = message
        self._hear(now)
        self._expected = (message.number + 1) % wire.NUMBERS
        if message.version:
            self._waiting.clear()
            self.send(wire.Rate, self._rate)
            self.send(wire.AskReport)

    def _hear(self, now: float) -> None:
        """Note a sound frame: the grid is there, and bad frames so far are forgiven."""
        self._heard, self._bad_before = now, self.decoder.bad

    def _follow(self, number: int) -> None:
        if number != self._expected and not any(isinstance(c, wire.Ask) for c in self._waiting):
            self.send(wire.Ask)
        self._expected = (number + 1) % wire.NUMBERS

    def _learn(self, message: wire.Message, now: float) -> None:
        match message:
            case wire.Ack():
                self._acknowledged(message)
            case wire.Snapshot(_, _, values):
                self._show(now, values)
            case wire.Report():
                self.report = message
            case wire.Rest(_, taken, values):
                self._rest = values if taken else None
            case wire.Lifted(_, _, channel, value) | wire.Put(_, _, channel, value):
                self._events.append(message)
                if self._state is not None:
                    values = self._state.values
                    self._show(now, (*values[:channel], value, *values[channel + 1 :]))

    def _show(self, now: float, values: tuple[int, ...]) -> None:
        self._state = HallState(now, values, self._rest)

    def _acknowledged(self, ack: wire.Ack) -> None:
        if self._waiting and self._waiting[0].number == ack.command:
            self._waiting.popleft()
            self._tries = 0
            if ack.status is not wire.Status.DONE:
                self.rejected.append(ack)

    def due(self, now: float) -> bytes:
        """Return the bytes to send now; one command at a time awaits its acknowledgement."""
        deaf = self._tries >= TRIES and now >= self._resend_at
        if deaf or (self.agreed and self.silent_for(now) > SILENCE_SECONDS):
            self._greet(now)
        if not self.agreed:  # a grid with another protocol may have been updated since
            if now < self._greet_at:
                return b""
            pause = GREET_SECONDS if self.welcome is None else DISAGREED_SECONDS
            self._greet_at = now + pause
            return wire.encode(self._hello)
        if not self._waiting or (self._tries and now < self._resend_at):
            return b""
        self._tries += 1
        self._resend_at = now + RESEND_SECONDS
        return wire.encode(self._waiting[0])

    def take(self, now: float) -> HallState | None:
        """Return the newest state with all events since the last look.

        None before the first snapshot and when the grid has fallen silent.
        """
        if self._state is None or self.silent_for(now) > SILENCE_SECONDS:
            return None
        state = replace(self._state, events=tuple(self._events))
        self._events.clear()
        return state

    def silent_for(self, now: float) -> float:
        """Return for how many seconds no sound frame has come."""
        return now - self._heard

    def condition(self, now: float) -> DeviceView | None:
        """Say how the link is, in one sentence; None while it is too early to tell."""
        if self.welcome is not None and not self.agreed:
            theirs = _span(self.welcome.oldest, self.welcome.newest)
            ours = _span(wire.OLDEST, wire.NEWEST)
            text = (
                f"The hall grid speaks protocol {theirs}, the companion {ours}. Update the older."
            )
            return DeviceView(NAME, "trouble", text)
        if self.silent_for(now) > SILENCE_SECONDS:
            if self.decoder.bad > self._bad_before:
                what = "What comes is not the hall grid's protocol."
            else:
                what = f"The hall grid has been silent for more than {SILENCE_SECONDS} s."
            return DeviceView(NAME, "trouble", f"{what} Unplug it and plug it in again.")
        if self.welcome is None or self._state is None:
            return None
        made = ".".join(map(str, self.welcome.firmware))
        text = f"The hall grid feels the board (firmware {made}, {self.welcome.serial.hex()})."
        found = self_test_words(self.report) if self.report else ""
        return DeviceView(NAME, "ok", f"{text} {found}".rstrip())


def self_test_words(report: wire.Report) -> str:
    """Say what the grid's self-test found and what to do, nothing when all was well."""
    said = []
    if report.self_test & wire.BANKS_JOINED:
        said.append(
            "Its self-test found both banks of multiplexers on at once: check their enable wires."
        )
    if report.self_test & wire.CHANNELS_OUT:
        which = ", ".join(map(str, report.out_of_range))
        said.append(f"Its self-test found channels out of range: {which}. Check their sensors.")
    if report.self_test & wire.SETTINGS_LOST:
        said.append("Its kept rest values were damaged: measure them again on an empty board.")
    return " ".join(said)


def _span(oldest: int, newest: int) -> str:
    return str(oldest) if oldest == newest else f"{oldest} to {newest}"
