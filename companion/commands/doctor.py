"""``companion doctor``: what is attached, what is missing, and what to do about it."""

import argparse
import json
import logging
import os
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion import config, firmware
from companion.board import Board
from companion.boards import profile
from companion.config import Settings
from companion.errors import CompanionError
from companion.lights.pixels import open_pixels
from companion.lights.strip import Strip
from companion.panel.pins import Pins
from companion.sensing.eyes import Eyes
from companion.sensing.link import HallLink
from companion.sensing.picture_health import examine
from companion.sensing.quality import quality
from companion.sensing.sources import open_source
from companion.sensing.trust import STUCK_AFTER, health, in_words
from companion.store.calibration import Calibration
from companion.store.journal import Journal
from companion.voice import espeak

#: How a thing is: in order, not asked for, worth a thought, or broken.
GOOD, OFF, ADVICE, BROKEN = "good", "off", "advice", "broken"
MARKS = {GOOD: "✓", OFF: "·", ADVICE: "!", BROKEN: "✗"}

FIRST_PICTURES = 12
GRID_SECONDS = 6.0
LEAST_DISK_MB = 100
ASK_SECONDS = 1.0


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: how it is, in a sentence, and what to do."""

    what: str
    state: str
    text: str
    todo: str = ""


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
    board = profile.load(settings.board.profile)
    yield Finding("board", GOOD, f"{board.title} ({settings.board.profile})")
    running = _running(settings)
    if running is not None:
        yield from _told_by(running, settings)
    else:
        yield _camera(settings, board)
        yield _grid(settings, board)
        yield _lights(settings, board)
        yield _panel(settings)
        yield _journal(settings)
    yield _voice(settings)
    yield _disk(settings)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", GOOD, f"Python {version} on {os.uname().machine}")


def _running(settings: Settings) -> dict[str, Any] | None:
    """Return what a companion that is running says of itself, None when there is none."""
    if not settings.web.port:
        return None
    try:
        address = f"http://127.0.0.1:{settings.web.port}/healthz"
        with urllib.request.urlopen(address, timeout=ASK_SECONDS) as answer:
            said = json.load(answer)
    except urllib.error.HTTPError as error:  # it answers, and says that it is ill
        try:
            said = json.load(error)
        except ValueError:
            return None
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) and "devices" in said else None


def _told_by(said: dict[str, Any], settings: Settings) -> Iterator[Finding]:
    """Yield what a running companion says: its devices are its own."""
    where = f"http://localhost:{settings.web.port}/"
    state = GOOD if said.get("ok") else BROKEN
    text = f"running on {where}" + (", simulated" if said.get("simulated") else "")
    yield Finding("companion", state, text, "" if said.get("ok") else "Restart it.")
    trouble = said.get("trouble", {})
    for name, device in said["devices"].items():
        if name in trouble:
            yield Finding(name, BROKEN, str(trouble[name]))
        else:
            yield Finding(name, OFF if device == "off" else GOOD, f"{device}")


def _guarded(what: str, look: Callable[[], Finding]) -> Finding:
    """Return a finding; whatever a driver raises becomes a sentence."""
    try:
        return look()
    except CompanionError as error:
        return Finding(what, BROKEN, _sentence(str(error)))
    except Exception as error:  # a driver may raise anything
        return Finding(what, BROKEN, f"It failed ({type(error).__name__}: {error}).")


def _camera(settings: Settings, board: Board) -> Finding:
    source = settings.camera.source
    if source in (None, "none", "sim"):
        return _not_asked_for("camera", source, "camera.source")
    assert source is not None

    def look() -> Finding:
        camera = settings.camera
        with closing(open_source(source, camera.fps, camera.size, time.monotonic)) as device:
            for _ in range(FIRST_PICTURES):
                frame = device.grab()
        fault = examine(frame).fault
        if fault:
            return Finding("camera", BROKEN, _sentence(fault))
        corners = Calibration.beside(settings.store.path).corners(source)
        sight = Eyes(board, corners).look(frame)
        height, width = frame.picture.shape[:2]
        if sight.pose is None:
            text = f"{source} gives pictures of {width} × {height}, but no board: {sight.text}."
            return Finding("camera", BROKEN, text, "Run `companion calibrate`.")
        advice = quality(board, frame.picture, sight.pose).advice
        by = "markers" if sight.by_markers else "corners"
        text = f"{source} gives pictures of {width} × {height} and sees the board by its {by}."
        return Finding("camera", ADVICE if advice else GOOD, text, " ".join(advice))

    return _guarded("camera", look)


def _grid(settings: Settings, board: Board) -> Finding:
    port = settings.hall.port
    if port in (None, "none", "sim"):
        return _not_asked_for("hall grid", port, "hall.port")

    def look() -> Finding:
        with closing(HallLink(None if port == "auto" else port)) as link:
            scans: list[tuple[int, ...]] = []
            end = time.monotonic() + GRID_SECONDS
            last = 0.0
            while len(scans) < STUCK_AFTER and time.monotonic() < end:
                state = link.poll()
                if state is not None and state.time > last:
                    last = state.time
                    scans.append(state.values)
                time.sleep(0.01)
            status, welcome = link.status, link.welcome
        if status.state != "ok" or welcome is None or not scans:
            return Finding("hall grid", BROKEN, status.text)
        ill = health(scans, board)
        if ill:
            return Finding("hall grid", BROKEN, in_words(ill, board), "Check their wires.")
        advice = firmware.advice(welcome.firmware)
        return Finding("hall grid", ADVICE if advice else GOOD, status.text, advice or "")

    return _guarded("hall grid", look)


def _lights(settings: Settings, board: Board) -> Finding:
    lights = settings.lights
    if lights.driver in (None, "none", "sim"):
        return _not_asked_for("lights", lights.driver, "lights.driver")
    assert lights.driver is not None

    def look() -> Finding:
        strip = Strip(open_pixels(str(lights.driver), lights.pin, board.lights), 1, 0.0)
        strip.off()
        return Finding("lights", GOOD, f"{board.lights.count} LEDs by the driver {lights.driver}.")

    return _guarded("lights", look)


def _panel(settings: Settings) -> Finding:
    driver = settings.panel.driver
    if driver in (None, "none", "sim"):
        return _not_asked_for("panel", driver, "panel.driver")

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
        return Finding("journal", GOOD, f"{path} holds {games} games.")

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


def _not_asked_for(what: str, said: str | None, key: str) -> Finding:
    if said == "sim":
        return Finding(what, OFF, "simulated")
    if said == "none":
        return Finding(what, OFF, "switched off in the settings")
    return Finding(what, OFF, f"not configured; {key} names it")


def _sentence(text: str) -> str:
    end = "" if text[-1:] in ".?!" else "."
    return f"{text[:1].upper()}{text[1:]}{end}"
