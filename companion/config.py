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
from companion.toml_table import Table, read_toml

Read = Callable[..., Any]

#: The sounds of the panel, each of which can be switched off.
SOUNDS = ("accepted", "turn", "refused", "question", "win")


def _key(about: str, read: Read = Table.text, **limits: Any) -> Mapping[str, Any]:
    return {"about": about, "read": read, "limits": limits}


def _source(table: Table, key: str, default: Any) -> str | None:
    def fits(value: Any) -> bool:
        return (isinstance(value, str) and value != "") or (type(value) is int and value >= 0)

    kinds = "'pi', 'sim', 'none', a device number, path or address"
    value = table.take(key, kinds, fits, default)
    return None if value is None else str(value)


def _size(table: Table, key: str, default: Any) -> tuple[int, int]:
    def fits(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == 2
            and all(type(side) is int and 64 <= side <= 8192 for side in value)
        )

    width, height = table.take(key, "[width, height] from 64 to 8192", fits, default, (64, 64))
    return width, height


def _focus(table: Table, key: str, default: Any) -> str | float:
    def fits(value: Any) -> bool:
        return value in ("auto", "off") or (type(value) in (int, float) and 20 <= value <= 10_000)

    kinds = "'auto', 'off' or millimetres from 20 to 10000"
    value = table.take(key, kinds, fits, default, "auto")
    return value if isinstance(value, str) else float(value)


def _texts(table: Table, key: str, default: Any) -> tuple[str, ...]:
    def fits(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)

    return tuple(table.take(key, "a list of names", fits, default, ()))


def _address(table: Table, key: str, default: Any) -> str | None:
    def fits(value: Any) -> bool:
        try:
            return isinstance(value, str) and bool(ipaddress.ip_address(value))
        except ValueError:
            return False

    value = table.take(key, "an address such as '127.0.0.1'", fits, default)
    return None if value is None else str(value)


def _options(table: Table, key: str, default: Any) -> Mapping[str, str]:
    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())

    return MappingProxyType(dict(table.take(key, "a table of names and texts", fits, default, {})))


def _sounds(table: Table, key: str, default: Any) -> tuple[str, ...]:
    def fits(value: Any) -> bool:
        return isinstance(value, list) and all(item in SOUNDS for item in value)

    expected = f"a list of {', '.join(map(repr, SOUNDS))}"
    return tuple(table.take(key, expected, fits, default, ()))


def _hours(table: Table, key: str, default: Any) -> tuple[int, int] | None:
    def fits(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == 2
            and all(type(hour) is int and 0 <= hour <= 24 for hour in value)
        )

    hours = table.take(key, "two hours such as [22, 7]", fits, default)
    return None if hours is None else (hours[0], hours[1])


def _path(table: Table, key: str, default: Any) -> Path:
    return Path(table.text(key, str(default))).expanduser()


