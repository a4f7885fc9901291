"""The camera page in a real browser: corners are dragged, moved by keys, used and forgotten."""

import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.errors import CompanionError
from companion.service.requests import UseCorners
from companion.web import create_app, serve
from tests.web.fake import BOARD

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 780}
DESK = {"width": 1400, "height": 900}


@pytest.fixture
def options():
    return {}


@pytest.fixture
def visit(browser, hub, table, options):
    """Open the camera page; at the end it may not have complained."""
    jpeg = cv2.imencode(".jpg", np.full((648, 864, 3), 90, np.uint8))[1].tobytes()
    app = create_app(
        hub,
        table.post,
        board=BOARD,
        secret="a secret",
        picture=lambda: jpeg,
        outline=lambda: table.outline,
        **options,
    )
    server = serve(app, "127.0.0.1", 0)
    complaints, contexts = [], []

    def open_page(size=PHONE, path="/camera", **more):
        contexts.append(browser.new_context(viewport=size, reduced_motion="reduce", **more))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        return page

    open_page.complaints = complaints
    yield open_page
    for context in contexts:
        context.close()
    server.close()
    assert complaints == []


def middle(page, corner):
    """Return where on the screen the middle of a corner's handle is."""
    box = page.locator(f'[data-corner="{corner}"] .dot').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def use(page):
    with page.expect_response(lambda answer: answer.url.endswith("/api/camera/corners")):
        page.get_by_role("button", name="Use these corners").click()


def test_a_corner_is_dragged_and_used_on_a_phone(visit, table):
    page = visit()
    expect(page.locator("#heading")).to_have_text("The board is found")
    expect(page.get_by_role("button", name="Use these corners")).to_be_disabled()
    scale = 1296 / page.locator("#view").bounding_box()["width"]
    x, y = middle(page, "a1")
    page.mouse.move(x + 3, y + 3)  # a finger never hits the middle
    page.mouse.down()
    page.mouse.move(x + 13, y - 2, steps=4)
    expect(page.locator("#lens")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#lens")).to_be_hidden()
    expect(page.locator("#heading")).to_have_text("Corners not used yet")
    use(page)
    (command,) = table.commands
    assert isinstance(command, UseCorners)
    assert command.corners is not None
    (x, y), *others = command.corners.points
    assert (x, y) == pytest.approx((342 + 10 * scale, 780 - 5 * scale), abs=2.5)
    assert others == [(884, 804), (896, 273), (377, 251)]
    expect(page.locator("#heading")).to_have_text("The board is found")
    expect(page.locator("#text")).to_have_text("By its corners and its grooves.")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_finger_on_a_corner_moves_it_and_not_the_page(visit, table):
    page = visit(has_touch=True, is_mobile=True)
    expect(page.locator("#heading")).to_have_text("The board is found")
    scale = 1296 / page.locator("#view").bounding_box()["width"]
    x, y = middle(page, "i1")
    touch = page.context.new_cdp_session(page)
    for kind, up in [("touchStart", 0), *(("touchMove", 8 * n) for n in range(1, 6))]:
        finger = {"x": x, "y": y - up, "id": 1}
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    use(page)
    (command,) = table.commands
    assert command.corners.points[1] == pytest.approx((884, 804 - 40 * scale), abs=2.5)
    assert page.evaluate("scrollY") == 0


def test_a_corner_is_moved_with_the_keyboard(visit, table):
    page = visit(DESK)
    expect(page.locator("#heading")).to_have_text("The board is found")
    page.locator('[data-corner="i9"]').focus()
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator('[data-corner="i9"]')).to_have_attribute(
        "aria-label", "Corner i9, at 894 across and 283 down"
    )
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    use(page)
    assert table.commands[0].corners.points[2:] == ((894, 283), (377, 250))


def test_starting_over_shows_what_is_found(visit, table):
    page = visit()
    expect(page.locator("#heading")).to_have_text("The board is found")
    page.locator('[data-corner="a9"]').focus()
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("button", name="Start over").click()
    expect(page.locator('[data-corner="a9"]')).to_have_attribute(
        "aria-label", "Corner a9, at 377 across and 251 down"
    )
    expect(page.locator("#heading")).to_have_text("The board is found")
    assert table.commands == []


