"""Focus, exposure and white balance of a USB camera: found once, then locked where it can be.

A camera that tunes itself all the time changes every colour when a hand comes in. Drivers promise
more than they do: many jump to an old value when a thing is locked. So each lock is tried by
itself, and undone when the picture looks different afterwards.
"""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from companion.sensing.camera.focus import AUTO, OFF, Focus
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.camera.sharpness import middle, smear_px
from companion.text import listed

SETTLE_SECONDS = 3.0  # a camera tunes itself for so long first
CHECK_SECONDS = 1.0  # and a lock shows in the picture after this
TRIES = 3  # a hand may have come in between

#: By how much the picture may differ after a lock: brightness and smear as factors.
SAME_LIGHT, SAME_COLOUR, SAME_SMEAR = 1.15, 0.03, 1.3

#: Locked, and yet so much brighter or darker for so long: the room has changed.
OTHER_LIGHT, OTHER_SECONDS = 1.6, 20.0


class Video(Protocol):
    """The part of OpenCV's capture that is used."""

    def set(self, property: int, value: float) -> bool:
        """Set a property; tell whether the driver took it."""


@dataclass(frozen=True)
class Lockable:
    """A thing that a camera tunes by itself, and the values that free it and that hold it."""

    name: str
    property: int
    free: float
    held: float


# The values of exposure are those of V4L2: 3 is automatic with a fixed aperture, 1 by hand.
FOCUS = Lockable("focus", cv2.CAP_PROP_AUTOFOCUS, 1, 0)
EXPOSURE = Lockable("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1)
WHITE = Lockable("white balance", cv2.CAP_PROP_AUTO_WB, 1, 0)


@dataclass(frozen=True)
class _Look:
    """How a picture looks: its brightness, the shares of its colours, how smeared it is."""

    light: float
    colours: tuple[float, ...]
    smear: float

    def is_like(self, other: "_Look") -> bool:
        apart = max(abs(a - b) for a, b in zip(self.colours, other.colours, strict=True))
        return (
            _factor(self.light, other.light) <= SAME_LIGHT
            and apart <= SAME_COLOUR
            and _factor(self.smear, other.smear) <= SAME_SMEAR
        )


class Locks:
    """Locks what a camera tunes by itself, one thing after the other, as its pictures come.

    Example::

        locks = Locks(video)
        locks.note(frame)  # with every picture
    """

    def __init__(self, video: Video, focus: Focus = AUTO) -> None:
        self._video, self._focus = video, focus
        self._begin()

    def _begin(self) -> None:
        wanted = (*(() if self._focus == OFF else (FOCUS,)), EXPOSURE, WHITE)
        # A camera remembers old locks: what cannot be freed cannot be locked.
        self._open = [thing for thing in wanted if self._video.set(thing.property, thing.free)]
        self._refused = [thing for thing in wanted if thing not in self._open]
        self._held: list[Lockable] = []
        self._jumping: list[Lockable] = []
        self._before: _Look | None = None
        self._tries = 0
        self._light = 0.0  # of the picture as it was locked
        self._due: float | None = None
        self._other_since: float | None = None

    @property
    def is_settled(self) -> bool:
        """Tell whether everything was tried."""
        return not self._open

    @property
    def text(self) -> str:
        """Return what is locked and what is not; nothing before it is known."""
        if not self.is_settled:
            return ""
        said = [f"Locked: {_names(self._held)}."] if self._held else []
        if self._jumping:
            said.append(f"The picture jumps when {_names(self._jumping)} is locked: left alone.")
        if self._refused:
            said.append(f"Its driver cannot lock {_names(self._refused)}.")
        if not isinstance(self._focus, str):
            said.append("A USB camera takes no distance as camera.focus; it focuses by itself.")
        return " ".join(said)

    def note(self, frame: Frame) -> None:
        """Take a picture into account."""
        if self.is_settled:
            self._look_for_other_light(frame)
        elif self._due is None:
            self._due = frame.time + SETTLE_SECONDS
        elif frame.time >= self._due:
            self._step(frame)

    def _step(self, frame: Frame) -> None:
        thing, look = self._open[0], _look(frame.picture)
        if self._before is None:
            self._before = look
            self._due = frame.time + CHECK_SECONDS
            if not self._video.set(thing.property, thing.held):
                self._done(thing, self._refused)
        elif self._before.is_like(look):
            self._light = look.light
            self._done(thing, self._held)
        else:
            self._video.set(thing.property, thing.free)
            self._before, self._due = None, frame.time + SETTLE_SECONDS
            self._tries += 1
            if self._tries >= TRIES:
                self._done(thing, self._jumping)

    def _done(self, thing: Lockable, where: list[Lockable]) -> None:
        where.append(thing)
        self._open.remove(thing)
        self._before, self._tries = None, 0

    def _look_for_other_light(self, frame: Frame) -> None:
        """Start over when a lamp was switched on or the evening has come."""
        if EXPOSURE not in self._held:
            return
        if _factor(_light(frame.picture), self._light) < OTHER_LIGHT:
            self._other_since = None
        elif self._other_since is None:
            self._other_since = frame.time
        elif frame.time - self._other_since >= OTHER_SECONDS:
            self._begin()


def _look(picture: Picture) -> _Look:
    means = picture[::8, ::8].reshape(-1, 3).mean(axis=0) + 1.0
    shares = tuple(float(share) for share in means / means.sum())
    return _Look(_light(picture), shares, smear_px(middle(picture)))


def _light(picture: Picture) -> float:
    return float(np.mean(picture[::8, ::8])) + 1.0


def _factor(one: float, other: float) -> float:
    low, high = sorted((max(one, 0.5), max(other, 0.5)))
    return high / low


def _names(things: list[Lockable]) -> str:
    return listed([thing.name for thing in things])
