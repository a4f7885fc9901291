"""``companion doctor``: what is attached, what is missing, and what to do about it."""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from companion import config
from companion.board import Board, DeviceView
from companion.boards import profile
from companion.boards.files import OWN_FOLDERS
from companion.commands import running
from companion.commands.progress import quiet
from companion.config import PanelSettings, Settings
from companion.errors import CompanionError
from companion.lights.coreclock import advice_here
from companion.lights.pixels import open_pixels
from companion.lights.strip import Strip
from companion.panel.pins import Pins
from companion.panel.voice import espeak
from companion.players.native import load as load_core
from companion.sensing.camera.frame import told_by
from companion.sensing.camera.health import examine
from companion.sensing.camera.sources import first_picture, open_source
from companion.sensing.hall.link import HallLink
from companion.sensing.hall.touch import Touch
from companion.sensing.hall.trust import STUCK_AFTER
from companion.sensing.vision.eyes import Eyes
from companion.setup import diagnosis
from companion.setup.calibration import Calibration
from companion.store.journal import Journal
from companion.text import counted, sentence

MARKS = {"ok": "✓", "off": "·", "advice": "!", "trouble": "✗"}

GRID_SECONDS = 6.0
LEAST_DISK_MB = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    """Look at everything; return 1 when something that is configured is broken."""
    settings = config.load(options.config)
    with quiet():
        found = list(examine_all(settings))
    broken = [finding for finding in found if finding.state == "trouble"]
    if options.json:
        told = {"ok": not broken, "findings": [diagnosis.to_json(finding) for finding in found]}
        print(json.dumps(told, ensure_ascii=False))
    else:
        for finding in found:
            print(in_line(finding))
        print(_conclusion(found, settings))
    return 1 if broken else 0


def in_line(finding: DeviceView) -> str:
    """Return a finding as a line or two for people."""
    line = f"{MARKS[finding.state]} {finding.name:<10} {finding.text}"
    return f"{line}\n  {'':<10} → {finding.todo}" if finding.todo else line


def _conclusion(found: list[DeviceView], settings: Settings) -> str:
    broken = [finding.name for finding in found if finding.state == "trouble"]
    if broken:
        return f"\nTo be mended: {', '.join(broken)}."
    if not settings.names_hardware:
        return "\nNo device is configured: `companion play` runs on the simulated table."
    return "\nEverything that is configured works."


def examine_all(settings: Settings) -> Iterator[DeviceView]:
    """Yield what is found, one thing after the other."""
    yield _python()
    yield _search()
    board = profile.load(settings.board.profile)
    yield _board(board, settings.board.profile)
    said = running.ask(settings, "/healthz", "devices")
    if said is not None:
        yield from _told_by(said, settings)
    else:
        camera, port, driver = settings.camera.source, settings.hall.port, settings.lights.driver
        yield _device(diagnosis.CAMERA, camera, lambda source: _camera(source, settings, board))
        yield _device(diagnosis.GRID, port, lambda port: _grid(port, board))
        yield _device(diagnosis.LIGHTS, driver, lambda driver: _lights(driver, settings, board))
        yield _device("panel", settings.panel.driver, lambda driver: _panel(settings.panel))
        yield _guarded("journal", lambda: _journal(settings.store.path))
    yield _guarded("voice", lambda: _voice(settings.voice.language))
    yield _guarded("disk", lambda: _disk(settings.store.path.parent))


def _board(board: Board, name: str) -> DeviceView:
    """Return which board it is, and how far its sizes can be trusted."""
    text = f"{board.title} ({name})"
    facts = board.provenance.items()
    guessed = [key for key, fact in facts if "." not in key and fact.startswith(profile.UNSURE)]
    if not guessed:
        return DeviceView("board", "ok", text)
    todo = (
        f"Nobody has measured its {', '.join(guessed)} yet: measure yours, and put a profile of"
        f" your own into {OWN_FOLDERS[0]}."
    )
    return DeviceView("board", "advice", text, todo)


def _python() -> DeviceView:
    version = ".".join(map(str, sys.version_info[:3]))
    return DeviceView("python", "ok", f"Python {version} on {os.uname().machine}")


