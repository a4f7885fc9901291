"""The messages of the hall grid's serial protocol as bytes; docs/serial.md defines it.

Both ends are here: what the host sends and what the grid answers. Frames around messages are the
business of :mod:`companion.sensing.hall.framing`. Nothing in this module opens a port, waits or
raises on what arrives: bytes that are no message are counted and skipped.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

from companion.sensing.hall.framing import LONGEST, frame, unframe

OLDEST = NEWEST = 1
CHANNELS = 81
NUMBERS = 1 << 16  # sequence and command numbers count modulo this
SLOWEST, FASTEST = 2, 100  # snapshots a second
LONGEST_BLINK = 60  # seconds; of the raw stream and the LED test too


class Status(IntEnum):
    """How a command went."""

    DONE = 0
    UNKNOWN = 1
    OUT_OF_RANGE = 2
    HELLO_FIRST = 3


class Start(IntEnum):
    """Why the grid's processor last started."""

    POWER = 0
    WATCHDOG = 1
    RESET = 2


#: The bits of a report's self-test.
CHANNELS_OUT, BANKS_JOINED, SETTINGS_LOST = 1, 2, 4


@dataclass(frozen=True)
class Hello:
    """Host: let us talk; these are the protocol versions I speak (version negotiation)."""

    number: int
    oldest: int = OLDEST
    newest: int = NEWEST


@dataclass(frozen=True)
class Identify:
    """Host: blink so that I can see which of you is which; 0 seconds stops it."""

    number: int
    seconds: int


@dataclass(frozen=True)
class Baseline:
    """Host: the board is empty; take what you measure now as the rest value of every channel."""

    number: int


@dataclass(frozen=True)
class Rate:
    """Host: send this many snapshots a second."""

    number: int
    per_second: int


@dataclass(frozen=True)
class Ask:
    """Host: send a snapshot now."""

    number: int


@dataclass(frozen=True)
class Raw:
    """Host: send every scan as a snapshot for some seconds; 0 seconds stops it."""

    number: int
    seconds: int


@dataclass(frozen=True)
class LedTest:
    """Host: light the LED without a break for some seconds; 0 seconds stops it."""

    number: int
    seconds: int


@dataclass(frozen=True)
class AskReport:
    """Host: report your health."""

    number: int


@dataclass(frozen=True)
class Unknown:
    """Host: a command of a kind that this version does not have; the grid answers that."""

    number: int
    kind: int


@dataclass(frozen=True)
class Welcome:
    """Grid: the answer to hello. Version 0 says that no version suits both ends."""

    number: int
    command: int
    version: int
    oldest: int
    newest: int
    channels: int
    full_scale: int
    firmware: tuple[int, int, int]
    serial: bytes


@dataclass(frozen=True)
class Ack:
    """Grid: the answer to every other command."""

    number: int
    command: int
    status: Status


@dataclass(frozen=True)
class Snapshot:
    """Grid: the values of all channels in one scan, raw counts of the converter."""

    number: int
    time_ms: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Lifted:
    """Grid: the magnet over this channel has just gone."""

    number: int
    time_ms: int
    channel: int
    value: int


@dataclass(frozen=True)
class Put:
    """Grid: a magnet has just come over this channel."""

    number: int
    time_ms: int
    channel: int
    value: int


@dataclass(frozen=True)
class Rest:
    """Grid: the rest value of each channel; ``taken`` is false before the first baseline."""

    number: int
    taken: bool
    values: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """Grid: its health.

    ``self_test`` has the bits above, ``out_of_range`` the channels that the first of them is
    about. ``noise`` is the mean step from one look at a channel to the next, in eighths of a
    count. ``dropped`` and ``bad`` count the frames that the host did not take and those from the
    host that could not be read.
    """

    number: int
    time_ms: int
    self_test: int
    started: Start
    scans_per_second: int
    dropped: int
    bad: int
    noise: tuple[int, ...]
    out_of_range: tuple[int, ...]


Command = Hello | Identify | Baseline | Rate | Ask | Raw | LedTest | AskReport | Unknown
Event = Lifted | Put
Message = Command | Welcome | Ack | Snapshot | Lifted | Put | Rest | Report

_HEAD = struct.Struct("<BH")
_HELLO = struct.Struct("<BB")
_BYTE = struct.Struct("<B")
_WELCOME = struct.Struct("<HBBBBHBBB8s")
_ACK = struct.Struct("<HB")
_SNAPSHOT = struct.Struct(f"<I{CHANNELS}H")
_EVENT = struct.Struct("<IBH")
_REST = struct.Struct(f"<B{CHANNELS}H")
_CHANNEL_BITS = (CHANNELS + 7) // 8  # bytes of a bit for each channel
_REPORT = struct.Struct(f"<IBBHHH{CHANNELS}s{_CHANNEL_BITS}s")


def encode(message: Message) -> bytes:
    """Return a message as bytes for the line."""
    kind, fields = _fields(message)
    return frame(_HEAD.pack(kind, message.number) + fields)


