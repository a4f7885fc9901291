"""The vectors of docs/serial-vectors.json, run by the firmware's own code."""

import json
from array import array
from binascii import unhexlify

import framing
import plain
import trial
from commands import Grid, Health
from lamp import Lamp
from outbox import Outbox

with open("serial-vectors.json") as file:
    VECTORS = json.load(file)
NAMED = {vector["name"]: vector for vector in VECTORS["messages"]}


class Talk:
    """A grid that hears lines and says what it answers."""

    def __init__(self):
        self.values = array("H", [2048] * 81)
        self.outbox = Outbox()
        self.health = Health(81)
        welcome = NAMED["welcome"]["fields"]
        self.grid = Grid(
            self.values,
            self.outbox,
            Lamp(),
            self.health,
            welcome["firmware"],
            unhexlify(welcome["serial"]),
        )
        self.decoder = framing.Decoder()
        self.refused = 0

    def hear(self, line):
        for byte in line:
            size = self.decoder.feed(byte)
            if size and not self.grid.obey(self.decoder.data, 1, size):
                self.refused += 1

    def say(self, *names):
        for name in names:
            self.hear(unhexlify(NAMED[name]["line"]))

    def said(self):
        line = bytearray()
        while self.outbox.waiting:
            line.extend(self.outbox.next())
            self.outbox.sent()
        return trial.frames(line)


def lines(*names):
    """Return the frames of these messages."""
    return [unhexlify(NAMED[name]["line"])[1:-1] for name in names]


def test_checksums():
    for vector in VECTORS["crc"]:
        data, crc = unhexlify(vector["data"]), vector["crc"]
        for checksum in (plain.checksum, framing.checksum):
            out = bytearray(4)
            checksum(data, 0, len(data), framing.LOW, framing.HIGH, out, 0)
            assert int.from_bytes(out, "little") == crc, vector


def test_cobs():
    done = 0
    for vector in VECTORS["cobs"]:
        data, encoded = unhexlify(vector["data"]), unhexlify(vector["encoded"])
        if len(data) >= framing.LONGEST:
            continue  # no payload is that long
        frame = bytearray(300)
        frame[2 : 2 + len(data)] = data
        end = framing.stuff(frame, 2 + len(data))
        assert frame[0] == frame[end - 1] == 0
        assert frame[1 : end - 1] == encoded, vector
        back = bytearray(encoded)
        assert framing.unstuff(back, len(back))
        assert back[1:] == data
        done += 1
    assert done >= 6


def test_bytes_that_cobs_never_makes_are_refused():
    for wrong in (b"", b"\x05\x11", b"\x02\x11\x02", b"\xff"):
        assert not framing.unstuff(bytearray(wrong), len(wrong)), wrong


def test_a_payload_too_short_for_a_head_is_no_frame():
    for size in range(framing.HEAD + 1):
        frame, decoder = bytearray(20), framing.Decoder()
        frame[2:5] = b"\x05\x09\x07"
        end = framing.close(frame, size)
        sizes = [decoder.feed(byte) for byte in frame[:end]]
        assert sizes[-1] == (size if size == framing.HEAD else 0)
        assert decoder.bad == (0 if size == framing.HEAD else 1), size


def test_every_message_as_a_frame():
    for vector in VECTORS["messages"]:
        payload, line = unhexlify(vector["payload"]), unhexlify(vector["line"])
        frame = bytearray(300)
        frame[2 : 2 + len(payload)] = payload
        assert frame[: framing.close(frame, len(payload))] == line, vector["name"]
        decoder = framing.Decoder()
        sizes = [decoder.feed(byte) for byte in line]
        assert sizes[-1] == len(payload)
        assert decoder.data[1 : 1 + len(payload)] == payload


def test_every_command_is_taken_and_every_answer_refused():
    for vector in VECTORS["messages"]:
        talk = Talk()
        talk.say("hello", vector["name"])
        assert talk.refused == (0 if vector["from"] == "host" else 1), vector["name"]