def _search() -> DeviceView:
    if load_core() is not None:
        return DeviceView("search", "ok", "Quoridor's moves are searched by the compiled core")
    text = "Quoridor's moves are searched in Python, a hundred times slower"
    return DeviceView("search", "off", text, "Install a C compiler, then the companion again.")


def _told_by(said: dict[str, Any], settings: Settings) -> Iterator[DeviceView]:
    """Yield what a running companion reports: it holds the devices, so only it can tell."""
    where = f"http://localhost:{settings.web.port}/"
    text = f"running on {where}" + (", simulated" if said.get("simulated") else "")
    if said.get("ok"):
        yield DeviceView("companion", "ok", text)
    else:
        yield DeviceView("companion", "trouble", text, "Restart it.")
    page = running.ask(settings, "/api/setup", "findings") or {"findings": []}
    told = {view.name: view for view in map(diagnosis.from_json, page["findings"])}
    yield from told.values()
    trouble = said.get("trouble", {})
    for name, state in said["devices"].items():
        if name not in told:
            yield DeviceView(name, state, str(trouble.get(name, state)))


def _guarded(what: str, look: Callable[[], DeviceView]) -> DeviceView:
    """Return a finding; whatever a driver raises becomes a sentence."""
    try:
        return look()
    except CompanionError as error:
        return DeviceView(what, "trouble", sentence(str(error)))
    except Exception as error:  # a driver may raise anything
        return DeviceView(what, "trouble", f"It failed ({type(error).__name__}: {error}).")


def _device(what: str, asked: str | None, look: Callable[[str], DeviceView]) -> DeviceView:
    """Return a finding on a device, by what the settings ask for."""
    if asked is None or asked in ("none", "sim"):
        return diagnosis.not_asked_for(what, asked)
    return _guarded(what, lambda: look(asked))


def _camera(source: str, settings: Settings, board: Board) -> DeviceView:
    camera = settings.camera
    opened = open_source(source, camera.fps, camera.size, time.monotonic, camera.focus)
    with closing(opened) as device:
        frame = first_picture(device)
        told = told_by(device)
    fault = examine(frame).fault
    corners = Calibration.beside(settings.store.path).corners(source)
    sight = None if fault else Eyes(board, corners).look(frame)
    return diagnosis.camera(source, board, frame, sight, fault, told)


def _grid(port: str, board: Board) -> DeviceView:
    with closing(HallLink(None if port == "auto" else port)) as link:
        touch = Touch(board, link)
        end = time.monotonic() + GRID_SECONDS
        while touch.noted < STUCK_AFTER and time.monotonic() < end:
            touch.feel()
            time.sleep(0.01)
        version = link.welcome.firmware if link.welcome else None
        return diagnosis.grid(
            link.status, board, touch.ill, version=version, knows_rest=touch.knows_rest
        )


def _lights(driver: str, settings: Settings, board: Board) -> DeviceView:
    Strip(open_pixels(driver, settings.lights.pin, board.lights), 1, 0.0).off()
    return diagnosis.lights(board, driver, advice=advice_here(driver))


def _panel(panel: PanelSettings) -> DeviceView:
    buttons = {"confirm": panel.confirm, "take back": panel.take_back, "wake": panel.wake}
    Pins(buttons, panel.buzzer, panel.hold_seconds).close()
    return DeviceView("panel", "ok", "The pins of buttons and buzzer can be used.")


def _journal(path: Path) -> DeviceView:
    if not path.exists():
        return DeviceView("journal", "ok", f"{path} will be made with the first game.")
    with Journal(path) as journal:
        games = len(journal.games())
    return DeviceView("journal", "ok", f"{path} holds {counted(games, 'game')}.")


def _voice(language: str | None) -> DeviceView:
    if language is None:
        return DeviceView("voice", "off", "silent; voice.language switches it on")
    espeak(language)
    return DeviceView("voice", "ok", f"espeak-ng speaks {language}.")


def _disk(folder: Path) -> DeviceView:
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 2**20
    if free < LEAST_DISK_MB:
        return DeviceView("disk", "trouble", f"only {free} MB are free in {folder}.", "Make room.")
    return DeviceView("disk", "ok", f"{free:,} MB are free in {folder}")
