"""Whom the loop works with: who thinks, who senses, who sets the table up, and who shows."""

from collections.abc import Callable
from typing import Protocol

from companion.board import Position, Reading
from companion.corners import Corners
from companion.device import DeviceView
from companion.engine.thought import Task, Thought
from companion.errors import CompanionError
from companion.referee.commands import SetUp
from companion.referee.snapshot import Snapshot


class Thinker(Protocol):
    """Who finds the companion's own moves, in its own time and never on the loop's."""

    def think(self, task: Task) -> None:
        """Begin to look for a move; whatever was looked for before is dropped."""

    def poll(self) -> Thought | None:
        """Return what was found for the last task, None while there is nothing new."""

    def drop(self) -> None:
        """Stop looking."""


class Nobody:
    """A thinker for tables where only people play."""

    def think(self, task: Task) -> None:
        """Refuse: nobody is there to think."""
        raise CompanionError("this table has no player for an empty seat")

    def poll(self) -> Thought | None:
        """Return that there is nothing."""
        return None

    def drop(self) -> None:
        """Do nothing."""


class Senses(Protocol):
    """What the loop needs of the sensors."""

    def read(self) -> Reading | None:
        """Return what the sensors say now, None when nothing new has come in."""

    def learn(self, position: Position, *, told: bool = False) -> None:
        """Take what is seen now as a picture of this position, which people may have told."""

    def use_corners(self, corners: Corners | None) -> None:
        """Go by these corners of the board where the camera sees no markers."""

    def devices(self) -> tuple[DeviceView, ...]:
        """Return how the sensors are doing."""


class SettingUp(Protocol):
    """Who sets the table up, when people ask for it."""

    @property
    def holds(self) -> bool:
        """Tell whether what lies on the board is no move just now."""

    def do(self, command: SetUp) -> str:
        """Carry out what was asked and return a sentence."""


class AllSet:
    """A table on which there is nothing to set up."""

    holds = False

    def do(self, command: SetUp) -> str:
        """Refuse."""
        raise CompanionError("there is nothing to set up on this table")


#: Something that shows snapshots: the page, the lights. It is called often and must be quick.
Output = Callable[[Snapshot, float], None]
