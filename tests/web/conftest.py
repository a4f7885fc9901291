"""A page on a small table: hub, fake table, app, and where needed a real server."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web import Hub, Server, create_app, serve
from tests.web.browsing import PHONE
from tests.web.fake import BOARD, FakeSim, FakeTable


@pytest.fixture
def hub() -> Hub:
    return Hub(streams=4)


@pytest.fixture
def table(hub: Hub) -> FakeTable:
    return FakeTable(hub)


@pytest.fixture
def sim() -> FakeSim:
    return FakeSim()


@pytest.fixture
def app(hub: Hub, table: FakeTable, sim: FakeSim) -> Flask:
    return create_app(
        hub,
        table.post,
        board=BOARD,
        secret="a secret",
        sim=sim,
        picture=lambda: b"\xff\xd8jpeg",
        outline=lambda: table.outline,
    )


class Visitor:
    """A browser without the browser: keeps its cookie and sends its token."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.token = client.get("/api/session").json["token"]
        self.get = client.get

    def post(self, path: str, body: object = None, **headers: str):
        return self.client.post(
            path,
            json={} if body is None else body,
            headers={"X-CSRF-Token": self.token, **headers},
        )


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app.test_client())


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    server = serve(app, "127.0.0.1", 0)
    yield server
    server.close()


@pytest.fixture
def visit(browser, server):
    """Open pages; at the end none of them may have complained, but of what was ``expected``."""
    complaints = []
    contexts = []

    def open_page(path="/", size=PHONE, at=server, **more):
        context = browser.new_context(viewport=size, reduced_motion="reduce", **more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.goto(f"http://127.0.0.1:{at.port}{path}")
        return page

    open_page.complaints = complaints
    open_page.expected = ()
    yield open_page
    for context in contexts:
        context.close()
    assert [said for said in complaints if not any(e in said for e in open_page.expected)] == []
