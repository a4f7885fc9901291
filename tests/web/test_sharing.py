"""The page's address for another phone, over HTTP and in a browser; never with the code.

QR codes are what a phone's camera makes of them: each form is read again.
"""

import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.web import create_app, serve
from companion.web.address import END, INK, Addresses, in_terminal, png, svg
from tests.web.browsing import PHONE
from tests.web.fake import BOARD

HOUSE = "http://192.168.1.20:8080/"
CODE = "483920"

ADDRESS = "http://192.168.178.123:8080/"


def read(picture: np.ndarray) -> str:
    return cv2.QRCodeDetector().detectAndDecode(picture)[0]


def from_svg(data: bytes) -> np.ndarray:
    """Draw the lines of the SVG, which are all it has, ten pixels a module."""
    text = data.decode()
    side = int(re.search(r'viewBox="0 0 (\d+) ', text)[1]) // 10
    picture = np.full((side, side), 255, np.uint8)
    x = y = 0.0
    for kind, numbers in re.findall(
        r"([Mmh])([-\d. ]+)", re.search(r' d="(M\d+ \d+\.5.*?)"', text)[1]
    ):
        said = [float(number) for number in numbers.split()]
        if kind == "h":
            picture[int(y), int(x) : int(x + said[0])] = 0
            x += said[0]
        else:
            x, y = (said[0], said[1]) if kind == "M" else (x + said[0], y + said[1])
    return np.kron(picture, np.ones((10, 10), np.uint8))


def from_terminal(text: str) -> np.ndarray:
    """Draw the characters as a terminal does, black on white."""
    rows = []
    for line in text.splitlines():
        assert line.startswith(INK)
        assert line.endswith(END)
        letters = line.removeprefix(INK).removesuffix(END)
        rows.append([letter not in "▀█" for letter in letters])
        rows.append([letter not in "▄█" for letter in letters])
    return np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))


@pytest.mark.parametrize("text", [ADDRESS, "http://10.0.0.5/", f"{ADDRESS}#code=123456"])
def test_a_png_is_read_again(text):
    assert read(cv2.imdecode(np.frombuffer(png(text), np.uint8), cv2.IMREAD_GRAYSCALE)) == text


def test_an_svg_is_read_again_and_holds_no_script():
    data = svg(ADDRESS)
    assert data.startswith(b"<svg ")
    assert b"script" not in data
    assert b"style" not in data
    assert read(from_svg(data)) == ADDRESS


def test_what_the_terminal_shows_is_read_again():
    drawn = in_terminal(ADDRESS)
    assert read(from_terminal(drawn)) == ADDRESS
    assert len({len(line) for line in drawn.splitlines()}) == 1
    assert len(drawn.splitlines()) <= 20  # below the addresses, in a terminal of 24 lines


@pytest.fixture
def where():
    return [Addresses("http://localhost:8080/", HOUSE, "http://table.local:8080/")]


@pytest.fixture
def app(hub, table, where):
    return create_app(
        hub,
        table.post,
        board=BOARD,
        secret="a secret",
        pairing=CODE,
        where=lambda: where[0],
    )


def test_the_code_is_a_picture_of_the_address_and_not_of_the_pairing_code(app):
    client = app.test_client()
    png, svg = client.get("/qr.png"), client.get("/qr.svg")
    assert png.mimetype == "image/png"
    assert svg.mimetype == "image/svg+xml"
    assert read(cv2.imdecode(np.frombuffer(png.data, np.uint8), cv2.IMREAD_GRAYSCALE)) == HOUSE
    assert read(from_svg(svg.data)) == HOUSE
    for answer in (png, svg):
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_address_is_told_in_words(app):
    told = app.test_client().get("/api/address").json
    assert told == {"phone": HOUSE, "name": "http://table.local:8080/", "text": ""}


def test_where_no_phone_can_come_it_says_why(app, where):
    where[0] = Addresses("http://localhost:8080/", why="Only this machine can open it.")
    client = app.test_client()
    assert client.get("/api/address").json["text"] == "Only this machine can open it."
    assert client.get("/qr.svg").status_code == 404
    assert client.get("/qr.png").json == {"error": "Only this machine can open it."}


def test_a_page_that_does_not_know_its_address_says_so(hub, table):
    app = create_app(hub, table.post, board=BOARD, secret="a secret")
    assert app.test_client().get("/api/address").status_code == 404


@pytest.fixture
def page(browser, app):
    server = serve(app, "127.0.0.1", 0)
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    page.table = f"http://127.0.0.1:{server.port}/"
    yield page
    context.close()
    server.close()


@pytest.mark.browser
def test_a_watcher_shows_the_page_on_another_phone(page):
    page.goto(page.table)
    page.get_by_role("button", name="Show on another phone").click()
    expect(page.get_by_role("img", name=f"QR code of {HOUSE}")).to_be_visible()
    expect(page.locator(".share-address")).to_have_text("192.168.1.20:8080 or table.local:8080")
    loaded = "() => document.querySelector('.share-code')?.naturalWidth > 0"
    page.wait_for_function(loaded)
    assert CODE not in page.content()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#share-dialog")).to_be_hidden()


@pytest.mark.browser
def test_the_code_behind_the_hash_makes_a_player_and_leaves_the_address(page):
    page.goto(f"{page.table}#code={CODE}")
    expect(page.locator("#toast .good")).to_have_text("You can play now")
    expect(page.locator("#pairing")).to_be_hidden()
    assert page.url == page.table


@pytest.mark.browser
def test_a_wrong_code_behind_the_hash_leaves_a_watcher(page):
    page.goto(f"{page.table}#code=000000")
    expect(page.locator("#toast .bad")).to_contain_text("not the code shown at the table")
    expect(page.locator("#pairing")).to_be_visible()
