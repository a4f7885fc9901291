"""A sensor that drifts is told from a magnet that moves, by its values alone."""

import math

import pytest

from companion.sensing.hall.drift import Drift
from companion.sim.body import Body
from companion.sim.faults import Faults
from companion.sim.grid import Field
from tests.sensing.studio import BOARD

SCANS = 15  # a second


def pawn(name: str, x: float, y: float, z: float = 0.0) -> Body:
    return Body(name, "pawn", name, x, y, 0.0, "held" if z else "board", z=z)


class Grid:
    """Sensors under pawns that a test places, scan by scan."""

    def __init__(self) -> None:
        self.field, self.faults, self.drift = Field(BOARD, 5), Faults(BOARD), Drift(BOARD)
        self.now = 0.0
        self.named: set[str] = set()

    def scan(self, *pawns: Body) -> None:
        """Take a scan with these pawns, and another pair that stands still."""
        self.now += 1 / SCANS
        resting = (pawn("inky", *BOARD.at("c2")), pawn("clyde", *BOARD.at("g8")))
        values = self.field.noisy(self.field.still((*pawns, *resting)))
        self.drift.note(self.now, self.faults.values(values, self.now), set())
        self.named |= self.drift.named.keys()

    def stay(self, seconds: float, *pawns: Body) -> None:
        for _ in range(round(seconds * SCANS)):
            self.scan(*pawns)


@pytest.mark.parametrize("spot", ["e5", "a1", "i4"])
def test_a_drifting_sensor_is_named_and_stays_so_until_it_has_ended(spot):
    grid = Grid()
    standing = pawn("pacman", *BOARD.at("e6"))
    grid.stay(5, standing)
    assert not grid.named
    grid.faults.start(f"drifting-sensor:{spot}")
    grid.stay(12, standing)
    assert set(grid.drift.named) == {spot}
    assert "drifts" in grid.drift.named[spot]
    grid.faults.end("drifting-sensor")
    grid.stay(3, standing)
    assert not grid.drift.named


def test_a_drift_is_slow_at_its_turn_but_has_not_ended():
    grid = Grid()
    grid.faults.start("drifting-sensor")
    grid.stay(5, pawn("pacman", *BOARD.at("e6")))
    assert grid.drift.named
    while grid.now < 5 * math.pi * 0.5 + 1:  # the turn is at a quarter of its way up and down
        grid.scan(pawn("pacman", *BOARD.at("e6")))
        assert grid.drift.named


@pytest.mark.parametrize("name", ["pacman", "inky", "clyde"])
def test_a_piece_that_is_lowered_slowly_is_no_drift(name):
    grid = Grid()
    x, y = BOARD.at("e5")
    for number in range(6 * SCANS):
        grid.scan(pawn(name, x, y, 12.0 * (1 - number / (6 * SCANS))))
    grid.stay(5, pawn(name, x, y))
    assert not grid.named


def test_a_piece_held_hovering_by_a_hand_that_is_not_steady_is_no_drift():
    grid = Grid()
    x, y = BOARD.at("e5")
    for _ in range(20 * SCANS):
        sways = 2.0 * math.sin(grid.now / 3), 1.5 * math.sin(grid.now / 2)
        grid.scan(pawn("pacman", x + sways[0], y + sways[1], 10.0 + 3.0 * math.sin(grid.now / 4)))
    assert not grid.named


@pytest.mark.parametrize("speed", [10.0, 25.0, 100.0])
def test_a_piece_that_is_slid_over_the_board_is_no_drift(speed):
    grid = Grid()
    (start, y), (end, _) = BOARD.at("b5"), BOARD.at("h5")
    x = start
    while x < end:
        x += speed / SCANS
        grid.scan(pawn("blinky", x, y))
    grid.stay(5, pawn("blinky", x, y))
    assert not grid.named


def test_a_change_that_all_sensors_share_is_no_drift_of_one():
    drift = Drift(BOARD)
    for number in range(20 * SCANS):
        drift.note(number / SCANS, [2048 + round(40 * number / SCANS)] * 81, set())
        assert not drift.named


def test_scans_that_are_missing_are_no_rest():
    grid = Grid()
    grid.faults.start("drifting-sensor")
    grid.stay(5)
    assert grid.drift.named
    for _ in range(3):
        grid.now += 2.0
        grid.stay(0.3)
    assert grid.drift.named
