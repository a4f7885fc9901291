"""Currents, fuses, wires and the supply: reckoned from the board's profile and the circuit."""

from dataclasses import dataclass
from typing import Any

from companion.board import Board, Lights
from companion.lights.strip import CHANNEL_MILLIAMPS, IDLE_MILLIAMPS
from hardware import parts

RESERVE = 1.25  # fuses and supplies are not run at their limit
DROP_VOLTS = 0.2  # the most that wires may take from 5 V, there and back
COPPER_OHM_MM2_PER_M = 0.0175

FUSES_A = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
SUPPLIES_A = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
#: Stranded copper: cross-section, what it is sold as in the United States, amperes it may carry.
WIRES = (
    (0.14, "AWG 26", 1.0),
    (0.25, "AWG 24", 2.0),
    (0.34, "AWG 22", 3.0),
    (0.5, "AWG 20", 4.0),
    (0.75, "AWG 18", 6.0),
    (1.0, "AWG 17", 8.0),
    (1.5, "AWG 16", 12.0),
    (2.5, "AWG 14", 16.0),
)


@dataclass(frozen=True)
class Run:
    """A pair of wires from the supply: what flows at most, its fuse, and how thick it must be."""

    name: str
    milliamps: float
    fuse_a: float
    length_mm: float
    mm2: float
    awg: str
    drop_volts: float


@dataclass(frozen=True)
class Budget:
    """What a board's lights and its grid draw, and what feeds them."""

    leds: int
    dark_ma: float
    half_ma: float
    full_ma: float
    limit_ma: float
    sensors_ma: float
    sensors_usual_ma: float
    grid_ma: float
    runs: tuple[Run, ...]
    supply_a: float

    @property
    def supply_ma(self) -> float:
        """Return what the supply gives, in milliamps."""
        return self.supply_a * 1000


def budget(board: Board, plan: dict[str, Any]) -> Budget:
    """Return the budget of a board."""
    lights, sensors = board.lights, len(board.hall.channels)
    grid = sensors * parts.SENSOR_MILLIAMPS + parts.PICO_MILLIAMPS + 6.0
    strip = lights.milliamps + 5.0  # and the level shifter
    return Budget(
        leds=lights.count,
        dark_ma=lights.count * IDLE_MILLIAMPS,
        half_ma=white(lights, 0.5),
        full_ma=white(lights, 1.0),
        limit_ma=lights.milliamps,
        sensors_ma=sensors * parts.SENSOR_MILLIAMPS,
        sensors_usual_ma=sensors * parts.SENSOR_USUAL_MILLIAMPS,
        grid_ma=grid,
        runs=(run("strip", strip, plan["runs"]["strip"]), run("grid", grid, plan["runs"]["grid"])),
        supply_a=at_least((strip + grid) / 1000 * RESERVE, SUPPLIES_A, "A of supply"),
    )


def white(lights: Lights, brightness: float) -> float:
    """Return what the strip would draw in white, were it not held back."""
    return lights.count * (IDLE_MILLIAMPS + 3 * CHANNEL_MILLIAMPS * brightness)


def run(name: str, milliamps: float, length_mm: float) -> Run:
    """Return the fuse and the wires for a current over a distance."""
    fuse = at_least(milliamps / 1000 * RESERVE, FUSES_A, "A of fuse")
    for mm2, awg, carries in WIRES:
        drop = fuse * 2 * length_mm / 1000 * COPPER_OHM_MM2_PER_M / mm2
        if carries >= fuse and drop <= DROP_VOLTS:
            return Run(name, milliamps, fuse, length_mm, mm2, awg, drop)
    raise ValueError(f"expected a run that {WIRES[-1][0]} mm² can carry, got {fuse} A")


def at_least(wanted: float, series: tuple[float, ...], what: str) -> float:
    """Return the smallest of a series that is enough."""
    for value in series:
        if value >= wanted:
            return value
    raise ValueError(f"expected at most {series[-1]} {what}, got {wanted:.1f}")
