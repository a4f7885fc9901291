"""The simulated table as the service has it: its virtual devices."""

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
from companion.sim.room import Room, Setting
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
    room = Room(
        board,
        Setting(seed=seed, stresses=tuple(stresses)),
        clock=clock,
        fps=settings.camera.fps,
        size=settings.camera.size,
        is_dark=lambda: "lights-gone" in faults.active,
    )
    camera = grid = None
    if settings.camera.source == "sim":
        camera = FaultyCamera(room.seen, lambda: faults.active)
    if settings.hall.port == "sim":
        pico = choose(firmware, clock)
        grid = SimGrid(room.table, board, clock, seed, pico=pico, faults=faults)
    return Simulated(room.table, room.pixels, grid, camera)


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
