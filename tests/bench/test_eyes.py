"""What the net of the eyes learns from: boards laid flat, and what each place of them shows."""

import json
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from bench.eyes.__main__ import (
    LEAST_RECORDED,
    begin_anew_unless,
    main,
    make_samples,
    part_of,
    recorded_pictures,
)
from bench.eyes.augment import PAINTS, PLACES, SIZE, as_it_is, mixture, repainted, varied
from bench.eyes.labels import Standing, Stave, label
from bench.eyes.photographed import Grid, TrueLens, hidden, photographed
from bench.eyes.sample import LEFT_OUT, SIDE, Sample
from bench.eyes.simulated import simulated
from companion.errors import PictureError
from companion.sensing.vision.net import (
    CROSSING,
    FIRST,
    GROOVE,
    HEADS,
    SQUARE,
    STRIDE,
    WEIGHTS,
    head,
    paint_of,
    read_at,
)
from companion.sensing.vision.net import Net as VisionNet
from companion.sensing.vision.sheet import PX, Sheet

PHOTOS = sorted((Path(__file__).parent.parent / "photos" / "other_colours").glob("*.jpg"))
OPEN = {name: np.zeros(places.shape[:2]) for name, places in PLACES.items()}


@pytest.fixture(scope="module")
def board() -> Sample:
    return simulated(7)


def test_a_seed_decides_on_a_whole_board(board: Sample) -> None:
    again, other = simulated(7), simulated(8)
    for name in Sample.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(board, name), getattr(again, name))
    assert not np.array_equal(board.picture, other.picture)


def test_a_sample_that_was_saved_is_the_same(board: Sample, tmp_path: Path) -> None:
    board.save(tmp_path / "one.npz")
    again = Sample.load(tmp_path / "one.npz")
    for name in Sample.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(board, name), getattr(again, name))


def test_samples_that_are_there_are_not_made_again(board: Sample, tmp_path: Path) -> None:
    made = []

    def make(seed: int) -> Sample:
        made.append(seed)
        return board

    make_samples(tmp_path, [("one", 1), ("two", 2)], make, 2)
    paths = make_samples(tmp_path, [("one", 1), ("two", 2), ("three", 3)], make, 3)
    assert made == [1, 2, 3]
    assert [path.name for path in paths] == ["one.npz", "two.npz", "three.npz"]


def test_things_and_fences_are_labelled_where_they_are() -> None:
    things = [Standing("pawn", 0.05, -4.0), Standing("ball", -4.0, 4.0, (1.0, 0.0, 0.0))]
    staves = [Stave(0.5, 0.5, 0.0, 1.8, seated=True), Stave(-2.5, -2.5, 90.0, 1.8, seated=True)]
    found = label(things, staves, OPEN)
    assert found["square"][0, 4] == SQUARE.index("pawn")
    assert found["square"][8, 0] == SQUARE.index("ball")
    assert np.count_nonzero(found["square"]) == 2
    assert [tuple(at) for at in np.argwhere(found["across"])] == [(4, 4), (4, 5)]
    assert [tuple(at) for at in np.argwhere(found["along"])] == [(1, 1), (2, 1)]
    assert found["crossing"][4, 4] == CROSSING.index("across")
    assert found["crossing"][1, 1] == CROSSING.index("along")
    assert np.isfinite(found["paint"]).any(axis=-1).sum() == 1
    assert found["things"][:2, :2].tolist() == [pytest.approx([0.05, -4.0]), [-4.0, 4.0]]
    assert np.isnan(found["things"][0, 3:]).all()
    assert found["things"][1, 3:] == pytest.approx(paint_of((1.0, 0.0, 0.0)))


def test_a_fence_that_is_not_in_is_loose_and_no_fence() -> None:
    found = label([], [Stave(0.5, 0.5, 0.0, 1.8, seated=False)], OPEN)
    assert not (found["across"] == GROOVE.index("fence")).any()
    assert [tuple(at) for at in np.argwhere(found["across"] == GROOVE.index("loose"))] == [
        (4, 4),
        (4, 5),
    ]


def test_of_a_fence_that_is_half_in_nothing_is_asked_from_afar() -> None:
    found = label([], [Stave(0.5, 0.5, 0.0, 1.8, seated=False, half=True)], OPEN)
    assert [tuple(at) for at in np.argwhere(found["across"])] == [(4, 4), (4, 5)]
    assert (found["across"][4, 4:6] == LEFT_OUT).all()
    assert found["crossing"][4, 4] == LEFT_OUT


