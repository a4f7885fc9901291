"""What goes wrong on the serial line: each fault changes the bytes of one frame."""

import random
from collections.abc import Callable, Mapping

from companion.sensing.hall import wire

SpoilBytes = Callable[[bytes, random.Random], bytes]

OFTEN = 0.3  # the share of frames that a fault strikes
FOREIGN = b"MicroPython v1.25.0 on 2026-01-01; Raspberry Pi Pico with RP2040\r\n>>> "


def _flipped(frame: bytes, rng: random.Random) -> bytes:
    if rng.random() > OFTEN:
        return frame
    at = rng.randrange(len(frame))
    return frame[:at] + bytes([frame[at] ^ 1 << rng.randrange(8)]) + frame[at + 1 :]


def _lost(frame: bytes, rng: random.Random) -> bytes:
    return b"" if rng.random() < OFTEN else frame


def _missing(frame: bytes, rng: random.Random) -> bytes:
    if rng.random() > OFTEN:
        return frame
    at = rng.randrange(len(frame))
    return frame[:at] + frame[at + 1 :]


def _inserted(frame: bytes, rng: random.Random) -> bytes:
    if rng.random() > OFTEN:
        return frame
    at = rng.randrange(len(frame))
    return frame[:at] + rng.randbytes(rng.randint(1, 8)) + frame[at:]


def _half(frame: bytes, rng: random.Random) -> bytes:
    return frame[: len(frame) // 2] if rng.random() < OFTEN else frame


def _doubled(frame: bytes, rng: random.Random) -> bytes:
    return frame * 2 if rng.random() < OFTEN else frame


def _foreign(frame: bytes, rng: random.Random) -> bytes:
    return FOREIGN if rng.random() < OFTEN else frame


def _silent(frame: bytes, rng: random.Random) -> bytes:
    return b""


def _garbage(frame: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(len(frame))


def _wrong_version(frame: bytes, rng: random.Random) -> bytes:
    """Have every welcome name a protocol that the companion does not speak."""
    for message in wire.Decoder().feed(frame):
        if isinstance(message, wire.Welcome):
            later = wire.NEWEST + 1
            return wire.encode(
                wire.Welcome(
                    message.number,
                    message.command,
                    0,
                    later,
                    later,
                    message.channels,
                    message.full_scale,
                    message.firmware,
                    message.serial,
                )
            )
        return b""
    return frame


LINE: Mapping[str, SpoilBytes] = {
    "flipped-bits": _flipped,
    "lost-frames": _lost,
    "missing-bytes": _missing,
    "inserted-bytes": _inserted,
    "half-frames": _half,
    "doubled-frames": _doubled,
    "foreign-text": _foreign,
    "silent-line": _silent,
    "garbage-line": _garbage,
    "wrong-version": _wrong_version,
}
