"""One frozen settings object, read once from one TOML file in which every key is optional.

``docs/config.md`` lists the keys; :func:`describe` writes that list from the classes below.
What is not set for camera, sensors and lights stays None: the app then simulates or goes without,
and says so.
"""

import ipaddress
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.errors import ConfigError
from companion.toml_table import Table, first_of, read_toml

#: Reads the value of a key from a table: takes both, a default and, for plain values, limits.
Read = Callable[..., Any]

#: The sounds of the panel, each of which can be switched off.
SOUNDS = ("accepted", "turn", "refused", "question", "win")


def _key(default: Any, about: str, read: Read | None = None, **limits: Any) -> Any:
    """Return a key of a section: its default, or what makes it, and what it is about.

    How it is read depends on its type unless ``read`` says otherwise.
    """
    metadata = {"about": about, "read": read, "limits": limits}
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


def _fitting(
    expected: str, fits: Callable[[Any], bool], make: Callable[[Any], Any], instead: Any = None
) -> Read:
    """Return how to read a value that fits and make of it what the settings hold."""

    def read(table: Table, key: str, default: Any) -> Any:
        value = table.take(key, expected, fits, default, instead)
        return None if value is None else make(value)

    return read


def _list_of(fits: Callable[[Any], bool], *lengths: int) -> Callable[[Any], bool]:
    def is_list(value: Any) -> bool:
        right = isinstance(value, list) and (not lengths or len(value) in lengths)
        return right and all(map(fits, value))

    return is_list


def _is_source(value: Any) -> bool:
    return (isinstance(value, str) and value != "") or (type(value) is int and value >= 0)


def _is_focus(value: Any) -> bool:
    return value in ("auto", "off") or (type(value) in (int, float) and 20 <= value <= 10_000)


