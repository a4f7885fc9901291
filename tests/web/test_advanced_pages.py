"""The advanced variant on the phone page, in a real browser: what is said, and what is entered."""

import pytest
from playwright.sync_api import expect

from companion.referee.verdict import Kind
from companion.service.requests import Answer, EnterMove, NewGame
from tests.service.test_advanced import OPENING
from tests.web.browsing import DESK, answered, point
from tests.web.fake import BOARD

pytestmark = pytest.mark.browser


@pytest.fixture
def hunt(table):
    """Two people at the advanced variant."""
    table.begin(NewGame("pacman-advanced"))
    return table


def tap(page, *spots):
    """Click squares, and grooves beside the crossing in their middle."""
    for spot in spots:
        x, y = BOARD.at(spot)
        x, y = x + 10 * spot.endswith("h"), y + 10 * spot.endswith("v")
        page.mouse.click(*point(page, x, y, "board-svg"))


def play(page):
    with answered(page, "/api/move"):
        page.get_by_role("button", name="Play", exact=True).click()


def test_pacman_comes_in_and_goes_no_further(visit, hunt):
    page = visit()
    expect(page.locator(".target.step")).to_have_count(4)
    expect(page.locator("#entry")).to_contain_text("Put the real Pac-Man down, or tap where to.")
    tap(page, "e1")
    play(page)
    expect(page.locator("#unsaid")).to_have_count(0)
    tap(page, "e2")
    play(page)
    expect(page.locator("#unsaid")).to_have_text("No further")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    with answered(page, "/api/answer"):
        page.locator("#unsaid").click()
    assert hunt.commands == [EnterMove("@e1"), EnterMove("e2"), Answer("end")]
    expect(page.locator("#unsaid")).to_have_count(0)
    expect(page.locator("#turn")).to_contain_text("The ghosts’ turn")


def test_a_fence_of_the_chamber_is_tapped_and_then_where_it_goes(visit, hunt):
    hunt.play("@e1", "e2-e3")
    page = visit()
    expect(page.locator("#entry")).to_contain_text("tap it and the groove where it goes")
    tap(page, "d3h")
    expect(page.locator("#play")).to_have_count(0)
    tap(page, "b6h")
    expect(page.locator("#entry")).to_contain_text("The fence on d3h to b6h")
    play(page)
    assert hunt.moves[-1] == "d3h>b6h"
    expect(page.locator('.fence[data-slot="b6h"]')).to_have_count(1)
    expect(page.locator('.fence[data-slot="d3h"]')).to_have_count(0)


def test_a_fence_of_the_chamber_is_moved_with_the_keyboard(visit, hunt):
    hunt.play("@e1", "e2-e3")
    page = visit()
    page.locator("#board").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#cursor-words")).to_contain_text("Fence: c4v")
    page.keyboard.press("h")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    with answered(page, "/api/move"):
        page.keyboard.press("Enter")
    assert hunt.moves[-1] == "c4v>c2h"


def test_what_may_not_be_moved_there_is_told(visit, hunt):
    hunt.play("@e1", "e2-e3")
    page = visit()
    tap(page, "d3h", "d5v")
    page.get_by_role("button", name="Why not?").click()
    expect(page.locator("#toast .bad")).to_contain_text("would cross the fence at d5h")
    visit.complaints.clear()  # the browser logs the refusal itself


def test_a_pellet_is_spent_by_saying_so(visit, hunt):
    hunt.play(*OPENING[:-2], "h1-i1")
    page = visit()
    expect(page.locator(".target.step")).to_have_count(0)
    page.get_by_role("button", name="Spending a pellet").click()
    expect(page.locator(".target.step")).not_to_have_count(0)
    tap(page, "i2", "i3")
    expect(page.locator("#entry")).to_contain_text("Pac-Man over i2 to i3: spending a pellet")
    play(page)
    assert hunt.moves[-1] == "+i2+i3"


def test_a_turn_with_a_fence_stays_in_its_round(visit, hunt):
    hunt.play(*OPENING, "Bd6", "end")
    page = visit()
    expect(page.locator("#turn")).to_contain_text("round 5")
    expect(page.locator("#moves tbody tr")).to_have_count(5)
    expect(page.locator("#moves td").nth(8)).to_have_text("h1 end")
    expect(page.locator("#verdict-card")).to_contain_text("The ghosts put no fence.")


def test_nothing_is_said_for_the_companion_or_while_something_is_asked(visit, hunt):
    hunt.begin(NewGame("pacman-advanced", levels={1: 4}))
    hunt.play(*OPENING[:-1])
    page = visit()
    expect(page.locator("#unsaid")).to_have_text("No fence")
    expect(page.locator("#verdict-card .then")).to_have_text("The confirm button says it too.")
    hunt.say(Kind.UNSURE, "Did …?", moves=("end",))
    expect(page.locator("#unsaid")).to_have_count(0)
    hunt.play("end", "Bd6")
    expect(page.locator("#unsaid")).to_have_count(0)


def test_the_table_page_says_it_too(visit, hunt):
    hunt.play(*OPENING[:-1])
    page = visit("/table", size=DESK)
    expect(page.locator("#coach")).to_contain_text("press Confirm for no fence")
    with answered(page, "/api/answer"):
        page.locator("#unsaid").click()
    assert hunt.commands == [Answer("end")]


def test_an_end_without_progress_is_offered_as_usual(visit, hunt):
    page = visit()
    page.get_by_role("button", name="New game").click()
    page.get_by_text("House rules").click()
    expect(page.get_by_label("When nothing is eaten")).to_have_value("50")
    page.locator("#new-games").get_by_text("4 ghosts").click()
    page.get_by_text("House rules").click()
    expect(page.get_by_label("When all is the same")).to_have_value("3")
