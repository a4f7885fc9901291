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
        """Release the device; calling it twice is fine."""


class Tuning(Protocol):
    """What a source of pictures tunes with the first of them: a lens, or the light it lets in."""

    @property
    def is_settled(self) -> bool:
        """Tell whether it stays as it is now."""

    @property
    def text(self) -> str:
        """Return the result, in a sentence or two; nothing if there is none."""


def tuning_of(source: object) -> Tuning | None:
    """Return the ``tuning`` of a source, None of one that never tunes itself."""
    return getattr(source, "tuning", None)


def is_settled(source: object) -> bool:
    """Tell whether a source stays as it is now; one that never tunes itself does."""
    tuning = tuning_of(source)
    return tuning is None or tuning.is_settled


def told_by(source: object) -> str:
    """Return what a source says of its tuning, nothing if it has none."""
    tuning = tuning_of(source)
    return tuning.text if tuning else ""


@runtime_checkable
class Mending(Protocol):
    """A camera that knows why it has no pictures, and can be reopened."""

    @property
    def trouble(self) -> str:
        """Return why there are no pictures, nothing while there are."""

    def renew(self) -> None:
        """Release the device and open it again soon."""
