"""A room in simulated time: a table, a camera over it, lights around it and a hall grid under it.

Nothing here waits, and nothing has a thread or a wire: time goes when it is told to. The
companion's own loop comes on top in :mod:`companion.service.simulated.rig`.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from companion.board import Board, DeviceView
from companion.sensing.camera.frame import Frame
from companion.sensing.hall.session import HallState
from companion.sim import stress
from companion.sim.faults import Faults, Started
from companion.sim.grid import Field
from companion.sim.picture.camera import SimCamera
from companion.sim.strip import SimPixels
from companion.sim.table import SimTable

FPS = 15


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


@dataclass(frozen=True)
class Setting:
    """What a room is like: its light, the camera's pose and noise by a seed, the devices, and
    what troubles the camera. So many sensors are ``ill``; a ``blind`` room has no camera.
    """

    light: str = "daylight"
    seed: int = 1
    hall: bool = False
    lights: bool = False
    stresses: tuple[stress.Stress, ...] = ()
    ill: int = 0
    blind: bool = False


class FeltGrid:
    """The hall grid without its wire: its values are handed over as they are measured."""

    def __init__(self, table: SimTable, clock: Callable[[], float], seed: int, ill: int) -> None:
        self._table, self._clock = table, clock
        spots = random.Random(seed).sample(table.board.squares, ill)
        half = ill // 2
        broken = (
            Started("dead-sensor", tuple(spots[:half])),
            Started("stuck-sensor", tuple(spots[half:])),
        )
        self._faults = Faults(table.board, broken if ill else ())
        self._field = Field(table.board, seed)

    @property
    def status(self) -> DeviceView:
        """Return that all is well."""
        return DeviceView("hall", "ok", "The sensor grid is connected.")

    def poll(self) -> HallState:
        """Return what the sensors measure now."""
        still = self._field.still(self._table.scene().bodies)
        values = self._faults.values(self._field.noisy(still), self._clock())
        return HallState(self._clock(), tuple(values))

    def take_baseline(self) -> None:
        """Do nothing: these sensors rest where the profile says."""

    def close(self) -> None:
        """Do nothing: there is no wire."""


class Room:
    """A table and its devices; ``seen`` is the camera as whatever troubles it lets it see.

    Its time is simulated, and a frame is due at every beat, unless it is given another ``clock``.
    The lights take nothing while it ``is_dark``.

    Example::

        room = Room(board, Setting("lamp", seed=3))
        room.table.set_up({"e1": "pacman"})
        frame = room.shoot()
    """

    def __init__(
        self,
        board: Board,
        setting: Setting | None = None,
        *,
        clock: Callable[[], float] | None = None,
        fps: float = 2 * FPS,
        size: tuple[int, int] = (1296, 972),
        is_dark: Callable[[], bool] = lambda: False,
    ) -> None:
        self.board, self.setting = board, setting or Setting()
        seed, stresses = self.setting.seed, self.setting.stresses
        self.clock = Clock()
        now = clock or self.clock
        self.table = SimTable(board, random.Random(seed), stress.habits(stresses))
        self.pixels = SimPixels(board.lights, is_dark)
        self.camera = SimCamera(
            stress.busy(self.table, stresses, now, seed),
            board,
            now,
            fps=fps,
            size=size,
            seed=seed,
            light=self.setting.light,
            leds=stress.lit(lambda: self.pixels.colours, stresses, now),
        )
        self.seen = stress.StressedCamera(self.camera, stresses, seed)
        self.grid = FeltGrid(self.table, now, seed, self.setting.ill)

    def shoot(self, later: float = 2.0) -> Frame:
        """Return a new picture, taken some seconds later."""
        self.clock.now += later
        frame = self.seen.read()
        assert frame is not None
        return frame
