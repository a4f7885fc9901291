"""Frames of the hall grid's serial protocol: payloads with a CRC-32, stuffed by COBS (consistent
overhead byte stuffing), between zeros."""

import struct
import zlib

LONGEST = 254  # bytes of an encoded frame without its two zeros
HEAD_BYTES = 3  # that every payload begins with
_CRC = struct.Struct("<I")


def cobs_encode(data: bytes) -> bytes:
    """Return data without any zero byte, one byte longer per 254 bytes begun."""
    out = bytearray()
    parts = data.split(b"\0")
    for index, part in enumerate(parts):
        for start in range(0, len(part) - 253, 254):
            out += b"\xff" + part[start : start + 254]
        short = part[len(part) // 254 * 254 :]
        if short or not part or index < len(parts) - 1:
            out += bytes([len(short) + 1]) + short
    return bytes(out)


def cobs_decode(data: bytes) -> bytes | None:
    """Return what was encoded, None when these bytes cannot come from :func:`cobs_encode`."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        block = data[at + 1 : at + code]
        if code == 0 or len(block) != code - 1 or 0 in block:
            return None
        out += block
        at += code
        if code != 255 and at < len(data):
            out.append(0)
    return bytes(out) if data else None


def frame(payload: bytes) -> bytes:
    """Return the bytes for the line: a zero, payload and checksum in COBS, a zero."""
    return b"\0" + cobs_encode(payload + _CRC.pack(zlib.crc32(payload))) + b"\0"


def unframe(encoded: bytes) -> bytes | None:
    """Return the payload between two zeros, None when length, COBS or checksum are wrong."""
    if len(encoded) > LONGEST:
        return None
    body = cobs_decode(encoded)
    if body is None or len(body) < HEAD_BYTES + _CRC.size:
        return None
    payload = body[: -_CRC.size]
    return payload if _CRC.unpack(body[-_CRC.size :])[0] == zlib.crc32(payload) else None