def test_bad_frames_are_counted_and_not_answered():
    for vector in VECTORS["bad"]:
        talk = Talk()
        talk.hear(unhexlify(vector["line"]))
        assert talk.decoder.bad + talk.refused == vector["frames"], vector["why"]
        assert talk.said() == [], vector["why"]


def test_streams_with_damage():
    for vector in VECTORS["streams"]:
        decoder = framing.Decoder()
        found = []
        for byte in unhexlify(vector["line"]):
            size = decoder.feed(byte)
            if size:
                found.append(bytes(decoder.data[1 : 1 + size]))
        assert len(found) == len(vector["messages"]), vector["why"]
        for payload, name in zip(found, vector["messages"]):
            expected = unhexlify(NAMED[name]["payload"])
            assert payload[: len(expected)] == expected, vector["why"]
        assert decoder.bad == vector["bad"], vector["why"]


def test_a_conversation_word_for_word():
    talk = Talk()
    talk.say("hello", "identify", "unknown command", "rate out of range")
    assert talk.said() == lines("welcome", "rest never taken", "done", "unknown", "out of range")
    fields = NAMED["snapshot"]["fields"]
    for channel, value in enumerate(fields["values"]):
        talk.values[channel] = value
    talk.grid._near_ms, talk.grid._far_ms = fields["time_ms"] & 0xFFFF, fields["time_ms"] >> 16
    talk.grid.scan(0)
    assert talk.said() == lines("snapshot")


def test_events_word_for_word():
    talk = Talk()
    talk.say("hello")
    talk.values[4] = 3900
    talk.grid.scan(900)
    talk.said()
    talk.outbox.number = 6
    talk.grid._due = -100000
    talk.values[4] = 2050
    talk.grid.scan(100)
    talk.values[80] = 3948
    talk.grid.scan(500)
    assert talk.said() == lines("lifted", "put")


def test_rest_word_for_word():
    talk = Talk()
    for channel, value in enumerate(NAMED["rest"]["fields"]["values"]):
        talk.grid.filter.rest[channel] = value
    talk.grid.filter.taken = True
    talk.say("hello")
    assert talk.said()[1:] == lines("rest")


def test_reports_word_for_word():
    for name in ("report", "report of a bad start"):
        fields, talk = NAMED[name]["fields"], Talk()
        talk.say("hello")
        health = talk.health
        health.self_test, health.started = fields["self_test"], fields["started"]
        health.scans_per_second, health.bad = fields["scans_per_second"], fields["bad"]
        talk.outbox.dropped = fields["dropped"]
        for channel in fields["out_of_range"]:
            health.out_of_range[channel // 8] |= 1 << channel % 8
        for channel, noise in enumerate(fields["noise"]):
            talk.grid.filter._noise[channel] = noise << 4
        talk.grid._near_ms, talk.grid._far_ms = (
            fields["time_ms"] & 0xFFFF,
            fields["time_ms"] >> 16,
        )
        talk.outbox.number = NAMED[name]["number"] - 1 & 0xFFFF
        talk.said()
        talk.say("report please")
        assert talk.said()[1:] == lines(name), name


def test_a_command_is_answered_twice_but_done_once():
    talk = Talk()
    talk.say("hello", "identify")
    talk.grid._lamp._flicker_ms = 7
    talk.say("identify")
    assert talk.grid._lamp._flicker_ms == 7
    assert len(talk.said()) == 4


def test_commands_before_hello_are_answered_so():
    talk = Talk()
    talk.say("identify")
    assert talk.said() == lines("hello first")
    talk.grid.scan(100)
    assert talk.said() == []


def test_without_a_common_version_there_is_silence():
    talk = Talk()
    talk.hear(b"\0" + _hello(2, 3) + b"\0")
    (welcome,) = talk.said()
    assert welcome[1] == 0x81
    assert not talk.grid.agreed
    talk.grid.scan(1000)
    assert talk.said() == []


def _hello(oldest, newest):
    frame = bytearray(40)
    frame[2:7] = bytes([1, 9, 1, oldest, newest])
    return bytes(frame[1 : framing.close(frame, 5) - 1])


trial.run(globals())
