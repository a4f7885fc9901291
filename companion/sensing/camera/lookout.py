"""The camera with the eyes behind it: pictures are checked, then read, and trouble is named.

What is wrong with the pictures is told in a sentence for the player, and logged once when it
begins and once when it is over. A picture that is not believed says nothing about the board.
"""

import logging
from collections.abc import Callable

import numpy as np

from companion.board import FENCE, Board, DeviceView, Place, Position, places_of
from companion.sensing.camera.frame import Camera, Frame, Mending, told_by
from companion.sensing.camera.health import FROZEN, Health, examine
from companion.sensing.corners import Corners
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sensing.vision.pose import Pose
from companion.text import sentence

log = logging.getLogger(__name__)

#: A camera that has shown nothing new for this long is reported, and no longer believed.
STALE_SECONDS = 1.5

#: Bad pictures are skipped at once, and reported after this long without a good one (debounce).
BAD_SECONDS = 0.4

#: A camera that hangs is opened again this often.
RENEW_SECONDS = 10.0

#: For how long a new size of the pictures is mentioned.
SAID_SECONDS = 10.0

#: What has covered the board for this long without moving is no hand.
OLD_COVER_SECONDS = 10.0
COVER_FLICKERS = 4  # places by which the same cover may look different

#: Threshold: a square denies a position when something else fits it better by this much.
DENIED = 6.0
FENCE_DENIED = 1.0  # the same for one patch of a fence

SILENT = "the camera gives no pictures: is it plugged in, and does nothing else use it?"
STALLED = "the camera has stopped sending pictures: check its cable, or its place in the network"
AIM = "turn the camera so that the whole board with its frame is in the picture"
CUT_OFF = f"part of the board is out of the picture: {AIM}"


