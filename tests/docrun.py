"""Checks the commands that documents show, and runs those that can be run.

Ours are held against their own parsers, scripts against what their ``--help`` tells, and targets
against the Makefile. What is run has our programs on its path and a folder of its own.
"""

import argparse
import contextlib
import importlib
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.__main__ import COMMANDS, Parser
from companion.sim.faults import FAULTS
from tests import doctext
from tests.doctext import ROOT, Command

#: Commands that are not run here but checked, by their first words, each with the reason.
ONLY_CHECKED = {
    "companion teach": "needs pictures of an empty board; tests/commands/test_teach.py draws them",
    "make": "makes an environment of its own, or runs all the tests; make -n says what it would do",
    "sudo deploy/": "changes the machine; tests/deploy runs the scripts, here their options count",
    "deploy/": "the same without root",
    "sudo -u companion companion": "needs the installed service; the command itself is checked",
    "sudo systemctl": "needs the installed service",
    "systemctl": "needs the installed service",
    "journalctl": "needs the installed service",
    "systemd-analyze security": "needs the installed service; tests/deploy asks for its figure",
    "sudo apt": "installs packages",
    "sudo usermod": "changes the machine",
    "sudo -u companion espeak-ng": "needs a sound card",
    "sudo raspi-config": "a program of the Raspberry Pi",
    "sudo reboot": "starts the machine again",
    "git": "needs the network",
    "cd": "goes into a folder that git made",
    "pip": "needs the network",
    "pre-commit": "writes into the hooks of git; tests/test_hooks.py checks what they call",
    "pipx": "needs the network, and a Pico",
    "python -m bench.studio": "needs Blender; the options are checked",
    "python -m bench": "takes minutes; names and options are checked",
    "python docs/": "writes into the repository; tests compare what it makes",
    "companion calibrate": "needs a camera or a hall grid, unless it says --sim",
    "companion lights": "needs a strip, unless it says --sim",
    "companion watch": "needs a camera or a recorded game",
}

ONLY_CHECKED |= dict.fromkeys(doctext.SYSTEM, "asks the reader's own machine")

#: What stands in the documents for something that the reader knows.
EXAMPLES = {
    "GAME": "pacman",
    "FILE": "settings.toml",
    "RECORD": "game.txt",
    "SOURCE": "frames",
    "FOLDER": "folder",
    "IMAGE": "picture.jpg",
    "PICTURE": "picture.jpg",
    "NAME": "black-picture",
    "NAME:SEVERITY": "glare:3",
    "N": "60",
}

RUN_SECONDS = 60


def reason_not_to_run(command: Command) -> str:
    """Return why a command is only checked, nothing when it is run."""
    simulated = "--sim" in command.words or "--picture" in command.words
    for first, reason in ONLY_CHECKED.items():
        if command.text == first or re.match(rf"{re.escape(first)}(?![\w-])", command.text):
            return "" if simulated and first.startswith("companion") else reason
        if first.endswith("/") and command.text.startswith(first):
            return reason
    return ""


def is_run(command: Command) -> bool:
    """Tell whether a command is one that can be run: ours, or one that talks to us."""
    return bool(re.search(r"\b(companion|curl|python -c)\s", command.text))


def problem(command: Command) -> str:
    """Return what is wrong with a command as it is written, nothing when all is well."""
    words = list(command.words)
    listed = bool(reason_not_to_run(command))
    if words[:1] == ["sudo"]:
        words = words[1:]
        if words[:2] == ["-u", "companion"]:
            words = words[2:]
    first = words[0] if words else ""
    if first == "companion":
        return _problem_of_ours(words[1:])
    if first == "make":
        return _problem_of_make(words)
    if first.endswith(".sh"):
        return _problem_of_script(words)
    if words[:3] == ["python", "-m", "bench"]:
        return _problem_of_bench(words[3:])
    if words[:3] == ["python", "-m", "bench.studio"]:
        return _problem_of_studio(words[3:])
    if first in ("python", "python3") and len(words) > 1 and words[1].endswith(".py"):
        return "" if (ROOT / words[1]).is_file() else f"there is no {words[1]}"
    return (
        "" if listed or is_run(command) else f"{first!r} is no program that the documents may use"
    )


def as_example(word: str) -> str:
    bare = word.strip("[]").rstrip("…")
    return EXAMPLES.get(bare, bare)


