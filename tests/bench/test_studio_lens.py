"""The camera of rendered pictures: what its lens and its sensor do can be undone and measured."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bench.studio.builds import Build, draw_board
from bench.studio.dice import Dice
from bench.studio.lens import HEIGHT, WIDTH, Lens, canvas_of, draw_lens
from bench.studio.lights import draw_lighting
from bench.studio.sensor import Exposure, at_scale, develop, draw_exposure
from companion.board import Board
from companion.boards import profile

BOARD = profile.load("reference")
WHITE = np.array([0.9, 0.9, 0.9])


VIEWS = ("frame", "markers", "field")


def _drawn(number: int) -> tuple[Lens, Board, Build, str]:
    dice = Dice(1, number)
    board, build = draw_board(dice, BOARD)
    lens = draw_lens(dice, board, build)
    return lens, board, build, str(dice.drawn["view"][0])


@pytest.fixture(scope="module")
def cameras() -> list[tuple[Lens, Board, Build, str]]:
    return [_drawn(number) for number in range(100)]


@pytest.fixture(scope="module")
def lenses(cameras) -> list[Lens]:
    return [lens for lens, *_ in cameras[:20]]


@pytest.fixture
def exposure() -> Exposure:
    dice = Dice(1, 1, {"sharpening": 0.5, "saturation": 1.0, "exposure": "usual"})
    drawn = draw_exposure(dice, draw_lighting(dice.rng, "window", 0.0), ())
    return replace(drawn, red_shift=0.0, blue_shift=0.0, noise=1e-6, vignetting=0.0, contrast=0.0)


def test_the_whole_field_is_in_every_picture_and_what_else_the_view_asks_for(cameras):
    assert {view for *_, view in cameras} == set(VIEWS)
    for lens, board, build, view in cameras:
        x, y = build.frame_half_mm
        points = [*board.field_corners]
        if view == "frame" and build.kind != "bare":
            points += [(a * x, b * y, build.plane_mm) for a in (-1, 1) for b in (-1, 1)]
        elif view == "markers" and build.kind != "bare":
            points += [(m.x_mm, m.y_mm, build.marker_plane_mm) for m in board.markers]
        seen = lens.project(points)
        assert seen.min() > 0
        assert (seen < (WIDTH, HEIGHT)).all()


def test_the_field_is_never_lost_in_its_picture(cameras):
    for lens, board, _, _ in cameras:
        corners = lens.project(board.field_corners)
        assert np.ptp(corners, axis=0).max() > 0.3 * HEIGHT
        assert lens.centre[2] > 150


def test_row_1_is_at_the_lower_edge_and_column_a_on_the_left(cameras):
    for lens, board, _, _ in cameras:
        a1, i1, a9 = lens.project([(*board.at(square), 0.0) for square in ("a1", "i1", "a9")])
        assert a1[0] < i1[0]
        assert a9[1] < a1[1]


def test_a_picture_with_fewer_pixels_shows_the_same(lenses):
    points = [(*BOARD.at(square), 0.0) for square in BOARD.squares]
    for lens in lenses:
        small = lens.scaled(0.42)
        assert (small.width, small.height) == (544, 408)
        part = small.width / lens.width
        expected = (lens.project(points) + 0.5) * part - 0.5
        assert np.abs(small.project(points) - expected).max() < 1e-6


def test_blurs_are_as_wide_on_the_board_in_a_picture_with_fewer_pixels(exposure):
    blurred = replace(exposure, blur_px=5.0, defocus_px=4.0)
    small = at_scale(blurred, 0.5)
    assert (small.blur_px, small.defocus_px) == (2.5, 2.0)
    assert small.noise < blurred.noise


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


def test_a_lens_that_is_not_in_focus_blurs_all_ways(exposure):
    sharp = develop(_scene((1, 1, 1)), exposure, WHITE, np.random.default_rng(1)).astype(int)
    unsharp = replace(exposure, defocus_px=4.0)
    soft = develop(_scene((1, 1, 1)), unsharp, WHITE, np.random.default_rng(1)).astype(int)
    assert np.abs(soft - sharp)[40, 30:50].max() > 20
    assert np.abs(soft - sharp)[20:40, 60].max() > 20
