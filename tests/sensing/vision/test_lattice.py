"""A board without markers is found by its lattice of cells, and proposed for agreement."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import column_row
from companion.boards import profile
from companion.sensing.camera.files import read_picture
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.grid import settle
from companion.sensing.vision.lattice import propose
from companion.sensing.vision.pose import Pose
from companion.sensing.vision.watch import GridWatch
from tests.counts import examples
from tests.sensing.studio import BOARD
from tests.sensing.vision.test_finding import PHOTOS, painted_over

BARE = replace(BOARD, markers=(), marker_mm=0.0)
REAL = Path(__file__).parents[4] / "shared" / "photos" / "real" / "quoridor"
WIDTH, HEIGHT = 864, 648


def grooves_off(corners: Corners | None, truth: Array) -> float:
    """Return by how many grooves the worst corner is off."""
    if corners is None:
        return float("inf")
    side = float(np.linalg.norm(truth - np.roll(truth, -1, axis=0), axis=1).mean())
    worst = float(np.linalg.norm(np.array(corners.points) - truth, axis=1).max())
    return worst / (side / BARE.field_mm * BARE.groove_mm)


def camera(yaw_deg: float, tilt_deg: float, aside_deg: float, far_mm: float) -> Pose:
    """Return a camera that looks at the middle of the board from the south, tilted."""
    turn = np.eye(3)
    for axis, degrees in (
        ((0.0, 0.0, 1.0), yaw_deg),
        ((1.0, 0.0, 0.0), 180.0 - tilt_deg),
        ((0.0, 1.0, 0.0), aside_deg),
    ):
        rotation, _ = cv2.Rodrigues(np.radians(degrees) * np.array(axis))
        turn = rotation @ turn
    vector, _ = cv2.Rodrigues(turn)
    a, b, c = (float(part) for part in vector.ravel())
    return Pose(WIDTH, HEIGHT, 750.0, 0.0, (a, b, c), (0.0, 0.0, far_mm))


def drawn(pose: Pose, cell: int, groove: int, around: int, other: int | None = None) -> Picture:
    """Return a plain picture of the bare board in three shades, or chequered with a fourth."""
    picture = np.full((HEIGHT, WIDTH, 3), around, np.uint8)

    def fill(x: float, y: float, half: float, shade: int | None) -> None:
        ends = [
            [x - half, y - half],
            [x + half, y - half],
            [x + half, y + half],
            [x - half, y + half],
        ]
        pixels = pose.project(np.array([[*end, 0.0] for end in ends]))
        points = np.rint(pixels * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, points, [shade] * 3, cv2.LINE_AA, 4)

    fill(0.0, 0.0, BARE.field_mm / 2 + BARE.groove_mm, groove)
    for square in BARE.squares:
        even = other is None or sum(column_row(square)) % 2 == 0
        fill(*BARE.at(square), BARE.cell_mm / 2, cell if even else other)
    return picture


@settings(max_examples=examples(12, 200), deadline=None)
@given(
    yaw=st.floats(-30, 30),
    tilt=st.floats(0, 30),
    aside=st.floats(-8, 8),
    far=st.floats(450, 620),
    shades=st.sampled_from([(200, 90, 140), (60, 150, 90), (40, 20, 200), (230, 200, 30)]),
)
def test_a_plain_board_is_found_however_it_lies_under_the_camera(yaw, tilt, aside, far, shades):
    pose = camera(yaw, tilt, aside, far)
    truth = pose.project(np.array(BARE.field_corners))
    assert grooves_off(propose(BARE, drawn(pose, *shades)), truth) < 0.5


@pytest.mark.parametrize(
    ("cell", "groove", "other"),
    [(200, 120, 60), (200, 200, 60), (60, 200, 200), (120, 40, 220), (90, 220, 140)],
    ids=["between", "as one", "as the other", "darker", "lighter"],
)
@pytest.mark.parametrize("aside", [(3.0, -2.0), (14.0, 0.0)], ids=str)
def test_a_chequered_board_is_settled_on(cell, groove, other, aside):
    pose = camera(12.0, 20.0, 3.0, 520.0)
    picture = drawn(pose, cell, groove, 140, other)
    settled = settle(BARE, pose.shifted(*aside), picture)
    assert settled is not None
    field = np.array(BARE.field_corners)
    assert np.abs(settled.project(field) - pose.project(field)).max() < 1.5
    watch = GridWatch.of(BARE, settled, picture)
    assert watch.look(picture) == "same"
    assert watch.look(drawn(pose.shifted(2.5, 2.5), cell, groove, 140, other)) != "same"


def test_crosses_printed_on_the_squares_are_not_taken_for_grooves():
    pose = camera(12.0, 10.0, 3.0, 520.0)
    picture = drawn(pose, 190, 110, 140)
    for square in BARE.squares:
        x, y = BARE.at(square)
        for way in np.eye(2):
            ends = [[x, y] + side * 9.5 * way for side in (-1, 1)]
            (x0, y0), (x1, y1) = pose.project(np.array([[*end, 0.0] for end in ends]))
            cv2.line(picture, (round(x0), round(y0)), (round(x1), round(y1)), (90, 90, 90), 6)
    field = np.array(BARE.field_corners)

    def off(settled: Pose | None, _: Picture = picture) -> float:
        assert settled is not None
        return float(np.abs(settled.project(field) - pose.project(field)).max())

    assert off(settle(BARE, pose, picture)) > 20
    assert off(settle(BARE, pose, picture, doubt=off)) < 3


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_a_photograph_with_its_markers_painted_over_is_found(photo: Path) -> None:
    picture, corners = painted_over(photo)
    assert grooves_off(propose(BARE, picture), np.array(corners)) < 0.5


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_proposed_where_no_board_lies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    empty = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    noise = rng.integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    cloud = cv2.resize(rng.integers(0, 256, (20, 30, 3), np.uint8), (WIDTH, HEIGHT))
    for picture in (empty, noise, np.asarray(cloud), np.zeros((5, 4, 3), np.uint8)):
        assert propose(BARE, picture) is None


@pytest.mark.skipif(not REAL.is_dir(), reason="the real photographs are not beside the code")
@pytest.mark.parametrize("name", ["real_00", "real_01", "real_02"])
def test_a_real_board_is_found_without_its_markers(name: str) -> None:
    board = replace(profile.load("plywood"), markers=())
    truth = np.array(json.loads((REAL / f"{name}.json").read_text())["board_corners_px"])
    assert grooves_off(propose(board, read_picture(REAL / f"{name}.jpg")), truth) < 0.5
