"""The service as a whole: a move on the table until every open page has it, start, and memory.

The pages are sockets in a process of their own, so that reading them takes nothing from the
service but the machine they share.
"""

import http.client
import json
import multiprocessing
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench.report import Row, share
from companion.commands.progress import progress
from companion.config import Settings
from companion.service.app import App

PAGES = (24, 30)
MOVES = 20
AIM_MS = 50.0
AIM_MB = 160.0
AIM_SECONDS = 2.0
WATCHED_SECONDS = 30.0
DEMO_MOVES = 4
PHOTOS = Path(__file__).parents[1] / "tests" / "photos"
STARTS = 4  # the first one may still have to compile
QUERY = "/api/events"


# --- pages ---------------------------------------------------------------------------------------


def listen(port: int, pages: int, end: Connection) -> None:
    """Read so many streams; tell for every number of moves when each page had heard of it."""
    selector = selectors.DefaultSelector()
    for number in range(pages):
        page = socket.create_connection(("127.0.0.1", port))
        page.sendall(f"GET {QUERY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        selector.register(page, selectors.EVENT_READ, [number, b""])
    selector.register(end, selectors.EVENT_READ)
    heard: dict[int, dict[int, float]] = {}
    while True:
        for key, _ in selector.select():
            if key.fileobj is end:
                end.send(heard)
                return
            assert isinstance(key.fileobj, socket.socket)
            data, now = key.fileobj.recv(1 << 16), time.monotonic()
            key.data[1] += data
            *events, key.data[1] = key.data[1].split(b"\n\n")
            for event in events:
                found = re.search(rb'event: state\r?\ndata: .*?"moves":\[(.*?)\]', event, re.DOTALL)
                if found:
                    moves = len(re.findall(rb'"\w+"', found[1]))
                    heard.setdefault(moves, {}).setdefault(key.data[0], now)


def published(app: App) -> dict[int, float]:
    """Return a table that tells for every number of moves when the loop first published it."""
    times: dict[int, float] = {}
    publish = app.hub.publish

    def note(kind: str, data: Mapping[str, Any]) -> int:
        if kind == "state":
            times.setdefault(len(data["moves"]), time.monotonic())
        return publish(kind, data)

    app.hub.publish = note  # type: ignore[method-assign]
    return times


def measure(pages: int, moves: int = MOVES) -> tuple[list[float], list[float]]:
    """Return, in milliseconds, for every move and page: since published, since put down."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        settings = Settings()
        settings = replace(
            settings,
            web=replace(settings.web, host="127.0.0.1", port=0),
            store=replace(settings.store, path=Path(folder) / "journal.db"),
        )
        app = App(settings, simulate=True)
        try:
            times = published(app)
            server = app.start()
            here, there = multiprocessing.Pipe()
            context = multiprocessing.get_context("spawn")
            reader = context.Process(target=listen, args=(server.port, pages, there), daemon=True)
            reader.start()
            until(lambda: app.hub.open_streams >= pages, "all pages open")
            until(lambda: _is_well(app), "all devices", 60.0)
            until(lambda: app.loop.table.is_as_agreed, "the board seen as set up")
            put = dict(play(app, moves))
            time.sleep(0.3)
            here.send("done")
            heard = here.recv()
            reader.join()
        finally:
            app.close()
    late = [number for number in put if len(heard.get(number, {})) < pages]
    if late:
        raise AssertionError(f"expected every page to hear of every move, missed {late}")
    both = [(1000 * (at - times[n]), 1000 * (at - put[n])) for n in put for at in heard[n].values()]
    return [since for since, _ in both], [since for _, since in both]


def _is_well(app: App) -> bool:
    return all(device.state == "ok" for device in app.loop.snapshot.devices)


def play(app: App, moves: int) -> Iterator[tuple[int, float]]:
    """Move pawns on the table, one move after another; yield each move's number and when."""
    assert app.sim is not None
    pieces = ("pacman", "blinky")
    steps = {"pacman": ("e2", "e1"), "blinky": ("e8", "e9")}
    for number in range(1, moves + 1):
        piece = pieces[(number - 1) % 2]
        target = steps[piece][(number - 1) // 2 % 2]
        app.sim.table.lift(piece)
        time.sleep(0.1)
        app.sim.table.put(piece, *app.board.at(target))
        yield number, time.monotonic()
        until(lambda wanted=number: len(app.loop.snapshot.moves) >= wanted, f"move {number}")
        time.sleep(0.1)


def until(done: Any, what: str, seconds: float = 20.0) -> None:
    """Wait for something; TimeoutError when it does not come."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:g} s for {what}")
        time.sleep(0.002)


# --- start and memory -----------------------------------------------------------------------------


class Service:
    """``companion play`` in a process of its own, with a simulated table unless a file of settings
    names devices."""

    def __init__(self, folder: str, config: Path | None = None) -> None:
        # An installed service keeps its compiled modules, so this one may, too.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        table = ["--sim"] if config is None else ["pacman", "--config", str(config)]
        command = [sys.executable, "-m", "companion", "play", *table, "--host", "127.0.0.1"]
        self.began = time.monotonic()
        self._process = subprocess.Popen(
            [*command, "--port", "0", "--data", folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://[\w.]+:(\d+)/$", line.strip()):
                self.port = int(found[1])
                break
        else:
            raise AssertionError("expected the service to say its address")

    def get(self, path: str) -> bytes:
        """Return a page."""
        return self._ask("GET", path)

    def post(self, path: str, data: Mapping[str, Any]) -> bytes:
        """Post a command as a page does."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/api/session")
        answer = connection.getresponse()
        cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
        token = json.loads(answer.read())["token"]
        headers = {"Cookie": cookie, "X-CSRF-Token": token, "Content-Type": "application/json"}
        return self._ask("POST", path, json.dumps(data), headers)

    def is_well(self) -> bool:
        """Tell whether all its devices do their work."""
        devices = json.loads(self.get("/api/state"))["devices"]
        return all(device["state"] == "ok" for device in devices)

    def memory(self, key: str = "VmRSS") -> float:
        """Return the megabytes it takes now, or took at most (``VmHWM``)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(rf"{key}:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(timeout=10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _ask(
        self, how: str, path: str, body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(how, path, body, dict(headers or {}))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise AssertionError(f"expected {path} to answer 200, got {answer.status}: {text!r}")
        return text


def first_page() -> float:
    """Return the seconds from the start of a service to its first page."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        service = Service(folder)
        try:
            service.get("/")
            return time.monotonic() - service.began
        finally:
            service.close()


def memory_used(seconds: float = WATCHED_SECONDS) -> tuple[float, float]:
    """Return the megabytes after some play, and at most."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        service = Service(folder)
        try:
            until(service.is_well, "all devices of the service", 60.0)
            for number in range(DEMO_MOVES):
                service.post("/api/sim/demo", {"what": "move"})
                wait = service.began + seconds * (number + 1) / DEMO_MOVES - time.monotonic()
                time.sleep(max(wait, 4.0))
            state = json.loads(service.get("/api/state"))
            if not state["moves"]:
                raise AssertionError("expected the demonstrated moves to be accepted")
            return service.memory(), service.memory("VmHWM")
        finally:
            service.close()


def memory_watching(seconds: float = WATCHED_SECONDS) -> float:
    """Return the megabytes that a service takes at most whose camera is a folder of photographs:
    as on a real table, nothing is drawn."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        config = Path(folder) / "companion.toml"
        config.write_text(f'[camera]\nsource = "{PHOTOS}"\nfps = 1\n', encoding="utf-8")
        service = Service(folder, config)
        try:
            time.sleep(seconds)
            return service.memory("VmHWM")
        finally:
            service.close()


def run() -> list[Row]:
    """Return the figures."""
    first = share([first_page() for _ in progress(range(STARTS), "starts")], 0.5)
    watching = memory_watching()
    memory, most = memory_used()
    rows = [
        Row(
            "start → first page",
            f"{first:.1f} s",
            f"aim ≤ {AIM_SECONDS:g} s",
            first / AIM_SECONDS,
            slow=first > AIM_SECONDS,
        ),
        Row(
            "memory of a service that sees photographs, at most",
            f"{watching:.0f} MB",
            f"aim ≤ {AIM_MB:.0f} MB",
            watching / AIM_MB,
            slow=watching > AIM_MB,
        ),
        Row(
            "memory with a simulated table, which it draws", f"{memory:.0f} MB (at most {most:.0f})"
        ),
    ]
    for pages in progress(PAGES, "open pages"):
        published_ms, put_ms = measure(pages)
        p50, p99 = (share(published_ms, part) for part in (0.5, 0.99))
        rows.append(
            Row(
                f"move published → {pages} pages, p50 / p99",
                f"{p50:.1f} / {p99:.1f} ms",
                f"aim p99 ≤ {AIM_MS:.0f} ms",
                p99 / AIM_MS,
                slow=p99 > AIM_MS,
            )
        )
        p50, p99 = (share(put_ms, part) for part in (0.5, 0.99))
        rows.append(Row(f"piece put down → {pages} pages, p50 / p99", f"{p50:.0f} / {p99:.0f} ms"))
    return rows
