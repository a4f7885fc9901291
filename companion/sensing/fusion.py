"""Sensor fusion: the evidence of camera and hall grid adds up, and either may be missing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.board import Board, DeviceView, Place, Position, Reading, Thing, add_evidence
from companion.errors import DeviceError
from companion.sensing.camera.frame import Camera, Frame
from companion.sensing.camera.lookout import Lookout
from companion.sensing.corners import Corners
from companion.sensing.hall.touch import HallGrid, Touch
from companion.sensing.vision.outline import corners_of, outline, proposal
from companion.sensing.vision.placed import around

#: Without a camera to set the pace, the hall grid is read this often.
HALL_SECONDS = 1 / 15


@dataclass(frozen=True)
class Shown:
    """A picture in which the board was found: where the corners a1, i1, i9, a9 of its field are,
    in pixels, which places are covered, and whether something moves."""

    frame: Frame
    corners: tuple[tuple[float, float], ...]
    covered: frozenset[Place]
    moving: bool


class Senses:
    """All that the companion knows of the board comes through here, one reading at a time.

    With a camera there is a reading for each of its good frames; without one, or while it is
    silent or in trouble, the hall grid sets the pace and speaks alone. ``lookout`` is the camera
    with its eyes and ``touch`` the hall grid, None where there is none.
    """

    def __init__(
        self,
        board: Board,
        clock: Callable[[], float],
        camera: Camera | None = None,
        hall: HallGrid | None = None,
        corners: Corners | None = None,
        magnets: Mapping[Thing, int] | None = None,
    ) -> None:
        self._board = board
        self._clock = clock
        self.lookout = Lookout(board, camera, clock, corners) if camera else None
        self.touch = Touch(board, hall, magnets) if hall else None
        self._read_at = 0.0

    @property
    def frame(self) -> Frame | None:
        """Return the last frame of the camera, None when it does not show the board as it is."""
        return self.lookout.frame if self.lookout and self.lookout.is_live else None

    @property
    def outline(self) -> dict[str, Any] | None:
        """Return where the board lies in the last frame, as JSON; None without a live one."""
        lookout, frame = self.lookout, self.frame
        if lookout is None or frame is None:
            return None
        view = lookout.view
        trouble = view.text if view.state == "trouble" else ""
        return outline(self._board, frame, lookout.sight, trouble, lookout.corners)

    @property
    def shown(self) -> Shown | None:
        """Return the last frame with what was made of it; None unless a board is in it."""
        frame, sight = self.frame, self.lookout.sight if self.lookout else None
        if frame is None or sight is None or sight.pose is None:
            return None
        corners = tuple((float(x), float(y)) for x, y in corners_of(self._board, sight.pose))
        return Shown(frame, corners, sight.covered, sight.moving)

    @property
    def corners(self) -> Corners | None:
        """Return the corners of the board that were given, where there are any."""
        return self.lookout.corners if self.lookout else None

    def proposal(self) -> dict[str, Any] | None:
        """Return where the lattice of its cells suggests that the board lies in the last frame, as
        JSON for people to agree; None without a live one. It takes a second or so."""
        frame = self.frame
        return proposal(self._board, frame) if frame is not None else None

    def use_corners(self, corners: Corners | None) -> None:
        """Go by these corners of the board where the camera sees no markers."""
        if self.lookout is None:
            raise DeviceError("there is no camera: name one as camera.source in the settings")
        self.lookout.use_corners(corners)

    def read(self) -> Reading | None:
        """Return what the sensors say now, None when nothing new has come in; never waits."""
        now = self._clock()
        news = self.lookout is not None and self.lookout.look()
        sight = self.lookout.sight if self.lookout else None
        if not news and (sight is not None or now - self._read_at < HALL_SECONDS):
            return None
        self._read_at = now
        touch = self.touch
        felt = touch.feel(now) if touch else {}
        trails = dict(touch.trails) if touch else {}
        if sight is None:
            return Reading(now, felt, trails=trails, seen=False)
        unclear = around(sight.sightings)
        if touch and sight.found and not sight.moving and not sight.covered:
            touch.compare(sight.evidence, unclear)
        felt = {spot: things for spot, things in felt.items() if spot not in unclear}
        evidence = add_evidence((sight.evidence, felt)) if felt else sight.evidence
        return Reading(
            now,
            evidence,
            sight.covered,
            sight.moving,
            trails,
            sightings=sight.sightings,
            half_in=sight.half_in,
        )

    def learn(self, position: Position, *, told: bool = False) -> None:
        """Take the last frame as a picture of this position, to know the board's looks better.

        The grid may know the position while the picture shows another one, being older: from
        such a picture nothing is learned, unless people have said that it is wrong.
        """
        sight = self.lookout.sight if self.lookout else None
        if self.lookout:
            self.lookout.learn(position, told=told)
        if self.touch:
            self.touch.learn(position, around(sight.sightings) if sight else (), told=told)

    def devices(self) -> tuple[DeviceView, ...]:
        """Return how camera and hall grid are doing."""
        return tuple(device.view for device in (self.lookout, self.touch) if device)

    def close(self) -> None:
        """Release the devices."""
        for device in (self.lookout, self.touch):
            if device:
                device.close()
