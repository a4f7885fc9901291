"""Camera and hall grid together: their evidence adds up, and either may be missing."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from companion.board import Board, Evidence, Position, Reading, Spot, add_evidence
from companion.device import DeviceView
from companion.sensing.camera import Camera, Frame
from companion.sensing.eyes import Eyes, Sight
from companion.sensing.hall import feel, health
from companion.sensing.session import HallState

#: A camera that has shown nothing new for this long is reported, and no longer believed.
STALE_SECONDS = 1.5

#: Without a camera to set the pace, the hall grid is read this often.
HALL_SECONDS = 1 / 15


#: A square denies a position when something else fits it better by this much.
DENIED = 4.0

#: So many snapshots of the grid tell whether a sensor is dead.
HEALTH_SNAPSHOTS = 50


class HallGrid(Protocol):
    """Where hall values come from."""

    def poll(self) -> HallState | None:
        """Return the newest values, None before the first or while the link is down."""

    @property
    def status(self) -> DeviceView:
        """Return how the link is doing."""

    def close(self) -> None:
        """Let go of the port."""


class Senses:
    """All that the companion knows of the board comes through here, one reading at a time.

    With a camera there is a reading for each of its frames; without one, or while it is silent,
    the hall grid sets the pace.
    """

    def __init__(
        self,
        board: Board,
        clock: Callable[[], float],
        camera: Camera | None = None,
        hall: HallGrid | None = None,
    ) -> None:
        self._board = board
        self._clock = clock
        self._camera = camera
        self._hall = hall
        self._eyes = Eyes(board)
        self._sight: Sight | None = None
        self._frame: Frame | None = None
        self._seen_at = clock()
        self._read_at = 0.0
        self._felt: deque[Sequence[int]] = deque(maxlen=HEALTH_SNAPSHOTS)
        self._felt_at = 0.0
        self._ill: Mapping[Spot, str] = {}

    @property
    def frame(self) -> Frame | None:
        """Return the last frame of the camera."""
        return self._frame

    def read(self) -> Reading | None:
        """Return what the sensors say now, None when nothing new has come in; never waits."""
        now = self._clock()
        frame = self._camera.read() if self._camera else None
        if frame is not None and now - frame.time < STALE_SECONDS:
            self._frame, self._seen_at = frame, now
            self._sight = self._eyes.look(frame)
        elif self._has_picture(now) or now - self._read_at < HALL_SECONDS:
            return None
        self._read_at = now
        felt = self._feel()
        sight = self._sight if self._has_picture(now) else None
        if sight is None:
            return Reading(now, felt)
        return Reading(now, add_evidence((sight.evidence, felt)), sight.covered, sight.moving)

    def learn(self, position: Position, *, told: bool = False) -> None:
        """Take the last frame as a picture of this position, to know the board's looks better.

        The grid may know the position while the picture shows another one, being older: from
        such a picture nothing is learned, unless people have told that it is wrong.
        """
        if self._has_picture(self._clock()) and (told or not self._is_denied(position)):
            self._eyes.learn(position)

    def _is_denied(self, position: Position) -> bool:
        """Tell whether the camera by itself clearly sees other pieces than this position has."""
        assert self._sight is not None
        for square in self._board.squares:
            things = self._sight.evidence.get(square, {})
            expected = things.get(position.get(square, ""), 0.0)
            if max((0.0, *things.values())) - expected > DENIED:
                return True
        return False

    def devices(self) -> tuple[DeviceView, ...]:
        """Return how camera and hall grid are doing."""
        views = []
        if self._camera:
            views.append(self._camera_view())
        if self._hall:
            views.append(self._hall_view())
        return tuple(views)

    def close(self) -> None:
        """Let go of the devices."""
        for device in (self._camera, self._hall):
            if device:
                device.close()

    def _has_picture(self, now: float) -> bool:
        return self._sight is not None and now - self._seen_at < STALE_SECONDS

    def _feel(self) -> Evidence:
        state = self._hall.poll() if self._hall else None
        if state is None:
            return {}
        if not self._felt or state.time > self._felt_at:
            self._felt_at = state.time
            self._felt.append(state.values)
            self._ill = health(list(self._felt), self._board)
        return feel(state.values, self._board, state.rest, frozenset(self._ill))

    def _hall_view(self) -> DeviceView:
        assert self._hall is not None
        status = self._hall.status
        if status.state == "ok" and self._ill:
            where = ", ".join(f"{spot} ({what})" for spot, what in sorted(self._ill.items()))
            return DeviceView(status.name, "trouble", f"Sensors that are not believed: {where}.")
        return status

    def _camera_view(self) -> DeviceView:
        if not self._has_picture(self._clock()):
            why = getattr(self._camera, "trouble", "") or "the camera gives no pictures"
            text = f"{why[0].upper()}{why[1:]}. Is it plugged in, and does nothing else use it?"
            return DeviceView("camera", "trouble", text)
        assert self._sight is not None
        if not self._sight.found:
            return DeviceView("camera", "trouble", self._sight.text)
        return DeviceView("camera", "ok", "The camera sees the board.")
