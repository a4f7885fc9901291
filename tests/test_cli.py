"""The command line: help for everything, and one clear sentence for everything that is wrong."""

import io
import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import COMMANDS, main
from tests.waiting import wait_for


def run(*args: object) -> int:
    """Run a command in this process; return its exit code however it ends."""
    try:
        return main([str(arg) for arg in args])
    except SystemExit as end:
        return int(end.code or 0)


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line on standard error."""
    (line,) = capsys.readouterr().err.splitlines()
    assert "Traceback" not in line
    return line


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS), ["boards", "check"]])
def test_every_command_has_help(command, capsys):
    assert run(*command, "--help") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"usage: {' '.join(['companion', *command])} ")
    assert shown.err == ""


def test_help_lists_every_command(capsys):
    run("--help")
    shown = capsys.readouterr().out.split()
    assert all(
        name in shown and set(summary.split()) <= set(shown) for name, summary in COMMANDS.items()
    )


def test_version(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out.startswith("companion ")


WRONG_USE = [
    ("", "arguments are required: COMMAND"),
    ("dance", "invalid choice: 'dance'"),
    ("play chess", "there is no game 'chess'; the games are quoridor"),
    ("play quoridoor", "did you mean quoridor?"),
    ("play marbles", "referees quoridor, quoridor4, pacman, pacman-advanced and cards;"),
    ("watch . --game cards", "cards is played on phones: there is no board to watch"),
    ("play cards --players 9", "the option players takes one of 2, 3, 4, 5, 6, 7, 8, not '9'"),
    ("play cards --players 6", "level 1 is for 2 to 4 players, not 6; the bonus level takes up"),
    ("play cards --option level", "expected an option such as name=value, not 'level'"),
    ("play quoridor --players 3", "quoridor is played by 2, not by 3"),
    ("play --port 99999", "expected a port from 0 to 65535, got '99999'"),
    ("play --port http", "expected a port from 0 to 65535, got 'http'"),
    ("play --colour red", "unrecognized arguments"),
    ("play --config nowhere.toml", "nowhere.toml: no such file"),
    ("look", "required: IMAGE"),
    ("look x.png --board nowhere", "unknown board 'nowhere': expected "),
    ("dice", "required: IMAGE"),
    ("dice nowhere.png", "cannot read nowhere.png: No such file or directory"),
    ("dice a.png b.png --overlay c.png", "--overlay takes one picture, got 2"),
    ("watch", "required: SOURCE"),
    ("watch . --game chess", "there is no game 'chess'"),
    (
        "watch . --game marbles",
        "the table referees quoridor, quoridor4, pacman, pacman-advanced and cards",
    ),
    ("watch . --interval 0", "an interval above 0 seconds"),
    ("watch . --interval soon", "invalid float value: 'soon'"),
    ("engine", "required: GAME"),
    ("engine chess", "there is no game 'chess'"),
    ("engine quoridor --seed x", "invalid int value: 'x'"),
    ("replay", "required: RECORD"),
    ("boards dance", "invalid choice: 'dance'"),
    ("boards check", "required: FILE"),
    ("boards draw nowhere", "unknown board 'nowhere'"),
]


@pytest.mark.parametrize(("line", "text"), WRONG_USE, ids=[line for line, _ in WRONG_USE])
def test_wrong_use_is_told_in_a_line_and_ends_with_2(line, text, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(*line.split()) == 2
    assert text in sentence(capsys)


WRONG_CONFIG = [
    ("[web]\nprot = 1", 2, "web.prot: unknown key, the nearest known one is 'port'"),
    ("[web\n", 2, "expected TOML: line 1"),
    ("game.name = 'chess'", 2, "there is no game 'chess'"),
    ("game.options = { first = '9' }", 2, "the option first takes one of 1, 2, not '9'"),
    ("game.options = { colour = 'red' }", 2, "no option 'colour'"),
    ("game.pieces = ['inky']", 2, "expected 2 different pieces, got inky"),
    ("game.pieces = ['inky', 'tardis']", 2, "unknown piece 'tardis'"),
    ("board.profile = 'nowhere'", 2, "unknown board 'nowhere'"),
    ("board.profile = 'broken.toml'", 2, "broken.toml: expected TOML"),
    ("board.profile = 'missing.toml'", 2, "missing.toml: no such file"),
    ("camera.source = 0\nhall.port = 'sim'", 2, 'hall.port is "sim" beside real devices'),
    ("lights.driver = 'spi'\ncamera.source = 'sim'", 2, 'camera.source is "sim" beside real'),
    ("web.host = 'nowhere.invalid'", 1, "no address 'nowhere.invalid' to serve on"),
    ("web.host = '192.0.2.1'", 1, "'192.0.2.1' is no address of this machine"),
    ("store.path = 'broken.toml'", 1, "broken.toml is damaged or no journal"),
    ("store.path = 'broken.toml/journal.db'", 2, "cannot be opened"),
]


@pytest.mark.parametrize(
    ("text", "code", "said"), WRONG_CONFIG, ids=[text for text, _, _ in WRONG_CONFIG]
)
def test_a_config_that_cannot_be_used_is_told_in_a_line(
    text, code, said, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Path("broken.toml").write_text("name = \n" * 200)
    Path("config.toml").write_text(f"{text}\n{'' if '[web' in text else 'web.port = 0'}\n")
    assert run("play", "--config", "config.toml") == code
    assert said in sentence(capsys)


def test_a_port_in_use_is_named_and_nothing_else_is_touched(capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = run("play", "--sim", "--host", "127.0.0.1", "--port", port, "--data", tmp_path / "d")
    assert code == 1
    assert sentence(capsys) == f"companion play: port {port} is in use; choose another with --port"
    assert not (tmp_path / "d").exists()


@pytest.fixture
def blank(tmp_path):
    file = tmp_path / "blank.png"
    cv2.imwrite(str(file), np.full((480, 640, 3), 90, np.uint8))
    return file


def test_a_picture_without_markers_says_what_is_missing(blank, capsys):
    assert run("look", blank) == 1
    said = sentence(capsys)
    assert "blank.png: no board in view" in said


@pytest.mark.parametrize("name", ["missing.png", "folder", "text.png", "empty.png"])
def test_an_unreadable_picture_is_named(name, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "empty.png").write_bytes(b"")
    assert run("look", tmp_path / name) == 1
    assert name in sentence(capsys)


def test_watching_what_shows_no_board_is_a_no(blank, capsys):
    assert run("watch", blank.parent) == 1
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing", "empty", "text.avi"])
def test_a_source_that_cannot_be_watched_is_named(name, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.avi").write_text("no video")
    assert run("watch", tmp_path / name) == 1
    assert name in sentence(capsys)


def test_an_illegal_move_before_the_first_frame_is_named(tmp_path, capsys):
    assert run("watch", tmp_path, "--moves", "e2 e2") == 1
    assert "move 2, 'e2'" in sentence(capsys)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot read"),
        ("", "a record needs a header"),
        ('[Game "chess"]\n\n1. e4', "chess"),
        ('[Game "quoridor"]\n\n1. e2 e2', "e2"),
        ('[Game "quoridor"]\n\n1. e2 zz', "zz"),
    ],
)
def test_a_record_that_cannot_be_replayed_is_told_in_a_line(text, said, tmp_path, capsys):
    file = tmp_path / "game.txt"
    if text is not None:
        file.write_text(text)
    assert run("replay", file) == 1
    line = sentence(capsys)
    assert "game.txt" in line
    assert said in line


def test_a_wrong_profile_is_told_line_by_line(tmp_path, capsys):
    file = tmp_path / "mine.toml"
    file.write_text("title = 3")
    assert run("boards", "check", file) == 1
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith(f"{file}: ") for line in lines)
    assert any("title: expected some text, got 3" in line for line in lines)


def test_the_engine_answers_bad_lines_and_lives_on(monkeypatch, capsys):
    lines = ["dance", "position startpos moves e9", "go depth x", "\x00\xff", "isready", "quit"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    assert run("engine", "quoridor") == 0
    shown = capsys.readouterr()
    answers = shown.out.splitlines()
    assert [answer.split()[0] for answer in answers] == ["error"] * 4 + ["readyok"]
    assert shown.err == ""


# --- the service with hardware that is not there ------------------------------------------------


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Start the service with a config; return the address of its page."""
    started: list[subprocess.Popen[str]] = []

    def start(config: str) -> str:
        file = tmp_path / "companion.toml"
        file.write_text(f"{config}\n[web]\nport = 0\nhost = '127.0.0.1'\n")
        command = [sys.executable, "-m", "companion", "play", "--config", str(file)]
        process = subprocess.Popen(
            [*command, "--data", str(tmp_path / "data")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        said = ""
        while "Press Ctrl+C" not in said:
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            said += line
        assert "simulated" not in said
        return next(word for word in said.split() if word.startswith("http")).rstrip("/")

    yield start
    for process in started:
        process.terminate()
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
        assert "Traceback" not in log


def asked(address: str) -> dict:
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def test_hardware_that_is_missing_is_reported_and_never_simulated(service):
    page = service(
        "[camera]\nsource = 9\n[hall]\nport = '/dev/nope'\n[lights]\ndriver = 'neopixel'"
    )
    health = wait_for(
        lambda: (
            (told := asked(f"{page}/healthz"))
            and "camera 9" in told["trouble"].get("camera", "")
            and "/dev/nope" in told["trouble"].get("hall grid", "")
            and told
        )
    )
    assert health["ok"] is True
    assert health["simulated"] is False
    assert health["devices"] == {
        "camera": "trouble",
        "hall grid": "trouble",
        "lights": "trouble",
        "journal": "ok",
    }
    assert "plugged in" in health["trouble"]["camera"]
    assert "lights" in health["trouble"]["lights"]
    state = asked(f"{page}/api/state")
    assert state["simulated"] is False
    told = {device["name"]: device["text"] for device in state["devices"]}
    assert told["camera"] == health["trouble"]["camera"]
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{page}/table")
    with pytest.raises(urllib.error.HTTPError, match="503"):
        urllib.request.urlopen(f"{page}/api/camera")


@pytest.mark.browser
def test_the_page_says_what_is_missing_and_what_to_do(service, browser):
    address = service("[camera]\nsource = 9\n[hall]\nport = '/dev/nope'")
    wait_for(
        lambda: (
            (told := asked(f"{address}/healthz")["trouble"])
            and "camera 9" in told["camera"]
            and "/dev/nope" in told["hall grid"]
        )
    )
    page = browser.new_page()
    page.goto(address)
    told = asked(f"{address}/healthz")["trouble"]
    for text in told.values():
        page.get_by_text(text).first.wait_for(state="attached")
    assert not page.get_by_text("simulated").count()
    page.close()


def test_lights_alone_are_real_too(service):
    page = service("[lights]\ndriver = 'spi'")
    health = asked(f"{page}/healthz")
    assert health["simulated"] is False
    assert health["devices"]["lights"] == "trouble"


def test_play_refuses_a_stressor_that_there_is_not(capsys):
    assert run("play", "--sim", "--stress", "fog:3") == 2
    line = sentence(capsys)
    assert "'fog:3'" in line
    assert "half-seated" in line


def test_play_troubles_no_real_table(capsys, tmp_path):
    settings = tmp_path / "companion.toml"
    settings.write_text('[camera]\nsource = "0"\n')
    assert run("play", "--config", settings, "--stress", "glare:3") == 2
    assert "add --sim" in sentence(capsys)
