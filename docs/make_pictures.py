"""Makes the pictures of README and docs from the running service: ``make docs``."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import dice_pictures
import eyes_card
import flow_picture
import light_pictures
import print_pictures
import taught_picture
import vision_pictures
from playwright.sync_api import Browser, sync_playwright

from companion import config
from companion.__main__ import main as command
from companion.referee.changes import compare
from companion.referee.verdict import Kind
from companion.service.app import App
from companion.sim.hands import Person
from tests.conftest import ARGUMENTS, find_chromium

PICTURES = Path(__file__).parent / "pictures"
OPENING = "e2 e8 e3 e7 c3h e6 e4 f6v e5 c6h"


@contextmanager
def service(game: config.GameSettings | None = None) -> Iterator[tuple[App, str]]:
    """Run the service on a simulated table in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        defaults = config.Settings()
        settings = replace(
            defaults,
            web=replace(defaults.web, host="127.0.0.1", port=0),
            store=replace(defaults.store, path=Path(folder) / "journal.db"),
            game=game or defaults.game,
        )
        app = App(settings, simulate=True)
        try:
            yield app, f"http://127.0.0.1:{app.start().port}"
        finally:
            app.close()


def wait_for(app: App, kind: Kind, moves: int) -> None:
    """Wait until the referee says this, after so many moves."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        snapshot = app.loop.snapshot
        if snapshot.verdict.kind is kind and len(snapshot.moves) == moves:
            return
        time.sleep(0.05)
    raise SystemExit(f"expected {kind} after {moves} moves, got {app.loop.snapshot.verdict}")


def act(app: App, before: dict[str, str], after: dict[str, str], seat: int) -> None:
    """Let a person at the table do what leads from one position to another."""
    assert app.sim is not None
    person = Person(app.sim.table, app.board, ("south", "north")[seat], pace=0.6)
    for step in person.do(compare(before, after)):
        time.sleep(step.seconds)


def play(app: App, moves: str) -> None:
    """Play moves on the table and wait for each to be accepted."""
    for move in moves.split():
        expected = app.loop.table.expected
        seat = app.loop.table.state.to_act or 0
        count = len(app.loop.snapshot.moves)
        act(app, dict(expected.position), dict(expected.after(move).position), seat)
        wait_for(app, Kind.ACCEPTED, count + 1)


def shoot(browser: Browser, url: str, name: str, width: int, height: int, scale: int = 1) -> None:
    """Take a screenshot of a page."""
    page = browser.new_page(
        viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme="dark"
    )
    page.goto(url)
    page.wait_for_timeout(1500)
    page.screenshot(path=str(PICTURES / name))
    page.close()
    print(f"docs/pictures/{name}")


def solo(browser: Browser) -> None:
    """Take a picture of somebody who plays Pac-Man alone and is led to a ghost's move."""
    with service(config.GameSettings("pacman", seats=("person", "4"))) as (app, url):
        wait_for(app, Kind.WAITING, 0)
        page = browser.new_page()
        page.goto(f"{url}/table")
        page.get_by_label("A helping hand").set_checked(False)
        page.wait_for_timeout(500)
        page.close()
        position = dict(app.loop.table.expected.position)
        gone = {spot: thing for spot, thing in position.items() if thing != "pacman"}
        act(app, position, gone | {"f4": "pacman"}, 0)
        wait_for(app, Kind.SET_UP, 2)
        shoot(browser, f"{url}/table", "solo.png", 1400, 900)
        shoot(browser, f"{url}/", "guided.png", 360, 780, scale=2)
        ask_for_a_game(browser, url)


def ask_for_a_game(browser: Browser, url: str) -> None:
    """Take a picture of the dialog that asks which game comes next."""
    page = browser.new_page(
        viewport={"width": 360, "height": 780}, device_scale_factor=2, color_scheme="dark"
    )
    page.goto(url)
    page.get_by_role("button", name="New game…").click()
    page.wait_for_timeout(700)
    page.screenshot(path=str(PICTURES / "new-game.png"))
    page.close()
    print("docs/pictures/new-game.png")


def question(browser: Browser) -> None:
    """Take a picture of the question that a fence with one end up leads to."""
    with service(config.GameSettings("quoridor")) as (app, url):
        wait_for(app, Kind.WAITING, 0)
        play(app, "e2 e8")
        assert app.sim is not None
        fence = next(b for b in app.sim.table.view()["bodies"] if b["kind"] == "fence")
        app.sim.table.put(fence["id"], *app.board.at("c5h"), 0.0)
        app.sim.table.half_seat(fence["id"])
        wait_for(app, Kind.UNSURE, 2)
        shoot(browser, f"{url}/", "question.png", 360, 780, scale=2)


def main() -> None:
    """Play the opening, take the pictures, try something illegal, take its pictures."""
    PICTURES.mkdir(exist_ok=True)
    vision_pictures.main()
    eyes_card.main()
    dice_pictures.make()
    light_pictures.main()
    flow_picture.main()
    print_pictures.main()
    taught_picture.make(PICTURES)
    for board in ("reference", "pacman", "marbles", "mspacman"):
        command(["boards", "draw", board, "--out", str(PICTURES / f"{board}.svg")])
    with service() as (app, url), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        wait_for(app, Kind.WAITING, 0)
        play(app, OPENING)
        shoot(browser, f"{url}/", "page.png", 360, 780, scale=2)
        (PICTURES / "camera.jpg").write_bytes(app.picture() or b"")
        position = dict(app.loop.table.expected.position)
        count = len(OPENING.split())
        jumped = {spot: thing for spot, thing in position.items() if thing != "pacman"}
        act(app, position, jumped | {"d6": "pacman"}, 0)
        wait_for(app, Kind.NOT_ALLOWED, count)
        shoot(browser, f"{url}/", "not-allowed.png", 360, 780, scale=2)
        solo(browser)
        question(browser)
        browser.close()


if __name__ == "__main__":
    main()
