"""Where the board lies in the picture: by its markers, by corners that were given, or as before.

Markers win when three of them are seen. Without them a pose that is known, or that corners give,
holds as long as the grooves of the board are where it has them; a small nudge is tracked.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.grid import AGREES, Doubt, agreement, apart, settle
from companion.sensing.vision.pose import (
    MARKERS_NEEDED,
    Pose,
    find_markers,
    find_pose,
    find_pose_from_corners,
)
from companion.sensing.vision.sheet import Sheet
from companion.sensing.vision.watch import GridWatch, MarkerWatch
from companion.text import counted

SEARCH_AGAIN_FRAMES = 15
FIND_AGAIN_FRAMES = 3  # the same while there is no board in view
SETTLE_AGAIN_FRAMES = 8
SAME_PLACE_PX = 0.8
CLEARER = 0.9  # share of the grooves, from which they tell more than markers on another plane
ASIDE = 0.4  # of a marker's width, by which it may be off where a pose has it
AS_MANY = 0.8  # of the grooves that were seen before, for a pose to be followed

CURE = "drag the corners again on the camera page, or put markers on the frame"
MOVED = f"the camera has moved, or the board is covered: if it stays so, {CURE}"
NOT_THERE = f"no grooves where the corners say the board is: {CURE}"
OTHER_SHAPE = f"the corners were set in a picture of another shape: {CURE}"
IMPOSSIBLE = f"no camera sees the corners of a flat, square board there: {CURE}"
NO_MARKERS = (
    "this board has no markers: drag its four corners on the camera page, or give them to"
    " companion calibrate"
)


@dataclass(frozen=True)
class View:
    """All that is made once per pose."""

    pose: Pose
    sheet: Sheet
    watch: MarkerWatch | GridWatch

    @property
    def by_markers(self) -> bool:
        """Tell whether markers gave the pose."""
        return isinstance(self.watch, MarkerWatch)


class Finder:
    """Keeps the view of one board; :meth:`keep` is asked for every picture."""

    def __init__(
        self, board: Board, corners: Corners | None = None, doubt: Doubt | None = None
    ) -> None:
        self.board = board
        self.corners = corners
        self._doubt = doubt
        self.view: View | None = None
        self.markers: frozenset[int] = frozenset()  # those seen in the last search
        self._lost: frozenset[int] = frozenset()
        self._since_search = 0
        self._since_settled = SETTLE_AGAIN_FRAMES
        self._trouble = ""  # why there was no board when it was last searched for
        self._shape: tuple[int, ...] = ()  # of the last picture

    def use(self, corners: Corners | None) -> None:
        """Take other corners, or none, from the next picture on."""
        self.corners = corners
        self._trouble = ""
        if self.view is not None and not self.view.by_markers:
            self.view = None

    def keep(self, picture: Picture) -> str:
        """Make the view fit the picture; return why it does not, or nothing."""
        self._trouble = self._keep(picture)
        return self._trouble

    def _keep(self, picture: Picture) -> str:
        if picture.shape != self._shape:  # nothing that was found, or not, says much of it
            self._shape, self._trouble, self.view = picture.shape, "", None
        view = self.view
        if view is None:
            self._since_search += 1
            patience = SEARCH_AGAIN_FRAMES if self.corners else FIND_AGAIN_FRAMES
            waits = self._trouble and self._since_search < patience
            return self._trouble if waits else self._search(picture)
        if isinstance(view.watch, MarkerWatch):
            return self._keep_markers(picture, view.watch)
        return self._keep_grid(picture, view, view.watch)

    def _keep_markers(self, picture: Picture, watch: MarkerWatch) -> str:
        lost = watch.lost(picture)
        self._since_search += 1
        if not lost:
            return ""
        patience = FIND_AGAIN_FRAMES if self._trouble else SEARCH_AGAIN_FRAMES
        if lost == self._lost and self._since_search < patience:
            return self._trouble
        self._lost = lost
        return self._search(picture)

    def _keep_grid(self, picture: Picture, view: View, watch: GridWatch) -> str:
        self._since_search += 1
        self._since_settled += 1
        if self.board.markers and self._since_search >= SEARCH_AGAIN_FRAMES:
            return self._search(picture)
        state = watch.look(picture)
        if state == "same":
            return ""
        if state == "shifted" and self._since_settled < SETTLE_AGAIN_FRAMES:
            return ""
        if self._trouble and self._since_settled < SEARCH_AGAIN_FRAMES:
            return self._trouble
        return self._follow(picture, view, state == "gone")

    def _search(self, picture: Picture) -> str:
        """Look for the markers, and without enough of them for the grooves."""
        self._since_search = 0
        view = self.view
        height, width = picture.shape[:2]
        found = find_markers(self.board, picture) if self.board.markers else {}
        self.markers = frozenset(found)
        if view and isinstance(view.watch, MarkerWatch) and found and view.watch.agrees(found):
            return ""
        pose = find_pose(self.board, found, width, height)
        if pose is not None:
            pose = self._on_cells(pose, picture)
            self._take(pose, MarkerWatch.of(self.board, pose, picture, found))
            return ""
        if view is None:
            return self._from_corners(picture, found)
        if isinstance(view.watch, GridWatch):
            state = view.watch.look(picture)
            return "" if state == "same" else self._follow(picture, view, state == "gone", found)
        if not found and agreement(self.board, view.pose, picture) >= AGREES:
            self._take(view.pose, GridWatch.of(self.board, view.pose, picture))
            return ""
        return self._follow(picture, view, gone=True, found=found)

    def _on_cells(self, pose: Pose, picture: Picture) -> Pose:
        """Return the pose drawn to the grooves where markers lie on another plane than the cells:
        how far below is known roughly, and cells hide a part of them. Shadows in grooves would
        lead it astray where they show worse than the markers do."""
        if all(marker.z_mm == 0 for marker in self.board.markers):
            return pose
        return settle(self.board, pose, picture, least=CLEARER, far=False) or pose

    def _follow(
        self, picture: Picture, view: View, gone: bool, found: Mapping[int, Array] | None = None
    ) -> str:
        """Re-fit the view to grooves that are not quite where it has them (tracking); say so when
        they are not found and it is ``gone``. One cell looks like the next, so markers that were
        ``found``, if too few to go by, must lie where the new view has them."""
        self._since_settled = 0
        before = view.watch.share if isinstance(view.watch, GridWatch) else 0.0
        least = max(AGREES, AS_MANY * before)
        pose = settle(
            self.board,
            view.pose,
            picture,
            lens_known=True,
            least=least,
            far=gone,
            doubt=self._doubt,
        )
        if pose is None or not _has(self.board, pose, found or {}):
            return self._from_corners(picture, found or {}) if gone else ""
        if apart(self.board, pose, view.pose) < SAME_PLACE_PX:
            pose = view.pose
        self._take(pose, GridWatch.of(self.board, pose, picture))
        return ""

    def _from_corners(self, picture: Picture, found: Mapping[int, Array]) -> str:
        if self.corners is None:
            return self._say_lost()
        height, width = picture.shape[:2]
        if self.corners.scaled(width, height) is None:
            return OTHER_SHAPE
        pose = find_pose_from_corners(self.board, self.corners, width, height)
        if pose is None:
            return IMPOSSIBLE
        settled = settle(self.board, pose, picture, doubt=self._doubt)
        if found and (settled is None or not _has(self.board, settled, found)):
            settled = pose if _has(self.board, pose, found) else None
        if settled is None:
            return NOT_THERE if self.view is None else MOVED
        self._take(settled, GridWatch.of(self.board, settled, picture))
        return ""

    def _take(self, pose: Pose, watch: MarkerWatch | GridWatch) -> None:
        view = self.view
        self._lost = frozenset()
        sheet = view.sheet if view and view.pose == pose else Sheet.of(self.board, pose)
        self.view = View(pose, sheet, watch)

    def _say_lost(self) -> str:
        total, count = len(self.board.markers), len(self.markers)
        if total == 0:
            return NO_MARKERS
        if count == 0:
            return f"no board in view: expected {counted(total, 'marker')} on its frame, saw none"
        if count < MARKERS_NEEDED:
            return f"expected at least {MARKERS_NEEDED} of the {total} markers in view, saw {count}"
        return "the markers in view do not fit this board"


def _has(board: Board, pose: Pose, found: Mapping[int, Array]) -> bool:
    """Tell whether a pose has markers nearly where they were found."""
    for marker in board.markers:
        if marker.id in found:
            quad = found[marker.id]
            wide = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=-1).mean()
            there = pose.project(np.array([marker.x_mm, marker.y_mm, marker.z_mm]))
            if np.linalg.norm(there - quad.mean(axis=0)) > ASIDE * wide:
                return False
    return True
