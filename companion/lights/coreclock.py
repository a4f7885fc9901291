"""The clock of the SPI bus that drives the lights: on older Pis it follows the core clock.

The bits of a strip are told apart by their pulse width. On a Pi 3, Zero 2 W and 4 the bus is
clocked by the core, which slows down when there is little to do, and the lights then flicker or
turn white. ``config.txt`` can fix its frequency; on a Pi 5 the bus has a clock of its own.
"""

from pathlib import Path

ROOT = Path("/")
MODEL = "proc/device-tree/model"
CONFIGS = ("boot/firmware/config.txt", "boot/config.txt")

Lines = dict[str, str]

_SLOW: Lines = {"core_freq": "250"}
_FAST: Lines = {"core_freq": "500", "core_freq_min": "500"}

#: Prefix of a model's name, what it needs, and the sections of config.txt that apply to it.
MODELS: dict[str, tuple[Lines, tuple[str, ...]]] = {
    "Raspberry Pi 3": (_SLOW, ("pi3", "pi3+")),
    "Raspberry Pi Zero 2": (_SLOW, ("pi0", "pi02")),
    "Raspberry Pi 4": (_FAST, ("pi4", "pi400")),  # 4 and 400
    "Raspberry Pi Compute Module 4": (_FAST, ("pi4", "cm4", "cm4s")),
}


def clock_advice(model: str, config: str) -> str:
    """Return what to write into a Pi's ``config.txt`` for steady lights, nothing if it is set."""
    for name, (wanted, sections) in MODELS.items():
        if model.startswith(name):
            found = _settings(config, sections)
            missing = [f"{key}={value}" for key, value in wanted.items() if found.get(key) != value]
            if missing:
                return (
                    f"On a {name} the lights on the SPI bus may flicker: write"
                    f" {' and '.join(missing)} into /boot/firmware/config.txt, each on a line of"
                    " its own, and start the Pi anew."
                )
    return ""


def advice_here(driver: str | None) -> str:
    """Return that advice for this machine and its lights driver."""
    if driver != "spi":
        return ""
    config = next(filter(None, (_read(ROOT / each) for each in CONFIGS)), "")
    return clock_advice(_read(ROOT / MODEL).rstrip("\0"), config) if config else ""


def _settings(config: str, sections: tuple[str, ...]) -> Lines:
    """Return what a config.txt sets on a Pi that these sections, and "all", apply to."""
    found: Lines = {}
    counts = True
    for line in map(str.strip, config.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            counts = line[1:-1].lower() in ("all", *sections)
        elif counts and "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found[key.strip()] = value.split("#")[0].strip()
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
