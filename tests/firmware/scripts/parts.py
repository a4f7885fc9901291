"""Filter, outbox, line, lamp, settings, multiplexers and self-test, one by one."""

import os
from array import array

import lamp
import line
import machine
import mux
import outbox
import pins
import selftest
import settings
import trial
from filter import BASELINE_SCANS, Filter


def values(**changed):
    made = array("H", [2048] * 81)
    for name, value in changed.items():
        made[int(name[1:])] = value
    return made


# --- filter -------------------------------------------------------------------------------------


def test_a_magnet_comes_and_goes_with_hysteresis():
    sense = Filter(81)
    assert sense.look(values(c5=3000)) == 0  # it stood there already
    assert sense.look(values(c5=2048 + 51)) == 0
    assert sense.look(values(c5=2048 + 49)) == 1
    assert (sense.changed[0], sense.occupied[5]) == (5, 0)
    assert sense.look(values(c5=2048 + 80)) == 0
    assert sense.look(values(c5=2048 - 81)) == 1
    assert sense.occupied[5] == 1
    assert sense.look(values(c5=2048, c80=100)) == 2
    assert list(sense.changed[:2]) == [5, 80]


def test_the_baseline_is_a_rounded_mean_and_no_event():
    sense = Filter(81)
    sense.look(values())
    sense.begin_baseline()
    for scan in range(BASELINE_SCANS):
        shown = values(c3=3000 + (scan & 1), c4=4095)
        assert sense.measure_rest(shown) == (scan == BASELINE_SCANS - 1)
    assert sense.taken
    assert (sense.rest[3], sense.rest[4], sense.rest[5]) == (3001, 4095, 2048)
    assert sense.look(values(c3=3000, c4=4095)) == 0
    assert not sense.measure_rest(values())


