"""Eyes that read by the net, with the face of :class:`companion.sensing.vision.eyes.Eyes`.

Where the board lies is found as the service finds it. This is for scoring: there is no gate for
frames that did not change, and no word about motion.
"""

from functools import partial
from pathlib import Path

from companion.board import Board, Position
from companion.sensing.camera.frame import Frame
from companion.sensing.corners import Corners
from companion.sensing.vision.eyes import Sight
from companion.sensing.vision.finding import Finder
from companion.sensing.vision.net import Net
from companion.sensing.vision.placed import placed
from companion.sensing.vision.reader import Findings, Reader
from companion.sensing.vision.sheet import Sheet


class LearnedEyes:
    """Reads pictures of one board by one net."""

    def __init__(self, weights: Path, board: Board, corners: Corners | None = None) -> None:
        self.board = board
        self._reader = Reader(board, Net(weights))
        self._finder = Finder(board, corners)
        self._found: Findings | None = None

    def look(self, frame: Frame) -> Sight:
        """Return what a frame shows."""
        trouble = self._finder.keep(frame.picture)
        view = self._finder.view
        if trouble or view is None:
            self._found = None
            return Sight(frame.time, False, trouble)
        found = self._found = self._reader.read(Sheet.of(self.board, view.pose), frame.picture)
        return Sight(
            frame.time,
            True,
            evidence=placed(found.evidence, found.sightings),
            covered=found.covered,
            pose=view.pose,
            sightings=found.sightings,
        )

    def learn(self, position: Position) -> None:
        """Take the last frame as a picture of this position."""
        if self._found is not None:
            self._reader.meet(position, self._found)


def eyes_of(weights: Path) -> partial[LearnedEyes]:
    """Return what makes eyes for a board, given the weights of their net."""
    return partial(LearnedEyes, weights)
