"""The host's side of the conversation, with time and bytes in hand."""

import random
from dataclasses import replace

import pytest

from companion.sensing.hall import wire
from companion.sensing.hall.session import Session, self_test_words
from companion.sim.pico import Pico
from tests.sim.brains import pico_of_protocol

STILL = [2048] * wire.CHANNELS
TICK = 0.01


class Cable:
    """A session and a grid joined by a cable that can lose and spoil frames."""

    def __init__(self, pico=None, rate=20):
        self.now = 0.0
        self.values = list(STILL)
        self.pico = pico or Pico()
        self.session = Session(self.now, rate)
        self.sent = []  # what the host said
        self.arrived = []  # what the grid said, as far as it came through
        self.spoil_up = lambda frame: frame
        self.spoil_down = lambda frame: frame
        self._down, self._up = wire.Decoder(), wire.Decoder()

    def run(self, seconds):
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            if out := self.session.due(self.now):
                self.sent += self._down.feed(out)
                out = self.spoil_down(out)
            up = self.pico.receive(out) + self.pico.scan(self.values, self.now)
            for frame in up:
                frame = self.spoil_up(frame)
                self.arrived += self._up.feed(frame)
                self.session.receive(frame, self.now)
        return self

    def said(self, kind):
        return [message for message in self.sent if isinstance(message, kind)]

    def came(self, kind):
        return [message for message in self.arrived if isinstance(message, kind)]

    @property
    def state(self):
        view = self.session.condition(self.now)
        return view.state if view else None


def test_hello_is_answered_and_values_come():
    cable = Cable().run(0.2)
    assert cable.session.agreed
    assert cable.state == "ok"
    assert cable.session.take(cable.now).values == tuple(STILL)
    assert len(cable.said(wire.Hello)) == 1


def test_nothing_is_asked_for_when_nothing_is_lost():
    cable = Cable().run(5)
    assert cable.said(wire.Ask) == []
    assert len(cable.said(wire.Rate)) == 1
    assert 95 <= len(cable.came(wire.Snapshot)) <= 102


@pytest.mark.parametrize("rate", [2, 10, 50, 100])
def test_snapshots_come_at_the_rate_asked_for(rate):
    cable = Cable(rate=rate).run(10)
    assert 0.9 * rate * 10 <= len(cable.came(wire.Snapshot)) <= 1.02 * rate * 10 + 2


def test_a_missing_frame_is_made_up_for_by_a_snapshot():
    cable = Cable(rate=2).run(1)
    cable.values[4] = 3800
    cable.spoil_up = lambda frame: b""
    cable.run(TICK)  # the event is lost
    cable.spoil_up = lambda frame: frame
    cable.values[13] = 3800
    cable.run(3 * TICK)  # another event shows the gap
    assert len(cable.said(wire.Ask)) == 1
    assert cable.session.take(cable.now).values[4] == 3800
    cable.run(2)
    assert len(cable.said(wire.Ask)) == 1


def test_events_are_handed_out_once_and_change_the_values_at_once():
    cable = Cable(rate=2).run(0.2)
    cable.session.take(cable.now)
    cable.values[7] = 200
    cable.run(TICK)
    state = cable.session.take(cable.now)
    assert [(type(event), event.channel) for event in state.events] == [(wire.Put, 7)]
    assert state.values[7] == 200
    cable.values[7] = 2048
    cable.run(TICK)
    state = cable.session.take(cable.now)
    assert [(type(event), event.channel) for event in state.events] == [(wire.Lifted, 7)]
    assert cable.session.take(cable.now).events == ()


def test_a_command_is_repeated_until_it_is_acknowledged_and_obeyed_once():
    cable = Cable().run(0.2)
    lose_acks = [True, True]

    def spoil(frame):
        message = wire.Decoder().feed(frame)[0]
        return b"" if isinstance(message, wire.Ack) and lose_acks and lose_acks.pop() else frame

    cable.spoil_up = spoil
    cable.session.send(wire.Identify, 30)
    cable.run(2)
    said = cable.said(wire.Identify)
    assert len(said) == 3
    assert len(set(said)) == 1
    cable.run(27.9)
    assert cable.pico.led.flickers
    cable.run(0.6)
    assert not cable.pico.led.flickers, "30 s after the first of the three"


