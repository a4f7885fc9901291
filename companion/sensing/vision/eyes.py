"""The camera's part of sensing: a picture in, evidence out.

``Eyes`` remembers where the camera stands and how the board looks, so that a picture of a camera
that has not moved costs less than a search for the markers would, and one that shows nothing new
next to nothing. The net looks when something has changed and has come to rest: once with every
picture, until it has been shown the field in all quarter turns, and what it says is averaged (test-
time augmentation). A second net looks closely at fences that are new, mirrored otherwise each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.board import FENCE, Board, Evidence, Place, Position, Sighting, Spot
from companion.errors import PictureError
from companion.sensing.camera.frame import Array, Frame, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.closeup import CloseUp
from companion.sensing.vision.finding import Finder, View
from companion.sensing.vision.net import TURNS, Net
from companion.sensing.vision.placed import placed
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.reader import SEEN, Look, Reader
from companion.sensing.vision.sheet import Sheet, coarse, differs

MOTION_WITHIN_SECONDS = 0.7  # frames further apart show a difference, not a motion
GLANCES = [n for n, (x, y, swapped) in enumerate(TURNS) if swapped == (x != y)]  # quarter turns


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
    half_in: frozenset[Spot] = frozenset()  # slots of new fences that may not be all the way in


class Eyes:
    """Reads the pictures of one camera above one board.

    ``corners`` say where the board lies when its markers do not.

    Example::

        eyes = Eyes(board)
        sight = eyes.look(camera.read())
        if sight.found and position_is_known:
            eyes.learn(position)
    """

    def __init__(
        self, board: Board, corners: Corners | None = None, net: Net | None = None
    ) -> None:
        self.board = board
        self._finder = Finder(board, corners, self._doubt)
        self._net = net or Net()
        self._reader = Reader(board)
        self._closeup = CloseUp()
        self._agreed: frozenset[Spot] | None = None  # fences of the last lesson, or the first look
        self._seen_by: View | None = None  # the view of the last flat picture
        self._laid: Picture | None = None  # the last flat picture
        self._coarse: Picture | None = None  # the same, as pictures are compared
        self._judged: Picture | None = None  # that of the picture the last sight was made from
        self._glances: list[Array] = []  # what the net said of it
        self._close: dict[Spot, list[float]] = {}  # what close looks said of its new fences
        self._look: Look | None = None  # what that says of the board
        self._sight = Sight(0.0, False, "no picture yet")

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
            self._laid = self._coarse = self._judged = self._look = None
            self._sight = Sight(frame.time, False, trouble, markers=self._finder.markers)
            return self._sight
        moved = self._seen_by is not None and view.sheet is not self._seen_by.sheet
        if moved:
            self._judged = None
        self._laid = view.sheet.lay(picture)
        before, now = self._coarse, coarse(self._laid)
        self._coarse = now
        self._seen_by = view
        recent = frame.time - self._sight.time < MOTION_WITHIN_SECONDS
        sight = replace(
            self._sight,
            time=frame.time,
            found=True,
            text="",
            moving=False,
            pose=view.pose,
            markers=self._finder.markers,
            by_markers=view.by_markers,
        )
        if self._judged is None or differs(now, self._judged):
            stirs = moved or (before is not None and differs(now, before))
            if recent and stirs and self._look is not None:
                self._judged = None  # what moves is looked at when it has come to rest
                sight = replace(sight, moving=True, covered=frozenset())
            else:
                hurry = recent and self._look is not None
                self._judged, self._glances, self._close = now, [], {}
                sight = self._study(sight, view, picture, 1 if hurry else len(GLANCES))
        elif len(self._glances) < len(GLANCES):
            sight = self._study(sight, view, picture, 1)
        self._sight = sight
        return sight

    @property
    def corners(self) -> Corners | None:
        """Return the corners that were given."""
        return self._finder.corners

    def use_corners(self, corners: Corners | None) -> None:
        """Go by these corners, where there are no markers, from the next picture on."""
        self._finder.use(corners)

    def learn(self, position: Position) -> None:
        """Take the last look as one at this position, to know better how things look."""
        if self._look is not None:
            self._agreed = frozenset(spot for spot, thing in position.items() if thing == FENCE)
            self._look = self._reader.closely(self._look, dict.fromkeys(self._agreed, 0.0))
            self._reader.meet(position, self._look)
            self._sight = self._told(self._sight, self._look)

    def _doubt(self, pose: Pose, picture: Picture) -> float:
        """Tell how much a picture leaves open when it is read from this pose."""
        sheet = Sheet.of(self.board, pose)
        return self._reader.look(self._net.answer(sheet.lay(picture), sheet.lean)).doubt

    def _study(self, sight: Sight, view: View, picture: Picture, glances: int) -> Sight:
        """Return what some more glances at the last flat picture say, with those before."""
        assert self._laid is not None
        for turn in GLANCES[len(self._glances) :][:glances]:
            self._glances.append(self._net.answer(self._laid, view.sheet.lean, turn))
        look = self._reader.look(np.mean(self._glances, axis=0))
        self._look = self._closely(look, view.pose, picture)
        return self._told(sight, self._look)

    def _closely(self, look: Look, pose: Pose, picture: Picture) -> Look:
        """Return a look after a second one at every fence that is new since the last lesson; those
        of the first look stand as people have left them."""
        if self._agreed is None:
            self._agreed = frozenset(self._reader.fences(look))
            return look
        for slot in self._new(look):
            said = self._close.setdefault(slot, [])
            for way in range(len(said), len(self._glances)):
                said.append(self._closeup.look(self.board, pose, picture, slot, way))
        loose = {slot: _share(said) for slot, said in self._close.items()}
        return self._reader.closely(look, loose | dict.fromkeys(self._agreed, 0.0))

    def _new(self, look: Look) -> tuple[Spot, ...]:
        """Return the slots of the fences that are new since the last lesson."""
        agreed = self._agreed or frozenset()
        return tuple(slot for slot in self._reader.fences(look, agreed) if slot not in agreed)

    def _told(self, sight: Sight, look: Look) -> Sight:
        found = self._reader.tell(look)
        return replace(
            sight,
            evidence=placed(found.evidence, found.sightings),
            covered=found.covered,
            sightings=found.sightings,
            half_in=frozenset(
                slot for slot in self._new(look) if _share(self._close.get(slot, ())) > SEEN
            ),
        )


def _share(said: Sequence[float]) -> float:
    """Return the probability of what several looks say, as log-odds; 0 when there were none."""
    return 1 / (1 + float(np.exp(-np.mean(said)))) if said else 0.0
