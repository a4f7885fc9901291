"""``companion calibrate``, and ``companion look`` with corners, as people call them."""

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.setup.calibration import Calibration
from companion.web import create_app, serve
from companion.web.hub import Hub
from tests.web.fake import BOARD, FakeTable

PHOTO = Path(__file__).parent.parent / "photos" / "still_0000.jpg"
CORNERS = "342,780 884,804 896,273 377,251"
ANY_PORT = "[web]\nport = 0\n"

Out = pytest.CaptureFixture[str]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return settings of a board without markers."""
    text = (Path(__file__).parents[2] / "companion/boards/reference.toml").read_text()
    text = re.sub(r"\[markers\].*?(?=\n\[)", "", text, flags=re.S)
    board, settings = tmp_path / "own.toml", tmp_path / "settings.toml"
    board.write_text(re.sub(r"\nmarkers = \{.*", "", text))
    settings.write_text(f'{ANY_PORT}[board]\nprofile = "{board}"\n')
    return settings


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Return settings in which no companion can be running."""
    settings = tmp_path / "plain.toml"
    settings.write_text(ANY_PORT)
    return settings


def test_a_picture_with_markers_is_found_and_drawn(
    tmp_path: Path, plain: Path, capsys: Out
) -> None:
    target = tmp_path / "grid.png"
    arguments = ["--picture", str(PHOTO), "--data", str(tmp_path), "--out", str(target)]
    assert main(["calibrate", "--config", str(plain), *arguments]) == 0
    told = capsys.readouterr().out
    assert "found by its markers" in told
    assert "4 of 4 in view" in told
    drawn, photo = cv2.imread(str(target)), cv2.imread(str(PHOTO))
    assert drawn is not None
    assert photo is not None
    assert (drawn != photo).any()


def test_the_simulated_camera_is_described_as_json(
    tmp_path: Path, plain: Path, capsys: Out
) -> None:
    arguments = ["--config", str(plain), "--sim", "--data", str(tmp_path), "--json"]
    assert main(["calibrate", *arguments]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["found"] is True
    assert said["by"] == "markers"
    assert said["size"] == [1296, 972]
    assert 400 < said["height_mm"] < 600
    assert 0 < said["tilt_deg"] < 26
    assert len(said["corners"]) == 4
    assert Path(said["drawn"]).exists()
    assert not list(tmp_path.glob("calibration*.json"))


def test_corners_are_used_and_kept_for_next_time(tmp_path: Path, bare: Path, capsys: Out) -> None:
    common = ["calibrate", "--config", str(bare), "--picture", str(PHOTO), "--data", str(tmp_path)]
    assert main(common) == 1
    assert "not found: this board has no markers" in capsys.readouterr().out
    assert main([*common, "--corners", CORNERS]) == 0
    assert "found by its corners" in capsys.readouterr().out
    kept = Calibration.beside(tmp_path / "journal.db", simulated=True).corners("sim")
    assert kept is not None
    assert kept.points[0] == (342, 780)
    assert main(common) == 0
    assert main([*common, "--forget"]) == 1
    assert Calibration.beside(tmp_path / "journal.db", simulated=True).corners("sim") is None


def test_a_board_without_markers_is_proposed_and_agreed_to_by_a_command(
    tmp_path: Path, bare: Path, capsys: Out
) -> None:
    common = ["calibrate", "--config", str(bare), "--picture", str(PHOTO), "--data", str(tmp_path)]
    assert main(common) == 1
    told = capsys.readouterr().out
    assert "It may lie where" in told
    assert (tmp_path / "camera.png").exists()
    assert not list(tmp_path.glob("calibration*.json"))  # nobody has agreed yet
    match = re.search('--corners "(.*)"', told)
    assert match is not None
    proposed = np.array([[float(part) for part in pair.split(",")] for pair in match[1].split()])
    truth = np.array([[float(part) for part in pair.split(",")] for pair in CORNERS.split()])
    assert np.abs(proposed - truth).max() < 6
    assert main([*common, "--corners", match[1]]) == 0


def test_corners_where_there_is_no_board_are_not_kept(
    tmp_path: Path, bare: Path, capsys: Out
) -> None:
    blank = tmp_path / "blank.png"
    noise = np.random.default_rng(1).integers(60, 200, (972, 1296, 3), np.uint8)
    cv2.imwrite(str(blank), cv2.GaussianBlur(noise, (0, 0), 3))
    arguments = ["--picture", str(blank), "--data", str(tmp_path), "--corners", CORNERS]
    assert main(["calibrate", "--config", str(bare), *arguments]) == 1
    assert "What to do" in capsys.readouterr().out
    assert not list(tmp_path.glob("calibration*.json"))


@pytest.mark.parametrize("corners", ["nonsense", "1,2 3,4 5,6", "0,0 0,0 0,0 0,0"])
def test_corners_that_cannot_be_are_wrong_use(
    tmp_path: Path, plain: Path, capsys: Out, corners: str
) -> None:
    arguments = ["--picture", str(PHOTO), "--data", str(tmp_path), "--corners", corners]
    assert main(["calibrate", "--config", str(plain), *arguments]) == 2
    assert main(["look", str(PHOTO), "--corners", corners]) == 2
    assert capsys.readouterr().err.count("expected") == 2


def test_without_a_camera_in_the_settings_it_says_so(tmp_path: Path, capsys: Out) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'{ANY_PORT}[hall]\nport = "auto"\n')
    assert main(["calibrate", "--config", str(settings)]) == 2
    assert "no camera is configured" in capsys.readouterr().err