def data_folder() -> Path:
    """Return the folder for the companion's data by the XDG rules."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local/share") / "companion"


@dataclass(frozen=True)
class BoardSettings:
    """Which board lies on the table."""

    profile: str = field(
        default="reference", metadata=_key("name of a board profile, or the path of your own")
    )


@dataclass(frozen=True)
class GameSettings:
    """The game that a fresh start begins."""

    name: str = field(default="quoridor", metadata=_key("the game"))
    options: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}),
        metadata=_key("its options, name to text", _options),
    )
    pieces: tuple[str, ...] = field(
        default=(), metadata=_key("the pawn of each seat in turn order", _texts)
    )
    seats: tuple[str, ...] = field(
        default=(),
        metadata=_key(
            'who plays each seat in turn order: "person", or the companion at a level from "1"'
            ' to "10"',
            _texts,
        ),
    )
    engine: str | None = field(
        default=None,
        metadata=_key(
            "a program that plays the companion's seats over UGI, the game's name as its last"
            " word; our own without"
        ),
    )


@dataclass(frozen=True)
class CameraSettings:
    """Where pictures come from."""

    source: str | None = field(
        default=None,
        metadata=_key(
            '"pi", a USB camera\'s number or path, the address of a stream, a video,'
            ' a folder of pictures, "sim" or "none"',
            _source,
        ),
    )
    fps: float = field(
        default=15.0,
        metadata=_key(
            "pictures a second, of a camera or a folder; a video has its own",
            Table.number,
            high=120,
        ),
    )
    size: tuple[int, int] = field(
        default=(1296, 972), metadata=_key("width and height asked of the camera", _size)
    )
    focus: str | float = field(
        default="auto",
        metadata=_key(
            '"auto": the lens focuses once and then stays; a number: millimetres from the lens to'
            ' the board, for the Pi\'s camera; "off": it is left alone',
            _focus,
        ),
    )


@dataclass(frozen=True)
class HallSettings:
    """The sensor grid under the board."""

    port: str | None = field(
        default=None, metadata=_key('"auto", "none", "sim", or the path of a serial port')
    )


@dataclass(frozen=True)
class LightSettings:
    """The strip around the board."""

    driver: str | None = field(
        default=None,
        metadata=_key(
            '"none", "sim", "neopixel" or "spi"', choices=("none", "sim", "neopixel", "spi")
        ),
    )
    pin: str = field(default="D18", metadata=_key("the pin of the neopixel driver"))
    brightness: float = field(
        default=0.5, metadata=_key("share of full brightness", Table.number, low=0, high=1)
    )
    milliamps: int | None = field(
        default=None,
        metadata=_key("most current the strip may draw, else the profile's", Table.whole, low=1),
    )
    palette: str = field(
        default="usual",
        metadata=_key(
            'the colours: "usual", or "safe" for colour-blind players', choices=("usual", "safe")
        ),
    )
    targets: bool = field(
        default=True,
        metadata=_key("whether they show where a lifted piece may go", Table.flag),
    )
    attract_minutes: float = field(
        default=15.0,
        metadata=_key(
            "how long nothing happens before they play by themselves, 0 for never",
            Table.number,
            low=0,
        ),
    )
    night: tuple[int, int] | None = field(
        default=None, metadata=_key("hours between which they are dimmed: `[22, 7]`", _hours)
    )
    night_brightness: float = field(
        default=0.25,
        metadata=_key("share of the usual brightness at night", Table.number, low=0, high=1),
    )


@dataclass(frozen=True)
class PanelSettings:
    """The buttons and the buzzer beside the board; pins by GPIO number, 0 for what is not there."""

    driver: str | None = field(
        default=None,
        metadata=_key('"none", "sim" or "gpio"', choices=("none", "sim", "gpio")),
    )
    confirm: int = field(
        default=5, metadata=_key("pin of the button that confirms", Table.whole, high=27)
    )
    take_back: int = field(
        default=6, metadata=_key("pin of the button that takes back", Table.whole, high=27)
    )
    wake: int = field(
        default=16, metadata=_key("pin of the button that wakes the lights", Table.whole, high=27)
    )
    buzzer: int = field(default=26, metadata=_key("pin of the buzzer", Table.whole, high=27))
    hold_seconds: float = field(
        default=2.0,
        metadata=_key("how long a button must be held to mean more", Table.number, high=30),
    )
    sounds: tuple[str, ...] = field(
        default=SOUNDS, metadata=_key("the sounds that are wanted", _sounds)
    )


@dataclass(frozen=True)
class VoiceSettings:
    """A voice that says what the referee says, with espeak-ng."""

    language: str | None = field(
        default=None, metadata=_key('"en", or another language of espeak-ng; silent without')
    )


@dataclass(frozen=True)
class WebSettings:
    """The page."""

    host: str = field(default="0.0.0.0", metadata=_key("address to listen on"))
    port: int = field(
        default=8080, metadata=_key("port, 0 for any free one", Table.whole, high=65535)
    )
    pairing: bool = field(
        default=True, metadata=_key("whether a phone must be paired before it may act", Table.flag)
    )
    streams: int = field(
        default=32,
        metadata=_key("pages served live, later ones poll", Table.whole, low=1, high=200),
    )
    camera: str = field(
        default="paired",
        metadata=_key(
            'who is shown the camera\'s picture: "paired" phones, or "everyone" in the house',
            choices=("paired", "everyone"),
        ),
    )
    names: tuple[str, ...] = field(
        default=(),
        metadata=_key(
            "names by which the page may be opened, besides addresses and names of a home network",
            _texts,
        ),
    )
    front: str | None = field(
        default=None,
        metadata=_key(
            "address of a front (such as one for HTTPS) that tells whom it asks for", _address
        ),
    )


@dataclass(frozen=True)
class StoreSettings:
    """The journal on disk."""

    path: Path = field(
        default_factory=lambda: data_folder() / "journal.db",
        metadata=_key("file of the journal", _path),
    )


@dataclass(frozen=True)
class RefereeSettings:
    """How steady a move must be."""

    settle_seconds: float = field(
        default=0.2,
        metadata=_key("how long a move must stand still", Table.number, low=0, high=10),
    )


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
        more = f" (and {len(top.problems) - 1} more)" if len(top.problems) > 1 else ""
        raise ConfigError(top.problems[0] + more)
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
        read, limits = key.metadata["read"], key.metadata["limits"]
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
