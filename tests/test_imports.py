"""Who may import whom: the direction of STYLE over every import statement of the package.

And nobody may be imported by what it imports, however long the way round.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import companion
from companion.games.catalogue import FOLDERS

FOLDER = Path(companion.__file__).parent

#: The words that all parts share; they stand on nothing.
WORDS = "board errors text sensing.corners"

#: What several games share. A game's own folder is open to its own modules alone.
SHARED = "games.game games.bits games.layout games.drawing games.maze"
THINKS = f"{SHARED} players"

#: What draws sheets to print: pure, too, for the pages are only written by the command.
PRINTS = "boards.pdf boards.paper boards.nets"

#: Each part and the parts of ours it may import beside the words and itself; the longest name
#: that fits counts, and ``*`` stands for any one name.
MAY_USE = {
    "text": "",
    "errors": "",
    "board": "",
    "toml_table": "",
    "config": "toml_table",
    "boards": "toml_table lights.strip",
    "games": "",
    "games.kit": "players.player boards.paper",
    "games.catalogue": "",
    "games.*": SHARED,
    "games.*.data": f"{SHARED} games.kit boards toml_table",
    "games.*.sheets": f"{SHARED} {PRINTS} boards.profile",
    "games.*.symbols": PRINTS,
    "games.*.pieces": f"{SHARED} {PRINTS}",
    "games.*.kit": f"{THINKS} games.kit",
    "games.*.scenes": f"{SHARED} games.kit",
    **dict.fromkeys(("games.*.player", "games.*.worth", "games.*.hint"), THINKS),
    **dict.fromkeys(("games.quoridor.track", "games.pacman.search"), THINKS),
    **dict.fromkeys(("games.pacman.chart", "games.pacman.beginner"), THINKS),
    "players": "games",
    "players.native": "",
    "engine": "players games",
    "referee": "games",
    "store": "games",
    "sensing": "",
    "sensing.corners": "errors",
    "sim": "sensing.camera.frame sensing.hall.firmware sensing.hall.evidence.fall"
    " sensing.hall.wire sensing.hall.session",
    "lights": "",
    **dict.fromkeys(("lights.scene", "lights.view", "lights.show"), "referee service.snapshot"),
    "lights.layers": "referee service.snapshot games",
    "panel": "referee service.snapshot service.requests",
    "setup.calibration": "games",
    "setup.diagnosis": "sensing",
    "web": "referee games service.seating service.snapshot service.requests service.places",
    "service.devices": "lights panel config",
    "service.malloc": "",
    "service.dealing": "referee games store",
    "service.places": "games",
    "service.ports": "engine.thinker referee",
    "service.blackbox": "sensing.camera games store",
    "service.recorder": "config sensing.fusion referee games store",
    "service.requests": "games",
    "service.seating": "players.player referee games",
    "service.simulated.devices": "sim sensing.camera.frame config",
    "service.simulated.helper": "sim referee",
    "service.snapshot": "referee games",
    "service.thinking": "engine.thinker players.player referee games",
    "service.watchdog": "",
}

#: These join the parts. They may import all of them, and nothing but they may import these.
WIRING = [
    "service.app",
    "service.loop",
    "service.simulated.rig",
    "service.simulated.scenes",
    "setup.steps",
    "commands",
    "__main__",
]
APP = "service.app"
MAY_USE_APP = ("commands", "__main__")

#: The rules and what stands on them: no clock, no threads, no files, no library.
PURE = (
    *("board", "errors", "text", "games", "players", "referee"),
    *("service.seating", "service.snapshot", "service.requests"),
)
#: But for what reads a game's board from a file, and what calls the compiled core.
READERS = ("games.*.data", "games.kit", "players.native")
IMPURE = (
    "asyncio concurrent ctypes datetime fcntl glob http io logging multiprocessing os pathlib "
    "queue select shutil signal socket sqlite3 subprocess tempfile threading time urllib"
)

#: The folders of the games.
GAMES = [f"games.{folder}" for folder in (*FOLDERS, "maze")]

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
    "segno": "web.address",
    "tqdm": "commands.progress",
    "importlib": "__main__ games.catalogue lights.pixels",  # imported by a name in a variable
}

#: What is imported by a name in a variable, beside what statements say.
BY_NAME = {"games.catalogue": {f"games.{folder}.kit" for folder in FOLDERS}}


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
    return any(fnmatchcase(name, part) or fnmatchcase(name, f"{part}.*") for part in listed)


def room(module: str) -> str:
    """Return the part a module lies in: a game has its folder to itself, others their package."""
    names = module.split(".")
    return ".".join(names[:2] if names[0] == "games" and len(names) > 2 else names[:1])


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
                within(top, IMPURE) and within(module, PURE) and not within(module, READERS)
            )
        if not good:
            found.append(f"{module} may not import {target}")
    return found


def _may_use(module: str, target: str) -> bool:
    if target in ("", "__version__"):
        return True
    if within(target, APP) and not within(module, APP):
        return within(module, MAY_USE_APP)
    if within(target, room(module)) and not within(target, WIRING):
        return True
    if within(target, GAMES) and not within(module, ("games.*.*", "games.catalogue")):
        return False  # whoever is no game knows its kit alone
    if within(module, WIRING):
        return True
    if within(target, WIRING):
        return False
    parts = [part for part in MAY_USE if within(module, part)]
    words = "" if within(module, WORDS) else WORDS
    return bool(parts) and within(target, f"{words} {MAY_USE[max(parts, key=len)]}")


def graph(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Return which of some modules each of them imports, wherever in it."""
    imported: dict[str, set[str]] = {}
    for module, source in sources.items():
        imported[module] = BY_NAME.get(module, set()) & sources.keys()
        for target in imports(source, f"companion.{module}"):
            name = target.removeprefix("companion.")
            while name and name not in sources:  # a name in a module, or the module itself
                name = name.rpartition(".")[0]
            imported[module] |= {name} - {"", module}
    return imported


