"""The pins by gpiozero's own mock pins: the code that runs on a Pi, pressed by a test."""

import time
from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import DeviceError
from companion.panel.pins import BOUNCE_SECONDS, Pins, _give_lgpio_a_folder
from companion.panel.sounds import TUNES
from tests.waiting import wait_for

WIRED = {"confirm": 5, "take back": 6, "wake": 16}
BUZZER = 26


@pytest.fixture(params=[None, "c04170"], ids=["usual Pi", "Pi 5"])
def factory(request) -> Iterator[MockFactory]:
    old = gpiozero.Device.pin_factory
    revision = {"revision": request.param} if request.param else {}
    gpiozero.Device.pin_factory = MockFactory(pin_class=MockPWMPin, **revision)
    yield gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory.reset()
    gpiozero.Device.pin_factory = old


class Heard:
    """Pins, and what they told."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self.told: list[str] = []
        pins.listen(
            lambda name: self.told.append(f"press {name}"),
            lambda name: self.told.append(f"hold {name}"),
        )


@pytest.fixture
def heard(factory) -> Iterator[Heard]:
    pins = Pins(WIRED, BUZZER, hold_seconds=0.15)
    yield Heard(pins)
    pins.close()


def settle() -> None:
    """Let the time pass in which contacts may chatter."""
    time.sleep(2 * BOUNCE_SECONDS)


@pytest.mark.parametrize(("name", "number"), list(WIRED.items()))
def test_a_button_is_pressed_when_it_is_let_go(heard, factory, name, number):
    pin = factory.pin(number)
    pin.drive_low()
    assert heard.told == []
    settle()
    pin.drive_high()
    wait_for(lambda: heard.told == [f"press {name}"])


def test_a_button_that_is_held_is_not_pressed_too(heard, factory):
    pin = factory.pin(6)
    pin.drive_low()
    wait_for(lambda: heard.told == ["hold take back"])
    pin.drive_high()
    settle()
    pin.drive_low()
    settle()
    pin.drive_high()
    wait_for(lambda: heard.told == ["hold take back", "press take back"])


def test_the_pins_are_pulled_up(heard, factory):
    assert all(factory.pin(number).pull == "up" for number in WIRED.values())


def test_a_tune_sounds_on_the_buzzer_and_ends(heard, factory):
    pin = factory.pin(BUZZER)
    heard.pins.play(TUNES["accepted"])
    wait_for(lambda: pin.frequency and abs(pin.frequency - 2637) < 1)
    wait_for(lambda: pin.frequency and abs(pin.frequency - 3520) < 1)
    wait_for(lambda: pin.frequency is None)


def test_a_new_tune_takes_the_place_of_one_that_sounds(heard, factory):
    pin = factory.pin(BUZZER)
    heard.pins.play(((1500, 60.0),))
    wait_for(lambda: pin.frequency and abs(pin.frequency - 1500) < 1)
    heard.pins.play(((3000, 60.0),))
    wait_for(lambda: pin.frequency and abs(pin.frequency - 3000) < 1)


def test_closing_ends_the_tune_and_lets_go_of_the_pins(factory):
    pins = Pins(WIRED, BUZZER, 1.0)
    pins.play(((1500, 60.0),))
    wait_for(lambda: factory.pin(BUZZER).frequency)
    pins.close()
    assert factory.pin(BUZZER).frequency is None
    Pins(WIRED, BUZZER, 1.0).close()  # they are free again
    pins.close()


def test_what_is_not_fitted_is_left_alone(factory):
    pins = Pins({"confirm": 5, "wake": 0}, 0, 1.0)
    heard = Heard(pins)
    pins.play(TUNES["win"])
    factory.pin(5).drive_low()
    settle()
    factory.pin(5).drive_high()
    wait_for(lambda: heard.told == ["press confirm"])
    pins.close()


def test_two_on_the_same_pin_are_refused_and_let_go_of(factory):
    with pytest.raises(DeviceError, match="the panel's pins did not start"):
        Pins({"confirm": 5, "wake": 5}, 0, 1.0)
    Pins({"confirm": 5}, 0, 1.0).close()


def test_a_pin_that_cannot_sound_is_said(monkeypatch):
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory())
    with pytest.raises(DeviceError, match="the panel's pins did not start"):
        Pins({}, BUZZER, 1.0)


def test_a_machine_without_pins_is_said(monkeypatch):
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")

    def none() -> None:
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", staticmethod(none))
    with pytest.raises(DeviceError, match="needs the pins of a Raspberry Pi and a library"):
        Pins(WIRED, BUZZER, 1.0)


def test_lgpio_gets_a_folder_it_can_write_unless_one_is_named():
    environ: dict[str, str] = {}
    _give_lgpio_a_folder(environ)
    made = Path(environ["LG_WD"])
    assert made.stat().st_mode & 0o777 == 0o700
    made.rmdir()
    named = {"LG_WD": "/run/companion"}
    _give_lgpio_a_folder(named)
    assert named == {"LG_WD": "/run/companion"}
