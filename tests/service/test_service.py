"""The whole service as a visitor meets it: a process of its own, a real browser, a mouse."""

import json
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.boards import profile
from tests.waiting import wait_for

pytestmark = pytest.mark.browser

BOARD = profile.load("reference")
DESK = {"width": 1200, "height": 900}
PHONE = {"width": 360, "height": 780}
RED_AT_LEAST = 60
ALONG_MM = 9
SLOW_SECONDS = 90.0

Json = dict[str, Any]


class Service:
    """A running ``companion play --sim`` and a stream of what it tells."""

    def __init__(self, data: Path, *more: str) -> None:
        command = [sys.executable, "-m", "companion", "play", "--sim", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--data", str(data), *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, "")
        line = next((line for line in lines if "The page:" in line), "")
        assert line, self.process.stderr.read()
        self.url = line.split()[-1].rstrip("/")
        self._web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._token = json.load(self._web.open(f"{self.url}/api/session"))["token"]
        self.states: list[Json] = []
        self.newest: dict[str, Json] = {}
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()
        self.wait(lambda state: state["verdict"]["kind"] == "waiting")

    def _listen(self) -> None:
        kind = ""
        try:
            with self._web.open(f"{self.url}/api/events") as stream:
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "event":
                        kind = value
                    elif name == "data":
                        self.newest[kind] = json.loads(value)
                        if kind == "state":
                            self.states.append(self.newest[kind])
        except (OSError, HTTPException):
            return  # the service has ended

    @property
    def state(self) -> Json:
        return self.newest["state"]

    def wait(self, fits: Callable[[Json], bool], seconds: float = 15.0) -> Json:
        """Return the first state, now or to come, that fits."""

        def found() -> Json | None:
            state = self.newest.get("state")
            return state if state is not None and fits(state) else None

        try:
            return wait_for(found, seconds)
        except AssertionError:
            state = self.newest.get("state", {})
            told = {key: state.get(key) for key in ("moves", "verdict", "devices")}
            raise AssertionError(f"the service stays at {told}; {self.bodies()}") from None

    def wait_for_moves(self, *moves: str) -> Json:
        return self.wait(lambda state: state["moves"] == list(moves))

    def wait_for_kind(self, kind: str) -> Json:
        return self.wait(lambda state: state["verdict"]["kind"] == kind)

    def post(self, path: str, **body: object) -> str:
        request = urllib.request.Request(
            f"{self.url}/api/{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "X-CSRF-Token": self._token},
        )
        with self._web.open(request) as answer:
            return json.load(answer)["text"]

    def bodies(self) -> list[Json]:
        return json.load(self._web.open(f"{self.url}/api/sim/table"))["bodies"]

    def body(self, id: str) -> Json:
        return next(body for body in self.bodies() if body["id"] == id)

    def seat_fence(self, slot: str) -> None:
        """Put a spare fence in, as the page does for those without a mouse."""
        spare = (b for b in self.bodies() if b["kind"] == "fence" and b["state"] == "supply")
        id = next(body["id"] for body in spare)
        x, y = BOARD.at(slot)
        self.post("sim/put", id=id, x=x, y=y, angle=90 if slot[2] == "v" else 0)

    def move_pawn(self, piece: str, spot: str) -> None:
        x, y = BOARD.at(spot)
        self.post("sim/put", id=piece, x=x, y=y)

    def red_lights(self) -> list[str]:
        """Return the names of the LEDs that are clearly red now."""
        leds = self.newest.get("lights", {}).get("leds", [])
        red = {n for n, (r, g, b) in enumerate(leds) if r >= RED_AT_LEAST and g + b < r / 2}
        return [name for name, number in BOARD.lights.names.items() if number in red]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.communicate(timeout=20)
        return self.process.returncode


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Start services on one data folder; none outlives the test."""
    started: list[Service] = []

    def start(*more: str) -> Service:
        started.append(Service(tmp_path / "data", *more))
        return started[-1]

    yield start
    for service in started:
        service.end(signal.SIGKILL)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages; none of them may complain."""
    complaints: list[str] = []
    contexts = []

    def open_page(service: Service, path: str, size: Json) -> Page:
        context = browser.new_context(viewport=size, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(service.url + path)
        page.evaluate("window.opened = true")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def pixels(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return where millimetres of the table are in the window."""
    at = page.evaluate(
        """([x, y]) => {
            const svg = document.getElementById("table");
            const at = new DOMPoint(x, -y).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];
        }""",
        [x, y],
    )
    return at[0], at[1]


def drag(page: Page, service: Service, id: str, spot: str) -> None:
    """Drag a body to a spot with the mouse and let go."""
    body = service.body(id)
    expect(page.locator(f'.body[data-id="{id}"]')).to_be_visible()
    page.mouse.move(*pixels(page, body["x"], body["y"]))
    page.mouse.down()
    x, y = BOARD.at(spot)  # a fence turns to the groove beside the crossing that it is over
    x, y = x + ALONG_MM * spot.endswith("h"), y + ALONG_MM * spot.endswith("v")
    page.mouse.move(*pixels(page, x, y), steps=8)
    with page.expect_response(lambda response: response.url.endswith("/api/sim/put")):
        page.mouse.up()


def test_a_visitor_plays_with_the_mouse_and_every_page_follows(serve, visit):
    service = serve()
    table, phone = visit(service, "/table", DESK), visit(service, "/", PHONE)

    drag(table, service, "pacman", "e2")
    service.wait_for_moves("e2")
    drag(table, service, "blinky", "e8")
    service.wait_for_moves("e2", "e8")
    drag(table, service, "fence1", "e4h")
    state = service.wait_for_moves("e2", "e8", "e4h")
    assert state["seats"][0]["fences"] == 9
    for page in (table, phone):
        expect(page.locator("#turn")).to_contain_text("Blinky’s turn")
    expect(phone.locator('.fence[data-slot="e4h"]')).to_be_visible()
    expect(phone.locator('.pawn[data-piece="pacman"]')).to_have_attribute("data-spot", "e2")

    # A jump over nothing: the reason, the way back, red light, and play goes on.
    drag(table, service, "blinky", "e6")
    verdict = service.wait_for_kind("not allowed")["verdict"]
    back = {"thing": "blinky", "source": "e6", "target": "e8"}
    assert verdict["repair"] == [{**back, "text": "Move Blinky from e6 to e8."}]
    assert "Move Blinky from e6 to e8" in verdict["text"]
    assert verdict["rule"]
    for page in (table, phone):
        expect(page.locator("#verdict-card")).to_contain_text("Not allowed")
        expect(page.locator("#verdict-card")).to_contain_text(verdict["text"].split(".")[0])
    wait_for(lambda: {"N5", "S5"} & set(service.red_lights()))
    drag(table, service, "blinky", "e8")
    service.wait_for_kind("waiting")
    drag(table, service, "blinky", "d8")
    service.wait_for_moves("e2", "e8", "e4h", "d8")

    # Taking back on the phone: the table is guided, and the game goes on from there.
    phone.get_by_role("button", name="Take back").click()
    state = service.wait_for_kind("set up")
    assert state["moves"] == ["e2", "e8", "e4h"]
    assert state["verdict"]["text"] == "Move Blinky from d8 to e8."
    expect(phone.locator("#verdict-card")).to_contain_text("Move Blinky from d8 to e8")
    drag(table, service, "blinky", "e8")
    service.wait_for_kind("waiting")
    drag(table, service, "blinky", "f8")
    service.wait_for_moves("e2", "e8", "e4h", "f8")
    expect(phone.locator("#turn")).to_contain_text("Pac-Man’s turn")

    # A hand over the board: the companion waits, and says so.
    table.get_by_role("button", name="Hold a hand over it").click()
    service.wait_for_kind("hands")
    expect(phone.locator("#verdict-card")).to_contain_text("Hands on the board")
    table.get_by_role("button", name="Take the hand away").click()
    service.wait_for_kind("waiting")

    for page in (table, phone):
        assert page.evaluate("window.opened"), "the page was loaded again"
    assert [s["moves"] for s in service.states if s["moves"][:1] not in ([], ["e2"])] == []


def test_a_fence_that_closes_the_last_route_is_refused_by_name(serve, visit):
    service = serve()
    table = visit(service, "/table", DESK)
    played = []
    for move, mover in (("d1v", ""), ("e8", "blinky"), ("e1v", ""), ("e7", "blinky")):
        service.move_pawn(mover, move) if mover else service.seat_fence(move)
        played.append(move)
        service.wait_for_moves(*played)
    drag(table, service, "fence3", "d2h")
    verdict = service.wait_for_kind("not allowed")["verdict"]
    assert "would shut Pac-Man in" in verdict["text"]
    away = {"thing": "fence", "source": "d2h", "target": None}
    assert verdict["repair"] == [{**away, "text": "Take the fence on d2h off."}]
    expect(table.locator("#verdict-card")).to_contain_text("would shut Pac-Man in")
    wait_for(service.red_lights)
    service.post("sim/put", id="fence3", x=1000, y=0)
    service.wait_for_kind("waiting")
    assert service.state["moves"] == played
    service.seat_fence("d5h")
    service.wait_for_moves(*played, "d5h")


def test_a_half_seated_fence_is_no_move_until_it_is_pushed_home(serve):
    service = serve()
    service.post("sim/hand", x=0, y=60)
    service.wait_for_kind("hands")
    service.seat_fence("b8h")  # far from the foot of the camera, where a raised end can be seen
    service.post("sim/half-seat", id="fence1")
    service.post("sim/no-hand")
    service.wait(lambda state: state["verdict"]["kind"] != "hands")  # it may be taken for a hand
    seen = len(service.states)
    x, y = BOARD.at("b8h")
    service.post("sim/put", id="fence1", x=x, y=y)  # pushed home at last
    service.wait_for_moves("b8h")
    assert all(state["moves"] == [] for state in service.states[:seen])


def test_after_a_kill_the_game_goes_on_where_it_was(serve, visit):
    service = serve("quoridor")
    for number, move in enumerate(("e2", "e8", "c3h", "g6v"), 1):
        service.post("move", move=move)
        service.wait(lambda state, number=number: len(state["moves"]) == number)
    service.post("takeback")
    before = service.wait_for_moves("e2", "e8", "c3h")
    service.end(signal.SIGKILL)

    again = serve()
    state = again.state
    for key in ("game", "game_id", "moves", "position", "to_act", "seats", "legal"):
        assert state[key] == before[key]
    fence = again.body("fence1")
    assert (fence["state"], round(fence["x"] - BOARD.at("c3h")[0])) == ("board", 0)
    table = visit(again, "/table", DESK)
    drag(table, again, "blinky", "d8")
    again.wait_for_moves("e2", "e8", "c3h", "d8")
    assert again.end(signal.SIGTERM) == 0


def test_scenes_are_played_for_a_visitor(serve, visit):
    service = serve("quoridor4")
    table = visit(service, "/table", DESK)
    table.get_by_role("button", name="A legal move").click()
    state = service.wait(lambda state: len(state["moves"]) == 1)
    assert state["to_act"] == 1
    assert len(state["seats"]) == 4


def test_a_visitor_plays_a_round_alone_against_the_ghosts(serve, visit):
    service = serve("pacman", "--level", "1")
    table, phone = visit(service, "/table", DESK), visit(service, "/", PHONE)
    expect(phone.locator("#seats")).to_contain_text("companion, level 1")
    expect(table.get_by_label("A helping hand")).to_be_checked()
    drag(table, service, "pacman", "d4")
    service.wait(lambda state: len(state["moves"]) >= 2, SLOW_SECONDS)
    expect(phone.locator("#moves td:nth-of-type(2) .move").first).to_be_visible()

    # The helping hand carries out what the ghosts do until it is Pac-Man's turn again.
    def is_back(state: Json) -> bool:
        return state["to_act"] == 0 and state["verdict"]["kind"] == "waiting"

    state = service.wait(lambda state: len(state["moves"]) >= 2 and is_back(state), SLOW_SECONDS)
    pacman, *ghosts = state["moves"]
    assert pacman.endswith("-d4")
    assert sorted(move[0] for move in ghosts) == ["B", "C", "I", "P"]
    led = [s["verdict"]["repair"] for s in service.states if s["verdict"]["kind"] == "set up"]
    assert {change["thing"] for repair in led for change in repair} >= {"blinky", "clyde"}
    spots = {body["id"]: body for body in service.bodies()}
    for spot, thing in state["position"].items():
        if thing in BOARD.pieces:
            x, y = BOARD.at(spot)
            assert abs(spots[thing]["x"] - x) + abs(spots[thing]["y"] - y) < BOARD.cell_mm
    expect(phone.locator("#turn")).to_contain_text("Pac-Man’s turn")
