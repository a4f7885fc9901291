"""The real strips: opens Adafruit's drivers, which run only on a Raspberry Pi."""

import importlib
import os
from typing import Any

from companion.board import Lights
from companion.errors import DeviceError
from companion.lights.strip import Pixels

_SPI_PIN = "D10"
_PACKAGES = {
    "board": "Adafruit-Blinka",
    "neopixel": "adafruit-circuitpython-neopixel",
    "neopixel_spi": "adafruit-circuitpython-neopixel-spi",
}


NO_START = "the lights did not start"
BUS = "/dev/spidev0.0"
BUS_OFF = (
    "the lights need the SPI bus, and it is switched off: sudo raspi-config nonint do_spi 0, then"
    " start the Pi anew"
)
BUS_SHUT = f"{BUS} may not be opened by this user: sudo usermod -aG spi NAME, then log in again"
NO_GPIOD = (
    "the lights need the module gpiod: run deploy/install.sh once more, or install gpiod with pip"
    " beside the companion"
)


def open_pixels(driver: str, pin: str, lights: Lights) -> Pixels:
    """Return the strip on a pin (driver ``neopixel``) or on the SPI bus (driver ``spi``).

    DeviceError says what is missing. ``spi`` needs no root; ``neopixel`` does, except on pin D10
    and on a Pi 5.
    """
    if driver == "spi":
        board, library = _import("board"), _import("neopixel_spi")
        if not hasattr(board, "SPI"):
            raise DeviceError(
                "the lights need the SPI bus of a Raspberry Pi, and this machine has none:"
                ' set lights.driver to "none"'
            )
        return _start(
            lambda: library.NeoPixel_SPI(
                board.SPI(), lights.count, pixel_order=lights.order, auto_write=False
            )
        )
    if driver != "neopixel":
        raise DeviceError(f"expected the lights driver 'neopixel' or 'spi', got {driver!r}")
    board, library = _import("board"), _import("neopixel")
    where = getattr(board, pin, None)
    if where is None:
        raise DeviceError(f"expected a pin of this board such as 'D18' for the lights, got {pin!r}")
    _probe(pin)
    return _start(
        lambda: library.NeoPixel(where, lights.count, pixel_order=lights.order, auto_write=False)
    )


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if "gpiod" in f"{error.name} {error}":  # Blinka's pins of a Pi stand on it
            raise DeviceError(NO_GPIOD) from error
        raise DeviceError(
            f"the lights need {_PACKAGES[name]}: install it with pip ({error})"
        ) from error
    except (NotImplementedError, RuntimeError, OSError) as error:
        raise DeviceError(
            f"the lights need a Raspberry Pi, and this is none ({error}):"
            ' set lights.driver to "none" or "sim"'
        ) from error


def _probe(pin: str) -> None:
    """Refuse what would make the driver crash the whole process."""
    if os.geteuid() == 0 or os.access("/dev/pio0", os.W_OK):
        return
    if pin == _SPI_PIN and os.access(BUS, os.W_OK):
        return
    raise DeviceError(
        f'the lights on pin {pin} need root: wire them to {_SPI_PIN} and set lights.driver to "spi"'
    )


def _start(make: Any) -> Pixels:
    try:
        pixels: Pixels = make()
    except PermissionError as error:
        raise DeviceError(BUS_SHUT if BUS in str(error) else f"{NO_START}: {error}") from error
    except (OSError, RuntimeError, ValueError, AttributeError, NotImplementedError) as error:
        missing = isinstance(error, FileNotFoundError) or "does not exist" in str(error)
        if missing and BUS in str(error):
            raise DeviceError(BUS_OFF) from error
        raise DeviceError(f"{NO_START}: {error}") from error
    return pixels