def test_what_a_hand_hides_is_covered_and_what_it_touches_is_left_out() -> None:
    share = {name: each.copy() for name, each in OPEN.items()}
    share["square"][3, 3], share["square"][3, 4] = 0.8, 0.2
    found = label([Standing("pawn", -1.0, -1.0)], [], share)
    assert found["square"][3, 3] == SQUARE.index("covered")
    assert found["square"][3, 4] == LEFT_OUT
    assert np.isnan(found["off"]).all()


def test_every_turn_keeps_labels_with_what_they_are_of(board: Sample) -> None:
    """The pixel under a label is the same thing however the board is turned."""
    plain = as_it_is(board)
    rng = np.random.default_rng(1)
    for _ in range(12):
        turned = varied(board, rng)
        for name in PLACES:
            assert turned.at[name].shape == plain.at[name].shape
        same = np.sort(plain.labels["square"][plain.labels["square"] > 0])
        shown = np.sort(turned.labels["square"][turned.labels["square"] > 0])
        covered = SQUARE.index("covered")
        assert set(shown) - {covered} <= set(same), "nothing appears that was not there"


def test_a_turned_board_shows_its_fences_where_its_labels_say() -> None:
    """A board that is black but for its fences' grooves: the labels must lie on the white."""
    white = np.zeros((13 * PX, 13 * PX, 3), np.uint8)
    middle = (13 * PX - 1) / 2
    for x, y in ((0.0, 0.5), (1.0, 0.5), (-2.5, -3.0), (-2.5, -2.0)):
        column, row = round(middle + x * PX), round(middle + y * PX)
        white[row - 10 : row + 11, column - 10 : column + 11] = 255
    staves = [Stave(0.5, 0.5, 0.0, 1.8, seated=True), Stave(-2.5, -2.5, 90.0, 1.8, seated=True)]
    eye = np.array([0.5, 3.0, 17.0], np.float32)
    sample = Sample(picture=white, eye=eye, **label([], staves, OPEN))
    rng = np.random.default_rng(3)
    for _ in range(16):
        turned = varied(sample, rng)
        light = turned.picture[:3].mean(axis=0)
        on, off = [], []
        for name in ("across", "along"):
            for (column, row), kind in zip(turned.at[name], turned.labels[name], strict=True):
                if 0 <= column < SIZE - 0.5 and 0 <= row < SIZE - 0.5:
                    shade = light[round(float(row)), round(float(column))]
                    (on if kind == GROOVE.index("fence") else off).append(shade)
        covered = any((labels == 3).any() for labels in turned.labels.values())
        assert covered or min(on) > max(off)


def test_things_lean_away_from_the_cameras_foot(board: Sample) -> None:
    plain = as_it_is(board)
    column, row = board.eye[:2] * PX + (SIZE - 1) / 2
    rows, columns = np.mgrid[:SIZE, :SIZE]
    far = np.stack([columns - column, rows - row])
    np.testing.assert_allclose(plain.picture[3:], far / (PX * board.eye[2]), atol=1e-4)


def test_the_net_is_asked_with_the_lean_that_it_was_taught_with() -> None:
    """What lays pictures flat for reading and what does for training agree to the sign."""
    path = PHOTOS[0]
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    taught = as_it_is(photographed(path)).picture[3:]
    asked = Sheet.of(Grid(29.0, 255.0), TrueLens.of(truth["camera"])).lean
    np.testing.assert_allclose(asked, taught, atol=1e-3)


def test_answers_are_read_off_between_the_steps_of_a_map() -> None:
    steps = SIZE // STRIDE
    rows, columns = np.mgrid[:steps, :steps].astype(np.float64)
    maps = np.stack([columns, rows])
    at = np.array([FIRST, FIRST + STRIDE, FIRST + 2.5 * STRIDE])
    pixels = np.stack([at, at[::-1]], axis=-1)
    np.testing.assert_allclose(read_at(maps, pixels), [[0, 1, 2.5], [2.5, 1, 0]])


def test_every_map_belongs_to_one_head() -> None:
    maps = np.arange(sum(HEADS.values()))[:, None, None] * np.ones((1, 2, 2))
    numbers = [head(maps, name)[:, 0, 0].tolist() for name in HEADS]
    assert [*chain.from_iterable(numbers)] == list(range(sum(HEADS.values())))


