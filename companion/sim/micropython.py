"""A MicroPython on this computer, to run the hall grid's firmware as it is.

``micropython`` on the PATH is the unix port and costs little. Else the npm package under Node will
do, in the folder ``micropython`` of the virtual environment (``make micropython`` puts it there);
it is about ten times slower.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.sensing.hall import firmware

PACKAGE = "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"
HOW_TO_GET_ONE = (
    "no MicroPython found: install Debian's package micropython,"
    " or Node with npm and then `make micropython`"
)
NEEDED = "import select, uctypes, sys; print('.'.join(map(str, sys.implementation[1][:3])))"
PROBE_SECONDS = 5.0


@dataclass(frozen=True)
class Start:
    """What to call to run a file: a command, and what it needs in its environment."""

    command: Sequence[str]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class MicroPython:
    """An interpreter; ``package`` is the npm package's file where Node runs it."""

    title: str
    program: str
    package: Path | None = None

    @property
    def light(self) -> bool:
        """Tell whether it runs the firmware at a few per cent of a core."""
        return self.package is None

    def start(
        self, script: Path, flash: Path, folders: Sequence[Path], bench: Path | None = None
    ) -> Start:
        """Return how to run a script with ``flash`` as its file system and these to import from."""
        environment = dict(os.environ)
        if self.package is None:
            environment["MICROPYPATH"] = ":".join([*map(str, folders), ".frozen"])
            if bench is not None:
                environment["COMPANION_BENCH"] = str(bench)
            return Start((self.program, str(script)), environment)
        runner = firmware.folder() / "virtual/start.mjs"
        last = [script, flash, bench or "-", *folders]
        return Start((self.program, str(runner), str(self.package), *map(str, last)), environment)


def find() -> tuple[MicroPython, ...]:
    """Return the interpreters that can be used, the best first."""
    return tuple(python for python in (_unix(), _under_node()) if python)


def _unix() -> MicroPython | None:
    program = shutil.which(os.environ.get("COMPANION_MICROPYTHON", "micropython"))
    if program is None:
        return None
    try:
        said = subprocess.run(
            [program, "-c", NEEDED], capture_output=True, timeout=PROBE_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):  # something else of that name
        return None
    return MicroPython(f"MicroPython {said.stdout.decode().strip()}", program)


def _under_node() -> MicroPython | None:
    program, package = shutil.which("node"), Path(sys.prefix) / "micropython" / PACKAGE
    if program is None or not package.is_file():
        return None
    return MicroPython("MicroPython under Node", program, package)