def test_a_command_that_is_never_acknowledged_leads_back_to_hello():
    cable = Cable().run(0.2)
    cable.spoil_down = lambda frame: b""
    cable.session.send(wire.Identify, 1)
    cable.run(1.3)
    assert len(cable.said(wire.Identify)) == 5
    assert len(cable.said(wire.Hello)) == 2
    cable.spoil_down = lambda frame: frame
    cable.run(0.6)
    assert cable.state == "ok"
    assert len(cable.said(wire.Hello)) == 3


def test_a_grid_that_restarts_is_greeted_again():
    cable = Cable().run(1)
    cable.pico.restart()
    cable.run(1.6)
    cable.run(0.2)
    assert cable.state == "ok"
    assert len(cable.said(wire.Hello)) == 2


def test_silence_is_named_and_old_values_are_not_handed_out():
    cable = Cable().run(1)
    cable.spoil_up = lambda frame: b""
    cable.run(1.7)
    assert cable.session.take(cable.now) is None
    assert "silent for more than 1.5 s" in cable.session.condition(cable.now).text


def test_garbage_alone_is_named():
    session = Session(0.0)
    for tick in range(200):
        session.due(tick * TICK)
        session.receive(b"\0MPY: soft reboot\r\n\0", tick * TICK)
    view = session.condition(2.0)
    assert view.state == "trouble"
    assert "not the hall grid's protocol." in view.text, "the same however much of it comes"


@pytest.mark.parametrize(("versions", "said"), [((2, 3), "2 to 3"), ((9, 9), "9")])
def test_without_a_common_version_both_are_named(versions, said, tmp_path):
    cable = Cable(pico_of_protocol(tmp_path, *versions)).run(4)
    view = cable.session.condition(cable.now)
    assert view.state == "trouble"
    assert f"speaks protocol {said}, the companion 1." in view.text
    assert cable.session.take(cable.now) is None
    assert {type(message) for message in cable.arrived} == {wire.Welcome}
    assert len(cable.arrived) <= 3, "it is asked again now and then, it may be updated"


def test_a_newer_grid_comes_down_to_our_version(tmp_path):
    cable = Cable(pico_of_protocol(tmp_path, 1, 4)).run(0.2)
    assert cable.session.welcome.version == 1
    assert cable.state == "ok"


def test_frames_before_the_welcome_mean_nothing():
    session = Session(0.0)
    session.receive(wire.encode(wire.Snapshot(0, 0, tuple(STILL))), 0.0)
    late = wire.Welcome(0, 999, 1, 1, 1, 81, 4095, (0, 1, 0), bytes(8))
    session.receive(wire.encode(late), 0.0)
    assert not session.agreed
    assert session.take(0.0) is None


def test_the_baseline_becomes_the_rest_values():
    cable = Cable().run(0.2)
    assert cable.session.take(cable.now).rest is None
    cable.values = [2000 + channel for channel in range(81)]
    cable.session.send(wire.Baseline)
    cable.run(1)
    assert cable.session.take(cable.now).rest == tuple(cable.values)
    cable.pico.restart()  # rest values outlive a loss of power
    cable.run(2)
    assert cable.session.take(cable.now).rest == tuple(cable.values)


def test_the_grid_is_asked_how_it_is_after_every_hello():
    cable = Cable().run(0.2)
    report = cable.session.report
    assert (report.self_test, report.started, report.out_of_range) == (0, wire.Start.POWER, ())
    cable.pico.restart()
    cable.run(0.1)
    assert len(cable.said(wire.AskReport)) == 1
    cable.run(2)
    assert len(cable.said(wire.AskReport)) == 2


