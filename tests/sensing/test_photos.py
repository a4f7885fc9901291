"""The eyes on photographs, ray-traced with the truth beside them: themes, light and lens vary."""

import json
from pathlib import Path

import pytest

from companion.sensing.camera import Frame
from companion.sensing.files import read_picture
from tests.sensing.studio import look, told

PHOTOS = sorted((Path(__file__).parent.parent / "photos").glob("*.jpg"))


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_a_photograph_is_read_without_a_fault(photo: Path) -> None:
    truth = json.loads(photo.with_suffix(".json").read_text())
    seen = told(look(Frame(0.0, read_picture(photo))))
    assert seen.pieces == truth["pieces"]
    assert list(seen.walls) == truth["walls"]
    assert sorted(seen.pellets) == truth["pellets"]
    assert not seen.unsure


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_the_camera_is_placed_to_a_fraction_of_a_millimetre_on_the_board(photo: Path) -> None:
    truth = json.loads(photo.with_suffix(".json").read_text())
    pose = look(Frame(0.0, read_picture(photo))).pose
    assert pose is not None
    for (x, y), wanted in zip(
        [(-127.5, -127.5), (127.5, -127.5), (127.5, 127.5), (-127.5, 127.5)],
        truth["board_corners_px"],
        strict=True,
    ):
        seen = pose.project(_point(x, y))
        assert abs(seen[0] - wanted[0]) < 1.5
        assert abs(seen[1] - wanted[1]) < 1.5
    assert abs(pose.eye[2] - truth["camera"]["height_mm"]) < 40


def _point(x: float, y: float):  # type: ignore[no-untyped-def]
    import numpy as np

    return np.array([x, y, 0.0])
