"""``companion lights`` on a simulated strip, and what it says without one."""

import io
from contextlib import ExitStack

import pytest

from companion.__main__ import main
from companion.boards import profile
from companion.commands import pieces
from companion.config import LightSettings, Settings
from companion.errors import DeviceError
from companion.service import devices
from companion.sim.strip import SimPixels


@pytest.fixture
def answer(monkeypatch):
    """Let somebody type these lines."""

    def type_in(*lines: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return type_in


def test_a_sweep_names_every_light_and_draws_it(capsys):
    assert main(["lights", "--sim", "--seconds", "0"]) == 0
    out = capsys.readouterr().out
    for text in ("all lights are green", "LED 0 is S1, on the south side", "LED 38 is L3, life 3"):
        assert text in out
    assert "g g g g g g g g g" in out
    assert out.count("this is") == 5


def test_another_board_can_be_swept(capsys):
    assert main(["lights", "sweep", "--sim", "--seconds", "0", "--board", "under-cells"]) == 0
    assert "LED 80 is i9, under i9" in capsys.readouterr().out


def test_a_map_is_asked_for_and_written(capsys, tmp_path, answer):
    answer("green", "red", "S1..S9", "E1", "nowhere", "-", "L1")
    file = tmp_path / "lights.toml"
    assert main(["lights", "map", "--sim", "--count", "12", "--out", str(file)]) == 0
    out = capsys.readouterr().out
    assert "LED 9 (0 to 11)" in out
    assert "got 'nowhere'" in out
    text = file.read_text()
    assert 'order = "GRB"' in text
    assert '"S1 S2 S3 S4 S5 S6 S7 S8 S9"' in text
    assert "L1 = [-29, -165]" in text


def test_without_a_file_the_map_is_printed(capsys, answer):
    answer("red", "green", "e5")
    assert main(["lights", "map", "--sim", "--count", "1"]) == 0
    assert capsys.readouterr().out.endswith(
        '[lights]\norder = "RGB"\nmilliamps = 1500\nwire = [\n  "e5",\n]\n'
    )


def test_a_map_that_is_broken_off_writes_nothing(capsys, tmp_path, answer):
    answer("red", "green")
    file = tmp_path / "lights.toml"
    assert main(["lights", "map", "--sim", "--count", "1", "--out", str(file)]) == 1
    assert "got the end of the input; nothing is written" in capsys.readouterr().err
    assert not file.exists()


def test_without_lights_in_the_settings_it_says_what_to_do(capsys):
    assert main(["lights"]) != 0
    assert "set lights.driver, or try simulated ones with --sim" in capsys.readouterr().err


def test_a_strip_that_is_missing_is_told_in_a_line(capsys, tmp_path, monkeypatch):
    def missing(driver: str, pin: str, lights: object) -> None:
        raise DeviceError("the lights need Adafruit-Blinka: install it with pip")

    monkeypatch.setattr(devices, "open_pixels", missing)
    settings = tmp_path / "settings.toml"
    settings.write_text('[lights]\ndriver = "spi"\n')
    assert main(["lights", "--config", str(settings)]) == 1
    assert capsys.readouterr().err == (
        "companion lights: the lights need Adafruit-Blinka: install it with pip\n"
    )


@pytest.mark.parametrize("count", ["0", "-1", "5000"])
def test_a_count_that_cannot_be_is_refused(count, capsys):
    assert main(["lights", "map", "--sim", "--count", count]) == 1
    assert f"expected --count from 1 to 1000, got {count}" in capsys.readouterr().err


def test_while_magnets_are_measured_the_lights_show_where_a_piece_may_be_put(monkeypatch, answer):
    board = profile.load("reference")
    pixels = SimPixels(board.lights)
    monkeypatch.setattr(devices, "open_pixels", lambda driver, pin, lights: pixels)
    settings = Settings(lights=LightSettings("spi", brightness=1.0))
    with ExitStack() as stack:
        ask = pieces._pointing(settings, board, stack)
        answer("")
        assert ask(board.pieces["inky"])
        lit = {n for n, number in board.lights.names.items() if any(pixels.colours[number])}
        assert lit == {"N5", "S5", "W5", "E5"}
        assert pixels.colours[board.lights.names["N5"]] == board.pieces["inky"].colour
    assert not any(pixels.sent)


def test_without_lights_magnets_are_measured_all_the_same(monkeypatch, answer, capsys):
    def missing(driver: str, pin: str, lights: object) -> None:
        raise DeviceError("the lights need a Raspberry Pi")

    monkeypatch.setattr(devices, "open_pixels", missing)
    board = profile.load("reference")
    for lights in (LightSettings("none"), LightSettings("spi")):
        with ExitStack() as stack:
            answer("s")
            assert not pieces._pointing(Settings(lights=lights), board, stack)(None)
    assert "Without lights: the lights need a Raspberry Pi." in capsys.readouterr().err