def test_a_report_tells_noise_and_scans():
    cable = Cable().run(0.2)
    for tick in range(300):
        cable.values[3] = 2048 + 4 * (tick // 9 & 1)
        cable.run(TICK)
    cable.session.send(wire.AskReport)
    cable.run(0.1)
    report = cable.session.report
    assert 98 <= report.scans_per_second <= 102
    assert report.noise[3] > 8
    assert report.noise[4] == 0


def test_what_finds_no_room_on_the_line_is_dropped_and_counted():
    cable = Cable(rate=100).run(0.2)
    for _ in range(15):
        cable.now += TICK
        assert cable.pico.scan(cable.values, cable.now, room=False) == []
    before = len(cable.came(wire.Snapshot))
    cable.run(TICK)
    assert len(cable.came(wire.Snapshot)) == before + 10, "as many as its memory holds"
    cable.session.send(wire.AskReport)
    cable.run(0.1)
    assert cable.session.report.dropped == 15 + 1 - 10


def test_what_the_self_test_found_is_said():
    def report(found, channels=()):
        return wire.Report(0, 0, found, wire.Start.POWER, 125, 0, 0, (0,) * 81, channels)

    assert self_test_words(report(0)) == ""
    assert "channels out of range: 3, 17. Check" in self_test_words(report(1, (3, 17)))
    words = self_test_words(report(6))
    assert "check their enable wires. Its kept rest values were damaged" in words
    cable = Cable().run(0.2)
    number = cable.pico.firmware.outbox.number
    cable.session.receive(wire.encode(replace(report(1, (5,)), number=number)), cable.now)
    view = cable.session.condition(cable.now)
    assert view.state == "ok"
    assert "out of range: 5." in view.text


def test_every_scan_comes_while_the_raw_stream_runs():
    cable = Cable(rate=2).run(0.2)
    cable.session.send(wire.Raw, 1)
    before = len(cable.came(wire.Snapshot))
    cable.run(3)
    assert 100 <= len(cable.came(wire.Snapshot)) - before <= 108
    cable.session.send(wire.Raw, 61)
    cable.session.send(wire.LedTest, 61)
    cable.run(0.2)
    assert [ack.status for ack in cable.session.rejected] == [wire.Status.OUT_OF_RANGE] * 2


def test_the_led_is_tested_before_it_identifies_the_grid():
    cable = Cable().run(0.2)
    cable.session.send(wire.Identify, 60)
    cable.run(0.5)
    assert cable.pico.led.flickers
    cable.session.send(wire.LedTest, 5)
    cable.run(0.5)
    assert cable.pico.led.lit
    assert not cable.pico.led.flickers
    cable.run(5)
    assert cable.pico.led.flickers


def test_a_refused_command_is_kept_for_the_log():
    cable = Cable().run(0.2)
    cable.session.send(wire.Identify, 200)
    cable.run(0.2)
    assert [ack.status for ack in cable.session.rejected] == [wire.Status.OUT_OF_RANGE]
    assert len(cable.said(wire.Identify)) == 1


def test_a_bad_cable_never_shows_a_wrong_value_and_always_recovers():
    rng = random.Random(3)
    cable = Cable()

    def spoil(frame):
        share = 0.003
        return bytes(rng.randrange(256) if rng.random() < share else byte for byte in frame)

    cable.spoil_up = cable.spoil_down = spoil
    seen = set()
    allowed = {2048}
    for _ in range(100):
        value = rng.choice([2048, 3900, 700])
        cable.values[rng.randrange(81)] = value
        allowed.add(value)
        cable.run(0.3)
        state = cable.session.take(cable.now)
        if state is not None:
            seen |= set(state.values)
    assert cable.session.decoder.bad > 100
    assert seen <= allowed
    cable.spoil_up = cable.spoil_down = lambda frame: frame
    cable.run(3)
    assert cable.session.take(cable.now).values == tuple(cable.values)


def test_commands_before_hello_and_unknown_ones_are_answered_so():
    pico = Pico()
    pico.scan(STILL, 0.0)
    decoder = wire.Decoder()
    (early,) = decoder.feed(b"".join(pico.receive(wire.encode(wire.Ask(5)))))
    assert (early.command, early.status) == (5, wire.Status.HELLO_FIRST)
    decoder.feed(b"".join(pico.receive(wire.encode(wire.Hello(6)))))
    (strange,) = decoder.feed(b"".join(pico.receive(wire.encode(wire.Unknown(7, 0x44)))))
    assert (strange.command, strange.status) == (7, wire.Status.UNKNOWN)
    (slow,) = decoder.feed(b"".join(pico.receive(wire.encode(wire.Rate(8, 1)))))
    assert (slow.command, slow.status) == (8, wire.Status.OUT_OF_RANGE)


def test_sequence_numbers_wrap_around():
    cable = Cable(rate=100).run(0.2)
    cable.pico.firmware.outbox.number = cable.session._expected = wire.NUMBERS - 5
    cable.run(0.5)
    assert cable.said(wire.Ask) == []
    assert cable.came(wire.Snapshot)[-1].number < 100
