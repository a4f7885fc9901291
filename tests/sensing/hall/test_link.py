"""The hall link on a real serial line: pyserial on one end, a pseudo-terminal on the other."""

import errno
import logging
import os
import random
import tty
from types import SimpleNamespace

import pytest

from companion.boards import profile
from companion.errors import DeviceError
from companion.sensing.hall import link as link_module
from companion.sensing.hall import wire
from companion.sensing.hall.link import HallLink, explain, find_port
from companion.sim.faults import Faults
from companion.sim.grid import SimGrid
from companion.sim.pico import Pico
from companion.sim.room import Clock
from tests.sim.brains import BRAINS, pico_of_protocol
from tests.sim.still import StillTable
from tests.waiting import wait_for

BOARD = profile.load("reference")
E1, E2 = BOARD.hall.channels["e1"], BOARD.hall.channels["e2"]
FELT = BOARD.hall.rest + 0.8 * BOARD.pieces["pacman"].magnet


@pytest.fixture
def table():
    return StillTable(BOARD, {"e1": "pacman"})


@pytest.fixture(params=BRAINS)
def grid(table, request):
    grid = SimGrid(table, BOARD, seed=1, pico=request.param())
    yield grid
    grid.close()


@pytest.fixture
def link(grid):
    link = HallLink(grid.port, retry_seconds=0.02)
    wait_for(lambda: link.status.state == "ok")
    yield link
    link.close()


def test_values_arrive(link):
    state = wait_for(link.poll)
    assert len(state.values) == 81
    assert state.values[E1] > FELT
    assert abs(state.values[E2] - 2048) < 60


def test_a_move_arrives_as_events_and_values(link, table):
    wait_for(link.poll)
    events = []
    table.put("pacman", "e2")

    def moved():
        state = link.poll()
        events.extend(state.events)
        return state.values[E2] > FELT > state.values[E1]

    wait_for(moved)
    assert {(type(e), e.channel) for e in events} == {(wire.Lifted, E1), (wire.Put, E2)}


def test_the_link_returns_after_the_cable_was_pulled(link, grid, caplog):
    caplog.set_level(logging.INFO, logger=link_module.__name__)
    grid.unplug()
    wait_for(lambda: link.status.state == "trouble")
    wait_for(lambda: "There is no port" in link.status.text)
    assert link.poll() is None
    grid.replug()
    wait_for(lambda: link.status.state == "ok")
    assert wait_for(link.poll).values[E1] > FELT
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_the_cable_may_be_pulled_again_and_again(link, grid):
    for _ in range(5):
        grid.unplug()
        wait_for(lambda: link.status.state == "trouble")
        grid.replug()
        wait_for(lambda: link.status.state == "ok")


def test_the_grid_may_come_later_than_the_companion(table, tmp_path):
    later = tmp_path / "port"
    link = HallLink(str(later), retry_seconds=0.02)
    wait_for(lambda: "There is no port" in link.status.text)
    grid = SimGrid(table, BOARD)
    later.symlink_to(grid.port)
    wait_for(lambda: link.status.state == "ok")
    link.close()
    grid.close()


class Cable(Faults):
    """A line on which each frame becomes what ``spoil`` makes of it."""

    def __init__(self, spoil):
        super().__init__(BOARD)
        self.bytes = spoil


def test_a_bad_cable_is_lived_with(link, grid):
    rng = random.Random(1)

    def corrupt(frame):
        return bytes(rng.randrange(256) if rng.random() < 0.002 else byte for byte in frame)

    grid.faults = Cable(corrupt)
    wait_for(lambda: link.bad_frames > 10)
    grid.faults = Faults(BOARD)
    wait_for(lambda: link.status.state == "ok" and link.poll())
    assert link.poll().values[E1] > FELT


def test_garbage_between_frames_does_no_harm(link, grid):
    garbage = [b"\xff" * 3000 + b"\0" + bytes(range(256)) * 4]
    grid.faults = Cable(lambda frame: garbage.pop() + frame if garbage else frame)
    wait_for(lambda: link.bad_frames >= 4)
    table_value = wait_for(link.poll).values[E1]
    assert table_value > FELT
    assert link.status.state == "ok"


def test_commands_reach_the_grid(link, grid):
    assert not grid.blinking
    link.send(wire.Identify, 60)
    wait_for(lambda: grid.blinking)
    link.send(wire.Identify, 0)
    wait_for(lambda: not grid.blinking)
    assert link.poll().rest is None
    link.take_baseline()
    rest = wait_for(lambda: link.poll().rest)
    assert len(rest) == 81


def test_the_rate_is_kept_when_the_grid_comes_back(table):
    pico = Pico()
    grid = SimGrid(table, BOARD, pico=pico)
    link = HallLink(grid.port, retry_seconds=0.02)
    wait_for(lambda: link.status.state == "ok")
    link.send(wire.Rate, 100)
    wait_for(lambda: pico.firmware and pico.firmware.grid._rate == 100)
    grid.unplug()
    wait_for(lambda: link.status.state == "trouble")
    grid.replug()
    wait_for(lambda: pico.firmware and pico.firmware.grid._rate == 100)
    link.close()
    grid.close()