def _fields(message: Message) -> tuple[int, bytes]:
    match message:
        case Hello(_, oldest, newest):
            return 0x01, _HELLO.pack(oldest, newest)
        case Identify(_, seconds):
            return 0x02, _BYTE.pack(seconds)
        case Baseline():
            return 0x03, b""
        case Rate(_, per_second):
            return 0x04, _BYTE.pack(per_second)
        case Ask():
            return 0x05, b""
        case Raw(_, seconds):
            return 0x06, _BYTE.pack(seconds)
        case LedTest(_, seconds):
            return 0x07, _BYTE.pack(seconds)
        case AskReport():
            return 0x08, b""
        case Unknown(_, kind):
            return kind, b""
        case Welcome(_, command, version, oldest, newest, channels, full_scale, made, serial):
            return 0x81, _WELCOME.pack(
                command, version, oldest, newest, channels, full_scale, *made, serial
            )
        case Ack(_, command, status):
            return 0x82, _ACK.pack(command, status)
        case Snapshot(_, time_ms, values):
            return 0x83, _SNAPSHOT.pack(time_ms, *values)
        case Lifted(_, time_ms, channel, value):
            return 0x84, _EVENT.pack(time_ms, channel, value)
        case Put(_, time_ms, channel, value):
            return 0x85, _EVENT.pack(time_ms, channel, value)
        case Rest(_, taken, values):
            return 0x86, _REST.pack(taken, *values)
        case Report():
            return 0x87, _report_fields(message)


def _report_fields(report: Report) -> bytes:
    bits = sum(1 << channel for channel in report.out_of_range)
    return _REPORT.pack(
        report.time_ms,
        report.self_test,
        report.started,
        report.scans_per_second,
        report.dropped,
        report.bad,
        bytes(report.noise),
        bits.to_bytes(_CHANNEL_BITS, "little"),
    )


def parse(payload: bytes) -> Message | None:
    """Return the message in a payload, None when its kind, length or a range is wrong."""
    if len(payload) < _HEAD.size:
        return None
    kind, number = _HEAD.unpack_from(payload)
    try:
        return _parse(kind, number, payload[_HEAD.size :])
    except struct.error:  # a length that does not fit the kind
        return None


def _parse(kind: int, number: int, body: bytes) -> Message | None:
    message: Message | None = None
    sound = True
    match kind:
        case 0x01:  # hello and welcome may grow at the end in later versions
            oldest, newest = _HELLO.unpack_from(body)
            message, sound = Hello(number, oldest, newest), 1 <= oldest <= newest
        case 0x02:
            message = Identify(number, *_BYTE.unpack(body))
        case 0x03:
            message, sound = Baseline(number), not body
        case 0x04:
            message = Rate(number, *_BYTE.unpack(body))
        case 0x05:
            message, sound = Ask(number), not body
        case 0x06:
            message = Raw(number, *_BYTE.unpack(body))
        case 0x07:
            message = LedTest(number, *_BYTE.unpack(body))
        case 0x08:
            message, sound = AskReport(number), not body
        case 0x81:
            message = _welcome(number, body)
        case 0x82:
            command, status = _ACK.unpack(body)
            sound = status < len(Status)
            message = Ack(number, command, Status(status)) if sound else None
        case 0x83:
            time_ms, *values = _SNAPSHOT.unpack(body)
            message = Snapshot(number, time_ms, tuple(values))
        case 0x84 | 0x85:
            time_ms, channel, value = _EVENT.unpack(body)
            event = Lifted if kind == 0x84 else Put
            message, sound = event(number, time_ms, channel, value), channel < CHANNELS
        case 0x86:
            taken, *values = _REST.unpack(body)
            message, sound = Rest(number, bool(taken), tuple(values)), taken <= 1
        case 0x87:
            message = _report(number, body)
        case _ if kind < 0x80:
            message = Unknown(number, kind)
    return message if sound else None


def _welcome(number: int, body: bytes) -> Welcome | None:
    command, version, oldest, newest, channels, full_scale, *made, serial = _WELCOME.unpack_from(
        body
    )
    if not 1 <= oldest <= newest or not (version == 0 or oldest <= version <= newest):
        return None
    if version and (channels != CHANNELS or full_scale == 0):
        return None
    major, minor, patch = made
    return Welcome(
        number,
        command,
        version,
        oldest,
        newest,
        channels,
        full_scale,
        (major, minor, patch),
        serial,
    )


def _report(number: int, body: bytes) -> Report | None:
    time_ms, self_test, started, rate, dropped, bad, noise, marked = _REPORT.unpack(body)
    bits = int.from_bytes(marked, "little")
    if started >= len(Start) or bits >> CHANNELS:
        return None
    out = tuple(channel for channel in range(CHANNELS) if bits >> channel & 1)
    return Report(number, time_ms, self_test, Start(started), rate, dropped, bad, tuple(noise), out)


class Decoder:
    """Finds messages in a stream of bytes that may begin, break off or go wrong anywhere.

    ``good`` and ``bad`` count frames. However much arrives without a zero, no more than one
    frame's length is kept.
    """

    def __init__(self) -> None:
        self.good = 0
        self.bad = 0
        self._begun = b""  # the frame under way, its zero has not come yet
        self._lost = False  # the frame under way is too long already

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that these bytes complete."""
        messages = []
        *complete, rest = data.split(b"\0")
        for piece in complete:
            self._keep(piece)
            message = self._finish()
            if message is not None:
                messages.append(message)
        self._keep(rest)
        return messages

    def _keep(self, piece: bytes) -> None:
        if self._lost or len(self._begun) + len(piece) > LONGEST:
            self._begun, self._lost = b"", True
        else:
            self._begun += piece

    def _finish(self) -> Message | None:
        encoded, lost = self._begun, self._lost
        self._begun, self._lost = b"", False
        if not encoded and not lost:
            return None
        payload = None if lost else unframe(encoded)
        message = None if payload is None else parse(payload)
        if message is None:
            self.bad += 1
        else:
            self.good += 1
        return message
