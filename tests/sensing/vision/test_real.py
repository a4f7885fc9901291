"""The eyes on real pictures, of a board and of a hand; nobody has learned from them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.photos import score_still
from companion.boards import profile
from companion.commands.watch import Watcher, played
from companion.games.catalogue import find_game
from companion.referee.verdict import Kind
from companion.sensing.camera.files import frames
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.camera.playback import Reel
from companion.sensing.corners import Corners
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.finding import View
from companion.sensing.vision.pose import find_pose_from_corners
from companion.sensing.vision.sheet import Sheet
from companion.sensing.vision.watch import GridWatch
from companion.store.journal import IN_MEMORY, Journal
from tests.sensing.studio import BOARD

REAL = Path(__file__).parents[4] / "shared" / "photos" / "real"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real photographs are not here")

BEFORE = "e2 e8 d2 d8 c2 c8 b2 c7 b3 e3h e7h b6v g5h c4h f6v d6v"
HAND_IN = 10  # the frame from which the hand is over the printed board
PRINTED = [[705, 1030], [1740, 1030], [1740, 5], [705, 5]]


@pytest.mark.parametrize("name", ["real_00", "real_01", "real_02"])
def test_a_board_that_people_built_is_read_without_a_wrong_claim(name: str) -> None:
    board = profile.load("plywood")
    mark = score_still(board, REAL / "quoridor" / f"{name}.jpg", corners_too=True)
    assert [fault for fault in mark.faults if "!=" in fault] == []
    assert [fault for fault in mark.faults if "fence" in fault] == []
    assert len(mark.faults) <= (name == "real_02")  # a peg that is doubted


def test_a_move_on_a_board_that_people_built_is_told_and_none_is_made_up(tmp_path: Path) -> None:
    """Two pictures of two sizes."""
    for name in ("real_00.jpg", "real_01.jpg"):
        (tmp_path / name).symlink_to(REAL / "quoridor" / name)
    game = find_game("quoridor")
    state, moves = played(game, BEFORE)
    reel = Reel(frames(str(tmp_path), 2.0), 2.0)
    with Journal(IN_MEMORY) as journal:
        watcher = Watcher(profile.load("plywood"), game, state, moves, reel, journal)
        lines = [line for _ in reel for line in watcher.look()]
    assert [line["move"] for line in lines if line["verdict"] is Kind.ACCEPTED] == ["g2h"]


class Fixed:
    """Finds a board where it was said to be."""

    markers: frozenset[int] = frozenset()
    corners = None

    def __init__(self, picture: Picture) -> None:
        height, width = picture.shape[:2]
        corners = Corners.checked(PRINTED, width, height)
        pose = find_pose_from_corners(BOARD, corners, width, height)
        assert pose is not None
        self.view = View(pose, Sheet.of(BOARD, pose), GridWatch.of(BOARD, pose, picture))

    def keep(self, picture: Picture) -> str:
        """Find it."""
        return ""


def test_no_frame_with_a_hand_over_the_field_passes_for_a_board_at_rest() -> None:
    video = cv2.VideoCapture(str(REAL / "hands" / "entering.mp4"))
    eyes, number, at_rest = Eyes(BOARD), 0, []
    while True:
        good, picture = video.read()
        if not good:
            break
        if number == 0:
            eyes._finder = Fixed(np.asarray(picture))  # type: ignore[assignment]
        sight = eyes.look(Frame(number / 30, np.asarray(picture)))
        if number >= HAND_IN and not sight.moving and not sight.covered:
            at_rest.append(number)
        number += 1
    assert number > 100
    assert at_rest == []