def test_the_grid_reports_how_it_is(link):
    first = report = wait_for(lambda: link.report)
    assert (report.self_test, report.started, report.out_of_range) == (0, wire.Start.POWER, ())

    while not (report.scans_per_second and min(report.noise)):
        before = report
        link.send(wire.AskReport)
        report = wait_for(lambda before=before: link.report if link.report != before else None)
    assert max(report.noise) < 8 * 12  # the virtual sensors' noise is a few counts
    assert (report.dropped, report.bad) == (first.dropped, 0)  # some before anybody listened


def test_every_scan_comes_when_asked_for(link):
    link.send(wire.Rate, 2)
    link.send(wire.Raw, 60)
    before = link.good_frames
    wait_for(lambda: link.good_frames > before + 40, seconds=5)  # at 2 a second: 20 s
    link.send(wire.Raw, 0)


def test_wrong_orders_are_refused_in_a_sentence(link):
    with pytest.raises(DeviceError, match="expected 2 to 100 snapshots a second, got 1000"):
        link.send(wire.Rate, 1000)
    with pytest.raises(DeviceError, match="expected 0 to 60 seconds to blink, got -1"):
        link.send(wire.Identify, -1)


def test_orders_without_a_grid_are_refused(tmp_path):
    link = HallLink(str(tmp_path / "none"))
    with pytest.raises(DeviceError, match="the hall grid cannot be asked now"):
        link.take_baseline()
    link.close()


def test_a_version_mismatch_is_said(table, tmp_path):
    grid = SimGrid(table, BOARD, pico=pico_of_protocol(tmp_path, 2, 2))
    link = HallLink(grid.port)
    wait_for(lambda: "speaks protocol 2, the companion 1" in link.status.text)
    assert link.poll() is None
    link.close()
    grid.close()


@pytest.fixture
def bare_line():
    """A serial line with nobody at the other end."""
    near, far = os.openpty()
    tty.setraw(far)
    yield near, os.ttyname(far)
    os.close(near)
    os.close(far)


def test_a_silent_port_is_said_and_kept_being_greeted(bare_line):
    near, port = bare_line
    clock = Clock()
    link = HallLink(port, clock, retry_seconds=0.02)
    decoder = wire.Decoder()
    assert isinstance(wait_for(lambda: decoder.feed(os.read(near, 100)))[0], wire.Hello)
    clock.now += 2.0
    wait_for(lambda: "silent for more than 1.5 s" in link.status.text)
    assert isinstance(wait_for(lambda: decoder.feed(os.read(near, 100)))[0], wire.Hello)
    link.close()


def test_a_port_with_something_else_behind_it_is_said(bare_line):
    near, port = bare_line
    clock = Clock()
    link = HallLink(port, clock, retry_seconds=0.02)
    wait_for(lambda: os.read(near, 100))
    os.write(near, b"\0$GPGGA,123519,4807.038,N\r\n\0")
    wait_for(lambda: link.bad_frames)
    clock.now += 2.0
    wait_for(lambda: "not the hall grid's protocol" in link.status.text)
    link.close()


def test_a_file_is_no_port(tmp_path):
    (tmp_path / "file").write_text("no port")
    link = HallLink(str(tmp_path / "file"))
    wait_for(lambda: "is no serial port" in link.status.text)
    link.close()


def test_a_port_in_use_is_said(link, grid):
    second = HallLink(grid.port)
    wait_for(lambda: "is in use by another program" in second.status.text)
    second.close()
    assert link.status.state == "ok"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOENT, "There is no port /dev/x"),
        (errno.EACCES, "No permission to open /dev/x. Add this user to the group dialout."),
        (errno.EIO, "The hall grid on /dev/x is gone. Plug it in again."),
    ],
)
def test_errors_become_sentences(number, said):
    assert explain("/dev/x", OSError(number, "so said the system")).startswith(said)


def test_closing_twice_is_fine(link):
    link.close()
    link.close()
    assert link.status.state == "off"
    assert link.poll() is None


def test_a_pico_is_found_by_its_usb_numbers(monkeypatch):
    def port(device, vid, pid):
        return SimpleNamespace(device=device, vid=vid, pid=pid)

    ports = [
        port("/dev/ttyS0", None, None),
        port("/dev/ttyACM0", 0x2E8A, 0x000C),  # a debug probe
        port("/dev/ttyACM1", 0x2341, 0x0043),  # an Arduino
        port("/dev/ttyACM2", 0x2E8A, 0x000A),  # a Pico with other firmware
        port("/dev/ttyACM3", 0x2E8A, 0x0005),
    ]
    monkeypatch.setattr(link_module.list_ports, "comports", lambda: ports)
    assert find_port() == "/dev/ttyACM3"
    ports.pop()
    assert find_port() == "/dev/ttyACM2"
    ports.pop()
    assert find_port() is None


def test_without_a_pico_the_link_says_what_to_do(monkeypatch):
    monkeypatch.setattr(link_module.list_ports, "comports", lambda: [])
    link = HallLink()
    wait_for(lambda: link.status.text == "No hall grid found. Plug the Pico in.")
    link.close()