def cycles(imported: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Return the modules that import each other, on whatever way round: the strongly connected
    components of more than one module."""
    reached = {module: _reached(imported, module) for module in imported}
    return {
        frozenset(other for other in reached[module] if module in reached[other])
        for module in imported
        if module in reached[module]
    }


def _reached(imported: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    edge = [start]
    while edge:
        further = imported[edge.pop()] - found
        found |= further
        edge += further
    return found


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
        ("games.chess.rules", "from companion.referee import judge"),
        ("games.chess.rules", "import companion.referee.judge"),
        ("games.chess.rules", "from ...referee import judge"),
        ("games.chess.rules", "from companion.service import app"),
        ("games.chess.rules", "import numpy as np"),
        ("games.chess.rules", "import time"),
        ("games.chess.rules", "from threading import Lock"),
        ("games.chess.rules", "def late():\n    from companion.store.journal import Journal"),
        ("players.random", "from pathlib import Path"),
        ("referee.clock", "from datetime import datetime"),
        ("referee.voice", "from companion.sensing.vision.eyes import Eyes"),
        ("board", "from companion.games.game import Move"),
        ("sensing.eyes", "from companion.games.game import Move"),
        ("sensing.eyes", "import serial"),
        ("sim.table", "from companion.sensing.vision.eyes import Eyes"),
        ("lights.strip", "from companion.service.snapshot import Snapshot"),
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
        ("games.chess.rules", "from companion.board import square"),
        ("games.chess.rules", "from .. import game"),
        ("games.chess.rules", "from dataclasses import dataclass"),
        ("referee.judge", "from companion.games.game import Move"),
        ("lights.scene", "from companion.service.snapshot import Snapshot"),
        ("sim.grid", "from companion.sensing.hall import wire"),
        ("commands.play", "from companion.service.app import App"),
        ("sensing.hall.link", "import serial"),
    ],
)
def test_a_right_import_is_let_through(module, line):
    assert faults(module, line) == []


def test_no_two_modules_import_each_other():
    sources = {module: path.read_text() for module, path in MODULES.items()}
    assert cycles(graph(sources)) == set()


@pytest.mark.parametrize(
    "back",
    [
        "from companion.games.chess.rules import Chess",
        "import companion.games.chess.rules",
        "from . import rules",
        "def late():\n    from companion.games.chess import rules",
        "if TYPE_CHECKING:\n    from companion.games.chess.rules import Chess",
    ],
)
def test_a_cycle_is_found_wherever_the_import_stands(back):
    chess = {
        "games.chess.rules": "from companion.games.chess import why",
        "games.chess.why": "from companion.games.chess.board import Board",
        "games.chess.board": back,
        "games.chess.kit": "from companion.games.chess.rules import Chess",
    }
    assert cycles(graph(chess)) == {frozenset(chess) - {"games.chess.kit"}}
    assert cycles(graph(chess | {"games.chess.board": "import games"})) == set()


def test_a_cycle_over_the_catalogue_is_found():
    sources = {
        "games.catalogue": "from importlib import import_module",
        "games.pacman.kit": "from companion.games.pacman.rules import Pacman",
        "games.pacman.rules": "from companion.games.catalogue import find_game",
    }
    assert cycles(graph(sources)) == {frozenset(sources)}