def _problem_of_ours(words: Sequence[str]) -> str:
    words = [as_example(word) for word in words]
    name = words[0] if words else ""
    if name.startswith("--"):
        return "" if name in ("--help", "--version") else f"companion has no option {name}"
    if name not in COMMANDS:
        return f"companion has no command {name!r}"
    module = importlib.import_module(f"companion.commands.{name.replace('-', '_')}")
    parser = Parser(prog=f"companion {name}", allow_abbrev=False)
    module.add_arguments(parser)
    options, complaint = _parsed(parser, words[1:])
    if complaint:
        return complaint
    wrong = [f for f in getattr(options, "fault", ()) if f.partition(":")[0] not in FAULTS]
    return f"there is no fault {wrong[0]!r}" if wrong else ""


def _parsed(
    parser: argparse.ArgumentParser, words: Sequence[str]
) -> tuple[argparse.Namespace | None, str]:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            return parser.parse_args(words), ""
    except SystemExit as end:
        return None, said.getvalue().strip() if end.code else ""


def _problem_of_make(words: Sequence[str]) -> str:
    done = subprocess.run(
        ["make", "--dry-run", *words[1:]], cwd=ROOT, capture_output=True, text=True, timeout=30
    )
    unknown = [
        word.partition("=")[0]
        for word in words[1:]
        if "=" in word and not _is_set(word.partition("=")[0])
    ]
    if unknown:
        return f"the Makefile has no variable {unknown[0]}"
    return done.stderr.strip() if done.returncode else ""


def _is_set(variable: str) -> bool:
    return bool(re.search(rf"^{variable}\s*\??=", (ROOT / "Makefile").read_text(), re.MULTILINE))


def _problem_of_script(words: Sequence[str]) -> str:
    script = ROOT / words[0]
    if not script.is_file():
        return f"there is no {words[0]}"
    done = subprocess.run(
        ["bash", str(script), "--help"], capture_output=True, text=True, timeout=30
    )
    known = set(re.findall(r"--[a-z-]+", done.stdout)) | {"--help"}
    unknown = [word for word in words[1:] if word.startswith("-") and word not in known]
    return f"{words[0]} has no option {unknown[0]}" if unknown or done.returncode else ""


def _problem_of_bench(words: Sequence[str]) -> str:
    from bench import photos
    from bench.__main__ import BENCHES, parser

    if words[:1] == ["photos"]:
        return _parsed(photos.parser(), words[1:])[1]
    try:
        names = parser().parse_args(words).names
    except SystemExit as end:
        return f"bench does not take {' '.join(words)!r}" if end.code else ""
    wrong = [name for name in names if name not in BENCHES]
    return f"bench has no {wrong[0]!r}" if wrong else ""


def _problem_of_studio(words: Sequence[str]) -> str:
    from bench.studio.__main__ import parser

    return _parsed(parser(), words)[1]


def lay_tools(folder: Path) -> None:
    """Put our programs into ``bin`` of a folder."""
    tools = folder / "bin"
    tools.mkdir()
    for name, what in (("companion", "-m companion"), ("python", ""), ("python3", "")):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {what} "$@"\n')
        tool.chmod(0o755)


def surroundings(desk: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{desk / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_DATA_HOME": str(desk / "data"),
        "HOME": str(desk),
    }


@contextlib.contextmanager
def service(desk: Path, command: str) -> Iterator[str]:
    """Start ``companion play …`` on a free port and a journal of its own; give its address."""
    line = f"exec {command} --host 127.0.0.1 --port 0 --data data-of-the-service --new"
    process = subprocess.Popen(
        ["bash", "-c", line],
        cwd=desk,
        env=surroundings(desk),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = ""
    try:
        assert process.stdout is not None
        for text in process.stdout:
            said += text
            if "Ctrl+C" in text:
                break
        address = re.search(r"http://[^/\s]+:\d+", said)
        assert address, f"{command} said {said!r}"
        _wait_for_health(address[0])
        yield address[0]
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(20)
        finally:
            process.kill()
            if process.stdout is not None:
                process.stdout.close()
    assert code == 0, f"{command} ended with {code}"


def _wait_for_health(address: str, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer,
        ):
            if answer.status == 200:
                return
        assert time.monotonic() < deadline, f"{address}/healthz did not answer well"
        time.sleep(0.02)


def run(desk: Path, script: str) -> str:
    """Run a line, or several, as a reader would; return what was said."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=desk,
        env=surroundings(desk),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=RUN_SECONDS,
    )
    assert done.returncode == 0, f"{script}\nended with {done.returncode} and said\n{done.stdout}"
    return done.stdout