class Lookout:
    """Reads one camera above one board.

    Example::

        lookout = Lookout(board, camera, time.monotonic)
        if lookout.look():
            evidence = lookout.sight.evidence
    """

    def __init__(
        self,
        board: Board,
        camera: Camera,
        clock: Callable[[], float],
        corners: Corners | None = None,
    ) -> None:
        self._board = board
        self._camera = camera
        self._mending = camera if isinstance(camera, Mending) else None
        self._clock = clock
        self._eyes = Eyes(board, corners)
        self._sight: Sight | None = None
        self.frame: Frame | None = None  # the last that can be shown, good or bad
        self._health: Health | None = None
        self._good_at = self._came_at = self._shown_at = clock()
        self._renewed_at = self._resized_at = float("-inf")
        self._cover: frozenset[Place] = frozenset()
        self._cover_since = clock()
        self._taught = False
        self._logged = False

    @property
    def is_live(self) -> bool:
        """Tell whether the last frame shows the board as it is now: a camera that is silent, or
        repeats itself, shows how it was."""
        hangs = self._health is not None and self._health.fault == FROZEN
        return not hangs and self._clock() - self._shown_at < STALE_SECONDS

    @property
    def told(self) -> str:
        """Return what the camera says of its focus and the like."""
        return told_by(self._camera)

    @property
    def sight(self) -> Sight | None:
        """Return what the last good picture says, None when it is too old or bad ones followed."""
        since = self._clock() - self._good_at
        fault = self._health.fault if self._health else ""
        return None if since >= (BAD_SECONDS if fault else STALE_SECONDS) else self._sight

    def look(self) -> bool:
        """Take the camera's newest picture, if there is one; tell whether it was a good one."""
        now = self._clock()
        frame = self._camera.read()
        good = frame is not None and now - frame.time < STALE_SECONDS and self._take(frame, now)
        self._log_changes(now)
        return good

    def learn(self, position: Position, *, told: bool = False) -> None:
        """Take the last picture as one of this position, if it shows no other and is at rest.

        While something covers the board nothing is learned, unless it has lain there for so long
        that it is no hand: then the rest is, but never as the first lesson, because what is below
        it was not yet seen. When people have ``told`` that it is this position, they are right
        and the picture is not.
        """
        sight = self.sight
        if sight is None:
            return
        old = self._taught and self._clock() - self._cover_since >= OLD_COVER_SECONDS
        doubtful = sight.moving or self._is_denied(sight, position) or (sight.covered and not old)
        if told or not doubtful:
            self._eyes.learn(position)
            self._taught = True

    @property
    def corners(self) -> Corners | None:
        """Return the corners by which the board is found where there are no markers."""
        return self._eyes.corners

    def use_corners(self, corners: Corners | None) -> None:
        """Go by other corners, or by none."""
        self._eyes.use_corners(corners)

    @property
    def view(self) -> DeviceView:
        """Return how the camera is doing, in words for the player."""
        trouble = self._trouble(self._clock())
        if trouble:
            return DeviceView("camera", "trouble", sentence(trouble))
        assert self.frame is not None
        if self.frame.note:
            return DeviceView("camera", "off", sentence(self.frame.note))
        if self._clock() - self._resized_at < SAID_SECONDS:
            return DeviceView("camera", "ok", f"The pictures are {_size(self.frame)} now.")
        return DeviceView("camera", "ok", "The camera sees the board.")

    def renew(self) -> bool:
        """Reopen the camera, if that is possible; tell whether it is."""
        if self._mending:
            self._mending.renew()
        return self._mending is not None

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()

    def _take(self, frame: Frame, now: float) -> bool:
        """Read a frame; tell whether it was fit to be read."""
        self._came_at = now
        self._health = health = examine(frame, self._health)
        if health.usable:
            self._note_size(frame, now)
            self.frame, self._shown_at = frame, now
        if health.fault:
            self._mend(health.fault, now)
            return False
        self._good_at = now
        self._sight = self._eyes.look(frame)
        self._note_cover(self._sight, now)
        return True

    def _note_cover(self, sight: Sight, now: float) -> None:
        """Note since when the same thing has covered the board, unmoved."""
        if sight.moving or len(sight.covered ^ self._cover) > COVER_FLICKERS:
            self._cover, self._cover_since = sight.covered, now

    def _note_size(self, frame: Frame, now: float) -> None:
        before = self.frame
        if before is not None and before.picture.shape != frame.picture.shape:
            self._resized_at = now
            log.info("the pictures are %s now, they were %s", _size(frame), _size(before))

    def _mend(self, fault: str, now: float) -> None:
        hangs = fault == FROZEN and now - self._renewed_at >= RENEW_SECONDS
        if hangs and self._mending:
            self._renewed_at = now
            self._mending.renew()

    def _trouble(self, now: float) -> str:
        """Return what keeps the board from being read, nothing when all is well."""
        sight = self.sight
        if sight is None:
            return self._source_trouble or self._picture_trouble(now) or SILENT
        if not sight.found:
            told_how = "corners" in sight.text  # which are set by hand, and say so
            return sight.text if told_how else f"{sight.text}; {AIM}"
        assert sight.pose is not None
        return "" if field_in_view(self._board, sight.pose) else CUT_OFF

    @property
    def _source_trouble(self) -> str:
        return self._mending.trouble if self._mending else ""

    def _picture_trouble(self, now: float) -> str:
        """Return what is wrong with the pictures that came, or that none came any more."""
        if now - self._came_at >= STALE_SECONDS:
            return STALLED if self._health else SILENT
        return self._health.fault if self._health else ""

    def _log_changes(self, now: float) -> None:
        if self._source_trouble:
            return  # the camera keeps the log of its own losses
        if self.sight is not None:
            trouble = ""
        elif now - self._good_at >= BAD_SECONDS:
            trouble = self._picture_trouble(now)
        else:
            return
        if trouble and not self._logged:
            log.warning("%s", trouble)
        elif self._logged and not trouble:
            log.info("the camera's pictures are good again")
        self._logged = bool(trouble)

    def _is_denied(self, sight: Sight, position: Position) -> bool:
        """Tell whether the camera by itself contradicts this position: it clearly sees other
        pieces, or a fence, even half of one, where there should be none."""
        shown = places_of(position)
        for patch in self._board.patches:
            value = sight.evidence.get(patch, {}).get(FENCE, 0.0)
            if patch not in shown and value > FENCE_DENIED:
                return True
        for square in self._board.squares:
            things = sight.evidence.get(square, {})
            expected = things.get(position.get(square, ""), 0.0)
            if max((0.0, *things.values())) - expected > DENIED:
                return True
        return False


def field_in_view(board: Board, pose: Pose) -> bool:
    """Tell whether all corners of the field lie in the picture."""
    pixels = pose.project(np.array(board.field_corners))
    return bool(((pixels >= 0) & (pixels <= [pose.width - 1, pose.height - 1])).all())


def _size(frame: Frame) -> str:
    height, width = frame.picture.shape[:2]
    return f"{width} × {height} pixels"
