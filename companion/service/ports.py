"""The loop's ports: protocols for what thinks, senses, sets the table up and shows."""

from collections.abc import Callable
from typing import Protocol

from companion.board import DeviceView, Position, Reading
from companion.engine.thinker import Task, Thought
from companion.sensing.corners import Corners
from companion.service.requests import SetUp
from companion.service.snapshot import Snapshot


class Thinker(Protocol):
    """Finds moves, the companion's own and hints, without keeping the loop waiting."""

    def think(self, task: Task) -> None:
        """Begin to look for a move; whatever was looked for before is dropped."""

    def poll(self) -> Thought | None:
        """Return what was found for the last task, None while there is nothing new."""

    def drop(self) -> None:
        """Stop looking."""


class Senses(Protocol):
    """What the loop needs of the sensors."""

    def read(self) -> Reading | None:
        """Return what the sensors say now, None when nothing new has come in."""

    def learn(self, position: Position, *, told: bool = False) -> None:
        """Take what is seen now as a picture of this position; ``told`` means people said so."""

    def use_corners(self, corners: Corners | None) -> None:
        """Go by these corners of the board where the camera sees no markers."""

    def devices(self) -> tuple[DeviceView, ...]:
        """Return how the sensors are doing."""


class SettingUp(Protocol):
    """Sets the table up when people ask for it."""

    @property
    def holds(self) -> bool:
        """Tell whether what lies on the board is no move just now."""

    def do(self, command: SetUp) -> str:
        """Carry out what was asked and return a sentence."""


#: Something that shows snapshots: the page, the lights. It is called often and must be quick.
Output = Callable[[Snapshot, float], None]

#: Is told of each reading whether it shows the board as the last snapshot has it. It must be quick,
#: too.
Watched = Callable[[Reading, bool], None]
