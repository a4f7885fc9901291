"""A table with a camera and a hall grid that a test leads, and all the senses behind them."""

from dataclasses import replace

import numpy as np

from companion.board import PELLET, DeviceView, Evidence
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.corners import Corners
from companion.sensing.fusion import Senses
from companion.sensing.hall.session import HallState
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD

START = {"e1": "pacman", "e9": "blinky", "c3h": "fence"}
PAWNS = {"e1": "pacman", "e9": "blinky"}
BARE = np.random.default_rng(1).integers(60, 100, (972, 1296, 3), np.uint8)  # a table, no board


class FakeCamera:
    """Hands out the frames that a test lays down."""

    def __init__(self) -> None:
        self.next: Frame | None = None
        self.trouble = ""
        self.renewed = self.closed = 0

    def renew(self) -> None:
        self.renewed += 1

    def read(self) -> Frame | None:
        frame, self.next = self.next, None
        return frame

    def close(self) -> None:
        self.closed += 1


class FakeHall:
    """Has the values that a test gives it."""

    def __init__(self) -> None:
        self.state: HallState | None = None
        self.status = DeviceView("hall grid", "ok", "The hall grid feels the board.")
        self.closed = 0

    def poll(self) -> HallState | None:
        return self.state

    def close(self) -> None:
        self.closed += 1


class Lab:
    """A simulated table seen by a camera and felt by a grid, each only when a test says so."""

    def __init__(
        self,
        *,
        camera: bool,
        hall: bool,
        studio: Room | None = None,
        corners: Corners | None = None,
    ) -> None:
        self.now = 10.0
        self.studio = studio or Room(BOARD, Setting("daylight", 3))
        self.studio.table.set_up(START)
        self.camera = FakeCamera() if camera else None
        self.hall = FakeHall() if hall else None
        self.senses = Senses(BOARD, lambda: self.now, self.camera, self.hall, corners)
        self.scan()

    def scan(self) -> None:
        if self.hall:
            self.hall.state = replace(self.studio.grid.poll(), time=self.now)

    def shoot(self) -> None:
        self.show(self.studio.shoot().picture)

    def show(self, picture: Picture) -> None:
        """Lay a picture before the camera's reader, taken now."""
        assert self.camera
        self.camera.next = Frame(self.now, picture)

    def devices(self) -> dict[str, DeviceView]:
        return {view.name: view for view in self.senses.devices()}


def believed(evidence: Evidence) -> dict[str, str]:
    """Return the pieces that are clearly seen, each on its square."""
    seen = {}
    for place, things in evidence.items():
        best = max(things, key=lambda thing: things[thing])
        if things[best] > 0 and best != PELLET and not place[2:]:
            seen[place] = best
    return seen
