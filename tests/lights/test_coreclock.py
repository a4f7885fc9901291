"""What a Pi's config.txt must hold for lights on the SPI bus."""

import pytest

from companion.lights import coreclock
from companion.lights.coreclock import advice_here, clock_advice

PI_3, PI_4, PI_5 = (f"Raspberry Pi {each} Model B Rev 1.2" for each in (3, 4, 5))
ZERO_2 = "Raspberry Pi Zero 2 W Rev 1.0"
USUAL = "dtparam=spi=on\n[cm4]\notg_mode=1\n[all]\n"


@pytest.mark.parametrize("model", [PI_3, ZERO_2, "Raspberry Pi 3 Model B Plus Rev 1.3"])
def test_a_pi_3_and_a_zero_2_want_a_slow_core(model):
    assert "write core_freq=250 into" in clock_advice(model, USUAL)
    assert clock_advice(model, f"{USUAL}core_freq=250\n") == ""


@pytest.mark.parametrize(
    "model", [PI_4, "Raspberry Pi 400 Rev 1.0", "Raspberry Pi Compute Module 4 Rev 1.0"]
)
def test_a_pi_4_wants_one_that_never_slows_down(model):
    assert "core_freq=500 and core_freq_min=500" in clock_advice(model, USUAL)
    assert "write core_freq_min=500 into" in clock_advice(model, f"{USUAL}core_freq=500\n")
    assert clock_advice(model, f"{USUAL}core_freq = 500 # steady\ncore_freq_min=500\n") == ""


@pytest.mark.parametrize("model", [PI_5, "Some other computer", ""])
def test_others_have_a_clock_of_their_own(model):
    assert clock_advice(model, USUAL) == ""


@pytest.mark.parametrize(
    ("config", "counts"),
    [
        ("[pi4]\ncore_freq=250", False),
        ("[pi3]\ncore_freq=250", True),
        ("[pi4]\nx=1\n[all]\ncore_freq=250", True),
        ("[none]\ncore_freq=250", False),
        ("# core_freq=250", False),
        ("core_freq=400", False),
    ],
)
def test_only_lines_that_are_for_this_pi_count(config, counts):
    assert (clock_advice(PI_3, config) == "") == counts


def test_it_is_asked_of_this_machine_and_only_for_the_bus(tmp_path, monkeypatch):
    monkeypatch.setattr(coreclock, "ROOT", tmp_path)
    assert advice_here("spi") == ""
    for name, text in ((coreclock.MODEL, PI_4 + "\0"), (coreclock.CONFIGS[0], USUAL)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert "core_freq=500" in advice_here("spi")
    assert advice_here("neopixel") == advice_here(None) == ""