@pytest.mark.parametrize("path", PHOTOS, ids=lambda path: path.stem)
def test_photographs_are_labelled_by_their_truth(path: Path) -> None:
    sample = photographed(path)
    assert sample.picture.shape == (13 * PX, 13 * PX, 3)
    assert (sample.square == SQUARE.index("pawn")).any()
    fences = (sample.across == GROOVE.index("fence")).sum() + (sample.along == 1).sum()
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    if not truth["disturbance"]:
        assert fences == 2 * len(truth["walls"])
    assert 0 < fences <= 2 * len(truth["walls"])


def test_a_place_behind_fences_is_not_asked_for() -> None:
    truth = {"behind_fraction": {"e9": 0.95}, "occlusion_fraction": {"a1": 0.5}}
    shares = hidden({**truth, "slot_occlusion_fraction": {}})
    assert shares["square"][0, 4] == pytest.approx(0.1)
    assert shares["square"][SIDE - 1, 0] == 0.5
    assert not shares["across"].any()


def beside(path: Path, folder: Path, **more: object) -> Path:
    """Copy a picture with its truth, without what only a studio knows."""
    known = ("pieces", "walls", "skewed_walls", "pellets", "board_corners_px")
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    copy = folder / "frame_0000.jpg"
    copy.write_bytes(path.read_bytes())
    kept = {key: truth[key] for key in known if key in truth} | more
    copy.with_suffix(".json").write_text(json.dumps(kept), encoding="utf-8")
    return copy


@pytest.mark.parametrize("path", PHOTOS[:3], ids=lambda path: path.stem)
def test_the_corners_of_a_board_are_as_good_as_its_camera(path: Path, tmp_path: Path) -> None:
    """They are all that a game recorded at a real table knows."""
    exact, found = photographed(path), photographed(beside(path, tmp_path))
    for name in ("square", "across", "along", "crossing"):
        np.testing.assert_array_equal(getattr(found, name), getattr(exact, name))
    np.testing.assert_allclose(found.eye, exact.eye, atol=1.0)
    assert np.abs(found.picture.astype(float) - exact.picture).mean() < 4
    assert np.isnan(found.off).all(), "nobody knows where exactly its pieces stand"
    assert np.isnan(found.things).all()


def test_a_smaller_board_has_its_things_in_the_same_places(tmp_path: Path) -> None:
    small = {"cell_mm": 17.0, "groove_mm": 4.0, "field_mm": 185.0, "fence_length_mm": 38.0}
    usual = photographed(beside(PHOTOS[0], tmp_path))
    found = photographed(beside(PHOTOS[0], tmp_path, sizes=small))
    np.testing.assert_array_equal(found.square, usual.square)
    np.testing.assert_array_equal(found.across, usual.across)


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        (None, "expected the four corners"),
        ([[1, 1], [2, 2], [3, 3], [4, 4]], "expected corners at least"),
        ([[0, 0], [9e9, 0], [1, 1], [0, 1]], "expected two numbers"),
    ],
)
def test_a_truth_that_nothing_can_be_learned_from_is_told(
    tmp_path: Path, corners: object, why: str
) -> None:
    path = beside(PHOTOS[0], tmp_path, board_corners_px=corners)
    with pytest.raises(PictureError, match=why):
        photographed(path)
    path.with_suffix(".json").write_text("{}")
    with pytest.raises(PictureError, match="no pieces"):
        photographed(path)


def test_only_agreed_positions_of_recordings_are_learned_from(tmp_path: Path) -> None:
    box = tmp_path / "20260517T200100Z-quoridor-1"
    box.mkdir()
    for number in range(LEAST_RECORDED + 1):
        (box / f"frame_{number:04}.jpg").write_bytes(b"a picture")
        if number:
            (box / f"frame_{number:04}.json").write_text("{}")
    found = recorded_pictures([tmp_path, box])
    assert found[0].name == "frame_0001.jpg"
    assert len(found) == LEAST_RECORDED
    (box / "frame_0001.jpg").unlink()
    with pytest.raises(PictureError, match=r"expected 16 recorded positions at least, found 15"):
        recorded_pictures([box])


def test_a_lesson_goes_on_where_it_was_and_another_begins_anew(tmp_path: Path) -> None:
    kept = tmp_path / "checkpoint.pt"
    begin_anew_unless(tmp_path, {"pictures": ["a"]})
    kept.write_bytes(b"half-way")
    begin_anew_unless(tmp_path, {"pictures": ["a"]})
    assert kept.exists()
    begin_anew_unless(tmp_path, {"pictures": ["a", "b"]})
    assert not kept.exists()