def test_a_camera_that_is_not_there_is_reported(tmp_path: Path, capsys: Out) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'{ANY_PORT}[camera]\nsource = "{tmp_path}/none.mp4"\n')
    assert main(["calibrate", "--config", str(settings), "--data", str(tmp_path)]) == 1
    assert "none.mp4" in capsys.readouterr().err


def test_a_companion_that_is_running_is_asked(tmp_path: Path, capsys: Out) -> None:
    table = FakeTable(hub := Hub())
    app = create_app(hub, table.post, board=BOARD, secret="a secret", outline=lambda: table.outline)
    server = serve(app, "127.0.0.1", 0)
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[web]\nport = {server.port}\n[camera]\nsource = "0"\n')
    try:
        assert main(["calibrate", "--config", str(settings)]) == 0
        assert f"http://localhost:{server.port}/camera" in capsys.readouterr().out
        table.outline |= {"found": False, "text": "No board in view."}
        assert main(["calibrate", "--config", str(settings)]) == 1
        assert "No board in view." in capsys.readouterr().out
        assert main(["calibrate", "--config", str(settings), "--corners", CORNERS]) == 2
        assert "is running" in capsys.readouterr().err
    finally:
        server.close()


def test_a_still_without_markers_is_read_by_its_corners(
    tmp_path: Path, bare: Path, capsys: Out
) -> None:
    board = str(bare.with_name("own.toml"))
    assert main(["look", "--json", "--board", board, str(PHOTO)]) == 1
    assert main(["look", "--json", "--board", board, "--corners", CORNERS, str(PHOTO)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    truth = json.loads(PHOTO.with_suffix(".json").read_text())
    assert first["board_found"] is False
    assert second["board_found"] is True
    assert second["walls"] == truth["walls"]


def test_the_pieces_are_shown_to_the_simulated_grid_and_kept(
    tmp_path: Path, plain: Path, capsys: Out
) -> None:
    arguments = ["--config", str(plain), "--sim", "--pieces", "--data", str(tmp_path)]
    assert main(["calibrate", *arguments, "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)["magnets"]
    kept = Calibration.beside(tmp_path / "journal.db", simulated=True)
    assert {name: said["counts"] for name, said in measured.items()} == kept.magnets()
    for name, piece in BOARD.pieces.items():
        assert measured[name]["counts"] == pytest.approx(piece.magnet, rel=0.1)
    assert main(["calibrate", *arguments, "--forget"]) == 0
    assert kept.magnets() == {}


def test_showing_pieces_without_a_grid_is_wrong_use(tmp_path: Path, capsys: Out) -> None:
    settings = tmp_path / "own.toml"
    settings.write_text('[camera]\nsource = "0"\n')
    assert main(["calibrate", "--config", str(settings), "--pieces"]) == 2
    assert "no hall grid is configured" in capsys.readouterr().err


def test_a_running_companion_is_shown_the_pieces_on_its_page(tmp_path: Path, capsys: Out) -> None:
    table = FakeTable(hub := Hub())
    app = create_app(
        hub, table.post, board=BOARD, secret="a secret", health=lambda: {"ok": True, "devices": {}}
    )
    server = serve(app, "127.0.0.1", 0)
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[web]\nport = {server.port}\n[hall]\nport = "auto"\n')
    try:
        assert main(["calibrate", "--config", str(settings), "--pieces"]) == 2
    finally:
        server.close()
    assert f"http://localhost:{server.port}/start" in capsys.readouterr().err
