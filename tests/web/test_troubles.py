"""What is broken is told wherever people look, and nothing old is shown as live."""

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.web import create_app, serve
from tests.web.browsing import DESK, point
from tests.web.fake import BOARD, FakeTable

STALLED = "the camera has stopped sending pictures: check its cable"


class CameraStep:
    """A table that is set up by looking at its camera's picture."""

    is_finished = False

    def view(self):
        step = {
            "name": "camera",
            "state": "needs you",
            "ready": True,
            "left": "",
            "text": "It sees.",
        }
        return {
            "finished": False,
            "steps": [{**step, "todo": ""}],
            "corners": {"by": "markers"},
            "sensors": None,
            "pieces": {},
            "lights": {"showing": "", "trials": []},
        }


@pytest.fixture
def camera():
    """Return the picture that the camera gives, to be taken away."""
    jpeg = cv2.imencode(".jpg", np.full((648, 864, 3), 90, np.uint8))[1].tobytes()
    return {"jpeg": jpeg}


@pytest.fixture
def server(hub, table, sim, camera):
    app = create_app(
        hub,
        table.post,
        board=BOARD,
        secret="a secret",
        sim=sim,
        picture=lambda: camera["jpeg"],
        outline=lambda: table.outline if camera["jpeg"] else None,
        first_run=CameraStep(),
    )
    server = serve(app, "127.0.0.1", 0)
    yield server
    server.close()


@pytest.fixture
def visit(visit):
    """Open pages that may find no picture, which the browser logs."""
    visit.expected = ("status of 503", "status of 409")
    return visit


def break_camera(table: FakeTable, camera: dict) -> None:
    camera["jpeg"] = None
    table.device("camera", "trouble", STALLED)


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/", "/table", "/camera", "/start"])
def test_a_dead_camera_is_told_with_its_remedy_on_every_page(visit, table, camera, path):
    page = visit(path)
    expect(page.locator(".alert")).to_have_count(0)
    break_camera(table, camera)
    alert = page.locator("#alerts .alert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("The camera has stopped sending pictures: check its cable.")
    expect(alert).to_contain_text("enter fences on the phone page")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    expect(visit(path).locator(".alert")).to_have_count(1)  # and to who comes later
    table.device("camera", "ok", "The camera sees the whole board.")
    expect(alert).to_have_count(0)


@pytest.mark.browser
def test_the_table_does_not_move_under_a_hand_that_holds_something(visit, table, camera):
    page = visit("/table", size=DESK)
    expect(page.locator('.body[data-id="pacman"]')).to_be_visible()
    page.mouse.move(*point(page, *BOARD.at("e1")))
    page.mouse.down()
    page.mouse.move(*point(page, *BOARD.at("e2")), steps=4)
    before = page.locator("#table").bounding_box()
    break_camera(table, camera)
    table.device("hall grid", "trouble", "No hall grid found. Plug the Pico in.")
    expect(page.locator("#verdict-card h2")).to_have_text("Not watching")  # the news has come
    assert page.locator("#table").bounding_box() == before
    page.mouse.up()
    expect(page.locator(".alert")).to_have_count(2)


@pytest.mark.browser
def test_whatever_is_in_trouble_is_told_the_worst_first(visit, table):
    page = visit()
    told = {
        "lights": "The lights do not answer. Check their cable.",
        "hall grid": "The hall grid has been silent. Unplug it and plug it in again.",
        "journal": "the journal does not fit on the disk any more: make room",
        "player": "The companion cannot find its move. Take a move back.",
    }
    for name, text in told.items():
        table.device(name, "trouble", text)
    expect(page.locator(".alert")).to_have_count(4)
    devices = page.locator(".alert").evaluate_all("all => all.map((one) => one.dataset.device)")
    assert devices == ["player", "journal", "hall grid", "lights"]
    expect(page.locator(".alert.minor")).to_have_count(1)
    expect(page.locator("#alerts")).to_contain_text("The journal does not fit on the disk any more")


@pytest.mark.browser
def test_with_all_sensors_gone_nobody_claims_to_watch(visit, table, camera):
    page = visit()
    expect(page.locator("#verdict-card h2")).to_have_text("Watching")
    break_camera(table, camera)
    table.device("hall grid", "trouble", "No hall grid found. Plug the Pico in.")
    expect(page.locator("#verdict-card h2")).to_have_text("Not watching")
    expect(page.locator(".alert").first).to_contain_text("enter moves on the phone page")


@pytest.mark.browser
def test_the_camera_page_takes_a_dead_picture_away(visit, table, camera):
    page = visit("/camera")
    expect(page.locator("#heading")).to_have_text("The board is found")
    expect(page.locator("#view image").first).to_be_visible()
    page.locator(".handle").first.press("ArrowUp")
    expect(page.locator("#use")).to_be_enabled()
    break_camera(table, camera)
    expect(page.locator("#none")).to_have_text("No live picture")
    expect(page.locator("#use")).to_be_disabled()
    expect(page.locator("#view image").first).to_be_hidden()
    expect(page.locator("#card")).to_contain_text("The camera has stopped sending pictures")
    camera["jpeg"] = cv2.imencode(".jpg", np.full((648, 864, 3), 90, np.uint8))[1].tobytes()
    expect(page.locator("#view image").first).to_be_visible(timeout=10_000)
    expect(page.locator("#none")).to_be_hidden()


@pytest.mark.browser
def test_the_table_page_takes_a_dead_picture_away(visit, table, camera):
    page = visit("/table")
    picture = page.locator("#camera")
    expect(picture).to_be_visible()
    expect(page.locator("#camera-note")).to_be_hidden()
    break_camera(table, camera)
    expect(picture).to_be_hidden()
    expect(page.locator("#camera-note")).to_have_text("No live picture")


def test_why_there_is_no_picture_is_told(hub, table):
    client = create_app(hub, table.post, board=BOARD, secret="s").test_client()
    table.device("camera", "trouble", STALLED)
    for path in ("/camera.jpg", "/api/camera"):
        answer = client.get(path)
        assert answer.status_code == 503
        assert answer.json["error"] == f"{STALLED[0].upper()}{STALLED[1:]}."
