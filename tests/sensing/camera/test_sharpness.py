"""Sharpness: how much edges are smeared, and nothing else."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sensing.camera.sharpness import (
    ENOUGH,
    SOFT_PX,
    WIDEST_PX,
    middle,
    sharpness,
    smear_px,
)
from companion.sensing.vision.eyes import Eyes
from companion.sim.room import Room, Setting
from companion.sim.stress.pictures import blur
from tests.sensing.studio import BOARD

PHOTOS = sorted((Path(__file__).parents[2] / "photos").glob("still_*.jpg"))


def field_of(photo: Path) -> np.ndarray:
    corners = np.array(json.loads(photo.with_suffix(".json").read_text())["board_corners_px"])
    (left, top), (right, low) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    return np.asarray(cv2.imread(str(photo), cv2.IMREAD_GRAYSCALE)[top:low, left:right])


@pytest.mark.parametrize("blur_px", [1.0, 2.0, 3.0, 4.0, 6.0])
def test_a_step_is_smeared_by_as_much_as_it_was_blurred_at_any_contrast(blur_px):
    squares = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((60, 60)))

    def smeared(contrast: float) -> float:
        picture = cv2.GaussianBlur(squares, (0, 0), blur_px) * 200 * contrast + 20
        return smear_px(picture.astype(np.uint8))

    assert smeared(1.0) == pytest.approx(blur_px, rel=0.25)
    assert smeared(0.5) == pytest.approx(smeared(1.0), rel=0.3)
    assert smeared(0.2) == pytest.approx(smeared(1.0), rel=0.3)


def test_photographs_are_sharp_and_soft_once_they_are_blurred():
    assert len(PHOTOS) >= 10
    for photo in PHOTOS:
        if "motion_blur" in json.loads(photo.with_suffix(".json").read_text())["disturbance"]:
            continue
        field = field_of(photo)
        assert smear_px(field) < SOFT_PX - 0.5, photo.name
        assert smear_px(cv2.GaussianBlur(field, (0, 0), 2)) > SOFT_PX, photo.name


@pytest.mark.parametrize("light", ["daylight", "lamp", "dim"])
def test_the_simulated_camera_gets_softer_with_each_severity_of_blur(light):
    studio = Room(BOARD, Setting(light, 3))
    frame = studio.shoot()
    pose = Eyes(BOARD).look(frame).pose
    sharp = sharpness(BOARD, frame.picture, pose)
    soft = [sharpness(BOARD, blur(frame.picture, each, 0, 0), pose) for each in range(1, 6)]
    assert [sharp, *soft] == sorted([sharp, *soft], reverse=True)
    assert sharp > ENOUGH > soft[2]


@pytest.mark.parametrize("blur_px", [0, 2, 4, 6, 9, 12])
def test_noise_does_not_pass_for_sharpness(blur_px):
    picture = Room(BOARD, Setting("daylight", 3)).shoot().picture
    clean = cv2.GaussianBlur(picture, (0, 0), blur_px) if blur_px else picture
    noise = np.random.default_rng(1).normal(0, 6, picture.shape)
    noisy = np.clip(clean + noise, 0, 255).astype(np.uint8)
    assert (sharpness(BOARD, noisy, None) < ENOUGH) == (blur_px > 0)
    assert smear_px(middle(noisy)) == pytest.approx(smear_px(middle(clean)), rel=0.35)


def test_where_no_board_is_found_the_middle_of_the_picture_is_looked_at():
    picture = Room(BOARD, Setting("daylight", 3)).shoot().picture
    assert sharpness(BOARD, picture, None) > ENOUGH
    assert sharpness(BOARD, cv2.GaussianBlur(picture, (0, 0), 8), None) < 20


def test_a_finer_sensor_need_not_have_a_finer_lens():
    picture = Room(BOARD, Setting("daylight", 3)).shoot().picture
    twice = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    assert smear_px(middle(twice)) > 1.5 * smear_px(middle(picture))
    assert sharpness(BOARD, twice, None) == sharpness(BOARD, picture, None) == 100
    assert sharpness(BOARD, cv2.GaussianBlur(twice, (0, 0), 5), None) < ENOUGH


def test_a_picture_of_nothing_has_no_edges_to_speak_of():
    assert smear_px(np.full((200, 200), 90, np.uint8)) == WIDEST_PX
    assert middle(np.zeros((60, 90, 3), np.uint8)).shape == (40, 60)
