"""The firmware in its virtual Pico: what it keeps, what it survives and what it tells of itself."""

import os
import signal

import pytest
import serial

from companion.boards import profile
from companion.sensing.hall import wire
from companion.sensing.hall.link import HallLink
from companion.sim import firmware as virtual
from companion.sim.firmware import FirmwarePico
from companion.sim.grid import SimGrid
from tests.sim.still import StillTable
from tests.waiting import wait_for

BOARD = profile.load("reference")


@pytest.fixture
def pico(best_python):
    return FirmwarePico(best_python)


@pytest.fixture
def grid(pico):
    grid = SimGrid(StillTable(BOARD, {"e1": "pacman"}), BOARD, seed=1, pico=pico)
    yield grid
    grid.close()


@pytest.fixture
def link(grid):
    link = HallLink(grid.port, retry_seconds=0.02, note="It is virtual.")
    wait_for(lambda: link.status.state == "ok" and link.report)
    yield link
    link.close()


def plug_in_again(grid, link):
    """Cut the power and wait until the grid talks again."""
    grid.unplug()
    wait_for(lambda: link.status.state == "trouble")
    grid.replug()
    wait_for(lambda: link.status.state == "ok" and link.report)


def test_the_baseline_outlives_a_power_cut(grid, link):
    assert wait_for(link.poll).rest is None
    link.take_baseline()
    rest = wait_for(lambda: (state := link.poll()) and state.rest)
    assert rest[BOARD.hall.channels["e1"]] > BOARD.hall.rest + 0.8 * BOARD.pieces["pacman"].magnet
    plug_in_again(grid, link)
    assert wait_for(lambda: (state := link.poll()) and state.rest) == rest


def test_damaged_flash_is_said_and_not_used(grid, pico, link):
    link.take_baseline()
    wait_for(lambda: (state := link.poll()) and state.rest)
    kept = wait_for(lambda: [*pico.flash.glob("rest.bin")])[0]
    data = kept.read_bytes()
    kept.write_bytes(data[:50] + b"\x99" + data[51:])
    plug_in_again(grid, link)
    wait_for(lambda: "kept rest values were damaged" in link.status.text)
    assert wait_for(link.poll).rest is None
    assert link.report.self_test == wire.SETTINGS_LOST


def test_the_self_test_names_dead_channels(grid, link):
    assert "self-test" not in link.status.text
    grid.faults.start("cut-sensor:g4")
    grid.faults.start("shorted-sensor:i9")
    plug_in_again(grid, link)
    wait_for(lambda: "channels out of range: 33, 80." in link.status.text)
    assert link.status.text.endswith("It is virtual.")
    assert wait_for(link.poll).values[33] == 0


def test_the_self_test_finds_banks_that_are_not_apart(grid, pico, link):
    pico.join_banks()
    plug_in_again(grid, link)
    wait_for(lambda: "both banks of multiplexers on at once" in link.status.text)


def test_a_firmware_that_hangs_is_started_again_by_the_watchdog(pico, link):
    assert link.report.started is wire.Start.POWER
    before = pico.process.pid
    os.kill(before, signal.SIGSTOP)
    wait_for(lambda: pico.process and pico.process.pid != before)
    wait_for(lambda: link.report and link.report.started is wire.Start.WATCHDOG)
    wait_for(lambda: link.status.state == "ok")


def test_a_firmware_that_ends_is_started_again(pico, link):
    before = pico.process.pid
    os.kill(before, signal.SIGKILL)
    wait_for(lambda: pico.process and pico.process.pid != before)
    wait_for(lambda: link.status.state == "ok" and link.poll())


def test_whatever_the_host_sends_does_no_harm(grid):
    with serial.Serial(grid.port, timeout=0.05) as line:
        decoder = wire.Decoder()
        line.write(bytes(range(1, 256)) * 3 + b"\0" + b"\x03" * 20 + b"\0\0" + b"ctrl\x03\x04\0")

        def answered(kind, message):
            line.write(wire.encode(message))
            come = decoder.feed(line.read(max(1, line.in_waiting)))
            return [found for found in come if isinstance(found, kind)]

        (welcome, *_) = wait_for(lambda: answered(wire.Welcome, wire.Hello(5)))
        assert welcome.command == 5
        report = wait_for(lambda: answered(wire.Report, wire.AskReport(6)))[0]
        assert report.bad == 3


def test_the_led_tells_waiting_talking_and_a_test(grid, pico):
    wait_for(lambda: pico.led.lit)
    wait_for(lambda: not pico.led.lit)  # it flashes while it waits
    link = HallLink(grid.port)
    wait_for(lambda: link.status.state == "ok")
    wait_for(lambda: pico.led.lit)
    link.send(wire.Identify, 60)
    wait_for(lambda: grid.blinking)
    link.send(wire.LedTest, 60)
    wait_for(lambda: pico.led.lit and not grid.blinking)
    link.close()


def test_what_nobody_reads_is_dropped_and_counted_while_scans_go_on(grid, pico):
    with serial.Serial(grid.port, timeout=0.05) as line:
        decoder = wire.Decoder()

        def come(kind):
            found = decoder.feed(line.read(max(1, line.in_waiting)))
            return [message for message in found if isinstance(message, kind)]

        line.write(wire.encode(wire.Hello(1)) + wire.encode(wire.Raw(2, 60)))
        wait_for(lambda: len(grid._unsent) >= 4096)  # the line is full, the Pico's buffers soon
        turns = pico._word(virtual.FED_AT)
        wait_for(lambda: pico._word(virtual.FED_AT) > turns + 100)

        def dropped():
            line.write(wire.encode(wire.AskReport(3)))
            return [report for report in come(wire.Report) if report.dropped]

        wait_for(dropped)


def test_asking_for_the_prompt_ends_the_firmware_once(grid, pico, link, caplog):
    ended = []
    end = pico._say_why
    pico._say_why = lambda code: (ended.append(code), end(code))
    link.close()
    with serial.Serial(grid.port) as line:
        line.write(b"\r\x03")
        wait_for(lambda: virtual.RESET in ended)
        wait_for(lambda: 0 in ended)  # the start that showed the prompt
    assert caplog.records == []
    again = HallLink(grid.port)
    wait_for(lambda: again.status.state == "ok")
    again.close()


def test_both_ends_of_the_bench_agree():
    names = {}
    exec((virtual.firmware.folder() / "virtual/bench.py").read_text(), names)
    places = {name: value for name, value in names.items() if name.endswith("_AT")}
    assert len(places) == 7
    assert places == {name: getattr(virtual, name) for name in places}
    assert names["SIZE"] == virtual.SIZE


def test_closing_leaves_neither_process_nor_files(grid, pico, link):
    process, folder = pico.process, pico.flash.parent
    link.close()
    grid.close()
    grid.close()
    assert process.returncode is not None
    assert not folder.exists()