def test_corners_that_were_set_can_be_forgotten(visit, table):
    table.outline |= {"given": True, "by": "corners"}
    page = visit()
    with page.expect_response(lambda answer: answer.url.endswith("/api/camera/markers")):
        page.get_by_role("button", name="Use the markers again").click()
    assert table.commands == [UseCorners(None)]
    expect(page.locator("#text")).to_have_text("By the markers on its frame.")


def test_a_board_that_is_not_found_is_said_to_be_so_and_offers_handles(visit, table):
    table.outline |= {"found": False, "by": None, "lines": [], "text": "no board in view"}
    page = visit()
    expect(page.locator("#heading")).to_have_text("The board is not found")
    expect(page.locator("#text")).to_have_text("No board in view")
    expect(page.locator(".handle")).to_have_count(4)
    use(page)
    assert len(table.commands) == 1


OFFERED = [[301.5, 702.5], [900, 690], [880, 120], [310, 130]]


@pytest.mark.parametrize(
    "options", [{"proposal": lambda: {"size": [1296, 972], "corners": OFFERED}}]
)
def test_a_board_that_the_companion_proposes_is_agreed_to_by_one_tap(visit, table):
    table.outline |= {"found": False, "by": None, "lines": [], "text": "no board in view"}
    page = visit()
    expect(page.locator("#heading")).to_have_text("Is this the board?")
    expect(page.locator("#text")).to_contain_text("use these corners; if not, drag them")
    assert table.commands == []
    use(page)
    assert [list(point) for point in table.commands[0].corners.points] == OFFERED


@pytest.mark.parametrize(
    "options", [{"proposal": lambda: {"size": [1296, 972], "corners": OFFERED}}]
)
def test_proposed_corners_can_be_dragged_and_a_found_board_is_not_asked_about(visit, table):
    page = visit()
    expect(page.locator("#heading")).to_have_text("The board is found")
    table.outline |= {"found": False, "by": None, "lines": [], "text": "no board in view"}
    expect(page.locator("#heading")).to_have_text("Is this the board?")
    page.locator('[data-corner="a1"]').focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#heading")).to_have_text("Corners not used yet")
    use(page)
    assert table.commands[0].corners.points[0] == (311.5, 702.5)


def test_a_refusal_is_shown_and_the_corners_stay(visit, table, monkeypatch):
    def refuse(corners):
        raise CompanionError("there is no camera")

    monkeypatch.setattr(table, "use_corners", refuse)
    page = visit()
    expect(page.locator("#heading")).to_have_text("The board is found")
    page.locator('[data-corner="a1"]').focus()
    page.keyboard.press("ArrowUp")
    use(page)
    expect(page.locator("#toast .bad")).to_have_text("There is no camera")
    expect(page.locator("#heading")).to_have_text("Corners not used yet")
    visit.complaints.clear()  # the browser logs the refusal itself


@pytest.mark.parametrize("options", [{"pairing": "123456", "camera_for_all": True}])
def test_watchers_see_the_picture_and_no_handles(visit, table):
    page = visit()
    expect(page.locator("#heading")).to_have_text("The board is found")
    expect(page.locator("#none")).to_be_hidden()
    expect(page.locator("#view image")).to_have_attribute("href", re.compile("^blob:"))
    expect(page.locator(".handle").first).to_be_hidden()
    expect(page.get_by_role("button", name="Use these corners")).to_be_hidden()
    expect(page.locator("#watching")).to_be_visible()


@pytest.mark.parametrize("options", [{"pairing": "123456"}])
def test_an_unpaired_phone_is_told_in_place_of_the_picture(visit, table):
    page = visit()
    told = page.get_by_text("The camera's picture is for paired phones; enter the code")
    expect(told.first).to_be_visible()
    assert page.locator("#view image").get_attribute("href") is None
    visit.complaints.clear()  # the browser logs the refusal itself


def test_the_list_of_devices_leads_to_the_page(visit):
    page = visit(path="/")
    page.locator("#devices summary").click()
    page.get_by_role("link", name="See its picture").click()
    expect(page).to_have_title("The camera · Board Companion")
    expect(page.locator("#heading")).to_have_text("The board is found")
