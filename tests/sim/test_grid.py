"""The virtual hall grid through a serial port, as the host sees it, whatever plays the Pico."""

import errno
import os

import pytest
import serial

from companion.boards import profile
from companion.errors import DeviceError
from companion.sensing.hall import wire
from companion.sim.grid import Field, SimGrid
from tests.sim.brains import BRAINS
from tests.sim.still import StillTable
from tests.waiting import wait_for

BOARD = profile.load("reference")


@pytest.fixture
def table():
    return StillTable(BOARD, {"e1": "pacman", "e9": "blinky"})


@pytest.fixture(params=BRAINS)
def grid(table, request):
    grid = SimGrid(table, BOARD, seed=2, pico=request.param())
    yield grid
    grid.close()


class Host:
    """A bare host: sends what a test wants and collects what comes."""

    def __init__(self, port):
        self.line = serial.Serial(port, timeout=0.05)
        self.decoder = wire.Decoder()
        self.messages = []

    def send(self, message):
        self.line.write(wire.encode(message))

    def wait(self, kind):
        def come():
            self.messages += self.decoder.feed(self.line.read(max(1, self.line.in_waiting)))
            return [message for message in self.messages if isinstance(message, kind)]

        message = wait_for(come)[0]
        self.messages.remove(message)
        return message


@pytest.fixture
def host(grid):
    host = Host(grid.port)
    yield host
    host.line.close()


def test_the_grid_answers_hello_on_a_real_port(host):
    host.send(wire.Hello(42))
    welcome = host.wait(wire.Welcome)
    assert (welcome.number, welcome.command, welcome.version) == (0, 42, 1)
    assert (welcome.channels, welcome.full_scale) == (81, 4095)
    assert host.wait(wire.Rest) == wire.Rest(1, False, (2048,) * 81)
    snapshot = host.wait(wire.Snapshot)
    assert snapshot.number == 2
    assert snapshot.values[4] > BOARD.hall.rest + 0.8 * BOARD.pieces["pacman"].magnet
    assert snapshot.values[76] < BOARD.hall.rest + 0.8 * BOARD.pieces["blinky"].magnet


def test_the_grid_says_nothing_before_hello(host):
    host.send(wire.Ask(1))
    assert host.wait(wire.Ack).status is wire.Status.HELLO_FIRST
    assert host.messages == []


def test_lifting_and_putting_are_told(host, table):
    host.send(wire.Hello(1))
    host.wait(wire.Snapshot)
    table.take("pacman")
    assert host.wait(wire.Lifted).channel == 4
    table.put("pacman", "e2")
    assert host.wait(wire.Put).channel == 13


def test_a_lifted_piece_is_hardly_felt_at_carrying_height(table):
    field = Field(BOARD, 0)
    high = StillTable(BOARD)
    high.put("pacman", "e1", z=30)
    empty = field.still(())
    assert abs(field.still(high.scene().bodies) - empty).max() < 10
    assert abs(field.still(table.scene().bodies) - empty).max() > 150


def test_values_stay_within_the_converter():
    field = Field(BOARD, 0)
    crowd = StillTable(BOARD)
    for piece in BOARD.pieces:
        crowd.put(piece, "e5", z=-5)
    values = field.noisy(field.still(crowd.scene().bodies) * 3)
    assert max(values) == BOARD.hall.full_scale
    assert all(isinstance(value, int) for value in values)


def test_the_same_seed_gives_the_same_grid():
    assert Field(BOARD, 4).noisy(Field(BOARD, 4).still(())) == Field(BOARD, 4).noisy(
        Field(BOARD, 4).still(())
    )
    assert Field(BOARD, 4).noisy(Field(BOARD, 4).still(())) != Field(BOARD, 5).noisy(
        Field(BOARD, 5).still(())
    )


def test_a_stuck_channel_shows_its_value(host, grid):
    grid.faults.start("stuck-sensor:g4")
    host.send(wire.Hello(1))
    assert host.wait(wire.Snapshot).values[33] == BOARD.hall.rest + BOARD.hall.full_scale // 3


def test_nobody_reading_does_not_hold_the_grid_up(host, grid, table):
    host.send(wire.Hello(1))
    host.wait(wire.Snapshot)
    host.send(wire.Rate(2, 100))
    wait_for(lambda: len(grid._unsent) >= 4096)  # the line is full by now
    table.take("pacman")
    host.send(wire.Ask(3))

    def current():
        return host.wait(wire.Snapshot).values[4] < BOARD.hall.rest + 90

    wait_for(current)
    numbers = [message.number for message in host.messages]
    assert numbers == sorted(numbers)


def test_unplugging_ends_the_line_and_replugging_makes_a_new_one(grid):
    host = Host(grid.port)
    first = os.readlink(grid.port)
    grid.unplug()
    assert not os.path.lexists(grid.port)

    def lost():
        try:
            host.line.read(max(1, host.line.in_waiting))
        except OSError:
            return True
        return False

    wait_for(lost)
    grid.replug()
    assert os.path.exists(os.readlink(grid.port))
    again = Host(grid.port)
    again.send(wire.Hello(1))
    again.wait(wire.Welcome)
    assert first.startswith("/dev/pts/")
    again.line.close()
    host.line.close()


def test_closing_removes_the_port_and_may_be_repeated(grid):
    port = grid.port
    grid.close()
    grid.close()
    assert not os.path.lexists(os.path.dirname(port))


def test_a_system_without_pseudo_terminals_is_told_of_in_a_sentence(monkeypatch, table):
    def none_left():
        raise OSError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr(os, "openpty", none_left)
    with pytest.raises(DeviceError, match="/dev/pts"):
        SimGrid(table, BOARD)
