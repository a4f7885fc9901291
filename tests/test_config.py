"""Settings: every key optional, every wrong one named, every one documented."""

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from companion import config
from companion.errors import ConfigError


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "companion.toml"
    file.write_text(text)
    return file


def test_without_a_file_there_are_defaults():
    settings = config.load(None)
    assert settings.board.profile == "reference"
    assert settings.camera.source is None
    assert settings.referee.settle_seconds == 0.2
    assert not settings.names_hardware


def test_an_empty_file_means_the_defaults(tmp_path):
    assert config.load(written(tmp_path, "")) == config.load(None)


def test_settings_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        config.load().web.port = 1  # type: ignore[misc]


def test_every_section_is_read(tmp_path):
    settings = config.load(
        written(
            tmp_path,
            """
            board.profile = "mine.toml"
            game = { name = "quoridor4", options = { pawnBehind = "off" }, pieces = ["inky"] }
            camera = { source = 0, fps = 10, size = [640, 480] }
            hall.port = "auto"
            lights = { driver = "spi", pin = "D10", brightness = 0.2, milliamps = 800 }
            web = { host = "127.0.0.1", port = 0, pairing = false, streams = 4 }
            store.path = "/srv/games.db"
            referee = { settle_seconds = 0 }
            """,
        )
    )
    assert settings.game.options == {"pawnBehind": "off"}
    assert settings.game.pieces == ("inky",)
    assert settings.camera == config.CameraSettings("0", 10.0, (640, 480))
    assert settings.lights == config.LightSettings("spi", "D10", 0.2, 800)
    assert settings.web == config.WebSettings("127.0.0.1", 0, False, 4)
    assert settings.store.path == Path("/srv/games.db")
    assert settings.referee == config.RefereeSettings(0.0)
    assert settings.names_hardware


WRONG = [
    ("[web]\nprot = 1", "web.prot: unknown key, the nearest known one is 'port'"),
    ("[wen]\nport = 1", "wen: unknown key, the nearest known one is 'web'"),
    ("[web]\nport = 70000", "web.port: expected a whole number from 0 to 65535, got 70000"),
    ("[web]\nport = '80'", "web.port: expected a whole number from 0 to 65535, got '80'"),
    ("[web]\npairing = 1", "web.pairing: expected true or false, got 1"),
    ("web = 3", "web: expected a table, got 3"),
    (
        "[lights]\ndriver = 'neon'",
        "lights.driver: expected one of 'none', 'sim', 'neopixel', 'spi'",
    ),
    ("[lights]\nbrightness = 2", "lights.brightness: expected a number from 0 to 1, got 2"),
    ("[camera]\nsource = -1", "camera.source: expected 'pi', 'sim', 'none', a device number, path"),
    ("[camera]\nsize = [1, 2, 3]", "camera.size: expected [width, height] from 64 to 8192"),
    ("[game]\noptions = { a = 1 }", "game.options: expected a table of names and texts"),
    ("[game]\npieces = 'inky'", "game.pieces: expected a list of names, got 'inky'"),
    ("[camera]\nfps = 0", "camera.fps: expected a positive number"),
    ("[referee]\nmargin = 6", "referee.margin: unknown key"),
    ("[store]\npath = ''", "store.path: expected some text, got ''"),
    ("[web\nport = 1", "expected TOML: line 1"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[text for text, _ in WRONG])
def test_a_wrong_file_is_refused_with_file_key_and_expectation(tmp_path, text, sentence):
    file = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        config.load(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("camera.source = 0", True),
        ("hall.port = 'auto'", True),
        ("lights.driver = 'spi'", True),
        ("camera.source = 'sim'", False),
        ("camera.source = 'none'\nhall.port = 'sim'", False),
        ("", False),
    ],
)
def test_the_table_is_simulated_only_when_no_real_device_is_named(tmp_path, text, real):
    assert config.load(written(tmp_path, text)).names_hardware is real


KEYS = [
    f"{section.name}.{key.name}"
    for section in fields(config.Settings)
    for key in fields(getattr(config.Settings(), section.name))
]
LITERALS = [
    "0",
    "-1",
    "1e400",
    "nan",
    "''",
    "'x'",
    "true",
    "[]",
    "[1]",
    "['x']",
    "{}",
    "1979-05-27",
]


@pytest.mark.parametrize("key", KEYS)
def test_any_value_of_any_key_is_taken_or_refused_in_a_line(tmp_path, key):
    answers = [answer(written(tmp_path, f"{key} = {literal}")) for literal in LITERALS]
    refused = [text for text in answers if text]
    assert refused
    assert all(f": {key}: expected " in text and "\n" not in text for text in refused)


def answer(file: Path) -> str:
    """Return what is wrong with a file, nothing when it is taken."""
    try:
        config.load(file)
    except ConfigError as error:
        return str(error)
    return ""


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nothing\.toml: no such file"):
        config.load(tmp_path / "nothing.toml")


def test_the_journal_lies_in_the_xdg_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert config.load().store.path == tmp_path / "companion" / "journal.db"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert config.load().store.path == tmp_path / ".local/share/companion/journal.db"


def test_the_manual_lists_every_key_as_it_is():
    manual = (Path(config.__file__).parents[1] / "docs" / "config.md").read_text()
    assert config.describe() in manual
    for section in fields(config.Settings):
        for key in fields(getattr(config.Settings(), section.name)):
            assert f"| `{key.name}` |" in manual
