"""The simulated table as the service has it: its virtual devices."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.board import Board
from companion.config import Settings
from companion.errors import ConfigError
from companion.sensing.camera.frame import Camera
from companion.sim import stress
from companion.sim.faults import Faults
from companion.sim.faults.pictures import FaultyCamera
from companion.sim.firmware import choose
from companion.sim.grid import SimGrid
from companion.sim.picture.camera import SimCamera
from companion.sim.strip import SimPixels
from companion.sim.table import SimTable


@dataclass
class Simulated:
    """The devices of the simulated table: everything that is hardware on a real one."""

    table: SimTable
    pixels: SimPixels
    grid: SimGrid | None
    camera: Camera | None


def simulate(
    board: Board,
    settings: Settings,
    clock: Callable[[], float],
    seed: int,
    faults: Faults,
    stresses: Sequence[stress.Stress] = (),
    firmware: str = "auto",
) -> Simulated:
    """Return the devices that the settings do not switch off; the grid is to be closed."""
    table = SimTable(board, random.Random(seed), stress.habits(stresses))
    pixels = SimPixels(board.lights, lambda: "lights-gone" in faults.active)
    camera: Camera | None = None
    if settings.camera.source == "sim":
        drawn = SimCamera(
            stress.busy(table, stresses, clock, seed),
            board,
            clock,
            fps=settings.camera.fps,
            size=settings.camera.size,
            seed=seed,
            leds=stress.lit(lambda: pixels.colours, stresses, clock),
        )
        camera = stress.StressedCamera(drawn, stresses, seed) if stresses else drawn
        camera = FaultyCamera(camera, lambda: faults.active)
    grid = None
    if settings.hall.port == "sim":
        pico = choose(firmware, clock)
        grid = SimGrid(table, board, clock, seed, pico=pico, faults=faults)
    return Simulated(table, pixels, grid, camera)


def all_simulated(settings: Settings) -> Settings:
    """Return the settings with every device that is not switched off simulated."""

    def simulated(said: str | None) -> str:
        return "none" if said == "none" else "sim"

    return replace(
        settings,
        camera=replace(settings.camera, source=simulated(settings.camera.source)),
        hall=replace(settings.hall, port=simulated(settings.hall.port)),
        lights=replace(settings.lights, driver=simulated(settings.lights.driver)),
        panel=replace(settings.panel, driver=simulated(settings.panel.driver)),
    )


def all_real(settings: Settings) -> Settings:
    """Return the settings; ConfigError if a simulated device is asked for beside real ones."""
    if settings.simulated_keys:
        raise ConfigError(
            f'{settings.simulated_keys[0]} is "sim" beside real devices: set it to "none",'
            " or simulate all of them with --sim"
        )
    return settings
