"""Where pictures come from. A camera hands out its newest picture and never makes anyone wait."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Array = NDArray[Any]


@dataclass(frozen=True)
class Frame:
    """A picture, blue-green-red with 8 bits each, and when it was taken (monotonic seconds).

    One that is ``recorded`` may come again and again; at the end of a recording ``note`` says so.
    """

    time: float
    picture: Picture
    recorded: bool = False
    note: str = ""


class Camera(Protocol):
    """A source of frames."""

    def read(self) -> Frame | None:
        """Return the newest frame not yet handed out, None when there is none; never waits."""

    def close(self) -> None:
        """Let go of the device; calling it twice is fine."""


@runtime_checkable
class Mending(Protocol):
    """A camera that knows why it has no pictures, and can try anew."""

    @property
    def trouble(self) -> str:
        """Return why there are no pictures, nothing while there are."""

    def renew(self) -> None:
        """Let go of the device and open it again soon."""
