"""What is said of a picture: soft when it is blurred, whatever lies on the board."""

import cv2
import pytest

from companion.sensing.camera.sharpness import ENOUGH
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.quality import SOFT, quality
from companion.sim.room import Room, Setting
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
