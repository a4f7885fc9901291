"""Setting up over HTTP: what is told to everybody, and what only players may do."""

import pytest

from companion.service.requests import (
    MarkStep,
    MeasurePiece,
    OpenStep,
    Refocus,
    TakeBaseline,
    TryLights,
)
from companion.web import create_app
from tests.web.conftest import Visitor
from tests.web.fake import BOARD, FakeTable


class FakeSteps:
    """Steps of which a test says how they are."""

    def __init__(self) -> None:
        self.is_finished = False

    def view(self):
        return {"finished": self.is_finished, "steps": []}


class Obedient(FakeTable):
    """A table that says yes to everything."""

    def obey(self, command):
        return "Done."


@pytest.fixture
def steps():
    return FakeSteps()


@pytest.fixture
def table(hub):
    return Obedient(hub)


@pytest.fixture
def app(hub, table, steps):
    return create_app(hub, table.post, board=BOARD, secret="a secret", first_run=steps)


COMMANDS = [
    ("open", {"step": "pieces"}, OpenStep("pieces")),
    ("open", {}, OpenStep("")),
    ("mark", {"step": "camera", "as": "done"}, MarkStep("camera", "done")),
    ("baseline", {"sure": False}, TakeBaseline(False)),
    ("baseline", {"sure": True}, TakeBaseline(True)),
    ("piece", {"piece": "pacman"}, MeasurePiece("pacman")),
    ("lights", {"trial": "red"}, TryLights("red")),
    ("lights", {"right": "red"}, TryLights("", right="red")),
    ("lights", {}, TryLights("")),
    ("focus", {}, Refocus()),
]


@pytest.mark.parametrize(("path", "body", "command"), COMMANDS)
def test_commands_are_handed_to_the_table(visitor, table, path, body, command):
    answer = visitor.post(f"/api/setup/{path}", body)
    assert answer.status_code == 200
    assert answer.json == {"text": "Done."}
    assert table.commands == [command]


@pytest.mark.parametrize(("path", "body", "command"), COMMANDS)
def test_watchers_and_forgers_set_nothing_up(hub, table, steps, path, body, command):
    app = create_app(
        hub, table.post, board=BOARD, secret="a secret", first_run=steps, pairing="123456"
    )
    assert Visitor(app.test_client()).post(f"/api/setup/{path}", body).status_code == 403
    assert app.test_client().post(f"/api/setup/{path}", json=body).status_code == 403
    assert table.commands == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("mark", {}),
        ("mark", {"step": "camera"}),
        ("mark", {"step": 7, "as": "done"}),
        ("baseline", {}),
        ("baseline", {"sure": "yes"}),
        ("piece", {}),
        ("piece", {"piece": "x" * 50}),
        ("lights", {"trial": None}),
    ],
)
def test_what_makes_no_sense_is_refused(visitor, table, path, body):
    assert visitor.post(f"/api/setup/{path}", body).status_code == 400
    assert table.commands == []


def test_how_far_it_is_can_be_asked(visitor):
    assert visitor.get("/api/setup").json == {"finished": False, "steps": []}


def test_the_page_runs_no_script_of_its_own(visitor):
    answer = visitor.get("/start")
    assert answer.status_code == 200
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert b"onclick" not in answer.data
    assert b"style=" not in answer.data


def test_the_game_page_leads_there_until_it_is_finished(visitor, steps):
    assert b"Finish setting up" in visitor.get("/").data
    steps.is_finished = True
    page = visitor.get("/").data
    assert b"Finish setting up" not in page
    assert b"Set the table up, step by step" in page


def test_watchers_are_not_asked_to_finish_it(hub, table, steps):
    app = create_app(
        hub, table.post, board=BOARD, secret="a secret", first_run=steps, pairing="123456"
    )
    assert b"Finish setting up" not in app.test_client().get("/").data


def test_a_table_without_steps_has_no_such_page(hub, table):
    app = create_app(hub, table.post, board=BOARD, secret="a secret")
    client = app.test_client()
    assert client.get("/start").status_code == 404
    assert client.get("/api/setup").status_code == 404
    assert b"/start" not in client.get("/").data
