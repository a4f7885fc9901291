"""A page on a small table: hub, fake table, app, and where needed a real server."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web import Hub, Server, create_app, serve
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
