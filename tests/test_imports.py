"""Who may import whom: the direction of STYLE over every import statement of the package."""

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import companion

FOLDER = Path(companion.__file__).parent

#: Each part and the parts of ours it may import beside itself; the longest name that fits counts.
MAY_USE = {
    "board": "",
    "errors": "",
    "device": "",
    "corners": "errors",
    "toml_table": "errors",
    "config": "errors toml_table",
    "boards": "rules board errors toml_table lights.strip",
    "rules": "board errors",
    "games": "rules boards errors",
    "record": "games rules errors",
    "core": "",
    "players": "rules board errors core",
    "engine": "players core rules games errors",
    "referee": "rules board errors device corners",
    "store": "rules errors corners",
    "sensing": "board errors device corners",
    "sim": "board errors sensing.camera.frame sensing.hall.firmware sensing.hall.magnet"
    " sensing.hall.wire",
    "lights": "board errors",
    "lights.scene": "referee board",
    "lights.view": "referee board",
    "lights.show": "referee board",
    "lights.layers": "referee rules board",
    "panel": "referee errors",
    "panel.voice": "referee device errors",
    "setup.calibration": "rules errors corners",
    "setup.diagnosis": "sensing board device",
    "web": "referee rules games players record service.seating board errors device corners",
    "service.devices": "lights panel config board errors",
    "service.malloc": "",
    "service.notify": "",
    "service.ports": "engine.thought referee board errors device corners",
    "service.pulse": "sensing",
    "service.seating": "referee rules board errors",
    "service.simulated.devices": "sim sensing.camera.frame config board errors",
    "service.simulated.helper": "sim referee board",
    "service.watchdog": "",
}

#: These join the parts. They may import all of them, and nothing but they may import these.
WIRING = [
    "service.app",
    "service.loop",
    "service.simulated.scenes",
    "setup.steps",
    "commands",
    "__main__",
]
APP = "service.app"
MAY_USE_APP = ("commands", "__main__")

#: The rules and what stands on them: no clock, no threads, no files, no library.
PURE = (
    *("board", "errors", "device", "corners", "rules", "record", "players", "referee"),
    "service.seating",
)
IMPURE = (
    "asyncio concurrent ctypes datetime fcntl glob http io logging multiprocessing os pathlib "
    "queue select shutil signal socket sqlite3 subprocess tempfile threading time urllib"
)

#: Libraries, and the only parts that may import them; hardware in its one driver.
LIBRARIES = {
    "numpy": "sensing sim",
    "cv2": "sensing sim service.app commands",
    "flask": "web",
    "werkzeug": "web",
    "waitress": "web.serve web.door",
    "serial": "sensing.hall.link",
    "picamera2": "sensing.camera.picam",
    "adafruit_pixelbuf": "sim.strip",
    "gpiozero": "panel.pins",
    "segno": "web.qr",
    "tqdm": "commands.progress",
    "importlib": "__main__ lights.pixels",  # what is imported by a name in a variable
}


def imports(source: str, module: str) -> Iterator[str]:
    """Yield the full name of everything that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            near = module.split(".")[: -node.level] if node.level else []
            place = ".".join([*near, *([node.module] if node.module else [])])
            yield from (f"{place}.{alias.name}" for alias in node.names)


def within(name: str, parts: str | Sequence[str]) -> bool:
    """Tell whether a module is one of these parts or lies in one."""
    listed = parts.split() if isinstance(parts, str) else parts
    return any(name == part or name.startswith(f"{part}.") for part in listed)


def faults(module: str, source: str) -> list[str]:
    """Return what a module imports that it may not; names of ours without ``companion.``."""
    found = []
    for target in imports(source, f"companion.{module}"):
        top = target.split(".")[0]
        if top == "companion":
            good = _may_use(module, target.removeprefix("companion").removeprefix("."))
        elif top in LIBRARIES:
            good = within(module, LIBRARIES[top])
        else:
            good = top in sys.stdlib_module_names and not (
                within(top, IMPURE) and within(module, PURE)
            )
        if not good:
            found.append(f"{module} may not import {target}")
    return found


def _may_use(module: str, target: str) -> bool:
    if target in ("", "__version__"):
        return True
    if within(target, APP) and not within(module, APP):
        return within(module, MAY_USE_APP)
    if within(target, module.split(".")[0]) and not within(target, WIRING):
        return True
    if within(module, WIRING):
        return True
    if within(target, WIRING):
        return False
    parts = [part for part in MAY_USE if within(module, part)]
    return bool(parts) and within(target, MAY_USE[max(parts, key=len)])


MODULES = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(FOLDER.rglob("*.py"))
    if path != FOLDER / "__init__.py"
}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_it_may(module):
    assert faults(module, MODULES[module].read_text()) == []


def test_every_part_of_the_package_has_its_place():
    parts = {module.split(".")[0] for module in MODULES}
    assert parts <= {part.split(".")[0] for part in MAY_USE} | set(WIRING)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("rules.chess", "from companion.referee import judge"),
        ("rules.chess", "import companion.referee.judge"),
        ("rules.chess", "from ..referee import judge"),
        ("rules.chess", "from companion.service import app"),
        ("rules.chess", "import numpy as np"),
        ("rules.chess", "import time"),
        ("rules.chess", "from threading import Lock"),
        ("rules.chess", "def late():\n    from companion.store.journal import Journal"),
        ("players.random", "from pathlib import Path"),
        ("referee.clock", "from datetime import datetime"),
        ("referee.voice", "from companion.sensing.vision.eyes import Eyes"),
        ("board", "from companion.rules.game import Move"),
        ("sensing.eyes", "from companion.rules.game import Move"),
        ("sensing.eyes", "import serial"),
        ("sim.table", "from companion.sensing.vision.eyes import Eyes"),
        ("lights.strip", "from companion.referee.snapshot import Snapshot"),
        ("lights.scene", "from companion.sensing.fusion import Senses"),
        ("lights.scene", "import neopixel"),
        ("web.api", "from companion.service.loop import Loop"),
        ("web.api", "from companion.sensing.fusion import Senses"),
        ("web.api", "from companion.service.app import App"),
        ("store.journal", "from companion.referee.table import Table"),
        ("service.loop", "from companion.service.app import App"),
        ("service.simulated.scenes", "from companion.service.app import App"),
        ("service.seating", "from companion.service.loop import Loop"),
        ("novelty", "from companion.board import Board"),
        ("web.api", "import requests"),
    ],
)
def test_a_wrong_import_is_found(module, line):
    assert len(faults(module, line)) == 1


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("rules.chess", "from companion.board import square"),
        ("rules.chess", "from . import game"),
        ("rules.chess", "from dataclasses import dataclass"),
        ("referee.judge", "from companion.rules.game import Move"),
        ("lights.scene", "from companion.referee.snapshot import Snapshot"),
        ("sim.grid", "from companion.sensing.hall import wire"),
        ("commands.play", "from companion.service.app import App"),
        ("sensing.hall.link", "import serial"),
    ],
)
def test_a_right_import_is_let_through(module, line):
    assert faults(module, line) == []
