"""The camera's part of sensing: a picture in, evidence out.

``Eyes`` remembers where the camera stands and how the board looks, so that a picture of a camera
that has not moved costs less than a search for the markers would, and one that shows nothing new
next to nothing.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from companion.board import FENCE, Board, Evidence, Place, Position, Sighting, Spot, Thing
from companion.errors import PictureError
from companion.sensing.camera.frame import Array, Frame, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.apart import Closely
from companion.sensing.vision.appearance import Appearance, first_sight
from companion.sensing.vision.fence_colours import choose_fences
from companion.sensing.vision.finding import Finder, View
from companion.sensing.vision.flat import differs
from companion.sensing.vision.judge import covered_places, judge, to_evidence
from companion.sensing.vision.learning import learn_from
from companion.sensing.vision.loose import Loose, find_loose
from companion.sensing.vision.placed import around, placed
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.rim import Rim
from companion.sensing.vision.sighted import find_pieces, outline
from companion.sensing.vision.watch import white_field
from companion.sensing.vision.whiteness import guess_white

MOTION_WITHIN_SECONDS = 0.7  # frames further apart show a difference, not a motion


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
    markers: frozenset[int] = frozenset()  # in view when they were last looked for
    by_markers: bool = False
    sightings: tuple[Sighting, ...] = ()


class Eyes:
    """Reads the pictures of one camera above one board.

    ``corners`` say where the board lies when its markers do not.

    Example::

        eyes = Eyes(board)
        sight = eyes.look(camera.read())
        if sight.found and position_is_known:
            eyes.learn(position)
    """

    def __init__(self, board: Board, corners: Corners | None = None) -> None:
        self.board = board
        self._finder = Finder(board, corners)
        self._looks: Appearance | None = None
        self._lessons = 0
        self._pieces: frozenset[Thing] = frozenset()  # on the board in the last lesson
        self._fences: frozenset[Spot] = frozenset()
        self._laid: Picture | None = None  # the last flat picture
        self._judged: Picture | None = None  # the flat picture the last sight was made from
        self._sight = Sight(0.0, False, "no picture yet")
        self._seen_by: View | None = None  # the view of the last flat picture
        self._rim = Rim()
        self._covered: frozenset[Place] = frozenset()  # in the field

    def look(self, frame: Frame) -> Sight:
        """Return what this frame shows."""
        picture = frame.picture
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise PictureError(
                f"expected a colour picture with 8 bits a channel, got {picture.dtype}"
                f" of shape {picture.shape}"
            )
        trouble = self._finder.keep(picture)
        view = self._finder.view
        if trouble or view is None:
            self._laid = self._judged = None
            self._sight = Sight(frame.time, False, trouble, markers=self._finder.markers)
            return self._sight
        moved = self._seen_by is not None and view.flat is not self._seen_by.flat
        if moved:
            self._judged = None
        self._seen_by = view
        laid = view.flat.lay(picture)
        self._rim.look(view.band, picture, frame.time)
        recent = frame.time - self._sight.time < MOTION_WITHIN_SECONDS
        stirred = recent and self._rim.stirred
        if self._judged is not None and not differs(laid, self._judged):
            self._laid = laid
            self._sight = replace(
                self._sight,
                time=frame.time,
                covered=self._rim.beside(self._covered),
                moving=stirred,
                markers=self._finder.markers,
                by_markers=view.by_markers,
            )
            return self._sight
        before = self._laid
        moving = recent and (moved or (before is not None and differs(laid, before)))
        self._laid = laid
        self._judged = None if moving else laid  # what moves is judged roughly, and again at rest
        sight = self._judge(frame.time, picture, laid, view, moving)
        self._covered = sight.covered
        covered = self._rim.beside(sight.covered)
        self._sight = replace(sight, covered=covered, moving=moving or stirred)
        return self._sight

    @property
    def corners(self) -> Corners | None:
        """Return the corners that were given."""
        return self._finder.corners

    def use_corners(self, corners: Corners | None) -> None:
        """Go by these corners, where there are no markers, from the next picture on."""
        self._finder.use(corners)

    def learn(self, position: Position) -> None:
        """Take the last frame as a picture of this position, to know better how things look."""
        view = self._finder.view
        if view is None or self._looks is None or self._laid is None:
            return
        self._looks = learn_from(
            self.board,
            view.regions,
            self._looks,
            self._laid,
            position,
            self._sight.covered | around(self._sight.sightings),  # they are not where they belong
            first=self._lessons == 0,
        )
        self._pieces = frozenset(position.values()) & self.board.pieces.keys()
        self._fences = frozenset(spot for spot, thing in position.items() if thing == FENCE)
        view.home.accept(self._fences)
        self._rim.learn()
        self._lessons += 1
        self._judged = None

    def _judge(
        self, time: float, picture: Picture, laid: Picture, view: View, moving: bool
    ) -> Sight:
        if self._looks is None:
            whites = white_field if view.by_markers else guess_white
            white = whites(self.board, view.flat, picture)
            looks = first_sight(self.board, laid, white)
            self._looks = choose_fences(self.board, view.regions, looks, laid)
        labels, pattern, light = self._looks.label(laid)
        # Once the pieces' own looks are known, their outlines say enough.
        known = moving or self._lessons > 0
        closely = None if known else Closely(view.flat, self._looks, picture, light)
        sighted: list[tuple[Sighting, Array]] = []
        loose: list[Loose] = []
        if self._lessons > 0 and not moving:
            sighted = self._sighted(view, labels)
            hidden = [members for _, members in sighted]
            loose = find_loose(view.flat, view.regions, self._looks, labels, self._fences, hidden)
        found = judge(
            self.board, view.regions, self._looks, labels, pattern, closely, sighted, loose
        )
        if not moving:
            found = view.home.check(found, self._looks, picture, laid, light)
        return Sight(
            time,
            True,
            evidence=placed(to_evidence(self.board, self._looks, found), found.sightings),
            covered=covered_places(self.board, found),
            moving=moving,
            pose=view.pose,
            markers=self._finder.markers,
            by_markers=view.by_markers,
            sightings=found.sightings,
        )

    def _sighted(self, view: View, labels: Array) -> list[tuple[Sighting, Array]]:
        """Return the pieces with where they stand, once their own looks are known."""
        assert self._looks is not None
        found = find_pieces(view.flat, self._looks, labels, self._pieces)
        return [(sighting, outline(view.flat, sighting)) for sighting in found]
