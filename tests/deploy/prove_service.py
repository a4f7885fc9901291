"""Starts an installed companion by its unit, as systemd would, plays on it and measures it.

The system it is installed in is a folder, so it may be one for another processor; standard library
only. What was found is printed in lines, what goes wrong ends in one sentence.
"""

import argparse
import contextlib
import http.cookiejar
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

UNIT = "etc/systemd/system/companion.service"
NOTICES = "run/companion-proof"  # where the service tells systemd how it is
START_SECONDS = 30.0
PLAY_SECONDS = 60.0
STOP_SECONDS = 20.0
PAUSE_SECONDS = 0.25
SETTLE_SECONDS = 25.0  # after which memory that is free has been given back


class UnprovedError(Exception):
    """What was expected and did not come."""


class System:
    """A Debian in a folder, with the user that the installer has made."""

    def __init__(self, root: Path) -> None:
        self.root = root
        users = (line.split(":") for line in (root / "etc/passwd").read_text().splitlines())
        user = next((fields for fields in users if fields[0] == "companion"), None)
        if user is None:
            raise UnprovedError("the installer has made no user companion")
        self.uid, self.gid = int(user[2]), int(user[3])
        if 0 in (self.uid, self.gid):
            raise UnprovedError("the user companion has root rights")

    def unit(self, key: str) -> str:
        """Return what the unit says, or nothing."""
        lines = (self.root / UNIT).read_text().splitlines()
        return next((line.partition("=")[2] for line in lines if line.startswith(f"{key}=")), "")

    def command(self, *more: str) -> list[str]:
        """Return what starts the service in there as its user; the process stays the same."""
        members = (line.split(":") for line in (self.root / "etc/group").read_text().splitlines())
        groups = ",".join(group[2] for group in members if "companion" in group[3].split(","))
        enter = [
            "chroot",
            f"--userspec={self.uid}:{self.gid}",
            f"--groups={groups}",
            str(self.root),
        ]
        environ = [
            "PATH=/usr/bin:/bin",
            "LC_ALL=C.UTF-8",
            f"NOTIFY_SOCKET=/{NOTICES}",
            f"WATCHDOG_USEC={int(self.unit('WatchdogSec')) * 1_000_000}",
            *shlex.split(self.unit("Environment")),
        ]
        where = ["/usr/bin/env", "-i", "-C", self.unit("WorkingDirectory"), *environ]
        return [*enter, *where, *shlex.split(self.unit("ExecStart")), *more]


class Notices:
    """What the service tells systemd."""

    def __init__(self, system: System) -> None:
        self._path = system.root / NOTICES
        self._path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._socket.bind(os.fspath(self._path))
        os.chown(self._path, system.uid, system.gid)
        self._heard: list[str] = []

    def heard(self, what: str) -> bool:
        """Tell whether it has been told; what was heard before counts too."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self._heard += self._socket.recv(4096).decode().splitlines()
        return what in self._heard

    def forget(self) -> None:
        """Let only what is told from now on count."""
        self.heard("")
        self._heard.clear()

    def close(self) -> None:
        """Listen no longer."""
        self._socket.close()
        self._path.unlink(missing_ok=True)


class Page:
    """The service's page, as a browser on the same machine sees it."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)
        self._token = ""

    def get(self, path: str) -> Any:
        """Return what the page answers, None when it does not (yet) answer well."""
        return self._ask(urllib.request.Request(self._address + path))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Give a command."""
        session = None if self._token else self.get("/api/session")
        self._token = session["token"] if session else self._token
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self._token}
        data = json.dumps(body).encode()
        return self._ask(urllib.request.Request(self._address + path, data, headers))

    def well(self) -> bool:
        """Tell whether the table is refereed."""
        return bool((self.get("/healthz") or {}).get("ok"))

    def all_well(self) -> bool:
        """Tell whether that is so, and no device is in trouble."""
        said = self.get("/healthz") or {"ok": False, "devices": {}}
        return said["ok"] and set(said["devices"].values()) == {"ok"}

    def _ask(self, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.close()
        except (OSError, ValueError):
            pass
        return None


def wait(
    what: str, true: Callable[[], Any], seconds: float, process: subprocess.Popen[bytes]
) -> float:
    """Wait until something is true; return how long it took."""
    start = time.monotonic()
    while not true():
        if process.poll() is not None:
            raise UnprovedError(f"the service ended with {process.returncode} before {what}")
        if time.monotonic() - start > seconds:
            raise UnprovedError(f"{what} was expected within {seconds:g} s")
        time.sleep(PAUSE_SECONDS)
    return time.monotonic() - start


def family(pid: int) -> Iterator[int]:
    """Give a process and all that it has started."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in children.read_text().split():
                yield from family(int(child))


