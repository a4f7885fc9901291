"""The messages of the hall grid's serial protocol as bytes; docs/serial.md defines it.

Both ends are here: what the host sends and what the grid answers. A table has the layout of every
message; frames around them (COBS, CRC-32) are the business of
:mod:`companion.sensing.hall.framing`. Nothing in this module opens a port, waits or raises on what
arrives: bytes that are no message are counted and skipped.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

from companion.sensing.hall.framing import LONGEST, frame, unframe

OLDEST = NEWEST = 1
CHANNELS = 81
NUMBERS = 1 << 16  # sequence and command numbers count modulo this


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
class _Numbered:
    """What every message has: a sequence number, of the commands or of what the grid sends."""

    number: int


@dataclass(frozen=True)
class Hello(_Numbered):
    """Host: let us talk; these are the protocol versions I speak (version negotiation)."""

    oldest: int = OLDEST
    newest: int = NEWEST


@dataclass(frozen=True)
class _Lasting(_Numbered):
    """A command for something that lasts; 0 seconds stops it."""

    seconds: int


class Identify(_Lasting):
    """Host: blink so that I can see which of you is which."""


class Baseline(_Numbered):
    """Host: the board is empty; take what you measure now as the rest value of every channel."""


@dataclass(frozen=True)
class Rate(_Numbered):
    """Host: send this many snapshots a second."""

    per_second: int


class Ask(_Numbered):
    """Host: send a snapshot now."""


class Raw(_Lasting):
    """Host: send every scan as a snapshot."""


class LedTest(_Lasting):
    """Host: light the LED without a break."""


class AskReport(_Numbered):
    """Host: report your health."""


@dataclass(frozen=True)
class Unknown(_Numbered):
    """Host: a command of a kind that this version does not have; the grid answers that."""

    kind: int


@dataclass(frozen=True)
class Welcome(_Numbered):
    """Grid: the answer to hello. Version 0 says that no version suits both ends."""

    command: int
    version: int
    oldest: int
    newest: int
    channels: int
    full_scale: int
    firmware: tuple[int, int, int]
    serial: bytes


@dataclass(frozen=True)
class Ack(_Numbered):
    """Grid: the answer to every other command."""

    command: int
    status: Status


@dataclass(frozen=True)
class Snapshot(_Numbered):
    """Grid: the values of all channels in one scan, raw counts of the converter."""

    time_ms: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class _Felt(_Numbered):
    time_ms: int
    channel: int
    value: int


class Lifted(_Felt):
    """Grid: the magnet over this channel has just gone."""


class Put(_Felt):
    """Grid: a magnet has just come over this channel."""


@dataclass(frozen=True)
class Rest(_Numbered):
    """Grid: the rest value of each channel; ``taken`` is false before the first baseline."""

    taken: bool
    values: tuple[int, ...]


@dataclass(frozen=True)
class Report(_Numbered):
    """Grid: its health.

    ``self_test`` has the bits above, ``out_of_range`` the channels that the first of them is
    about. ``noise`` is the mean step from one look at a channel to the next, in eighths of a
    count. ``dropped`` and ``bad`` count the frames that the host did not take and those from the
    host that could not be read.
    """

    time_ms: int
    self_test: int
    started: Start
    scans_per_second: int
    dropped: int
    bad: int
    noise: tuple[int, ...]
    out_of_range: tuple[int, ...]


#: The least and the greatest value of commands that have one, and what it counts.
LIMITS: dict[type[_Numbered], tuple[int, int, str]] = {
    Identify: (0, 60, "seconds to blink"),
    Rate: (2, 100, "snapshots a second"),
    Raw: (0, 60, "seconds to stream"),
    LedTest: (0, 60, "seconds of light"),
}

Command = Hello | Identify | Baseline | Rate | Ask | Raw | LedTest | AskReport | Unknown
Event = Lifted | Put
Message = Command | Welcome | Ack | Snapshot | Lifted | Put | Rest | Report


class _Codec:
    """How a field lies on the line: the format of a struct, and how its values are read as what
    the message has, and written again. To read a value out of range raises ValueError."""

    def __init__(
        self,
        format: str,
        read: Callable[..., Any] = lambda value: value,
        write: Callable[[Any], tuple[Any, ...]] = lambda value: (value,),
    ) -> None:
        self.struct, self.read, self.write = struct.Struct(f"<{format}"), read, write


def _several(format: str) -> _Codec:
    return _Codec(format, lambda *values: values, tuple)


def _below(limit: int, read: Callable[[int], Any] = int) -> _Codec:
    def checked(value: int) -> Any:
        if value >= limit:
            raise ValueError(f"expected less than {limit}, got {value}")
        return read(value)

    return _Codec("B", checked)


def _read_marks(data: bytes) -> tuple[int, ...]:
    """Return the channels whose bits are set."""
    bits = int.from_bytes(data, "little")
    if bits >> CHANNELS:
        raise ValueError(f"expected {CHANNELS} channels, got more")
    return tuple(channel for channel in range(CHANNELS) if bits >> channel & 1)


def _write_marks(channels: tuple[int, ...]) -> tuple[bytes]:
    return (sum(1 << channel for channel in channels).to_bytes(_MARK_BYTES, "little"),)


_U8, _U16, _U32 = _Codec("B"), _Codec("H"), _Codec("I")
_VALUES, _NOISE = _several(f"{CHANNELS}H"), _several(f"{CHANNELS}B")
_MARK_BYTES = (CHANNELS + 7) // 8
_MARKS = _Codec(f"{_MARK_BYTES}s", _read_marks, _write_marks)
_EVENT = (_U32, _below(CHANNELS), _U16)
_ABOUT_GRID = (_U8, _U16, _several("3B"), _Codec("8s"))

#: Every message by its kind: its class, and how each field after the number lies on the line.
_LAYOUTS: dict[int, tuple[type[Message], tuple[_Codec, ...]]] = {
    0x01: (Hello, (_U8, _U8)),
    0x02: (Identify, (_U8,)),
    0x03: (Baseline, ()),
    0x04: (Rate, (_U8,)),
    0x05: (Ask, ()),
    0x06: (Raw, (_U8,)),
    0x07: (LedTest, (_U8,)),
    0x08: (AskReport, ()),
    0x81: (Welcome, (_U16, _U8, _U8, _U8, *_ABOUT_GRID)),
    0x82: (Ack, (_U16, _below(len(Status), Status))),
    0x83: (Snapshot, (_U32, _VALUES)),
    0x84: (Lifted, _EVENT),
    0x85: (Put, _EVENT),
    0x86: (Rest, (_below(2, bool), _VALUES)),
    0x87: (Report, (_U32, _U8, _below(len(Start), Start), _U16, _U16, _U16, _NOISE, _MARKS)),
}
_KINDS = {type: kind for kind, (type, _) in _LAYOUTS.items()}
_GROWING = (Hello, Welcome)  # they may become longer in later versions
_HEAD = struct.Struct("<BH")


def encode(message: Message) -> bytes:
    """Return a message as bytes for the line."""
    if isinstance(message, Unknown):
        return frame(_HEAD.pack(message.kind, message.number))
    kind = _KINDS[type(message)]
    body = b""
    for field, codec in zip(fields(message)[1:], _LAYOUTS[kind][1], strict=True):
        body += codec.struct.pack(*codec.write(getattr(message, field.name)))
    return frame(_HEAD.pack(kind, message.number) + body)


def parse(payload: bytes) -> Message | None:
    """Return the message in a payload, None when its kind, length or a range is wrong."""
    if len(payload) < _HEAD.size:
        return None
    kind, number = _HEAD.unpack_from(payload)
    if kind not in _LAYOUTS:
        return Unknown(number, kind) if kind < 0x80 else None
    made, codecs = _LAYOUTS[kind]
    values, at = [], _HEAD.size
    try:
        for codec in codecs:
            values.append(codec.read(*codec.struct.unpack_from(payload, at)))
            at += codec.struct.size
    except (struct.error, ValueError):  # too short, or a value out of range
        return None
    if at < len(payload) and made not in _GROWING:
        return None
    message = made(number, *values)
    return message if _makes_sense(message) else None


def _makes_sense(message: Message) -> bool:
    """Tell whether the fields of a greeting fit together."""
    match message:
        case Hello(_, oldest, newest):
            return 1 <= oldest <= newest
        case Welcome(_, _, 0, oldest, newest):
            return 1 <= oldest <= newest
        case Welcome(_, _, version, oldest, newest, channels, full_scale):
            return 1 <= oldest <= version <= newest and channels == CHANNELS and full_scale > 0
    return True


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
