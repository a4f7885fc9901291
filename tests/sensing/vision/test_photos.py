"""The eyes on photographs, ray-traced with the truth beside them: themes, light and lens vary."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.photos import Marks, read_truth, score_folder, score_still, summed
from companion.sensing.camera.files import read_picture
from companion.sensing.camera.frame import Frame
from companion.sensing.vision.decode import read_board
from companion.sensing.vision.pose import MARKERS_NEEDED, find_markers
from tests.sensing.studio import BOARD, look

HERE = sorted((Path(__file__).parents[2] / "photos").glob("*.jpg"))
CLEAN = [photo for photo in HERE if not read_truth(photo)["disturbance"]]
DISTURBED = [photo for photo in HERE if photo not in CLEAN]
OTHERS = sorted((Path(__file__).parents[2] / "photos" / "other_colours").glob("*.jpg"))
ALL = Path(__file__).parents[4] / "shared" / "photos"
UNCOVERED_RIGHT = 0.995


@pytest.mark.parametrize("photo", CLEAN, ids=lambda photo: photo.stem)
def test_a_photograph_with_nothing_in_the_way_is_read_without_a_fault(photo: Path) -> None:
    assert score_still(BOARD, photo).faults == []


@pytest.mark.parametrize("photo", DISTURBED, ids=lambda photo: photo.stem)
def test_nothing_is_claimed_that_is_not_there_whatever_is_in_the_way(photo: Path) -> None:
    assert _wrong(score_still(BOARD, photo)) == []


@pytest.mark.parametrize("photo", CLEAN, ids=lambda photo: photo.stem)
def test_the_camera_is_placed_to_a_fraction_of_a_millimetre_on_the_board(photo: Path) -> None:
    truth = read_truth(photo)
    pose = look(Frame(0.0, read_picture(photo))).pose
    assert pose is not None
    corners = [(-127.5, -127.5), (127.5, -127.5), (127.5, 127.5), (-127.5, 127.5)]
    seen = pose.project(np.array([[x, y, 0.0] for x, y in corners]))
    assert np.abs(seen - truth["board_corners_px"]).max() < 1.5
    assert abs(pose.eye[2] - truth["camera"]["height_mm"]) < 40


@pytest.mark.parametrize("photo", CLEAN, ids=lambda photo: photo.stem)
@pytest.mark.parametrize("shake", [(9, 1), (1, 9)], ids=["across", "down"])
def test_the_markers_are_found_in_a_shaken_picture(photo: Path, shake: tuple[int, int]) -> None:
    picture = np.asarray(cv2.blur(read_picture(photo), shake))
    assert len(find_markers(BOARD, picture)) >= MARKERS_NEEDED


@pytest.mark.parametrize("photo", CLEAN, ids=lambda photo: photo.stem)
@pytest.mark.parametrize("contrast", [0.8, 1.1], ids=["flat", "hard"])
def test_no_fence_is_lost_to_a_camera_of_other_contrast(photo: Path, contrast: float) -> None:
    picture = (255 * (read_picture(photo) / 255) ** contrast + 0.5).astype(np.uint8)
    seen = look(Frame(0.0, picture))
    told = read_board(BOARD, seen.evidence, seen.covered)
    walls = set(read_truth(photo)["walls"])
    assert walls >= {*told.walls}
    assert walls <= {*told.walls, *told.unsure, *told.covered}
    assert len(told.walls) >= len(walls) - 1  # in one of them a lamp is mirrored beside a fence


@pytest.mark.parametrize("photo", OTHERS, ids=lambda photo: photo.stem)
def test_boards_in_colours_that_no_profile_names_are_read_without_a_wrong_claim(
    photo: Path,
) -> None:
    assert _wrong(score_still(BOARD, photo)) == []


def test_most_of_what_stands_on_boards_in_other_colours_is_told() -> None:
    """All that is left open in these pictures: glare, and fences in the colour of an arm."""
    faults = {photo.stem: len(score_still(BOARD, photo).faults) for photo in OTHERS}
    left_open = {"birch-magenta-cast": 4, "teal-window-glare": 16}
    assert {
        photo: count for photo, count in faults.items() if count > left_open.get(photo, 2)
    } == {}


@pytest.mark.skipif(not ALL.is_dir(), reason="the whole set of photographs is not beside the code")
def test_the_whole_set_is_read_without_a_wrong_claim() -> None:
    marks = list(score_folder(BOARD, ALL))
    assert {mark.picture: _wrong(mark) for mark in marks if _wrong(mark)} == {}
    rows = summed(marks)
    clean = rows["stills, nothing in the way"]
    assert not any(clean[f"{kind} {how}"] for kind in ("square", "wall") for how in NOT_RIGHT)
    disturbed = rows["stills, disturbed"]
    right = disturbed["square right"] + disturbed["wall right"]
    others = sum(disturbed[f"{kind} {how}"] for kind in ("square", "wall") for how in NOT_RIGHT)
    assert right >= UNCOVERED_RIGHT * (right + others)


NOT_RIGHT = ("unsure", "missed", "wrong")


def _wrong(mark: Marks) -> list[str]:
    return [fault for fault in mark.faults if "!=" in fault]