def _is_address(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(ipaddress.ip_address(value))
    except ValueError:
        return False


def _is_options(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _path(table: Table, key: str, default: Any) -> Path:
    return Path(table.text(key, str(default))).expanduser()


_SOURCE = _fitting("'pi', 'sim', 'none', a device number, path or address", _is_source, str)
_ADDRESS = _fitting("an address such as '127.0.0.1'", _is_address, str)
_SOUNDS = _fitting(
    f"a list of {', '.join(map(repr, SOUNDS))}", _list_of(lambda item: item in SOUNDS), tuple, ()
)

#: How a key is read, by its type.
_READ: Mapping[Any, Read] = {
    str: Table.text,
    str | None: Table.text,
    int: Table.whole,
    int | None: Table.whole,
    float: Table.number,
    bool: Table.flag,
    Path: _path,
    str | float: _fitting(
        "'auto', 'off' or millimetres from 20 to 10000",
        _is_focus,
        lambda value: value if isinstance(value, str) else float(value),
        "auto",
    ),
    tuple[str, ...]: _fitting(
        "a list of names", _list_of(lambda item: isinstance(item, str)), tuple, ()
    ),
    tuple[int, int]: _fitting(
        "[width, height] from 64 to 8192",
        _list_of(lambda side: type(side) is int and 64 <= side <= 8192, 2),
        tuple,
        (64, 64),
    ),
    tuple[int, int] | None: _fitting(
        "two hours such as [22, 7]",
        _list_of(lambda hour: type(hour) is int and 0 <= hour <= 24, 2),
        tuple,
    ),
    Mapping[str, str]: _fitting(
        "a table of names and texts",
        _is_options,
        lambda options: MappingProxyType(dict(options)),
        {},
    ),
}


def data_folder() -> Path:
    """Return the folder for the companion's data by the XDG rules."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local/share") / "companion"


@dataclass(frozen=True)
class BoardSettings:
    """Which board lies on the table."""

    profile: str = _key("reference", "name of a board profile, or the path of your own")


@dataclass(frozen=True)
class GameSettings:
    """The game that a fresh start begins."""

    name: str = _key("quoridor", "the game")
    options: Mapping[str, str] = _key(lambda: MappingProxyType({}), "its options, name to text")
    pieces: tuple[str, ...] = _key((), "the pawn of each seat in turn order")
    seats: tuple[str, ...] = _key(
        (),
        'who plays each seat in turn order: "person", or the companion at a level from "1" to "10"',
    )
    engine: str | None = _key(
        None,
        "a program that plays the companion's seats over UGI, the game's name as its last"
        " word; our own without",
    )


@dataclass(frozen=True)
class CameraSettings:
    """Where pictures come from."""

    source: str | None = _key(
        None,
        '"pi", a USB camera\'s number or path, the address of a stream, a video,'
        ' a folder of pictures, "sim" or "none"',
        _SOURCE,
    )
    fps: float = _key(
        15.0, "pictures a second, of a camera or a folder; a video has its own", high=120
    )
    size: tuple[int, int] = _key((1296, 972), "width and height asked of the camera")
    focus: str | float = _key(
        "auto",
        '"auto": the lens focuses once and then stays; a number: millimetres from the lens to'
        ' the board, for the Pi\'s camera; "off": it is left alone',
    )


@dataclass(frozen=True)
class HallSettings:
    """The sensor grid under the board."""

    port: str | None = _key(None, '"auto", "none", "sim", or the path of a serial port')


@dataclass(frozen=True)
class LightSettings:
    """The strip around the board."""

    driver: str | None = _key(
        None, '"none", "sim", "neopixel" or "spi"', choices=("none", "sim", "neopixel", "spi")
    )
    pin: str = _key("D18", "the pin of the neopixel driver")
    brightness: float = _key(0.5, "share of full brightness", low=0, high=1)
    milliamps: int | None = _key(None, "most current the strip may draw, else the profile's", low=1)
    palette: str = _key(
        "usual",
        'the colours: "usual", or "safe" for colour-blind players',
        choices=("usual", "safe"),
    )
    targets: bool = _key(True, "whether they show where a lifted piece may go")
    attract_minutes: float = _key(
        15.0, "how long nothing happens before they play by themselves, 0 for never", low=0
    )
    night: tuple[int, int] | None = _key(None, "hours between which they are dimmed: `[22, 7]`")
    night_brightness: float = _key(0.25, "share of the usual brightness at night", low=0, high=1)


@dataclass(frozen=True)
class PanelSettings:
    """The buttons and the buzzer beside the board; pins by GPIO number, 0 for what is not there."""

    driver: str | None = _key(None, '"none", "sim" or "gpio"', choices=("none", "sim", "gpio"))
    confirm: int = _key(5, "pin of the button that confirms", high=27)
    take_back: int = _key(6, "pin of the button that takes back", high=27)
    wake: int = _key(16, "pin of the button that wakes the lights", high=27)
    buzzer: int = _key(26, "pin of the buzzer", high=27)
    hold_seconds: float = _key(2.0, "how long a button must be held to mean more", high=30)
    sounds: tuple[str, ...] = _key(SOUNDS, "the sounds that are wanted", _SOUNDS)


@dataclass(frozen=True)
class VoiceSettings:
    """A voice that says what the referee says, with espeak-ng."""

    language: str | None = _key(None, '"en", or another language of espeak-ng; silent without')


@dataclass(frozen=True)
class WebSettings:
    """The page."""

    host: str = _key("0.0.0.0", "address to listen on")
    port: int = _key(8080, "port, 0 for any free one", high=65535)
    pairing: bool = _key(True, "whether a phone must be paired before it may act")
    streams: int = _key(32, "pages served live, later ones poll", low=1, high=200)
    camera: str = _key(
        "paired",
        'who is shown the camera\'s picture: "paired" phones, or "everyone" in the house',
        choices=("paired", "everyone"),
    )
    names: tuple[str, ...] = _key(
        (), "names by which the page may be opened, besides addresses and names of a home network"
    )
    front: str | None = _key(
        None, "address of a front (such as one for HTTPS) that tells whom it asks for", _ADDRESS
    )


@dataclass(frozen=True)
class StoreSettings:
    """The journal on disk."""

    path: Path = _key(  # noqa: RUF009 (it is a field)
        lambda: data_folder() / "journal.db", "file of the journal"
    )


@dataclass(frozen=True)
class RecordSettings:
    """Recordings of games, kept beside the journal; they never leave the machine by themselves."""

    on: bool = _key(False, "whether every game is recorded; without it, from `companion record` on")
    most_mb: int = _key(500, "what all recordings may take; the oldest go first", low=10)
    least_free_mb: int = _key(500, "what recordings leave free on the disk", low=0)


@dataclass(frozen=True)
class RefereeSettings:
    """How steady a move must be."""

    settle_seconds: float = _key(0.2, "how long a move must stand still", low=0, high=10)


@dataclass(frozen=True)
class Settings:
    """All settings; each part of the program is given only the section it needs."""

    board: BoardSettings = BoardSettings()
    game: GameSettings = GameSettings()
    camera: CameraSettings = CameraSettings()
    hall: HallSettings = HallSettings()
    lights: LightSettings = LightSettings()
    panel: PanelSettings = PanelSettings()
    voice: VoiceSettings = VoiceSettings()
    web: WebSettings = WebSettings()
    store: StoreSettings = field(default_factory=StoreSettings)
    record: RecordSettings = RecordSettings()
    referee: RefereeSettings = RefereeSettings()

    @property
    def names_hardware(self) -> bool:
        """Tell whether any real device is asked for; else the table is simulated."""
        return any(said not in (None, "none", "sim") for said in self._devices.values())

    @property
    def simulated_keys(self) -> tuple[str, ...]:
        """Return the keys that ask for a simulated device."""
        return tuple(key for key, said in self._devices.items() if said == "sim")

    @property
    def _devices(self) -> Mapping[str, str | None]:
        return {
            "camera.source": self.camera.source,
            "hall.port": self.hall.port,
            "lights.driver": self.lights.driver,
            "panel.driver": self.panel.driver,
        }


def load(path: str | Path | None = None) -> Settings:
    """Return the settings of a file, the defaults without one; ConfigError if it is wrong."""
    if path is None:
        return Settings()
    try:
        top = Table(read_toml(Path(path)), str(path))
    except ValueError as error:
        raise ConfigError(str(error)) from error
    sections = {}
    for name, default in _sections():
        table = top.table(name, {})
        sections[name] = _read(table, default)
        table.known()
    top.known()
    if top.problems:
        raise ConfigError(first_of(top.problems))
    return Settings(**sections)


def describe() -> str:
    """Return the list of all keys in Markdown, as ``docs/config.md`` shows it."""
    lines = []
    for name, default in _sections():
        lines += [f"## [{name}]", "", default.__doc__, ""]
        lines += ["| key | default | what |", "|---|---|---|"]
        for key in fields(default):
            shown = _show(getattr(default, key.name))
            lines.append(f"| `{key.name}` | {shown} | {key.metadata['about']} |")
        lines.append("")
    return "\n".join(lines)


def _sections() -> Iterator[tuple[str, Any]]:
    defaults = Settings()
    for section in fields(Settings):
        yield section.name, getattr(defaults, section.name)


def _read(table: Table, default: Any) -> Any:
    values = {}
    for key in fields(default):
        read, limits = key.metadata["read"] or _READ[key.type], key.metadata["limits"]
        values[key.name] = read(table, key.name, getattr(default, key.name), **limits)
    return type(default)(**values)


def _show(value: Any) -> str:
    if value is None or value == () or value == {}:
        return "–"
    if isinstance(value, Path):
        return f"`{value.name}` in the data folder"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f'`"{value}"`'
    return f"`{json.dumps(value) if isinstance(value, tuple) else value}`"