def test_noise_is_the_mean_step():
    sense = Filter(81)
    for scan in range(9 * 400):
        shown = values(c2=2048 + 4 * (scan // 9 & 1), c3=2048 + 900 * (scan // 9 & 1))
        sense.follow_noise(shown)
    assert 28 <= sense.noise(2) <= 32  # four counts
    assert 245 <= sense.noise(3) <= 248  # no more than 31
    assert sense.noise(4) == 0


def test_a_magnet_that_moves_is_noise_for_a_moment_only():
    sense = Filter(81)
    for scan in range(9 * 200):
        sense.follow_noise(values(c2=2048 if scan < 9 * 40 else 3900))
    assert sense.noise(2) <= 2


# --- outbox and line ----------------------------------------------------------------------------


def fill(box, count):
    for _ in range(count):
        box.begin(0x84)
        for _ in range(7):
            box.byte(1)
        box.send()


def test_frames_fill_whole_blocks():
    box, fake = outbox.Outbox(), trial.FakeLine()
    fill(box, 2)
    fake.pump(box)
    assert len(fake.written) == 2 * outbox.BLOCK
    assert len(trial.frames(fake.written)) == 2


def test_what_finds_no_room_is_dropped_whole_and_numbered():
    box, fake = outbox.Outbox(), trial.FakeLine()
    fill(box, outbox.BLOCKS + 5)
    assert (box.dropped, box.number) == (5, outbox.BLOCKS + 5)
    fake.pump(box)
    assert len(trial.frames(fake.written)) == outbox.BLOCKS
    fill(box, 1)
    fake.pump(box)
    assert trial.frames(fake.written)[-1][2] == outbox.BLOCKS + 5


class Port:
    """A port whose buffer has room for some blocks."""

    def __init__(self, room):
        self.room = room

    def write(self, data):
        assert len(data) == outbox.BLOCK
        assert self.room > 0, "a write that would wait"
        self.room -= 1


class Select:
    """In the place of ``select``: a port is ready while it has room."""

    POLLIN, POLLOUT = 1, 4

    def poll(self):
        return Select()

    def register(self, port, events):
        self.port = port

    def ipoll(self, wait_ms):
        return ((self.port, Select.POLLOUT),) if self.port.room else ()


def test_the_line_never_writes_where_there_is_no_room():
    box, port = outbox.Outbox(), Port(3)
    line.select = Select()
    talk = line.Line(port, port)
    fill(box, 10)
    talk.pump(box)
    assert (port.room, box.waiting) == (0, 7)
    port.room = 100
    talk.pump(box)
    assert (port.room, box.waiting) == (93, 0)


def test_who_asks_for_the_prompt_is_told_from_a_frame():
    assert line.wants_prompt(b"\r\x03", 2)
    assert line.wants_prompt(b"\r\x03\x03\r\x01", 5)
    assert not line.wants_prompt(b"\r\r", 2)
    assert not line.wants_prompt(b"\x03\x01\x07", 3)  # a hello begins so
    assert not line.wants_prompt(b"\x03", 1)


# --- lamp ---------------------------------------------------------------------------------------


def shown(light, milliseconds, step=10):
    return [light.level(step) for _ in range(milliseconds // step)]


def changes(levels):
    return sum(1 for at in range(1, len(levels)) if levels[at] != levels[at - 1])


def test_the_lamp_tells_what_goes_on():
    light = lamp.Lamp()
    assert changes(shown(light, 2000)) in (3, 4)  # a flash a second
    light.talking = True
    assert set(shown(light, 2000)) == {1}
    light.faulty = True
    assert changes(shown(light, 2000)) in (7, 8)  # two flashes a second
    light.identify(2)
    assert changes(shown(light, 2000)) >= 38
    light.identify(0)
    light.test(1)
    assert set(shown(light, 1000)) == {1}
    assert changes(shown(light, 2000)) in (7, 8)


# --- settings -----------------------------------------------------------------------------------


def kept(data=None):
    if data is not None:
        with open(settings.FILE, "wb") as file:
            file.write(data)
    rest = array("H", [2048] * 81)
    return settings.load(rest), list(rest)


def test_rest_values_are_kept():
    try:
        os.remove(settings.FILE)
    except OSError:
        pass
    assert kept() == (settings.NONE, [2048] * 81)
    assert settings.save(array("H", range(2000, 2081)))
    assert kept() == (settings.KEPT, list(range(2000, 2081)))
    assert settings.FRESH not in os.listdir()


def test_a_power_cut_while_writing_leaves_the_old_values():
    settings.save(array("H", range(2000, 2081)))
    with open(settings.FRESH, "wb") as file:
        file.write(b"HALL\x01half")
    assert kept() == (settings.KEPT, list(range(2000, 2081)))
    settings.save(array("H", range(1000, 1081)))
    assert kept() == (settings.KEPT, list(range(1000, 1081)))


def test_a_damaged_file_is_never_believed():
    settings.save(array("H", range(2000, 2081)))
    with open(settings.FILE, "rb") as file:
        good = file.read()
    for at in range(0, len(good), 5):
        bad = bytearray(good)
        bad[at] ^= 0x10
        assert kept(bad) == (settings.DAMAGED, [2048] * 81)
    for data in (b"", good[:-1], good + b"\0"):
        assert kept(data) == (settings.DAMAGED, [2048] * 81)
    assert kept(good)[0] == settings.KEPT


# --- multiplexers and self-test -----------------------------------------------------------------


def test_every_channel_is_read_from_its_own_input():
    for at in range(len(machine.inputs)):
        machine.inputs[at] = 100 + 7 * at
    read = array("H", [0] * 81)
    scanner = mux.Mux()
    for _ in range(2):
        scanner.scan(read)
        assert list(read) == [100 + 7 * channel for channel in range(81)]


def test_wires_that_are_swapped_are_found():
    for at in range(len(machine.inputs)):
        machine.inputs[at] = 100 + 7 * at
    expected = [100 + 7 * channel for channel in range(81)]
    read = array("H", [0] * 81)
    for swapped in ("_address", "_enable", "_analog"):
        scanner = mux.Mux()
        wires = getattr(scanner, swapped)
        if swapped == "_address":
            first, second = wires[0], wires[1]
            swap = {first: second, second: first}
            scanner._wires = [swap.get(pin, pin) for pin in scanner._wires]
        else:
            wires[0], wires[1] = wires[1], wires[0]
        scanner.scan(read)
        assert list(read) != expected, swapped


def test_only_one_bank_is_ever_enabled():
    scanner = mux.Mux()
    both, seen = [], []
    plain = machine.ADC.read_u16

    def watched(self):
        seen.append(1)
        both.append(machine._enabled[0] + machine._enabled[1])
        return plain(self)

    machine.ADC.read_u16 = watched
    try:
        scanner.scan(array("H", [0] * 81))
    finally:
        machine.ADC.read_u16 = plain
    assert len(seen) == 81
    assert set(both) == {1}
    assert machine._enabled == [0, 0]


def examined():
    read, marks = array("H", [0] * 81), bytearray(11)
    found = selftest.run(mux.Mux(), read, marks)
    return found, [c for c in range(81) if marks[c >> 3] >> (c & 7) & 1]


def test_the_self_test_finds_what_is_broken():
    for at in range(len(machine.inputs)):
        machine.inputs[at] = 2048
    assert examined() == (0, [])
    machine.inputs[17], machine.inputs[80] = 0, 4095
    assert examined() == (selftest.CHANNELS_OUT, [17, 80])
    machine.inputs[17] = machine.inputs[80] = 3900
    assert examined() == (0, [])
    machine.stuck = 1
    assert examined()[0] & selftest.BANKS_JOINED
    machine.stuck = 0


def test_the_pins_are_those_of_three_converters_and_no_pin_twice():
    used = pins.ADDRESS + pins.ENABLE + pins.ANALOG
    assert len(set(used)) == len(used)
    assert set(pins.ANALOG) <= {26, 27, 28}


trial.run(globals())
