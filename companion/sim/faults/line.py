"""What goes wrong on the serial line: each fault changes the bytes of one frame."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.sensing.hall import wire

SpoilBytes = Callable[[bytes, random.Random], bytes]

OFTEN = 0.3  # the share of frames that a fault strikes
FOREIGN = b"MicroPython v1.25.0 on 2026-01-01; Raspberry Pi Pico with RP2040\r\n>>> "


def _often(spoil: SpoilBytes) -> SpoilBytes:
    """Return a fault that strikes only some frames."""
    return lambda frame, rng: spoil(frame, rng) if rng.random() < OFTEN else frame


def _flipped(frame: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(frame))
    return frame[:at] + bytes([frame[at] ^ 1 << rng.randrange(8)]) + frame[at + 1 :]


def _missing(frame: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(frame))
    return frame[:at] + frame[at + 1 :]


def _inserted(frame: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(frame))
    return frame[:at] + rng.randbytes(rng.randint(1, 8)) + frame[at:]


def _wrong_version(frame: bytes, rng: random.Random) -> bytes:
    """Have every welcome name a protocol that the companion does not speak."""
    later = wire.NEWEST + 1
    for message in wire.Decoder().feed(frame):
        if isinstance(message, wire.Welcome):
            return wire.encode(replace(message, version=0, oldest=later, newest=later))
        return b""
    return frame


LINE: Mapping[str, SpoilBytes] = {
    "flipped-bits": _often(_flipped),
    "lost-frames": _often(lambda frame, rng: b""),
    "missing-bytes": _often(_missing),
    "inserted-bytes": _often(_inserted),
    "half-frames": _often(lambda frame, rng: frame[: len(frame) // 2]),
    "doubled-frames": _often(lambda frame, rng: frame * 2),
    "foreign-text": _often(lambda frame, rng: FOREIGN),
    "silent-line": lambda frame, rng: b"",
    "garbage-line": lambda frame, rng: rng.randbytes(len(frame)),
    "wrong-version": _wrong_version,
}
