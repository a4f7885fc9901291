"""The camera of rendered pictures: what its lens and its sensor do can be undone and measured."""

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bench.studio.lens import HEIGHT, WIDTH, Lens, canvas_of, draw_lens
from bench.studio.lights import draw_lighting
from bench.studio.sensor import Exposure, develop, draw_exposure
from companion.boards import profile

BOARD = profile.load("reference")
WHITE = np.array([0.9, 0.9, 0.9])


@pytest.fixture(scope="module")
def lenses() -> list[Lens]:
    return [draw_lens(random.Random(seed), BOARD) for seed in range(20)]


@pytest.fixture
def exposure() -> Exposure:
    rng = random.Random(1)
    drawn = draw_exposure(rng, draw_lighting(rng, "window", 0.0), shaken=False)
    return replace(drawn, red_shift=0.0, blue_shift=0.0, noise=1e-6, vignetting=0.0, contrast=0.0)


def test_the_whole_frame_is_in_every_picture(lenses):
    half = BOARD.frame_mm / 2
    for lens in lenses:
        edges = lens.project([(x, y, 0.0) for x in (-half, half) for y in (-half, half)])
        assert edges.min() > 0
        assert (edges < (WIDTH, HEIGHT)).all()


def test_row_1_is_at_the_lower_edge_and_column_a_on_the_left(lenses):
    for lens in lenses:
        a1, i1, a9 = lens.project([(*BOARD.at(square), 0.0) for square in ("a1", "i1", "a9")])
        assert a1[0] < i1[0]
        assert a9[1] < a1[1]


def test_what_is_projected_with_distortion_is_found_again_by_opencv(lenses):
    points = np.array([(*BOARD.at(square), 0.0) for square in BOARD.squares])
    for lens in lenses:
        rotation, matrix = np.array(lens.rotation), np.array(lens.matrix)
        rays = cv2.undistortPoints(
            lens.project(points.tolist()).reshape(-1, 1, 2), matrix, np.array(lens.distortion)
        ).reshape(-1, 2)
        rays = np.column_stack([rays, np.ones(len(rays))]) @ rotation
        reach = -lens.centre[2] / rays[:, 2]
        found = np.array(lens.centre) + rays * reach[:, None]
        assert np.abs(found - points).max() < 0.05


def test_a_straightened_point_is_where_a_lens_without_distortion_shows_it(lenses):
    points = [(*BOARD.at(square), 0.0) for square in BOARD.squares]
    for lens in lenses:
        straight = replace(lens, distortion=(0.0,) * 5).project(points)
        assert np.abs(lens.straighten(lens.project(points)) - straight).max() < 1e-6
        assert np.abs(lens.project(points) - straight).max() > 0.5


def test_what_is_drawn_on_the_canvas_lands_where_the_lens_projects_it(lenses):
    lens = lenses[0]
    canvas = canvas_of(lens)
    assert canvas.width > WIDTH
    assert canvas.height > HEIGHT
    target = lens.project([(*BOARD.at("i9"), 0.0)])[0]
    x, y = lens.straighten(target[None])[0] - (canvas.left, canvas.top)
    drawn = np.zeros((canvas.height, canvas.width, 3), np.float32)
    rows, columns = np.mgrid[: canvas.height, : canvas.width]
    drawn += np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 18).astype(np.float32)[..., None]
    bent = canvas.bend(drawn)[..., 0]
    assert bent.shape == (HEIGHT, WIDTH)
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    middle = (bent * columns).sum() / bent.sum(), (bent * rows).sum() / bent.sum()
    assert middle == pytest.approx(target, abs=0.05)


def _scene(colour: tuple[float, float, float]) -> np.ndarray:
    light = np.full((80, 120, 3), 0.18)
    light[30:50, 40:80] = 0.6
    return light * colour


def test_a_well_balanced_camera_makes_white_paper_white(exposure):
    warm = (1.6, 1.0, 0.4)
    balanced = replace(exposure, balance=1.0)
    left = replace(exposure, balance=0.3)
    light, white = _scene(warm), WHITE * warm
    grey = develop(light, balanced, white, np.random.default_rng(1))[10, 10].astype(int)
    cast = develop(light, left, white, np.random.default_rng(1))[10, 10].astype(int)
    assert abs(grey[2] - grey[0]) <= 2
    assert cast[2] - cast[0] > 40  # blue comes first


def test_the_camera_makes_up_for_a_dark_room(exposure):
    bright, dark = (
        develop(_scene((level,) * 3), exposure, WHITE, np.random.default_rng(1)).mean()
        for level in (1.0, 0.05)
    )
    assert dark == pytest.approx(bright, abs=2)


def test_a_shaken_camera_blurs_along_its_path_alone(exposure):
    steady = develop(_scene((1, 1, 1)), exposure, WHITE, np.random.default_rng(1)).astype(int)
    shaken = replace(exposure, blur_px=5.0, blur_deg=0.0)
    moved = develop(_scene((1, 1, 1)), shaken, WHITE, np.random.default_rng(1)).astype(int)
    across, along = np.abs(moved - steady)[40, 30:50], np.abs(moved - steady)[20:40, 60]
    assert across.max() > 20
    assert along.max() < 12


def test_noise_depends_on_its_source_alone(exposure):
    noisy = replace(exposure, noise=0.004)
    one, same, other = (
        develop(_scene((1, 1, 1)), noisy, WHITE, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert (one == same).all()
    assert (one != other).any()
    assert one[:20, :20].std() > 1
