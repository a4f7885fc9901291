"""The start page in a real browser, on a whole simulated table."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from companion.config import (
    CameraSettings,
    HallSettings,
    LightSettings,
    Settings,
    StoreSettings,
    WebSettings,
)
from companion.service.app import App
from companion.sim.stress import Stress, pictures
from tests.waiting import wait_for
from tests.web.browsing import PHONE, answered

pytestmark = pytest.mark.browser

WAIT = 15_000


@pytest.fixture
def settings(tmp_path):
    return Settings(
        camera=CameraSettings(fps=5, size=(648, 486)),
        web=WebSettings(host="127.0.0.1", port=0),
        store=StoreSettings(tmp_path / "journal.db"),
    )


@pytest.fixture
def open_table(browser, settings):
    opened = []

    def start(path, wanted=settings, stresses=()):
        app = App(wanted, simulate=True, firmware="stand-in", stresses=stresses)
        opened.append(app)
        server = app.start()
        context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
        opened.append(context)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        page.set_default_timeout(WAIT)
        return app, page

    yield start
    for each in reversed(opened):
        each.close()


def title(page, text):
    expect(page.locator("#step-title")).to_have_text(text, timeout=WAIT)


def state_of(page, name):
    return page.locator(f'.steps a[href="#{name}"] small')


def felt(app):
    return {spot for spot, away in app.senses.touch.offsets.items() if abs(away) > 150}


def test_a_table_is_set_up_from_the_camera_to_the_game(open_table):
    app, page = open_table("/")
    page.get_by_role("link", name="Finish setting up").click()
    title(page, "The camera")
    expect(page.locator("#step-text")).to_contain_text(
        "sees the board by its markers", timeout=WAIT
    )
    expect(page.locator("#view image").first).to_be_visible()
    page.get_by_role("button", name="Done, next").click()

    title(page, "The sensors")  # with markers, nobody is asked for corners
    measure = page.get_by_role("button", name="The board is empty: measure")
    measure.click()
    expect(page.locator("#baseline-said")).to_contain_text("take everything off the board")
    page.get_by_role("button", name="Clear the board for me").click()
    wait_for(lambda: felt(app) == set())
    measure.click()
    expect(page.locator("#baseline-said")).to_contain_text("Measured", timeout=WAIT)
    page.get_by_role("button", name="Done, next").click()

    title(page, "The pieces")
    with answered(page, "/api/sim/show"):
        page.get_by_role("button", name="Put it there for me").click()
    wait_for(lambda: felt(app) == {"e5"})
    before = app.senses.touch.noted
    wait_for(lambda: app.senses.touch.noted > before + 20)
    page.get_by_role("button", name="Measure Pac-Man").click()
    expect(page.locator("#piece-said")).to_contain_text("Pac-Man reads +", timeout=WAIT)
    expect(page.locator('[data-piece="pacman"]')).to_contain_text("measured")
    expect(page.get_by_role("button", name="Measure Blinky")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("button", name="Skip this").click()

    title(page, "The lights")
    page.get_by_role("button", name="Try the lights").click()
    expect(page.locator("#trial-ask")).to_have_text("1 of 6. Is every light red?")
    expect(page.locator('.lamp[fill="rgb(255 0 0)"]')).to_have_count(39, timeout=WAIT)
    for number in range(2, 7):
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.locator("#trial-ask")).to_contain_text(f"{number} of 6.")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator("#trial-said")).to_have_text("The strip does what it should.")
    page.get_by_role("button", name="Done, next").click()

    title(page, "Ready to play")
    expect(page.locator(".summary .tag")).to_have_text(["done", "done", "done", "skipped", "done"])
    page.get_by_role("link", name="Play", exact=True).last.click()
    page.wait_for_url("**/table")
    assert app.first_run.is_finished
    wait_for(lambda: not app.loop.snapshot.setting_up)
    page.goto(page.url.replace("/table", "/"))
    expect(page.locator("#turn")).not_to_be_empty()
    expect(page.get_by_role("link", name="Finish setting up")).to_have_count(0)


def test_the_step_of_the_camera_shows_how_sharp_it_is_while_the_lens_is_turned(
    open_table, settings, monkeypatch
):
    whole = replace(settings, camera=CameraSettings(fps=5))
    _, page = open_table("/start#camera", whole, [Stress("blur", 5)])
    said = page.locator("#sharp-said")
    expect(said).to_contain_text("Soft:", timeout=WAIT)
    expect(page.locator("#step-todo")).to_contain_text("The picture is soft")
    monkeypatch.setattr(pictures, "BLURS", (1e-4,) * 5)
    expect(said).to_contain_text("Sharp:", timeout=WAIT)
    expect(page.locator("#step-todo")).to_be_empty()
    meter = page.get_by_role("meter", name="Sharpness")
    assert int(meter.get_attribute("aria-valuenow")) > 80
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_table_with_only_lights_is_honest_skips_back_and_forth_and_says_what_to_do(
    open_table, settings
):
    app, page = open_table(
        "/start",
        replace(
            settings,
            camera=CameraSettings(source="none"),
            hall=HallSettings(port="none"),
            lights=LightSettings(driver="sim"),
        ),
    )
    title(page, "The lights")  # the first that needs somebody
    expect(state_of(page, "camera")).to_contain_text("not attached")
    page.get_by_role("link", name="Sensors").click()
    title(page, "The sensors")
    expect(page.locator("#step-text")).to_contain_text("hall.port")
    expect(page.locator("#work-sensors")).to_be_hidden()
    expect(page.locator("#step-title")).to_be_focused()
    page.go_back()
    title(page, "The lights")
    page.get_by_role("button", name="Try the lights").click()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator("#trial-said")).to_contain_text("check the strip's 5 V")
    page.get_by_role("button", name="Skip all that is left and play").click()
    page.wait_for_url("**/table")
    assert app.calibration.steps() == {"lights": "skipped"}
