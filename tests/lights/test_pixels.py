"""The real drivers are opened as the profile says, or refused with a sentence."""

from types import SimpleNamespace

import pytest

from companion.boards import profile
from companion.errors import DeviceError
from companion.lights import pixels
from companion.lights.pixels import open_pixels

LIGHTS = profile.load("reference").lights


@pytest.fixture
def pi(monkeypatch):
    """A Pi with root: stands in for Adafruit's modules and notes what is asked of them."""
    asked: list[tuple[object, ...]] = []

    def driver(where: object, count: int, *, pixel_order: str, auto_write: bool) -> list[int]:
        asked.append((where, count, pixel_order, auto_write))
        return [0] * count

    modules = {
        "board": SimpleNamespace(D18="pin 18", D10="pin 10", SPI=lambda: "the bus"),
        "neopixel": SimpleNamespace(NeoPixel=driver),
        "neopixel_spi": SimpleNamespace(NeoPixel_SPI=driver),
    }
    monkeypatch.setattr(pixels.importlib, "import_module", modules.__getitem__)
    monkeypatch.setattr(pixels.os, "geteuid", lambda: 0)
    return SimpleNamespace(asked=asked, modules=modules)


def test_the_neopixel_driver_gets_pin_count_and_order(pi):
    assert len(open_pixels("neopixel", "D18", LIGHTS)) == 39
    assert pi.asked == [("pin 18", 39, "GRB", False)]


def test_the_spi_driver_gets_the_bus(pi):
    open_pixels("spi", "D18", LIGHTS)
    assert pi.asked == [("the bus", 39, "GRB", False)]


def test_a_machine_without_the_bus_is_said(pi):
    del pi.modules["board"].SPI
    with pytest.raises(DeviceError, match="need the SPI bus of a Raspberry Pi"):
        open_pixels("spi", "D18", LIGHTS)


@pytest.mark.parametrize(
    "error",
    [
        OSError("/dev/spidev0.0 does not exist"),
        FileNotFoundError(2, "No such file or directory", "/dev/spidev0.0"),
    ],
)
def test_a_bus_that_is_switched_off_is_a_sentence(pi, error):
    def off() -> None:
        raise error

    pi.modules["board"].SPI = off
    with pytest.raises(DeviceError, match="switched off: sudo raspi-config nonint do_spi 0, then"):
        open_pixels("spi", "D18", LIGHTS)


def test_a_bus_that_this_user_may_not_open_names_the_group(pi):
    def shut() -> None:
        raise PermissionError(13, "Permission denied", "/dev/spidev0.0")

    pi.modules["board"].SPI = shut
    with pytest.raises(DeviceError, match="may not be opened by this user: sudo usermod -aG spi"):
        open_pixels("spi", "D18", LIGHTS)


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'gpiod'", name="gpiod"),
        ImportError("libgpiod Python bindings not found, please install and try again!"),
    ],
)
def test_without_gpiod_the_module_is_named_that_is_missing(monkeypatch, error):
    def missing(name: str) -> None:
        raise error

    monkeypatch.setattr(pixels.importlib, "import_module", missing)
    with pytest.raises(DeviceError, match="need the module gpiod: run deploy/install"):
        open_pixels("spi", "D18", LIGHTS)


def test_an_unknown_pin_is_refused(pi):
    with pytest.raises(DeviceError, match=r"expected a pin of this board such as 'D18'.*'D99'"):
        open_pixels("neopixel", "D99", LIGHTS)


def test_an_unknown_driver_is_refused():
    with pytest.raises(DeviceError, match="expected the lights driver 'neopixel' or 'spi', got"):
        open_pixels("candle", "D18", LIGHTS)


def test_without_root_the_driver_is_not_even_started(pi, monkeypatch):
    monkeypatch.setattr(pixels.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(pixels.os, "access", lambda path, mode: path == "/dev/spidev0.0")
    with pytest.raises(DeviceError, match="pin D18 need root: wire them to D10"):
        open_pixels("neopixel", "D18", LIGHTS)
    assert pi.asked == []
    open_pixels("neopixel", "D10", LIGHTS)
    assert pi.asked == [("pin 10", 39, "GRB", False)]


def test_a_pi_5_needs_no_root(pi, monkeypatch):
    monkeypatch.setattr(pixels.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(pixels.os, "access", lambda path, mode: path == "/dev/pio0")
    open_pixels("neopixel", "D18", LIGHTS)
    assert len(pi.asked) == 1


def test_a_driver_that_does_not_start_is_a_sentence(pi):
    def broken(*args: object, **options: object) -> None:
        raise RuntimeError("ws2811_init failed with code -9")

    pi.modules["neopixel"].NeoPixel = broken
    with pytest.raises(DeviceError, match="the lights did not start: ws2811_init failed"):
        open_pixels("neopixel", "D18", LIGHTS)


@pytest.mark.parametrize("driver", ["neopixel", "spi"])
def test_a_machine_that_is_no_pi_is_said(driver, monkeypatch):
    def no_pi(name: str) -> None:
        raise NotImplementedError("board not supported")

    monkeypatch.setattr(pixels.importlib, "import_module", no_pi)
    with pytest.raises(DeviceError, match="the lights need a Raspberry Pi, and this is none"):
        open_pixels(driver, "D18", LIGHTS)


def test_a_missing_package_is_named(monkeypatch):
    def missing(name: str) -> None:
        raise ImportError(f"no module named {name}")

    monkeypatch.setattr(pixels.importlib, "import_module", missing)
    with pytest.raises(DeviceError, match="the lights need Adafruit-Blinka: install it with pip"):
        open_pixels("spi", "D18", LIGHTS)
