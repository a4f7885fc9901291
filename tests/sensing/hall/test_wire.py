"""The serial protocol as bytes: the vectors of docs/serial.md, and whatever a bad cable can do."""

import dataclasses
import json
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.hall import framing, wire

VECTORS = json.loads(
    (Path(__file__).parents[3] / "docs/serial-vectors.json").read_text(encoding="utf-8")
)
KINDS = {
    0x01: wire.Hello,
    0x02: wire.Identify,
    0x03: wire.Baseline,
    0x04: wire.Rate,
    0x05: wire.Ask,
    0x06: wire.Raw,
    0x07: wire.LedTest,
    0x08: wire.AskReport,
    0x81: wire.Welcome,
    0x82: wire.Ack,
    0x83: wire.Snapshot,
    0x84: wire.Lifted,
    0x85: wire.Put,
    0x86: wire.Rest,
    0x87: wire.Report,
}


def message_of(vector):
    """Build the message that a vector describes."""
    kind = KINDS.get(vector["kind"])
    if kind is None:
        return wire.Unknown(vector["number"], vector["kind"])
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in vector["fields"].items()}
    if kind is wire.Welcome:
        fields["serial"] = bytes.fromhex(fields["serial"])
    if kind is wire.Ack:
        fields["status"] = wire.Status(fields["status"])
    if kind is wire.Report:
        fields["started"] = wire.Start(fields["started"])
    if kind is wire.Rest:
        fields["taken"] = bool(fields["taken"])
    return kind(vector["number"], **fields)


NAMED = {vector["name"]: message_of(vector) for vector in VECTORS["messages"]}

u8, u16, u32 = (st.integers(0, (1 << bits) - 1) for bits in (8, 16, 32))
all_values = st.lists(u16, min_size=81, max_size=81).map(tuple)
channels = st.integers(0, 80)
messages = st.one_of(
    st.builds(wire.Hello, u16, st.just(1), st.integers(1, 255)),
    st.builds(wire.Identify, u16, u8),
    st.builds(wire.Baseline, u16),
    st.builds(wire.Rate, u16, u8),
    st.builds(wire.Ask, u16),
    st.builds(
        wire.Welcome,
        u16,
        u16,
        st.integers(1, 3),
        st.just(1),
        st.integers(3, 255),
        st.just(81),
        st.integers(1, 65535),
        st.tuples(u8, u8, u8),
        st.binary(min_size=8, max_size=8),
    ),
    st.builds(wire.Ack, u16, u16, st.sampled_from(wire.Status)),
    st.builds(wire.Snapshot, u16, u32, all_values),
    st.builds(wire.Lifted, u16, u32, channels, u16),
    st.builds(wire.Put, u16, u32, channels, u16),
    st.builds(wire.Rest, u16, st.booleans(), all_values),
    st.builds(wire.Raw, u16, u8),
    st.builds(wire.LedTest, u16, u8),
    st.builds(wire.AskReport, u16),
    st.builds(
        wire.Report,
        u16,
        u32,
        u8,
        st.sampled_from(wire.Start),
        u16,
        u16,
        u16,
        st.binary(min_size=81, max_size=81).map(tuple),
        st.sets(channels).map(lambda marked: tuple(sorted(marked))),
    ),
)


@pytest.mark.parametrize("vector", VECTORS["crc"], ids=lambda v: v["data"][:8] or "nothing")
def test_checksum_vectors(vector):
    assert zlib.crc32(bytes.fromhex(vector["data"])) == vector["crc"]


@pytest.mark.parametrize("vector", VECTORS["cobs"], ids=lambda v: v["encoded"][:12])
def test_cobs_vectors(vector):
    data, encoded = bytes.fromhex(vector["data"]), bytes.fromhex(vector["encoded"])
    assert framing.cobs_encode(data) == encoded
    assert framing.cobs_decode(encoded) == data


@pytest.mark.parametrize("vector", VECTORS["messages"], ids=lambda v: v["name"])
def test_message_vectors(vector):
    message = message_of(vector)
    assert wire.encode(message).hex() == vector["line"]
    assert wire.parse(bytes.fromhex(vector["payload"])) == message
    assert wire.Decoder().feed(bytes.fromhex(vector["line"])) == [message]


def test_vectors_cover_every_kind_of_message():
    assert {type(message) for message in NAMED.values()} == {*KINDS.values(), wire.Unknown}


