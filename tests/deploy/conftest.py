"""An installation in a folder, made by the real scripts from the real sources, without network."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
DEPLOY = SOURCES / "deploy"
LIBRARIES = sysconfig.get_path("purelib")

#: Stands in for pip where one real install has been seen to work: it copies the package as it is.
QUICK_PIP = """
import pathlib, shutil, sys, sysconfig

site = pathlib.Path(sysconfig.get_path("purelib"))
shutil.copytree(pathlib.Path(sys.argv[-1], "companion"), site / "companion")
(site / "all.pth").write_text({libraries!r})
"""

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
is-active)
    if kill -0 "$(cat "{folder}/pid")" 2>/dev/null; then echo active; else echo inactive; fi
    ;;
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
    libraries: str | Path
    tools: list[str] = field(default_factory=list)

    def run(self, script: str, *more: str | Path, **environ: str) -> subprocess.CompletedProcess:
        """Run a script on this folder and return what it said."""
        return subprocess.run(
            self.command(script, *more),
            env={**os.environ, **environ},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def command(self, script: str, *more: str | Path) -> list[str]:
        return [str(DEPLOY / script), "--root", str(self.root), *self.tools, *map(str, more)]

    def install(self, *more: str | Path, **environ: str) -> subprocess.CompletedProcess:
        return self.run("install.sh", *self.offline, *more, **environ)

    def update(self, *more: str | Path, **environ: str) -> subprocess.CompletedProcess:
        return self.run("update.sh", *self.offline, *more, **environ)

    @property
    def offline(self) -> list[str | Path]:
        return ["--libraries", self.libraries, "--from", self.sources]

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


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose pip takes no time."""
    folder = tmp_path_factory.mktemp("quick")
    (folder / "pip").mkdir()
    (folder / "pip/__init__.py").touch()
    (folder / "pip/__main__.py").write_text(QUICK_PIP.format(libraries=LIBRARIES))
    return folder


@pytest.fixture
def fresh(tmp_path: Path, sources: Path, quick: Path) -> Install:
    """Return a folder in which nothing is installed."""
    return Install(tmp_path / "root", sources, quick)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, sources: Path) -> Install:
    """Return an installation made by the real pip, which tests leave as it is."""
    install = Install(tmp_path_factory.mktemp("installed") / "root", sources, LIBRARIES)
    done = install.install()
    assert done.returncode == 0, done.stderr
    return install


@pytest.fixture
def own(tmp_path: Path, installed: Install, quick: Path) -> Install:
    """Return a copy of that installation, for a test that changes it."""
    shutil.copytree(installed.root, tmp_path / "root", symlinks=True)
    return Install(tmp_path / "root", installed.sources, quick)


@pytest.fixture
def running(tmp_path: Path, own: Install) -> Iterator[Install]:
    """Return an installation with settings, whose service really runs once it is started."""
    folder = tmp_path / "systemd"
    folder.mkdir()
    systemctl = program(folder / "systemctl", SYSTEMCTL.format(folder=folder, root=own.root))
    own.tools = ["--systemctl", str(systemctl)]
    own.config.write_text(
        f'[web]\nhost = "127.0.0.1"\nport = {free_port()}\n'
        '[camera]\nsource = "none"\n[hall]\nport = "none"\n'
    )
    yield own
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


def python_with_pip(path: Path) -> Path:
    """Return a Python whose environments have pip at once, as unpacking one takes seconds."""
    return python_that(
        path,
        f'"{sys.executable}" -m venv --system-site-packages --without-pip "${{!#}}" &&\n'
        f'echo "{LIBRARIES}" >"$(echo "${{!#}}"/lib/python3*/site-packages)/libraries.pth"\nexit',
    )


def one_sentence(said: str) -> str:
    """Return what was said, which must be one line."""
    lines = said.splitlines()
    assert len(lines) == 1, said
    return lines[0]


def copy_sources(to: Path) -> Path:
    """Copy what a release is made of."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "*.so")
    for name in ("companion", "firmware", "deploy"):
        shutil.copytree(SOURCES / name, to / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(SOURCES / name, to / name)
    return to
