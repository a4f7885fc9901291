"""The camera page's questions over HTTP."""

import pytest

from companion.sensing.corners import Corners
from companion.service.requests import UseCorners
from companion.web import create_app
from tests.web.conftest import Visitor
from tests.web.fake import BOARD

GOOD = {"corners": [[342, 780], [884, 804], [896, 273], [377, 251]], "size": [1296, 972]}


def test_corners_are_handed_to_the_table(visitor, table):
    answer = visitor.post("/api/camera/corners", GOOD)
    assert answer.status_code == 200
    assert answer.json == {"text": "The corners are kept."}
    assert table.commands == [UseCorners(Corners.checked(GOOD["corners"], 1296, 972))]


def test_markers_can_be_used_again(visitor, table):
    assert visitor.post("/api/camera/markers").status_code == 200
    assert table.commands == [UseCorners(None)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"corners": None}, "four corners"),
        ({"corners": [[1, 2]] * 3}, "four corners"),
        ({"corners": [[1, 2]] * 4}, "pixels apart"),
        ({"corners": [[-5, 780], *GOOD["corners"][1:]]}, "inside the picture"),
        ({"corners": GOOD["corners"][::-1]}, "wrong way round"),
        ({"corners": [["x", 780], *GOOD["corners"][1:]]}, "two numbers"),
        ({"size": None}, "size must be"),
        ({"size": [1296]}, "size must be"),
        ({"size": [1296, "972"]}, "whole pixels"),
        ({"size": [1296, True]}, "whole pixels"),
    ],
)
def test_corners_that_cannot_be_are_refused(visitor, table, change, says):
    answer = visitor.post("/api/camera/corners", GOOD | change)
    assert answer.status_code == 400
    assert says in answer.json["error"]
    assert table.commands == []


def test_a_forged_request_is_refused(app, table):
    client = app.test_client()
    assert client.post("/api/camera/corners", json=GOOD).status_code == 403
    assert table.commands == []


@pytest.mark.parametrize("path", ["corners", "markers"])
def test_watchers_may_not_set_corners(hub, table, path):
    app = create_app(hub, table.post, board=BOARD, secret="a secret", pairing="123456")
    answer = Visitor(app.test_client()).post(f"/api/camera/{path}", GOOD)
    assert answer.status_code == 403
    assert table.commands == []


def test_the_outline_is_told(visitor):
    seen = visitor.get("/api/camera").json
    assert seen["found"] is True
    assert len(seen["corners"]) == 4


def test_without_a_camera_there_is_no_outline(hub, table):
    app = create_app(hub, table.post, board=BOARD, secret="a secret")
    answer = app.test_client().get("/api/camera")
    assert answer.status_code == 503
    assert "no camera picture" in answer.json["error"]


def test_a_board_that_nobody_has_shown_is_proposed_one_search_at_a_time(hub, table):
    said = {"size": [1296, 972], "corners": GOOD["corners"]}
    nothing = {"size": None, "corners": None}
    inner = []

    def proposal():
        inner.append(app.test_client().get("/api/camera/proposal").json)
        return said

    app = create_app(hub, table.post, board=BOARD, secret="a secret", proposal=proposal)
    for _ in range(2):
        assert app.test_client().get("/api/camera/proposal").json == said
    assert inner == [nothing, nothing]
    assert table.commands == []


def test_nothing_is_proposed_without_a_camera_nor_to_watchers(hub, table):
    app = create_app(hub, table.post, board=BOARD, secret="a secret")
    assert app.test_client().get("/api/camera/proposal").json == {"size": None, "corners": None}
    paired = create_app(hub, table.post, board=BOARD, secret="a secret", pairing="123456")
    assert paired.test_client().get("/api/camera/proposal").status_code == 403
