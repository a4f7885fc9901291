"""``companion doctor``: what is attached, what is missing, and what to do about it."""

import argparse
import json
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion import config
from companion.board import Board, counted
from companion.boards import profile
from companion.boards.files import OWN_FOLDERS
from companion.commands import running
from companion.config import Settings
from companion.core import load as load_core
from companion.device import sentence
from companion.errors import CompanionError
from companion.lights.coreclock import advice_here
from companion.lights.pixels import open_pixels
from companion.lights.strip import Strip
from companion.panel.pins import Pins
from companion.panel.voice import espeak
from companion.sensing.camera.frame import told_by
from companion.sensing.camera.health import examine
from companion.sensing.camera.sources import first_picture, open_source
from companion.sensing.hall.link import HallLink
from companion.sensing.hall.touch import Touch
from companion.sensing.hall.trust import STUCK_AFTER
from companion.sensing.vision.eyes import Eyes
from companion.setup import diagnosis
from companion.setup.calibration import Calibration
from companion.setup.diagnosis import ADVICE, BROKEN, GOOD, OFF, Finding, not_asked_for
from companion.store.journal import Journal

MARKS = {GOOD: "✓", OFF: "·", ADVICE: "!", BROKEN: "✗"}

GRID_SECONDS = 6.0
LEAST_DISK_MB = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    """Look at everything; return 1 when something that is configured is broken."""
    settings = config.load(options.config)
    with _no_log():
        found = list(examine_all(settings))
    broken = [finding for finding in found if finding.state == BROKEN]
    if options.json:
        told = {"ok": not broken, "findings": [asdict(finding) for finding in found]}
        print(json.dumps(told, ensure_ascii=False))
    else:
        for finding in found:
            print(in_line(finding))
        print(_conclusion(found, settings))
    return 1 if broken else 0


@contextmanager
def _no_log() -> Iterator[None]:
    """Keep the parts from logging what is told anyway."""
    log = logging.getLogger("companion")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def in_line(finding: Finding) -> str:
    """Return a finding as a line or two for people."""
    line = f"{MARKS[finding.state]} {finding.what:<10} {finding.text}"
    return f"{line}\n  {'':<10} → {finding.todo}" if finding.todo else line


def _conclusion(found: list[Finding], settings: Settings) -> str:
    broken = [finding.what for finding in found if finding.state == BROKEN]
    if broken:
        return f"\nTo be mended: {', '.join(broken)}."
    if not settings.names_hardware:
        return "\nNo device is configured: `companion play` runs on the simulated table."
    return "\nEverything that is configured works."


def examine_all(settings: Settings) -> Iterator[Finding]:
    """Yield what is found, one thing after the other."""
    yield _python()
    yield _search()
    board = profile.load(settings.board.profile)
    yield _board(board, settings.board.profile)
    said = running.ask(settings, "/healthz", "devices")
    if said is not None:
        yield from _told_by(said, settings)
    else:
        yield _camera(settings, board)
        yield _grid(settings, board)
        yield _lights(settings, board)
        yield _panel(settings)
        yield _journal(settings)
    yield _voice(settings)
    yield _disk(settings)


def _board(board: Board, name: str) -> Finding:
    """Return which board it is, and how far its sizes can be trusted."""
    text = f"{board.title} ({name})"
    facts = board.provenance.items()
    guessed = [key for key, fact in facts if "." not in key and fact.startswith(profile.UNSURE)]
    if not guessed:
        return Finding("board", GOOD, text)
    todo = (
        f"Nobody has measured its {', '.join(guessed)} yet: measure yours, and put a profile of"
        f" your own into {OWN_FOLDERS[0]}."
    )
    return Finding("board", ADVICE, text, todo)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", GOOD, f"Python {version} on {os.uname().machine}")


def _search() -> Finding:
    if load_core() is not None:
        return Finding("search", GOOD, "Quoridor's moves are searched by the compiled core")
    text = "Quoridor's moves are searched in Python, a hundred times slower"
    return Finding("search", OFF, text, "Install a C compiler, then the companion again.")


