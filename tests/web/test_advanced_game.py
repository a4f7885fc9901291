"""The end of a game of the advanced variant, played in a real browser on the simulated table.

What lies there is drawn, seen by camera and magnets, and refereed; the test drags, taps, and reads
the page.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.board import PELLET
from companion.config import (
    CameraSettings,
    GameSettings,
    Settings,
    StoreSettings,
    WebSettings,
)
from companion.games.record import parse
from companion.service.app import App
from companion.service.requests import EnterMove
from tests.waiting import wait_for
from tests.web.browsing import DESK, point
from tests.web.fake import BOARD

pytestmark = pytest.mark.browser

RECORD = Path(__file__).parents[1] / "records" / "pacman-advanced-four-pellets.txt"
#: Of the record's last round but one and Pac-Man's last turn.
LEFT = 11
WAIT = 60_000


@pytest.fixture
def app(tmp_path):
    """A table on which three pellets are eaten, and Pac-Man is to move."""
    settings = Settings(
        camera=CameraSettings(fps=5),
        web=WebSettings(host="127.0.0.1", port=0),
        store=StoreSettings(tmp_path / "journal.db"),
        game=GameSettings("pacman-advanced"),
    )
    app = App(settings, simulate=True, firmware="stand-in")
    app.server = app.start()
    moves = parse(RECORD.read_text()).moves
    for move in moves[:-LEFT]:
        app.loop.post(EnterMove(move)).result(20)
    app.sim.table.set_up(app.loop.table.expected.position)
    wait_for(lambda: app.loop.table.is_as_agreed, 60)
    yield app
    app.close()


def drag(page, start, end):
    page.mouse.move(*point(page, *BOARD.at(start)))
    page.mouse.down()
    page.mouse.move(*point(page, *BOARD.at(end)), steps=5)
    page.mouse.up()


def test_the_last_rounds_are_dragged_and_tapped_to_the_end(browser, app):
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"http://127.0.0.1:{app.server.port}/table")
    card, turn, coach = (page.locator(at) for at in ("#verdict-card", "#turn", "#coach"))
    try:
        expect(turn).to_contain_text("Pac-Man’s turn", timeout=WAIT)
        expect(turn).to_contain_text("round 12")
        drag(page, "e1", "c1")
        expect(card).to_contain_text("Pac-Man went to c1.", timeout=WAIT)
        page.get_by_role("button", name="No fence").click()
        expect(card).to_contain_text("Pac-Man put no fence.", timeout=WAIT)
        drag(page, "a3", "a5")
        expect(card).to_contain_text("Blinky went to a5.", timeout=WAIT)
        expect(coach).to_contain_text("press Confirm for no fence")
        page.get_by_role("button", name="Confirm").click()
        expect(card).to_contain_text("The ghosts put no fence.", timeout=WAIT)
        drag(page, "a4", "a6")
        expect(card).to_contain_text("Inky went to a6.", timeout=WAIT)
        drag(page, "a2", "a4")  # who goes on says that there was none
        said = "The ghosts put no fence. Clyde went to a4."
        expect(card).to_contain_text(said, timeout=WAIT)
        drag(page, "b3", "i8")
        expect(card).to_contain_text("Not allowed", timeout=WAIT)
        expect(card).to_contain_text("Pinky moves three squares at most")
        drag(page, "i8", "b5")
        expect(card).to_contain_text("Pinky went to b5.", timeout=WAIT)
        drag(page, "c1", "a1")
        expect(turn).to_contain_text("Pac-Man wins", timeout=WAIT)
        expect(turn).to_contain_text("ate all four pellets")
    finally:
        context.close()
    assert app.loop.snapshot.moves[-LEFT:] == parse(RECORD.read_text()).moves[-LEFT:]
    assert PELLET not in app.loop.snapshot.position.values()
