"""An installation in a folder, made by the real scripts from the real sources, without network."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
DEPLOY = SOURCES / "deploy"
LIBRARIES = sysconfig.get_path("purelib")

#: Stands in for systemctl: it runs the release that is current, as systemd would.
SYSTEMCTL = """#!/usr/bin/env bash
echo "$*" >>"{folder}/asked"
stop() {{
    [ -e "{folder}/pid" ] || return 0
    kill "$(cat "{folder}/pid")" 2>/dev/null
    while kill -0 "$(cat "{folder}/pid")" 2>/dev/null; do sleep 0.05; done
    rm -f "{folder}/pid"
}}
case $1 in
restart | start)
    stop
    cd "{folder}"
    export XDG_DATA_HOME="{root}/var/lib"
    "{root}/opt/companion/current/venv/bin/python" -m companion play \\
        --config "{root}/etc/companion/companion.toml" >>"{folder}/service.log" 2>&1 &
    echo $! >"{folder}/pid"
    ;;
stop | disable) stop ;;
esac
exit 0
"""


@dataclass
class Install:
    """A folder that the scripts take for a whole machine."""

    root: Path
    sources: Path
    tools: list[str] = field(default_factory=list)
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def run(self, script: str, *more: str | Path, **environ: str) -> subprocess.CompletedProcess:
        """Run a script on this folder and return what it said."""
        return subprocess.run(
            self.command(script, *more),
            env={**self.environ, **environ},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def command(self, script: str, *more: str | Path) -> list[str]:
        return [str(DEPLOY / script), "--root", str(self.root), *self.tools, *map(str, more)]

    def install(self, *more: str | Path, **environ: str) -> subprocess.CompletedProcess:
        return self.run("install.sh", *self._offline, *more, **environ)

    def update(self, *more: str | Path, **environ: str) -> subprocess.CompletedProcess:
        return self.run("update.sh", *self._offline, *more, **environ)

    @property
    def _offline(self) -> list[str | Path]:
        return ["--libraries", LIBRARIES, "--from", self.sources]

    @property
    def prefix(self) -> Path:
        return self.root / "opt/companion"

    @property
    def data(self) -> Path:
        return self.root / "var/lib/companion"

    @property
    def config(self) -> Path:
        return self.root / "etc/companion/companion.toml"

    @property
    def releases(self) -> list[str]:
        return sorted(path.name for path in self.prefix.glob("releases/*"))

    @property
    def current(self) -> str:
        return (self.prefix / "current").resolve().name


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what a release is made of, which nobody edits meanwhile."""
    return copy_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture
def fresh(tmp_path: Path, sources: Path) -> Install:
    """Return a folder in which nothing is installed."""
    return Install(tmp_path / "root", sources)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, sources: Path) -> Install:
    """Return an installation that tests leave as it is."""
    install = Install(tmp_path_factory.mktemp("installed") / "root", sources)
    done = install.install()
    assert done.returncode == 0, done.stderr
    return install


@pytest.fixture
def running(tmp_path: Path, sources: Path) -> Iterator[Install]:
    """Return a folder with settings, whose service really runs once it is installed."""
    folder = tmp_path / "systemd"
    folder.mkdir()
    install = Install(tmp_path / "root", sources)
    systemctl = program(folder / "systemctl", SYSTEMCTL.format(folder=folder, root=install.root))
    install.tools = ["--systemctl", str(systemctl)]
    install.config.parent.mkdir(parents=True)
    install.config.write_text(
        f'[web]\nhost = "127.0.0.1"\nport = {free_port()}\n'
        '[camera]\nsource = "none"\n[hall]\nport = "none"\n'
    )
    yield install
    subprocess.run([systemctl, "stop", "companion"], check=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def program(path: Path, text: str) -> Path:
    """Write a program."""
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def python_that(path: Path, on_venv: str) -> Path:
    """Return a Python that does something else when it is asked for an environment."""
    return program(
        path,
        f'#!/usr/bin/env bash\nif [ "$2" = venv ]; then\n{on_venv}\nfi\n'
        f'exec "{sys.executable}" "$@"\n',
    )


def copy_sources(to: Path) -> Path:
    """Copy what a release is made of."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("companion", "firmware", "deploy"):
        shutil.copytree(SOURCES / name, to / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(SOURCES / name, to / name)
    return to