def _told_by(said: dict[str, Any], settings: Settings) -> Iterator[Finding]:
    """Yield what a running companion says: its devices are its own, and so are its words."""
    where = f"http://localhost:{settings.web.port}/"
    state = GOOD if said.get("ok") else BROKEN
    text = f"running on {where}" + (", simulated" if said.get("simulated") else "")
    yield Finding("companion", state, text, "" if said.get("ok") else "Restart it.")
    page = running.ask(settings, "/api/setup", "findings") or {"findings": []}
    told = {finding["what"]: Finding(**finding) for finding in page["findings"]}
    yield from told.values()
    trouble = said.get("trouble", {})
    for name, device in said["devices"].items():
        if name in told:
            continue
        if name in trouble:
            yield Finding(name, BROKEN, str(trouble[name]))
        else:
            yield Finding(name, OFF if device == "off" else GOOD, f"{device}")


def _guarded(what: str, look: Callable[[], Finding]) -> Finding:
    """Return a finding; whatever a driver raises becomes a sentence."""
    try:
        return look()
    except CompanionError as error:
        return Finding(what, BROKEN, sentence(str(error)))
    except Exception as error:  # a driver may raise anything
        return Finding(what, BROKEN, f"It failed ({type(error).__name__}: {error}).")


def _camera(settings: Settings, board: Board) -> Finding:
    source = settings.camera.source
    if source in (None, "none", "sim"):
        return not_asked_for(diagnosis.CAMERA, source)
    assert source is not None

    def look() -> Finding:
        camera = settings.camera
        opened = open_source(source, camera.fps, camera.size, time.monotonic, camera.focus)
        with closing(opened) as device:
            frame = first_picture(device)
            told = told_by(device)
        fault = examine(frame).fault
        corners = Calibration.beside(settings.store.path).corners(source)
        sight = None if fault else Eyes(board, corners).look(frame)
        return diagnosis.camera(source, board, frame, sight, fault, told)

    return _guarded(diagnosis.CAMERA, look)


def _grid(settings: Settings, board: Board) -> Finding:
    port = settings.hall.port
    if port in (None, "none", "sim"):
        return not_asked_for(diagnosis.GRID, port)

    def look() -> Finding:
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

    return _guarded(diagnosis.GRID, look)


def _lights(settings: Settings, board: Board) -> Finding:
    lights = settings.lights
    driver = lights.driver
    if driver in (None, "none", "sim"):
        return not_asked_for(diagnosis.LIGHTS, driver)
    assert driver is not None

    def look() -> Finding:
        strip = Strip(open_pixels(driver, lights.pin, board.lights), 1, 0.0)
        strip.off()
        return diagnosis.lights(board, driver, advice=advice_here(driver))

    return _guarded(diagnosis.LIGHTS, look)


def _panel(settings: Settings) -> Finding:
    driver = settings.panel.driver
    if driver in (None, "none", "sim"):
        return not_asked_for("panel", driver)

    def look() -> Finding:
        panel = settings.panel
        buttons = {"confirm": panel.confirm, "take back": panel.take_back, "wake": panel.wake}
        Pins(buttons, panel.buzzer, panel.hold_seconds).close()
        return Finding("panel", GOOD, "The pins of buttons and buzzer can be used.")

    return _guarded("panel", look)


def _journal(settings: Settings) -> Finding:
    path = settings.store.path

    def look() -> Finding:
        if not Path(path).exists():
            return Finding("journal", GOOD, f"{path} will be made with the first game.")
        with Journal(path) as journal:
            games = len(journal.games())
        return Finding("journal", GOOD, f"{path} holds {counted(games, 'game')}.")

    return _guarded("journal", look)


def _voice(settings: Settings) -> Finding:
    language = settings.voice.language
    if language is None:
        return Finding("voice", OFF, "silent; voice.language switches it on")

    def look() -> Finding:
        espeak(language)
        return Finding("voice", GOOD, f"espeak-ng speaks {language}.")

    return _guarded("voice", look)


def _disk(settings: Settings) -> Finding:
    def look() -> Finding:
        folder = Path(settings.store.path).parent
        while not folder.exists():
            folder = folder.parent
        free = shutil.disk_usage(folder).free // 2**20
        if free < LEAST_DISK_MB:
            return Finding("disk", BROKEN, f"only {free} MB are free in {folder}.", "Make room.")
        return Finding("disk", GOOD, f"{free:,} MB are free in {folder}")

    return _guarded("disk", look)
