"""Recordings in place of a camera: a video at its own pace, or a folder of numbered pictures.

At the end the last picture stays, so that what it shows can still be judged, and is reported as
the end. A folder is looked into again: pictures that are added to it later are shown as well.
Those two keep real time; a reel does not.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from companion.errors import DeviceError, PictureError
from companion.sensing.camera.files import frames, in_order, read_picture
from companion.sensing.camera.frame import Frame, Picture

log = logging.getLogger(__name__)

#: A picture that stays is handed out again this often.
REPEAT_SECONDS = 0.5

#: A folder that has shown all its pictures is looked into this often.
LOOK_SECONDS = 0.5

#: The last picture may be unreadable because it is still being written, but not for this long.
WRITING_SECONDS = 2.0

#: A picture that stays on a reel is shown again after so many seconds: often enough for whoever
#: waits until something is steady, and before it counts as stale.
AGAIN_SECONDS = (0.2, 0.8)

Clock = Callable[[], float]
Wait = Callable[[float], object]


class Video:
    """A video file, paced at its own rate; ``fps`` is for one that does not state it."""

    def __init__(self, path: Path, fps: float, clock: Clock, wait: Wait = time.sleep) -> None:
        self._path, self._clock, self._wait = path, clock, wait
        self._frames = frames(path, 1 / fps)
        self._next: Frame | None = next(self._frames)
        self._shown: Picture = self._next.picture
        self._start = clock()

    def grab(self) -> Frame:
        """Return the next frame when its time has come; after the last one, that one again."""
        coming = self._next
        if coming is None:
            self._wait(REPEAT_SECONDS)
            note = f"the recording {self._path.name} has ended; its last picture stays"
            return Frame(self._clock(), self._shown, recorded=True, note=note)
        early = self._start + coming.time - self._clock()
        if early > REPEAT_SECONDS:
            self._wait(REPEAT_SECONDS)
            return Frame(self._clock(), self._shown, recorded=True)
        if early > 0:
            self._wait(early)
        self._shown = coming.picture
        self._next = next(self._frames, None)
        return Frame(self._clock(), self._shown, recorded=True)

    def close(self) -> None:
        """Release the file."""
        self._next, self._frames = None, iter(())  # which ends the reader of the video


class Folder:
    """A folder of pictures, shown ``1 / fps`` seconds apart in the order of their numbers."""

    def __init__(self, path: Path, fps: float, clock: Clock, wait: Wait = time.sleep) -> None:
        self._path, self._step, self._clock, self._wait = path, 1 / fps, clock, wait
        self._known: set[Path] = set()
        self._coming: list[Path] = []
        self._shown: Picture | None = None
        self._due = self._looked_at = float("-inf")
        self._broken_since: float | None = None
        self._look(clock())
        if not self._coming:
            raise DeviceError(
                f"no pictures in {path}: expected numbered JPEG or PNG files, which are shown"
                " as soon as they are there"
            )

    def grab(self) -> Frame:
        """Return the next picture when its time has come; until then the last one again."""
        while True:
            now = self._clock()
            self._look(now)
            if self._coming and now >= self._due and self._advance(now):
                break
            left = self._due - now if self._coming and now < self._due else REPEAT_SECONDS
            self._wait(min(left, REPEAT_SECONDS))
            if left >= REPEAT_SECONDS and self._shown is not None:
                break
            if not self._coming and self._shown is None:
                raise DeviceError(f"none of the pictures in {self._path} can be read")
        assert self._shown is not None
        return Frame(self._clock(), self._shown, recorded=True, note=self._note)

    def close(self) -> None:
        """Do nothing: no file is held open."""

    @property
    def _note(self) -> str:
        if self._coming:
            return ""
        return (
            f"the folder {self._path.name} has no further pictures; the last one stays until"
            " there are"
        )

    def _look(self, now: float) -> None:
        """See which pictures are new in the folder, once those known have been shown."""
        if self._coming or now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        try:
            there = in_order(self._path)
        except OSError as error:
            raise DeviceError(
                f"cannot read the folder {self._path}: {error.strerror or error}"
            ) from error
        self._coming = [path for path in there if path not in self._known]
        self._known.update(self._coming)

    def _advance(self, now: float) -> bool:
        """Take the next picture that can be read; tell whether there is one."""
        while self._coming:
            try:
                picture = read_picture(self._coming[0])
            except PictureError as error:
                if self._may_be_unfinished(now):
                    return False
                if self._shown is not None:
                    log.warning("%s; it is passed over", error)
                self._coming.pop(0)
                continue
            self._coming.pop(0)
            self._broken_since = None
            self._shown = picture
            self._due = max(self._due, now) + self._step
            return True
        self._broken_since = None
        return False

    def _may_be_unfinished(self, now: float) -> bool:
        if len(self._coming) > 1:
            return False
        if self._broken_since is None:
            self._broken_since = now
        return now - self._broken_since < WRITING_SECONDS


class Reel:
    """Frames shown for ``stays`` seconds each by a clock of their own, as fast as they are read.

    Whoever iterates over it moves both on, and gets the number of the frame that is shown.
    """

    def __init__(self, frames: Iterable[Frame], stays: float) -> None:
        self._frames = frames
        self._looks = (0.0, *(after for after in AGAIN_SECONDS if after < stays))
        self._shown: Frame | None = None
        self._now = 0.0

    def __iter__(self) -> Iterator[int]:
        for number, frame in enumerate(self._frames):
            self._shown = frame
            for after in self._looks:
                self._now = frame.time + after
                yield number

    def clock(self) -> float:
        """Return the time in the recording."""
        return self._now

    def read(self) -> Frame | None:
        """Return the frame that is shown, which keeps the time at which it was taken."""
        return self._shown

    def close(self) -> None:
        """Do nothing: whoever gave the frames closes them."""
