"""Where pictures come from. A camera hands out its newest picture and never makes anyone wait."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Array = NDArray[Any]


@dataclass(frozen=True)
class Frame:
    """A picture, blue-green-red with 8 bits each, and when it was taken (monotonic seconds)."""

    time: float
    picture: Picture


class Camera(Protocol):
    """A source of frames."""

    def read(self) -> Frame | None:
        """Return the newest frame not yet handed out, None when there is none; never waits."""

    def close(self) -> None:
        """Let go of the device; calling it twice is fine."""