def memory(pid: int) -> str:
    """Return in words what the service and its processes hold."""
    sizes = {"Rss": 0, "Pss": 0}
    count = 0
    for each in family(pid):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                name, _, rest = line.partition(":")
                if name in sizes:
                    sizes[name] += int(rest.split()[0])
            count += 1
    rss, pss = (round(size / 1024) for size in sizes.values())
    return f"{pss} MB (PSS; {rss} MB RSS) in {count} process{'es' if count > 1 else ''}"


def prove(system: System, log: Path, patience: float) -> Iterator[tuple[str, str]]:
    """Start, play, measure and stop; give what was found."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = int(server.getsockname()[1])
    page = Page(port)
    notices = Notices(system)
    with log.open("wb") as output:
        process = subprocess.Popen(
            system.command("--port", str(port)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            umask=0o077,
        )
    try:
        took = wait("an answer of /healthz", page.well, START_SECONDS * patience, process)
        yield "answered after", f"{took:.0f} s"
        owners = {Path(f"/proc/{each}").stat().st_uid for each in family(process.pid)}
        if owners != {system.uid}:
            raise UnprovedError(f"the service was to run as user {system.uid}, not {owners}")
        wait("READY=1", lambda: notices.heard("READY=1"), START_SECONDS, process)
        took += wait("all devices", page.all_well, START_SECONDS * patience, process)
        yield (
            "all devices well",
            f"after {took:.0f} s: {', '.join(page.get('/healthz')['devices'])}",
        )
        time.sleep(SETTLE_SECONDS)
        yield "memory, idle", memory(process.pid)
        yield from play(page, process, patience)
        notices.forget()
        took = wait("the watchdog's feed", lambda: notices.heard("WATCHDOG=1"), 30.0, process)
        yield "watchdog", f"fed again within {took:.0f} s"
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        code = process.wait(STOP_SECONDS * patience)
        if code != 0:
            raise UnprovedError(f"the service ended with {code}")
        yield "stopped in", f"{time.monotonic() - start:.1f} s"
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        notices.close()


def play(
    page: Page, process: subprocess.Popen[bytes], patience: float
) -> Iterator[tuple[str, str]]:
    """Play a move against the companion; its answer must be seen on the simulated table."""
    new = {"game": "quoridor", "seats": ["person", "3"]}
    wait("a new game", lambda: page.post("/api/new", new), PLAY_SECONDS, process)
    wait("a move", lambda: page.post("/api/move", {"move": "e2"}), PLAY_SECONDS, process)
    most = memory(process.pid)

    def carried_out() -> bool:
        nonlocal most
        most = max(most, memory(process.pid), key=lambda said: int(said.split()[0]))
        state = page.get("/api/state") or {"moves": [], "verdict": {"kind": ""}}
        return len(state["moves"]) == 2 and state["verdict"]["kind"] == "waiting"

    took = wait(
        "the companion's answer on the table", carried_out, PLAY_SECONDS * patience, process
    )
    moves = " ".join(page.get("/api/state")["moves"])
    yield (
        "played",
        f"{moves}, the second by the companion, carried out and seen within {took:.0f} s",
    )
    yield "memory, playing", most


def main() -> int:
    """Run; exit 0 when all of it went well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path, help="the folder with the system")
    parser.add_argument("--patience", type=float, default=1, help="how much slower it may be")
    options = parser.parse_args()
    log = options.root.with_name(f"{options.root.name}.service.log")
    try:
        for name, found in prove(System(options.root), log, options.patience):
            print(f"{name + ':':<18} {found}", flush=True)
    except (UnprovedError, OSError, subprocess.TimeoutExpired) as error:
        print(f"{error}; its log is {log}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
