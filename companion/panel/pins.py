"""The pins of the Raspberry Pi that buttons and buzzer are wired to, through gpiozero."""

import atexit
import math
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import ExitStack
from typing import Any

from companion.errors import DeviceError
from companion.panel.buzzer import Buzzer
from companion.panel.sounds import HIGHEST_HERTZ, LOWEST_HERTZ, Tune

#: Contacts bounce for a few milliseconds: presses within this time are one (debouncing).
BOUNCE_SECONDS = 0.02

Told = Callable[[str], object]


class Pins:
    """Buttons and a buzzer on their pins, until they are closed.

    Wiring: each button between its pin and ground (the Pi pulls the pin up); a passive piezo
    buzzer (driven by PWM) between its pin and ground. A button counts when it is released, so
    that holding it can mean something else.

        pins = Pins({"confirm": 5, "take back": 6}, buzzer=26, hold_seconds=2.0)
        pins.listen(panel.press, panel.hold)
        pins.play(TUNES["accepted"])
        pins.close()

    Pin numbers are GPIO numbers, 0 stands for what is not fitted. DeviceError says what is wrong.
    """

    def __init__(self, buttons: Mapping[str, int], buzzer: int, hold_seconds: float) -> None:
        self._stack = ExitStack()
        self._buttons: dict[str, Any] = {}
        self._buzzer: Buzzer | None = None
        try:
            self._open(buttons, buzzer, hold_seconds)
        except DeviceError:
            self._stack.close()
            raise
        except Exception as error:  # each pin library has errors of its own
            self._stack.close()
            raise DeviceError(f"the panel's pins did not start: {error}") from error

    def listen(self, press: Told, hold: Told) -> None:
        """Report from now on, by name, when a button was pressed and when one is held."""
        for name, button in self._buttons.items():
            _listen(name, button, press, hold)

    def play(self, tune: Tune) -> None:
        """Begin a tune; one that still sounds gives way. Without a buzzer there is silence."""
        if self._buzzer is not None:
            self._buzzer.play(tune)

    def close(self) -> None:
        """Release the pins."""
        self._stack.close()

    def _open(self, buttons: Mapping[str, int], buzzer: int, hold_seconds: float) -> None:
        gpiozero = _import()
        for name, pin in buttons.items():
            if pin:
                button = gpiozero.Button(pin, bounce_time=BOUNCE_SECONDS, hold_time=hold_seconds)
                self._buttons[name] = self._stack.enter_context(button)
        if buzzer:
            tones = gpiozero.tones.Tone
            middle = tones.from_frequency(math.sqrt(LOWEST_HERTZ * HIGHEST_HERTZ))
            octaves = round(math.log2(HIGHEST_HERTZ / LOWEST_HERTZ) / 2)
            device = gpiozero.TonalBuzzer(buzzer, mid_tone=middle, octaves=octaves)
            sounding = self._stack.enter_context(device)

            def tone(hertz: float) -> None:
                if hertz:
                    sounding.play(tones.from_frequency(hertz))
                else:
                    sounding.stop()

            self._buzzer = Buzzer(tone)
            self._stack.callback(self._buzzer.close)


def _listen(name: str, button: Any, press: Told, hold: Told) -> None:
    """Report a button: a hold at once, a press when it is released without a hold."""
    held = False

    def on_hold() -> None:
        nonlocal held
        held = True
        hold(name)

    def on_release() -> None:
        nonlocal held
        was_held, held = held, False
        if not was_held:
            press(name)

    button.when_held = on_hold
    button.when_released = on_release


def _give_lgpio_a_folder(environ: MutableMapping[str, str]) -> None:
    """Name a folder for the pipe that lgpio makes when it is loaded: its default is the working
    directory, which may not be writable, and then no pin works."""
    if "LG_WD" not in environ:
        environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="companion-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def _import() -> Any:
    """Return gpiozero with a library for this machine's pins; DeviceError if there is none."""
    try:
        import gpiozero
        import gpiozero.tones
    except ImportError as error:
        raise DeviceError(f"the panel needs gpiozero: install it with pip ({error})") from error
    if gpiozero.Device.pin_factory is None:
        _give_lgpio_a_folder(os.environ)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)
                gpiozero.Device.ensure_pin_factory()
        except gpiozero.BadPinFactory as error:
            raise DeviceError(
                "the panel needs the pins of a Raspberry Pi and a library for them, and found"
                ' none: install python3-lgpio there, or set panel.driver to "none"'
            ) from error
    return gpiozero
