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


@runtime_checkable
class Settling(Protocol):
    """A source of pictures that tunes itself with the first of them."""

    @property
    def is_settled(self) -> bool:
        """Tell whether it stays as it is now."""

    @property
    def text(self) -> str:
        """Return the result of the tuning, in a sentence or two; nothing if there is none."""


def is_settled(source: object) -> bool:
    """Tell whether a source stays as it is now; one that never tunes itself does."""
    return not isinstance(source, Settling) or source.is_settled


def told_by(source: object) -> str:
    """Return what a source says of its tuning, nothing if it has none."""
    return source.text if isinstance(source, Settling) else ""


class Tuned:
    """A wrapper around a source that passes on what it says of its tuning."""

    _source: object = None

    @property
    def is_settled(self) -> bool:
        """Tell whether the source stays as it is now."""
        return is_settled(self._source)

    @property
    def text(self) -> str:
        """Return the result of its tuning."""
        return told_by(self._source)


@runtime_checkable
class Mending(Protocol):
    """A camera that knows why it has no pictures, and can be reopened."""

    @property
    def trouble(self) -> str:
        """Return why there are no pictures, nothing while there are."""

    def renew(self) -> None:
        """Release the device and open it again soon."""
