"""Camera and hall grid together: their evidence adds up, and either may be missing."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from companion.board import Board, Evidence, Position, Reading, Spot, add_evidence
from companion.corners import Corners
from companion.device import DeviceView
from companion.errors import DeviceError
from companion.sensing.camera import Camera, Frame
from companion.sensing.hall import feel, health
from companion.sensing.lookout import Lookout
from companion.sensing.outline import outline
from companion.sensing.session import HallState

#: Without a camera to set the pace, the hall grid is read this often.
HALL_SECONDS = 1 / 15

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

    With a camera there is a reading for each of its good frames; without one, or while it is
    silent or in trouble, the hall grid sets the pace and speaks alone.
    """

    def __init__(
        self,
        board: Board,
        clock: Callable[[], float],
        camera: Camera | None = None,
        hall: HallGrid | None = None,
        corners: Corners | None = None,
    ) -> None:
        self._board = board
        self._clock = clock
        self._lookout = Lookout(board, camera, clock, corners) if camera else None
        self._hall = hall
        self._read_at = 0.0
        self._felt: deque[Sequence[int]] = deque(maxlen=HEALTH_SNAPSHOTS)
        self._felt_at = 0.0
        self._ill: Mapping[Spot, str] = {}

    @property
    def frame(self) -> Frame | None:
        """Return the last frame of the camera."""
        return self._lookout.frame if self._lookout else None

    @property
    def outline(self) -> dict[str, Any] | None:
        """Return where the board lies in the last frame, as JSON; None without a frame."""
        lookout, frame = self._lookout, self.frame
        if lookout is None or frame is None:
            return None
        view = lookout.view
        trouble = view.text if view.state == "trouble" else ""
        return outline(self._board, frame, lookout.sight, trouble, lookout.corners)

    def use_corners(self, corners: Corners | None) -> None:
        """Go by these corners of the board where the camera sees no markers."""
        if self._lookout is None:
            raise DeviceError("there is no camera: name one as camera.source in the settings")
        self._lookout.use_corners(corners)

    def read(self) -> Reading | None:
        """Return what the sensors say now, None when nothing new has come in; never waits."""
        now = self._clock()
        news = self._lookout is not None and self._lookout.look()
        sight = self._lookout.sight if self._lookout else None
        if not news and (sight is not None or now - self._read_at < HALL_SECONDS):
            return None
        self._read_at = now
        felt = self._feel()
        if sight is None:
            return Reading(now, felt)
        return Reading(now, add_evidence((sight.evidence, felt)), sight.covered, sight.moving)

    def learn(self, position: Position, *, told: bool = False) -> None:
        """Take the last frame as a picture of this position, to know the board's looks better.

        The grid may know the position while the picture shows another one, being older: from
        such a picture nothing is learned, unless people have told that it is wrong.
        """
        if self._lookout:
            self._lookout.learn(position, told=told)

    def devices(self) -> tuple[DeviceView, ...]:
        """Return how camera and hall grid are doing."""
        views = []
        if self._lookout:
            views.append(self._lookout.view)
        if self._hall:
            views.append(self._hall_view())
        return tuple(views)

    def close(self) -> None:
        """Let go of the devices."""
        for device in (self._lookout, self._hall):
            if device:
                device.close()

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
