"""``companion doctor``: plain words, exit 1 only for what is configured and broken."""

import itertools
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import pytest

from companion.__main__ import main
from companion.lights import pixels
from companion.sensing.camera import usb
from companion.sensing.camera.frame import Picture
from companion.sim.grid import SimGrid
from companion.sim.room import Room, Setting
from tests.sensing.camera.pi_cameras import Picamera2
from tests.sensing.studio import BOARD
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
    studio = Room(BOARD, Setting("daylight", 6))
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


def frame_of_a_game() -> Picture:
    studio = Room(BOARD, Setting("daylight", 6))
    studio.table.set_up({"e1": "pacman"})
    return studio.shoot().picture


def test_what_became_of_the_focus_of_the_pis_camera_is_told(tmp_path, capsys, monkeypatch):
    picture = frame_of_a_game()

    class Sees(Picamera2):
        made: list[Picamera2] = []  # noqa: RUF012 (one for this test)

        def capture_arrays(self, names: list[str], wait: float) -> tuple[list[object], Any]:
            return [picture], super().capture_arrays(names, wait)[1]

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Sees))
    code, found = examine(tmp_path, capsys, "camera.source = 'pi'")
    assert code == 0
    assert found["camera"]["text"].endswith("Its lens has focused at 490 mm and stays there.")
    _, found = examine(tmp_path, capsys, "camera = { source = 'pi', focus = 510 }")
    assert found["camera"]["text"].endswith("Its lens is set for 510 mm (camera.focus).")


def test_what_a_usb_camera_could_lock_is_told(tmp_path, capsys, monkeypatch):
    picture = frame_of_a_game()

    class Video:
        def isOpened(self) -> bool:
            return True

        def set(self, property: int, value: float) -> bool:
            return property != cv2.CAP_PROP_AUTO_WB

        def read(self) -> tuple[bool, Picture]:
            return True, picture

        def release(self) -> None:
            """Nothing is held."""

    ticks = itertools.count(0, 0.2)
    monkeypatch.setattr(usb.cv2, "VideoCapture", lambda *how: Video())
    monkeypatch.setattr("companion.commands.doctor.time.monotonic", lambda: next(ticks))
    code, found = examine(tmp_path, capsys, "camera.source = 0")
    assert code == 0
    told = "Locked: focus and exposure. Its driver cannot lock white balance."
    assert found["camera"]["text"].endswith(told)


def test_a_soft_picture_without_a_board_is_to_be_focused_first(tmp_path, capsys):
    folder = tmp_path / "frames"
    folder.mkdir()
    soft = cv2.GaussianBlur(frame_of_a_game(), (0, 0), 25)
    for number in range(14):
        cv2.imwrite(str(folder / f"{number:02}.png"), soft)
    code, found = examine(tmp_path, capsys, f"camera.source = '{folder}'")
    assert code == 1
    assert found["camera"]["todo"].startswith("The picture is soft: focus the lens")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModuleNotFoundError("No module named 'gpiod'", name="gpiod"), "need the module gpiod"),
        (OSError("/dev/spidev0.0 does not exist"), "sudo raspi-config nonint do_spi 0"),
    ],
)
def test_what_the_lights_miss_is_a_sentence_of_its_own(tmp_path, capsys, monkeypatch, error, said):
    def refuse(*_: object) -> None:
        raise error

    modules = {
        "board": SimpleNamespace(SPI=refuse),
        "neopixel_spi": SimpleNamespace(NeoPixel_SPI=refuse),
    }
    load = refuse if isinstance(error, ImportError) else modules.__getitem__
    monkeypatch.setattr(pixels, "importlib", SimpleNamespace(import_module=load))
    code, found = examine(tmp_path, capsys, "lights.driver = 'spi'")
    assert code == 1
    assert found["lights"]["text"].startswith("The lights need")
    assert said in found["lights"]["text"]


@pytest.mark.parametrize(("core", "state"), [(object(), "good"), (None, "off")])
def test_it_says_how_moves_are_searched(tmp_path, capsys, monkeypatch, core, state):
    monkeypatch.setattr("companion.commands.doctor.load_core", lambda: core)
    code, found = examine(tmp_path, capsys, "")
    assert code == 0
    assert found["search"]["state"] == state
    assert ("Install a C compiler" in found["search"]["todo"]) == (core is None)
