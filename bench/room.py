"""A room in simulated time: table, camera, grid and lights, and the companion's own loop.

Every part between the pieces on the table and the verdict is the real one. Only two devices are
shortened: time, which goes when it is told to, and the wire between grid and host, whose values
are handed over without a pseudo-terminal.
"""

import random
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.board import DeviceView, Position
from companion.boards import profile
from companion.lights.scene import scene
from companion.lights.strip import Strip
from companion.referee.verdict import Kind, Verdict
from companion.sensing.fusion import Senses
from companion.sensing.hall.session import HallState
from companion.service.loop import Loop
from companion.service.requests import Command, NewGame
from companion.service.snapshot import Snapshot
from companion.sim import stress
from companion.sim.faults import Faults, Started
from companion.sim.grid import Field
from companion.sim.hands import Step
from companion.sim.picture.camera import SimCamera
from companion.sim.strip import SimPixels
from companion.sim.table import SimTable
from companion.store.journal import Journal

FPS = 15


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


class FeltGrid:
    """The hall grid without its wire."""

    def __init__(self, table: SimTable, clock: Clock, seed: int, ill: int = 0) -> None:
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

    def close(self) -> None:
        """Do nothing: there is no wire."""


@dataclass(frozen=True)
class Setting:
    """What a room is like: its light, the camera's pose and noise by a seed, the devices, and
    what troubles the camera. So many sensors are ``ill``; a ``blind`` room has no camera.
    """

    light: str
    seed: int
    hall: bool = False
    lights: bool = False
    stresses: tuple[stress.Stress, ...] = ()
    ill: int = 0
    blind: bool = False


class Room:
    """A companion that watches a simulated table, frame by frame, in simulated time.

    ``on_moves`` is called as soon as the companion has accepted moves.
    """

    def __init__(self, setting: Setting, fps: int = FPS) -> None:
        self.setting = setting
        self.board = profile.load("reference")
        self.clock = Clock()
        # How often a fence is left half in is for the people to say: they keep count.
        habits = replace(stress.habits(setting.stresses), half_in_share=0.0)
        self.table = SimTable(self.board, random.Random(setting.seed), habits)
        self.pixels = SimPixels(self.board.lights)
        self.strip = Strip(self.pixels, self.board.lights.milliamps)
        self.camera = SimCamera(
            stress.busy(self.table, setting.stresses, self.clock, setting.seed),
            self.board,
            self.clock,
            fps=2 * fps,  # this room says when: at each of its beats a frame is due
            seed=setting.seed,
            light=setting.light,
            leds=stress.lit(lambda: self.pixels.colours, setting.stresses, self.clock),
        )
        hall = FeltGrid(self.table, self.clock, setting.seed, setting.ill) if setting.hall else None
        seen = stress.StressedCamera(self.camera, setting.stresses, setting.seed)
        self.senses = Senses(self.board, self.clock, None if setting.blind else seen, hall)
        self._folder = tempfile.TemporaryDirectory(prefix="companion-bench-")
        self._journal = Journal(Path(self._folder.name) / "journal.db")
        self.loop = Loop(
            self.board, self.senses, self._journal, self.clock, outputs=[self._show_lights]
        )
        self.on_moves: Callable[[tuple[str, ...]], None] = lambda moves: None
        self.kinds: set[Kind] = set()
        self._beat = 1 / fps
        self._due = self.clock.now

    def begin(self, game: str, pieces: tuple[str, ...]) -> None:
        """Set up a new game, and wait until the companion has seen that it is."""
        wanted = NewGame(game, {}, pieces)
        if hasattr(self.loop, "table"):
            self.ask(wanted)
        else:
            self.loop.begin(wanted)
        self.table.set_up(self.position)
        self.wait(2.0, until=lambda: self.loop.table.is_as_agreed)

    @property
    def position(self) -> Position:
        """Return what the companion takes to be on the board."""
        return self.loop.table.expected.position

    @property
    def verdict(self) -> Verdict:
        """Return the verdict that stands."""
        return self.loop.table.verdict

    def ask(self, command: Command) -> None:
        """Have a command obeyed at once."""
        answer = self.loop.post(command)
        self.loop.step()
        answer.result(0)

    def watch(self, steps: Iterable[Step]) -> None:
        """Let somebody act; the camera looks on."""
        for step in steps:
            self.wait(step.seconds)

    def wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass, at most so much; tell whether it came to what was waited for."""
        end = self.clock.now + seconds
        while self._due <= end:
            self.clock.now = max(self._due, self.clock.now)
            self._due += self._beat
            self._look()
            if until():
                return True
        self.clock.now = end
        return False

    def close(self) -> None:
        """Clear up."""
        self._journal.close()
        self._folder.cleanup()

    def _look(self) -> None:
        moves = len(self.loop.table.moves)
        self.loop.step()
        self.kinds.add(self.verdict.kind)
        if len(self.loop.table.moves) > moves:
            self.on_moves(tuple(self.loop.table.moves[moves:]))

    def _show_lights(self, snapshot: Snapshot, now: float) -> None:
        if self.setting.lights:
            self.strip.show(scene(snapshot, self.board, now), now)
