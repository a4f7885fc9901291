"""``companion doctor``: plain words, exit 1 only for what is configured and broken."""

import json
from pathlib import Path

import cv2
import pytest

from companion.__main__ import main
from companion.sim.grid import SimGrid
from tests.sensing.studio import BOARD, Studio
from tests.sim.still import StillTable

Out = pytest.CaptureFixture[str]


def examine(tmp_path: Path, capsys: Out, text: str = "") -> tuple[int, dict[str, dict]]:
    settings = tmp_path / "companion.toml"
    settings.write_text(f"web.port = 0\nstore.path = '{tmp_path / 'data' / 'journal.db'}'\n{text}")
    code = main(["doctor", "--config", str(settings), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is (code == 0)
    return code, {finding["what"]: finding for finding in told["findings"]}


@pytest.fixture
def grid():
    grid = SimGrid(StillTable(BOARD, {"e5": "pacman"}), BOARD)
    yield grid
    grid.close()


def test_without_any_device_all_is_well_and_said_to_be_simulated(tmp_path, capsys):
    settings = tmp_path / "companion.toml"
    settings.write_text(f"web.port = 0\nstore.path = '{tmp_path / 'journal.db'}'\n")
    assert main(["doctor", "--config", str(settings)]) == 0
    told = capsys.readouterr().out
    assert "camera.source names it" in told
    assert "runs on the simulated table" in told


def test_what_is_configured_and_missing_is_broken_and_says_what_to_do(tmp_path, capsys):
    code, found = examine(
        tmp_path,
        capsys,
        "camera.source = 9\nhall.port = '/dev/nope'\nlights.driver = 'spi'\npanel.driver = 'gpio'",
    )
    assert code == 1
    assert {what for what, finding in found.items() if finding["state"] == "broken"} == {
        "camera",
        "hall grid",
        "lights",
        "panel",
    }
    assert "plugged in" in found["camera"]["text"]
    assert "/dev/nope" in found["hall grid"]["text"]


def test_a_camera_that_sees_the_board_and_a_grid_are_good(tmp_path, capsys, grid):
    studio = Studio(6, "daylight")
    studio.table.set_up({"e1": "pacman"})
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(14):
        cv2.imwrite(str(folder / f"{number:02}.png"), studio.shoot().picture)
    code, found = examine(
        tmp_path, capsys, f"camera.source = '{folder}'\nhall.port = '{grid.port}'"
    )
    assert code == 0
    assert "sees the board by its markers" in found["camera"]["text"]
    assert found["hall grid"]["state"] in ("good", "advice")


def test_broken_sensors_are_named(tmp_path, capsys, grid):
    grid.faults.start("open-row:3")
    code, found = examine(tmp_path, capsys, f"hall.port = '{grid.port}'")
    assert code == 1
    assert "all of row 3" in found["hall grid"]["text"]


def test_a_voice_without_its_program_is_broken(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PATH", "")
    code, found = examine(tmp_path, capsys, "voice.language = 'en'")
    assert code == 1
    assert "apt-get install espeak-ng" in found["voice"]["text"]


def test_a_damaged_journal_is_broken(tmp_path, capsys):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "journal.db").write_bytes(b"no database at all" * 100)
    code, found = examine(tmp_path, capsys)
    assert code == 1
    assert found["journal"]["state"] == "broken"


@pytest.mark.parametrize(("core", "state"), [(object(), "good"), (None, "off")])
def test_it_says_how_moves_are_searched(tmp_path, capsys, monkeypatch, core, state):
    monkeypatch.setattr("companion.commands.doctor.load_core", lambda: core)
    code, found = examine(tmp_path, capsys, "")
    assert code == 0
    assert found["search"]["state"] == state
    assert ("Install a C compiler" in found["search"]["todo"]) == (core is None)
