"""The camera's part of sensing: a picture in, evidence out.

``Eyes`` remembers where the camera stands and how the board looks, so that a picture of a camera
that has not moved costs less than a search for the markers would, and one that shows nothing new
next to nothing.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from companion.board import FENCE, Board, Evidence, Place, Position, Reading
from companion.errors import PictureError
from companion.sensing.appearance import Appearance, first_sight
from companion.sensing.camera import Frame, Picture
from companion.sensing.fences import choose_fences
from companion.sensing.flat import Flat, differs
from companion.sensing.home import Home
from companion.sensing.judge import covered_places, judge, to_evidence
from companion.sensing.learning import learn_from
from companion.sensing.pose import MARKERS_NEEDED, Pose, find_markers, find_pose
from companion.sensing.regions import Regions, make_regions
from companion.sensing.watch import MarkerWatch, white_field

MOTION_WITHIN_SECONDS = 0.7  # frames further apart show a difference, not a motion
SEARCH_AGAIN_FRAMES = 15
FIND_AGAIN_FRAMES = 3  # the same while there is no board in view


@dataclass(frozen=True)
class Sight:
    """What one picture says. ``text`` tells in a sentence why no board was found."""

    time: float
    found: bool
    text: str = ""
    evidence: Evidence = field(default_factory=dict)
    covered: frozenset[Place] = frozenset()
    moving: bool = False
    pose: Pose | None = None

    @property
    def reading(self) -> Reading:
        """Return the same as a reading, to be added to those of other sensors."""
        return Reading(self.time, self.evidence, self.covered, self.moving)


@dataclass(frozen=True)
class _View:
    """All that is made once per pose."""

    flat: Flat
    regions: Regions
    watch: MarkerWatch
    home: Home


class Eyes:
    """Reads the pictures of one camera above one board.

    Example::

        eyes = Eyes(board)
        sight = eyes.look(camera.read())
        if sight.found and position_is_known:
            eyes.learn(position)
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._view: _View | None = None
        self._looks: Appearance | None = None
        self._lessons = 0
        self._laid: Picture | None = None  # the last flat picture
        self._judged: Picture | None = None  # the flat picture the last sight was made from
        self._sight = Sight(0.0, False, "no picture yet")
        self._lost: frozenset[int] = frozenset()
        self._since_search = 0
        self._trouble = ""  # why there was no board when it was last searched for
        self._moved = False  # the camera has, since the last picture

    def look(self, frame: Frame) -> Sight:
        """Return what this frame shows."""
        picture = frame.picture
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise PictureError(
                f"expected a colour picture with 8 bits a channel, got {picture.dtype}"
                f" of shape {picture.shape}"
            )
        self._trouble = trouble = self._keep_in_view(picture)
        view = self._view
        if trouble or view is None:
            self._laid = self._judged = None
            self._sight = Sight(frame.time, False, trouble)
            return self._sight
        laid = view.flat.lay(picture)
        if self._judged is not None and not differs(laid, self._judged):
            self._laid = laid
            self._sight = replace(self._sight, time=frame.time, moving=False)
            return self._sight
        recent = frame.time - self._sight.time < MOTION_WITHIN_SECONDS
        before = self._laid
        moving = recent and (self._moved or (before is not None and differs(laid, before)))
        self._moved = False
        self._laid = self._judged = laid
        self._sight = self._judge(frame.time, picture, laid, view, moving)
        return self._sight

    def learn(self, position: Position) -> None:
        """Take the last frame as a picture of this position, to know better how things look."""
        if self._view is None or self._looks is None or self._laid is None:
            return
        self._looks = learn_from(
            self.board,
            self._view.regions,
            self._looks,
            self._laid,
            position,
            self._sight.covered,
            first=self._lessons == 0,
        )
        self._view.home.accept(spot for spot, thing in position.items() if thing == FENCE)
        self._lessons += 1
        self._judged = None

    def _judge(
        self, time: float, picture: Picture, laid: Picture, view: _View, moving: bool
    ) -> Sight:
        if self._looks is None:
            white = white_field(self.board, view.flat, picture)
            looks = first_sight(self.board, laid, white)
            self._looks = choose_fences(self.board, view.regions, looks, laid)
        labels, likeness = self._looks.label(laid)
        found = judge(self.board, view.regions, self._looks, labels, likeness)
        found = view.home.check(found, self._looks, picture, laid)
        evidence = to_evidence(self.board, self._looks, found)
        covered = covered_places(self.board, found)
        return Sight(time, True, "", evidence, covered, moving, view.flat.pose)

    def _keep_in_view(self, picture: Picture) -> str:
        """See to it that the view fits the picture; return why it does not, or nothing."""
        view = self._view
        height, width = picture.shape[:2]
        if view is not None and (view.flat.pose.width, view.flat.pose.height) == (width, height):
            lost = view.watch.lost(picture)
            self._since_search += 1
            patience = FIND_AGAIN_FRAMES if self._trouble else SEARCH_AGAIN_FRAMES
            if not lost:
                return ""
            if lost == self._lost and self._since_search < patience:
                return self._trouble
            self._lost = lost
        self._since_search = 0
        found = find_markers(self.board, picture)
        if view is not None and found and view.watch.agrees(found):
            return ""
        pose = find_pose(self.board, found, width, height)
        if pose is None:
            return self._say_lost(len(found))
        flat = Flat.of(self.board, pose)
        watch = MarkerWatch.of(self.board, pose, picture, found)
        self._moved = view is not None
        self._view = _View(flat, make_regions(flat), watch, Home(flat))
        self._lost = frozenset()
        self._judged = None
        return ""

    def _say_lost(self, count: int) -> str:
        total = len(self.board.markers)
        if count == 0:
            return f"no board in view: expected {total} markers on its frame, saw none"
        if count < MARKERS_NEEDED:
            return f"expected at least {MARKERS_NEEDED} of the {total} markers in view, saw {count}"
        return "the markers in view do not fit this board"
