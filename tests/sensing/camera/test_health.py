"""Is a picture fit to be read: every way in which it may not be, and none where it is."""

import re

import cv2
import numpy as np
import pytest

from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.camera.health import (
    BLACK,
    FROZEN,
    FROZEN_SECONDS,
    GREY,
    SMALLEST,
    TORN,
    WHITE,
    examine,
)
from companion.sim.picture.light import LIGHTS
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD

SHAPE = (972, 1296, 3)


def noisy(level: float, spread: float, shape: tuple[int, ...] = SHAPE) -> Picture:
    field = np.random.default_rng(2).normal(level, spread, shape)
    return np.clip(field, 0, 255).astype(np.uint8)


def fault(picture: object) -> str:
    return examine(Frame(0.0, picture)).fault  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def board() -> Picture:
    return Room(BOARD, Setting("daylight", 4)).shoot().picture


@pytest.mark.parametrize("light", LIGHTS)
def test_a_picture_of_the_board_is_fine_in_any_light(light):
    room = Room(BOARD, Setting(light, 4), size=(432, 324))
    assert fault(room.shoot().picture) == ""


def test_a_covered_lens_is_black_noise_and_all():
    assert fault(np.zeros(SHAPE, np.uint8)) == BLACK
    assert fault(noisy(5, 3)) == BLACK


def test_a_dark_room_with_some_light_is_not_black(board):
    assert fault((board * 0.3).astype(np.uint8)) == ""


def test_a_blinded_camera_is_white():
    assert fault(np.full(SHAPE, 255, np.uint8)) == WHITE
    assert fault(noisy(254, 2)) == WHITE


def test_a_board_on_a_white_cloth_is_not_blown_out(board):
    picture = board.copy()
    picture[:, :300] = picture[:, -300:] = 255
    assert fault(picture) == ""


@pytest.mark.parametrize("tone", [(128, 128, 128), (0, 135, 0)])
def test_a_picture_that_breaks_off_is_torn(board, tone):
    picture = board.copy()
    picture[700:] = tone
    assert fault(picture) == TORN
    picture[:] = tone
    assert fault(picture) == TORN


def test_a_camera_in_night_mode_has_no_colours(board):
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY)
    assert fault(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)) == GREY


@pytest.mark.parametrize(
    ("picture", "got"),
    [
        (np.zeros((480, 640), np.uint8), r"uint8 of shape \(480, 640\)"),
        (np.zeros((480, 640, 4), np.uint8), r"uint8 of shape \(480, 640, 4\)"),
        (np.zeros((480, 640, 3), np.uint16), r"uint16 of shape"),
        (np.zeros((480, 640, 3)), "float64 of shape"),
        (np.zeros((0, 0, 3), np.uint8), "only 0 × 0 pixels"),
        (np.zeros((480, SMALLEST - 1, 3), np.uint8), f"only {SMALLEST - 1} × 480 pixels"),
        (np.array(None), "object of shape"),
        (None, "a NoneType"),
        (b"JFIF", "a bytes"),
    ],
)
def test_what_is_no_colour_picture_is_refused_with_a_sentence(picture, got):
    health = examine(Frame(0.0, picture))
    assert not health.usable
    assert re.search(
        f"expected colour with 8 bits a channel and 64 .* got {got}.*; choose", health.fault
    )


def test_the_very_same_picture_from_a_live_camera_is_frozen_after_a_while(board):
    health = examine(Frame(10.0, board))
    health = examine(Frame(10.0 + FROZEN_SECONDS, board), health)
    assert health.fault == ""
    health = examine(Frame(10.1 + FROZEN_SECONDS, board), health)
    assert health.fault == FROZEN
    other = board.copy()
    other[8, 8] ^= 1
    assert examine(Frame(10.2 + FROZEN_SECONDS, other), health).fault == ""


def test_a_recording_may_show_the_same_picture_for_ever(board):
    health = examine(Frame(0.0, board, recorded=True))
    assert examine(Frame(100.0, board, recorded=True), health).fault == ""


def test_a_change_of_size_is_no_fault(board):
    health = examine(Frame(0.0, board))
    assert examine(Frame(9.0, board[::2, ::2]), health).fault == ""
