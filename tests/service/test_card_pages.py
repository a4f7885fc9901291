"""The card game as a family meets it: phones in a real browser, which read what the pages say."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.app import App
from companion.service.requests import NewGame
from tests.service.conftest import Open
from tests.waiting import wait_for

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 780}
TABLET = {"width": 1100, "height": 800}


class House:
    """A running companion and the browsers that look at it; none of them may complain."""

    def __init__(self, app: App, browser: Browser, options: dict[str, str]) -> None:
        self.app, self._browser = app, browser
        self.port = app.start().port
        app.loop._rng = Random(options.pop("seed"))
        app.loop.post(NewGame("cards", options)).result(5)
        self.complaints: list[str] = []
        self._contexts: list[Any] = []

    def visit(self, path: str, size: dict[str, int] = PHONE, **more: Any) -> Page:
        context = self._browser.new_context(viewport=size, reduced_motion="reduce", **more)
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda s: s.type == "error" and self.complaints.append(s.text))
        page.goto(path if "://" in path else f"http://127.0.0.1:{self.port}{path}")
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def house(browser: Browser, open_app: Open) -> Iterator[Any]:
    houses: list[House] = []

    def open_house(**options: Any) -> House:
        houses.append(House(open_app(), browser, options))
        return houses[-1]

    yield open_house
    for each in houses:
        each.close()
        # what is refused, browsers write down
        refused = ("403", "409")
        assert [s for s in each.complaints if not any(code in s for code in refused)] == []


def hand_out(house: House, count: int) -> tuple[Page, list[Page]]:
    """Have one phone hand out the seats, one after the other, to phones that scan the link."""
    host = house.visit("/seats")
    host.get_by_role("button", name="Hand out the seats from this phone").click()
    phones = []
    for seat in range(count):
        row = host.locator(f'.seat-row[data-seat="{seat}"]')
        row.get_by_role("button", name="Show the link").click()
        expect(host.get_by_role("dialog")).to_contain_text(f"Player {seat + 1}")
        phone = house.visit(host.locator("#seat-link").inner_text())
        expect(phone.locator("#name")).to_have_text(f"Player {seat + 1}")
        expect(host.get_by_role("dialog")).to_be_hidden()
        expect(row).to_contain_text("a phone sits here")
        phones.append(phone)
    return host, phones


def act(phone: Page, rng: Random) -> str:
    """Do what the page asks, by what it says and nothing else; return what was tapped."""
    asked = phone.locator("#asked").inner_text()
    if "Tap the card" in asked:
        cards = phone.locator("#own-cards button")
        cards.nth(rng.randrange(cards.count())).click()
        return "a card"
    offered = phone.locator("#choices .choice:not(.dim) b").all_inner_texts()
    braver = [text for text in offered if text != "Shut down" or rng.random() < 0.15]
    wanted = rng.choice(braver or offered)
    phone.locator("#choices .choice b").get_by_text(wanted, exact=True).click()
    return wanted


@pytest.mark.parametrize("level", ["1", "2"])
def test_three_phones_play_a_game_to_its_end_by_taps(house: Any, level: str) -> None:
    game = house(players="3", level=level, seed=7)
    table = game.visit("/", TABLET)
    _, phones = hand_out(game, 3)
    rng, taps = Random(11), 0
    for _ in range(400):
        if "win" in table.locator("#turn strong").inner_text():
            break
        story = len(game.app.loop.table.moves)

        def on_turn() -> Page | None:
            asked = [phone for phone in phones if phone.locator("#asked").inner_text()]
            over = "win" in table.locator("#turn strong").inner_text()
            return asked[0] if len(asked) == 1 else table if over else None

        phone = wait_for(on_turn)
        if phone is table:
            break
        act(phone, rng)
        taps += 1
        wait_for(lambda before=story: len(game.app.loop.table.moves) > before)
        seen = game.app.loop.snapshot.number

        def shown(number: int = seen) -> bool:
            return all(
                int(phone.locator("#mine").get_attribute("data-number")) >= number
                for phone in phones
            )

        wait_for(shown)
    assert taps > 3
    expect(table.locator("#turn strong")).to_contain_text("win")
    assert game.app.loop.snapshot.outcome is not None
    for phone in phones:
        expect(phone.locator("#turn strong")).to_contain_text("win")
        expect(phone.locator("#choices .choice")).to_have_count(0)
    expect(table.locator("#record")).to_be_visible()


def test_what_is_not_allowed_is_said_with_its_rule_on_the_phone(house: Any) -> None:
    game = house(players="2", seed=1)
    _, (first, second) = hand_out(game, 2)
    first.get_by_role("button", name="Stop").click()
    expect(first.locator("#toast")).to_contain_text("draws a card at least, or shuts down (CG-A1)")
    expect(second.locator("#asked")).to_have_text("")
    expect(second.locator("#choices .choice")).to_have_count(0)
    assert game.app.loop.snapshot.moves == ()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_pages_fit_a_small_phone_and_a_finger(house: Any, scheme: str) -> None:
    game = house(players="4", seed=2)
    host, phones = hand_out(game, 4)
    phones[0].get_by_role("button", name="Draw a card").click()
    wait_for(lambda: game.app.loop.table.moves)
    pages = [host, *phones, game.visit("/", color_scheme=scheme)]
    for page in pages:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        small = page.evaluate(
            """() => [...document.querySelectorAll("main button, main select, main input")]
              .filter((e) => e.offsetParent && Math.min(e.offsetWidth, e.offsetHeight) < 44)
              .map((e) => e.outerHTML)"""
        )
        assert small == []


def test_a_covered_hand_shows_nothing_until_it_is_uncovered(house: Any) -> None:
    game = house(players="2", seed=3)
    _, (first, _) = hand_out(game, 2)
    for _ in range(20):
        if game.app.loop.private.hands[0]["cards"]:
            break
        if first.locator("#asked").inner_text():
            act(first, Random(1))
    wait_for(lambda: first.locator("#own-cards button").count())
    first.get_by_role("button", name="Cover").click()
    expect(first.locator("#own-cards button")).to_have_count(0)
    first.get_by_role("button", name="Cover").click()
    expect(first.locator("#own-cards button").first).to_be_visible()


def test_a_renewed_link_turns_the_old_phone_away(house: Any) -> None:
    game = house(players="2", seed=4)
    host, (first, _) = hand_out(game, 2)
    host.locator('.seat-row[data-seat="0"]').get_by_role("button", name="New link").click()
    expect(first.locator("#outside")).to_contain_text("This link counts no more")
    expect(first.locator("#mine")).to_be_hidden()
    row = host.locator('.seat-row[data-seat="0"]')
    row.get_by_role("button", name="Show the link").click()
    again = game.visit(host.locator("#seat-link").inner_text())
    expect(again.locator("#name")).to_have_text("Player 1")
    expect(again.locator("#asked")).to_have_text("Draw a card, stop, or shut down.")


def test_a_name_given_on_a_phone_is_read_on_the_table(house: Any) -> None:
    game = house(players="2", seed=5)
    table = game.visit("/", TABLET)
    _, (first, _) = hand_out(game, 2)
    first.get_by_label("Your name").fill("Ann <b>")
    first.get_by_role("button", name="That is my name").click()
    expect(first.locator("#name")).to_have_text("Ann <b>")
    expect(table.locator("#turn strong")).to_have_text("Ann <b>’s turn")