@pytest.mark.parametrize("vector", VECTORS["bad"], ids=lambda v: v["why"])
def test_bad_frames_are_counted_and_yield_nothing(vector):
    decoder = wire.Decoder()
    assert decoder.feed(bytes.fromhex(vector["line"])) == []
    assert decoder.bad == vector["frames"]


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda v: v["why"])
def test_streams_with_damage_yield_what_is_sound(vector):
    line = bytes.fromhex(vector["line"])
    for step in (1, 7, len(line)):
        decoder = wire.Decoder()
        found = [m for at in range(0, len(line), step) for m in decoder.feed(line[at : at + step])]
        assert found == [NAMED[name] for name in vector["messages"]]
        assert decoder.bad == vector["bad"]


@pytest.mark.parametrize("wrong", [b"", b"\0", b"\x05\x11", b"\x03\0\x11", b"\x02\x11\0"])
def test_bytes_that_cobs_never_makes_are_refused(wrong):
    assert framing.cobs_decode(wrong) is None


def framed(size):
    """Return a sound frame without its zeros, and the payload of this size in it."""
    payload = bytes([5]) * min(size, 3) + b"\0" * (size > 3) + b"\x11" * (size - 4)
    return framing.frame(payload)[1:-1], payload


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_payload_too_short_for_a_head_is_no_frame(size):
    encoded, payload = framed(size)
    assert framing.unframe(encoded) is None
    assert wire.parse(payload) is None
    assert framing.unframe(framed(3)[0]) == framed(3)[1]


def test_a_frame_has_254_bytes_at_most():
    encoded, payload = framed(249)
    assert len(encoded) == 254
    assert framing.unframe(encoded) == payload
    assert framing.unframe(framed(250)[0]) is None


def test_what_is_too_long_is_not_kept():
    decoder = wire.Decoder()
    for _ in range(20):
        decoder.feed(b"\x11" * 100)
        assert len(decoder._begun) <= framing.LONGEST
    assert decoder.feed(b"\0" + wire.encode(NAMED["put"])) == [NAMED["put"]]
    assert decoder.bad == 1


@settings(deadline=None)
@given(st.binary(max_size=1200))
def test_cobs_comes_back_and_has_no_zero(data):
    encoded = framing.cobs_encode(data)
    assert 0 not in encoded
    assert len(encoded) <= len(data) + 1 + len(data) // 254
    assert framing.cobs_decode(encoded) == data


@settings(deadline=None)
@given(messages)
def test_every_message_comes_back(message):
    line = wire.encode(message)
    assert line[0] == line[-1] == 0
    assert 0 not in line[1:-1]
    assert len(line) - 2 <= framing.LONGEST
    assert wire.Decoder().feed(line) == [message]


@settings(deadline=None)
@given(st.lists(st.binary(max_size=400), max_size=8))
def test_any_bytes_never_raise_and_never_pile_up(chunks):
    decoder = wire.Decoder()
    for chunk in chunks:
        decoder.feed(chunk)
        assert len(decoder._begun) <= framing.LONGEST
    assert decoder.feed(b"\0" + wire.encode(NAMED["put"]))[-1] == NAMED["put"]


@settings(deadline=None)
@given(st.integers(0, 255), u16, st.binary(max_size=180))
def test_any_payload_with_a_right_checksum_is_parsed_or_refused(kind, number, body):
    payload = bytes([kind]) + number.to_bytes(2, "little") + body
    message = wire.parse(payload)
    if message is not None and kind not in (0x01, 0x81):  # those may grow at their end
        assert wire.Decoder().feed(wire.encode(message)) == [message]


@settings(deadline=None)
@given(messages, st.data())
def test_one_damaged_byte_spoils_one_frame_only(message, data):
    before, after = NAMED["lifted"], NAMED["put"]
    line = bytearray(wire.encode(message))
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] ^= data.draw(st.integers(1, 255))
    found = wire.Decoder().feed(wire.encode(before) + bytes(line) + wire.encode(after))
    assert set(found) <= {before, message, after}
    assert found[0] == before
    assert found[-1] == after


def test_20000_corrupted_frames_yield_no_wrong_message():
    rng = random.Random(20)
    pool = [message for message in NAMED.values() if not isinstance(message, wire.Unknown)]
    decoder = wire.Decoder()
    sent = NAMED["hello"]
    for _ in range(20_000):
        before = sent  # it may be completed only by the next frame's zero
        sent = dataclasses.replace(rng.choice(pool), number=rng.randrange(wire.NUMBERS))
        line = bytearray(wire.encode(sent))
        for _ in range(rng.randint(1, 4)):
            how, at = rng.randrange(4), rng.randrange(len(line))
            if how == 0:
                line[at] ^= 1 << rng.randrange(8)
            elif how == 1:
                line[at] = rng.randrange(256)
            elif how == 2:
                del line[at]
            else:
                line.insert(at, rng.randrange(256))
        assert set(decoder.feed(bytes(line))) <= {before, sent}
    assert decoder.bad > 15_000
