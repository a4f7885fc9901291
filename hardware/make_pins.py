"""Makes firmware/pins.py out of pins.toml."""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE / "pins.toml"
MADE = HERE.parent / "firmware/pins.py"


def text() -> str:
    """Return what pins.py must hold."""
    pins = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    multiplexers = pins["multiplexers"]
    names = {
        "LED": pins["pico"]["led"],
        "INPUTS": multiplexers["inputs"],
        "ADDRESS": tuple(multiplexers["address"]),
        "ENABLE": tuple(multiplexers["enable"]),
        "ANALOG": tuple(multiplexers["analog"]),
        "CHANNELS": pins["channels"]["count"],
    }
    lines = [
        '"""Which pin goes where. Made from hardware/pins.toml by `make pins`: change that."""',
        "",
    ]
    for name, value in names.items():
        lines.append(f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    MADE.write_text(text(), encoding="utf-8")
