"""What is said of a picture: soft when it is blurred, whatever lies on the board."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.camera.sharpness import ENOUGH
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.quality import MOST_SLANT_DEG, SOFT, quality
from companion.sim.room import Room, Setting
from tests.counts import examples
from tests.sensing.studio import BOARD

CROWDED = {"e5": "pacman", "e9": "blinky", "a1": "pellet"} | dict.fromkeys(
    ("a8h", "e6h", "f5v", "d4h", "c4v", "h1v"), "fence"
)


@pytest.mark.parametrize("position", [{}, {"e1": "pacman"}, CROWDED], ids=len)
def test_sharpness_tells_a_soft_picture_from_a_sharp_one_with_fences_too(position):
    studio = Room(BOARD, Setting("daylight", 6))
    studio.table.set_up(position)
    frame = studio.shoot()
    pose = Eyes(BOARD).look(frame).pose
    sharp = quality(BOARD, frame.picture, pose)
    assert sharp.sharpness > ENOUGH + 8
    assert sharp.advice == ()
    soft = quality(BOARD, cv2.GaussianBlur(frame.picture, (0, 0), 3), pose)
    assert soft.sharpness < ENOUGH - 8
    assert SOFT in soft.advice


def camera(slant_deg: float) -> Pose:
    """Return a camera that looks at the middle of the board from the south."""
    turn = np.radians(180.0 - slant_deg)
    return Pose(1296, 972, 1150.0, 0.0, (float(turn), 0.0, 0.0), (0.0, 0.0, 600.0))


@given(slant=st.floats(0, 75))
@settings(max_examples=examples(20, 200), deadline=None)
def test_a_view_that_is_too_slanting_is_told_in_words(slant):
    picture = np.full((972, 1296, 3), 128, np.uint8)
    seen = quality(BOARD, picture, camera(slant))
    assert seen.slant_deg == pytest.approx(slant, abs=0.1)
    assert seen.far_slant_deg >= seen.slant_deg
    said = [advice for advice in seen.advice if "slanting" in advice]
    assert bool(said) == (seen.slant_deg > MOST_SLANT_DEG)
    for advice in said:
        assert "expected at most 40° from straight above the middle of the board, got" in advice
        assert f"{seen.slant_deg:.0f}°" in advice
        assert advice.endswith("Hang the camera higher.")
