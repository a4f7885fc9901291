"""The stand-in for a Pico: it runs the firmware's own files, each Pico for itself."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from companion.sensing.hall import firmware, wire
from companion.sim.pico import Pico
from tests.sim.brains import changed_pico

STILL = [2048] * wire.CHANNELS
#: What drives a Pico's pins or is its machine code has another in its place here.
REPLACED = ("mux.py", "fast.py")
VECTORS = json.loads(
    (Path(__file__).parents[2] / "docs/serial-vectors.json").read_text(encoding="utf-8")
)
FILES = sorted(file.name for file in firmware.folder().glob("*.py"))


class Talk:
    """A host that sends what a test wants, and scans ten milliseconds apart."""

    def __init__(self, pico, now=0.0):
        self.pico = pico
        self.now = now
        self._decoder = wire.Decoder()

    def say(self, *commands):
        return self.hear(self.pico.receive(b"".join(map(wire.encode, commands))))

    def scan(self, scans=1, **changed):
        """Return what the grid says to some scans, with values given as c5=3000."""
        values = list(STILL)
        for channel, value in changed.items():
            values[int(channel[1:])] = value
        found = []
        for _ in range(scans):
            self.now += 0.01
            found += self.hear(self.pico.scan(values, self.now))
        return found

    def hear(self, frames):
        return [message for frame in frames for message in self._decoder.feed(frame)]


def greeted(pico, **values):
    """Return a talk that is under way, and what the grid said to hello."""
    talk = Talk(pico)
    talk.scan(**values)
    return talk, talk.say(wire.Hello(1))


def kinds(messages):
    return [type(message) for message in messages]


@pytest.mark.parametrize("name", [name for name in FILES if name not in REPLACED])
def test_every_file_of_the_firmware_is_run(name, tmp_path):
    files = shutil.copytree(firmware.folder(), tmp_path / "firmware")
    pico = Pico(files)
    (files / name).write_text("raise LookupError(__name__)\n", encoding="utf-8")
    with pytest.raises(LookupError, match=name.removesuffix(".py")):
        pico.scan(STILL, 0.0)


def test_what_is_replaced_is_among_the_files():
    assert set(REPLACED) < set(FILES)


def test_a_changed_threshold_of_the_firmware_is_that_of_the_stand_in(tmp_path):
    changed = changed_pico(tmp_path, "filter.py", "PUT_COUNTS = 80", "PUT_COUNTS = 300")
    for pico, felt in ((Pico(), [wire.Put]), (changed, [])):
        talk, _ = greeted(pico)
        assert kinds(talk.scan()) == [wire.Snapshot]
        assert kinds(talk.scan(c5=2148)) == felt


def test_a_changed_version_of_the_firmware_is_told_by_the_stand_in(tmp_path):
    changed = changed_pico(tmp_path, "version.py", "VERSION = (", "VERSION = (9, 9, 9)  # (")
    for pico, version in ((Pico(), firmware.version()), (changed, (9, 9, 9))):
        _, (welcome, rest) = greeted(pico)
        assert welcome.firmware == version
        assert rest == wire.Rest(1, False, tuple(STILL))


def test_picos_share_neither_state_nor_modules_with_anybody():
    before = set(sys.modules)
    first, second = greeted(Pico())[0], Talk(Pico())
    second.scan()
    assert kinds(first.scan(6)) == [wire.Snapshot] * 2
    assert second.scan(6) == []
    assert second.say(wire.Ask(2))[0].status is wire.Status.HELLO_FIRST
    assert first.pico.firmware.grid.filter is not second.pico.firmware.grid.filter
    assert type(first.pico.firmware) is not type(second.pico.firmware)
    assert not {name.removesuffix(".py") for name in FILES} & (set(sys.modules) - before)


def test_the_host_is_answered_between_two_scans_but_nothing_is_scanned_then():
    talk, _ = greeted(Pico())
    talk.scan()
    assert kinds(talk.say(wire.Raw(2, 60), wire.AskReport(3))) == [wire.Ack, wire.Ack, wire.Report]
    assert kinds(talk.scan(c5=3000)) == [wire.Put, wire.Snapshot]


def test_however_long_the_computer_has_been_up_the_scans_go_on():
    days = 30 * 86400.0
    talk = Talk(Pico(), days)
    talk.scan()
    talk.say(wire.Hello(1))
    assert kinds(talk.scan(6)) == [wire.Snapshot] * 2
    talk.scan(200)
    (_, report) = talk.say(wire.AskReport(2))
    assert 98 <= report.scans_per_second <= 102
    assert report.time_ms < 3000, "since its own start"


def test_what_the_host_sent_before_the_start_is_heard_then():
    talk = Talk(Pico())
    assert talk.say(wire.Hello(1)) == []
    assert kinds(talk.scan()) == [wire.Welcome, wire.Rest, wire.Snapshot]


def test_a_loss_of_power_ends_everything_but_the_rest_values():
    talk, _ = greeted(Pico())
    talk.say(wire.Rate(2, 100), wire.Baseline(3))
    rest = [message for message in talk.scan(64, c5=2100) if isinstance(message, wire.Rest)]
    assert [(known.taken, known.values[5]) for known in rest] == [(True, 2100)]
    talk.pico.restart()
    assert talk.scan(10) == []
    assert talk.say(wire.Hello(4))[1].values[5] == 2100
    assert kinds(talk.scan(9)) == [wire.Snapshot] * 2, "20 a second again"


def test_damaged_flash_is_said_and_not_used():
    talk, _ = greeted(Pico())
    talk.say(wire.Baseline(2))
    talk.scan(64, c5=2100)
    (name,) = talk.pico.flash
    kept = talk.pico.flash[name]
    talk.pico.flash[name] = kept[:20] + b"\x99" + kept[21:]
    talk.pico.restart()
    talk.scan()
    (_, rest) = talk.say(wire.Hello(3))
    assert not rest.taken
    (_, report) = talk.say(wire.AskReport(4))
    assert report.self_test == wire.SETTINGS_LOST


def test_the_self_test_names_dead_channels():
    talk, _ = greeted(Pico(), c33=0, c80=4095)
    (_, report) = talk.say(wire.AskReport(2))
    assert (report.self_test, report.out_of_range) == (wire.CHANNELS_OUT, (33, 80))
    assert report.started is wire.Start.POWER


@pytest.mark.parametrize("vector", VECTORS["bad"], ids=lambda vector: vector["why"])
def test_frames_that_cannot_be_read_are_counted_and_not_answered(vector):
    talk, _ = greeted(Pico())
    assert talk.pico.receive(bytes.fromhex(vector["line"])) == []
    (_, report) = talk.say(wire.AskReport(2))
    assert report.bad == vector["frames"]


def test_the_longest_frame_is_heard():
    (line,) = (bytes.fromhex(v["line"]) for v in VECTORS["streams"] if "longest" in v["why"])
    talk, _ = greeted(Pico())
    assert kinds(talk.hear(talk.pico.receive(line))) == [wire.Welcome, wire.Rest]


def test_asking_for_the_prompt_ends_the_firmware_once():
    talk, _ = greeted(Pico())
    before = talk.pico.firmware
    talk.pico.receive(b"\r\x03")
    talk.scan(40)
    assert talk.pico.firmware not in (None, before)
    assert talk.scan(10) == []
    assert kinds(talk.say(wire.Hello(2))) == [wire.Welcome, wire.Rest]


def test_the_led_tells_waiting_and_talking():
    talk = Talk(Pico())

    def seen():
        levels = []
        for _ in range(100):
            talk.scan()
            levels.append(talk.pico.led.lit)
        return levels

    assert 5 < sum(seen()) < 20, "a flash a second"
    talk.say(wire.Hello(1))
    talk.scan()
    assert all(seen())
    talk.pico.restart()
    assert not talk.pico.led.lit