@pytest.mark.parametrize(
    ("data", "why"), [("nowhere", "no such folder"), ("empty", "no recorded positions")]
)
def test_recordings_that_are_not_there_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: str, why: str
) -> None:
    (tmp_path / "empty").mkdir()
    weights = tmp_path / "checkpoint.pt"
    weights.write_bytes(b"")
    told = [str(tmp_path), "--data", str(tmp_path / data), "--from", str(weights)]
    assert main(told) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert why in said


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the exporter that OpenCV needs
def test_an_exported_net_can_be_gone_on_with(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from bench.eyes.net import PLANES, Net
    from bench.eyes.start import WeightsError, begun_with
    from bench.eyes.train import wake_scales

    net = Net(16, 16, 16).train()
    net(torch.rand(2, PLANES, SIZE, SIZE))  # so that its scales are not those of a new net
    net.eval()
    whole = {f"module.{name}": part for name, part in net.state_dict().items()}
    torch.save({"best": whole}, tmp_path / "checkpoint.pt")
    picture = torch.rand(1, PLANES, SIZE, SIZE)
    path = str(tmp_path / "eyes.onnx")
    torch.onnx.export(net, (picture,), path, opset_version=13, dynamo=False)
    with torch.no_grad():
        for name in ("checkpoint.pt", "eyes.onnx"):
            again = begun_with(tmp_path / name).eval()
            torch.testing.assert_close(again(picture), net(picture), atol=1e-4, rtol=1e-3)
            wake_scales(again, torch.rand(2, PLANES, SIZE, SIZE))
            torch.testing.assert_close(again(picture), net(picture), atol=1e-4, rtol=1e-3)
    (tmp_path / "other.onnx").write_bytes(b"nonsense")
    with pytest.raises(WeightsError, match="has no weights of this net"):
        begun_with(tmp_path / "other.onnx")


def test_the_shipped_net_can_be_gone_on_with() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from bench.eyes.net import PLANES
    from bench.eyes.start import begun_with

    planes = np.random.default_rng(1).random((PLANES, SIZE, SIZE), np.float32)
    planes[:3] = np.rint(planes[:3] * 255) / 255
    laid = np.moveaxis(np.rint(planes[:3] * 255), 0, -1).astype(np.uint8)
    with torch.no_grad():
        again = begun_with(WEIGHTS).eval()(torch.from_numpy(planes[None]))[0].numpy()
    np.testing.assert_allclose(VisionNet().answer(laid, planes[3:]), again, atol=1e-3, rtol=1e-3)


def test_channels_in_another_order_are_other_paints() -> None:
    picture = simulated(7).picture
    red = paint_of((200 / 255, 20 / 255, 10 / 255))
    values = {name: np.array([red, [np.nan] * 3]) for name in PAINTS}
    turned, paints = repainted(picture, values, np.eye(3)[[2, 0, 1]])
    np.testing.assert_allclose(turned.astype(int), picture[..., [2, 0, 1]], atol=1)
    for name in PAINTS:  # red becomes blue, green red, and blue green
        np.testing.assert_allclose(
            paints[name][0], paint_of((20 / 255, 10 / 255, 200 / 255)), atol=0.01
        )
        assert np.isnan(paints[name][1]).all()


def test_other_paints_leave_grey_as_it_is_and_change_with_what_is_seen_of_them() -> None:
    rng = np.random.default_rng(5)
    greys = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    bgr = rng.integers(30, 256, (1, 50, 3)).astype(np.uint8)
    paints = np.array([paint_of(colour[::-1] / 255) for colour in bgr[0]])
    for _ in range(20):
        mix = mixture(rng)
        nothing = {name: np.full((1, 3), np.nan) for name in PAINTS}
        np.testing.assert_allclose(repainted(greys, nothing, mix)[0].astype(int), greys, atol=1)
        seen, named = repainted(bgr, dict.fromkeys(PAINTS, paints), mix)
        again = np.array([paint_of(colour[::-1] / 255) for colour in seen[0]])
        np.testing.assert_allclose(named["paint"], again, atol=0.05)


def test_what_is_held_back_stays_so_when_more_comes() -> None:
    few = [Path(f"studio_1000_{n:05d}.npz") for n in range(300, 400)]
    many = [Path(f"studio_1000_{n:05d}.npz") for n in range(1000)]
    assert set(part_of(few, held_back=True)) < set(part_of(many, held_back=True))
    assert 40 < len(part_of(many, held_back=True)) < 100
    assert not set(part_of(many, held_back=True)) & set(part_of(many, held_back=False))
