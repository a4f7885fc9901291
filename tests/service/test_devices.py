"""Lights and panel as parts of the service: in trouble, pressed, and dark at every kind of end."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.config import (
    BoardSettings,
    CameraSettings,
    LightSettings,
    PanelSettings,
    Settings,
)
from companion.errors import CompanionError
from companion.service.app import App
from companion.service.requests import EnterMove
from tests.waiting import wait_for


def lit(app: App) -> bool:
    return any(app.sim.pixels.sent)


def test_closing_turns_the_lights_off(open_app):
    app = open_app()
    app.start()
    wait_for(lambda: lit(app))
    app.close()
    assert not lit(app)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_loop_that_ends_by_a_fault_turns_the_lights_off(open_app, monkeypatch, caplog):
    app = open_app()
    app.start()
    wait_for(lambda: lit(app))

    def broken() -> None:
        raise ZeroDivisionError("a fault of its own")

    monkeypatch.setattr(app.senses, "read", broken)
    assert app.wait(10)
    assert not lit(app)
    assert "ended by a fault of its own" in caplog.text


def test_lights_under_the_cells_and_a_camera_do_not_go_together(open_app, quiet):
    under = replace(quiet, board=BoardSettings("under-cells"))
    app = open_app(under)
    app.start()
    wait_for(lambda: lit(app))
    app.close()
    seeing = replace(under, camera=CameraSettings(source="sim", size=(648, 486)))
    app = open_app(seeing)
    app.start()
    assert "look like pieces to the camera" in app.health()["trouble"]["lights"]
    assert not lit(app)


def test_the_keys_of_the_page_work_the_panel_of_a_simulated_table(open_app):
    app = open_app()
    app.start()
    app.loop.post(EnterMove("e2")).result(timeout=5)
    assert "Taken back: Pac-Man went to e2." in app.panel.press("take back").result(timeout=5)
    with pytest.raises(CompanionError, match="no move to take back"):
        app.panel.press("take back").result(timeout=5)


def test_holding_take_back_shows_that_a_phone_is_awaited(open_app):
    app = open_app()
    app.start()
    wait_for(lambda: lit(app))
    app.panel.hold("take back")
    beside = app.board.lights.names["E5"]  # where nobody sits
    wait_for(lambda: app.sim.pixels.colours[beside][2] > 60)


@pytest.fixture
def real(quiet: Settings) -> Settings:
    """Return settings of a table with a panel on pins alone."""
    return replace(quiet, lights=LightSettings(driver="none"), panel=PanelSettings(driver="gpio"))


def test_a_panel_without_pins_is_reported_and_the_game_goes_on(open_app, real, monkeypatch):
    def none() -> None:
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", staticmethod(none))
    app = open_app(real, simulate=False)
    app.start()
    assert "needs the pins of a Raspberry Pi" in app.health()["trouble"]["panel"]
    app.loop.post(EnterMove("e2")).result(timeout=5)


def test_a_button_on_a_pin_takes_back(open_app, real, monkeypatch):
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    app = open_app(real, simulate=False)
    app.start()
    assert app.health()["devices"]["panel"] == "ok"
    app.loop.post(EnterMove("e2")).result(timeout=5)
    button = factory.pin(real.panel.take_back)

    def pressed() -> bool:
        button.drive_low()
        button.drive_high()
        return app.loop.snapshot.moves == ()

    wait_for(pressed)
    app.close()
    factory.reset()


STAND_INS = {
    "board": "def SPI(): return None\n",
    "neopixel_spi": """
import os
from adafruit_pixelbuf import PixelBuf

class NeoPixel_SPI(PixelBuf):
    def __init__(self, bus, count, *, pixel_order, auto_write):
        super().__init__(count, byteorder=pixel_order, auto_write=auto_write)

    def _transmit(self, buffer):
        with open(os.environ["STRIP_FILE"], "a") as file:
            file.write(bytes(buffer).hex() + "\\n")
""",
}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_a_service_that_is_told_to_end_leaves_the_strip_dark(tmp_path, how):
    """The whole service with a strip on the SPI bus, whose library writes to a file instead."""
    for name, text in STAND_INS.items():
        (tmp_path / f"{name}.py").write_text(text)
    strip, settings = tmp_path / "strip", tmp_path / "settings.toml"
    strip.touch()
    settings.write_text('[lights]\ndriver = "spi"\n')
    where = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    command = "-m companion play --port 0 --host 127.0.0.1 --config"
    service = subprocess.Popen(
        [sys.executable, *command.split(), str(settings), "--data", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": where, "STRIP_FILE": str(strip)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: len(strip.read_text().split()) > 3, 30)
        assert any(map(int, strip.read_text().split()[0]))
        service.send_signal(how)
        assert service.wait(20) == 0
    finally:
        service.kill()
        service.wait()
    assert set(strip.read_text().split()[-1]) == {"0"}
