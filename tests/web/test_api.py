import json
from concurrent.futures import Future

import pytest

from companion.board import Change
from companion.errors import Busy, CompanionError
from companion.games import record
from companion.games.game import Effect
from companion.referee.verdict import Kind
from companion.service.requests import (
    AgreeDraw,
    Answer,
    EnterMove,
    Hint,
    LookAgain,
    NewGame,
    Roll,
    TakeBack,
)
from companion.web import Hub, api, create_app
from tests.web.conftest import Visitor
from tests.web.fake import BOARD, PACMAN_WINS


def test_state_tells_the_game(visitor, table):
    table.play("e2", "e8", "e3h")
    state = visitor.get("/api/state").json
    assert state["game"] == "quoridor"
    assert state["moves"] == ["e2", "e8", "e3h"]
    assert state["position"] == {"e2": "pacman", "e8": "blinky", "e3h": "fence"}
    assert state["to_act"] == 1
    assert state["seats"][0] == {
        "name": "Pac-Man",
        "piece": "pacman",
        "title": "Pac-Man",
        "shape": "ball",
        "colour": "#ffd800",
        "fences": 9,
        "level": None,
        "note": "Player 1",
        "meters": [
            {
                "tokens": [["fence", True]] * 9 + [["fence", False]],
                "text": "9 fences left",
                "note": "9",
            }
        ],
    }
    assert state["last_changes"] == [{"thing": "fence", "source": None, "target": "e3h"}]
    assert state["verdict"]["kind"] == "accepted"
    assert state["outcome"] is None
    assert {device["state"] for device in state["devices"]} == {"ok", "off"}


def test_state_tells_what_a_page_needs_to_know_of_the_game(visitor, table):
    state = visitor.get("/api/state").json
    assert (state["title"], state["rulebook"]) == ("Quoridor", "games/quoridor.md")
    assert (state["entry"], state["beside"], state["seen"]) == ("spot", [], "")
    table.begin(NewGame("pacman"))
    state = visitor.get("/api/state").json
    assert (state["title"], state["rulebook"]) == ("Pac-Man", "games/pacman.md")
    assert (state["entry"], state["beside"][0], state["seen"]) == ("walk", "pacman", "pacman")


def test_every_legal_move_is_told_with_what_it_does(visitor, table):
    state = visitor.get("/api/state").json
    assert [choice["move"] for choice in state["choices"]] == state["legal"]
    told = {choice["move"]: choice for choice in state["choices"]}
    assert told["e2"] == {
        "move": "e2",
        "text": "Pac-Man to e2",
        "thing": "pacman",
        "path": ["e2"],
    }
    assert told["e3v"] == {"move": "e3v", "text": "a vertical fence on e3v", "fence": "e3v"}
    table.begin(NewGame("pacman"))
    told = {choice["move"]: choice for choice in visitor.get("/api/state").json["choices"]}
    assert told["d5-d4"] == {
        "move": "d5-d4",
        "text": "Pac-Man over d5 to d4",
        "thing": "pacman",
        "path": ["d5", "d4"],
    }


def test_repairs_are_told_in_sentences(visitor, table):
    table.say(Kind.SET_UP, "…", repair=(Change("fence", None, "e3h"), Change("inky", "e4", None)))
    repair = visitor.get("/api/state").json["verdict"]["repair"]
    assert [change["text"] for change in repair] == [
        "Put a fence on e3h.",
        "Take Inky off the board.",
    ]


def test_when_chance_is_to_act_no_seat_is(visitor, table):
    table.chance = "Roll the dice"
    table.show()
    state = visitor.get("/api/state").json
    assert (state["to_act"], state["chance"]) == ("chance", "Roll the dice")
    assert (state["banner"]["text"], state["banner"]["piece"]) == ("Roll the dice", None)
    assert state["tap"] == ""
    assert visitor.post("/api/roll").json == {"text": "The dice show 4."}
    assert table.commands == [Roll()]
    refused = visitor.post("/api/roll")
    assert (refused.status_code, refused.json["error"]) == (
        409,
        "nothing is to be rolled or drawn now",
    )


def test_outcome_names_winners_and_result(visitor, table):
    table.play(*PACMAN_WINS)
    outcome = visitor.get("/api/state").json["outcome"]
    assert outcome["winners"] == [0]
    assert outcome["result"] == "1-0"


def test_before_the_first_snapshot_the_state_is_not_there_yet():
    app = create_app(Hub(), lambda command: Future(), board=BOARD, secret="s")
    answer = app.test_client().get("/api/state")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert app.test_client().get("/healthz").status_code == 503
    assert app.test_client().get("/").status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        ("/api/move", {"move": "e2"}, EnterMove("e2")),
        ("/api/move", {"move": " e2 "}, EnterMove("e2")),
        (
            "/api/move",
            {"thing": "pacman", "path": ["e2"]},
            EnterMove(effect=Effect("pacman", ("e2",))),
        ),
        ("/api/move", {"path": ["e2"]}, EnterMove(effect=Effect(path=("e2",)))),
        ("/api/move", {"fence": "e3h"}, EnterMove(effect=Effect(fence="e3h"))),
        ("/api/answer", {"move": "e2"}, Answer("e2")),
        ("/api/answer", {}, Answer("")),
        ("/api/look-again", {}, LookAgain()),
        ("/api/draw", {}, AgreeDraw()),
        ("/api/new", {"game": "quoridor"}, NewGame("quoridor")),
        (
            "/api/new",
            {
                "game": "quoridor4",
                "options": {"pawnBehind": "diagonal"},
                "pieces": ["clyde", "inky", "pinky", "blinky"],
            },
            NewGame("quoridor4", {"pawnBehind": "diagonal"}, ("clyde", "inky", "pinky", "blinky")),
        ),
    ],
)
def test_post_becomes_a_command(visitor, table, path, body, command):
    answer = visitor.post(path, body)
    assert answer.status_code == 200
    assert answer.json["text"]
    assert table.commands == [command]


def test_take_back_undoes_the_last_move(visitor, table):
    table.play("e2")
    assert visitor.post("/api/takeback").status_code == 200
    assert table.commands == [TakeBack()]
    assert visitor.get("/api/state").json["moves"] == []


def test_illegal_move_is_refused_with_the_reason(visitor):
    answer = visitor.post("/api/move", {"move": "e4"})
    assert answer.status_code == 409
    assert "e4" in answer.json["error"] or "square" in answer.json["error"]


@pytest.mark.parametrize(
    ("game", "tapped", "said"),
    [
        ("quoridor", {"thing": "pacman", "path": ["e4"]}, "e4"),
        ("quoridor", {"fence": "i9h"}, "i9h"),
        ("pacman", {"thing": "pacman", "path": ["e6", "e8"]}, "e6"),
        ("pacman", {"thing": "blinky", "path": ["e8"]}, "Pac-Man"),
    ],
)
def test_what_was_tapped_is_spelled_and_refused_by_the_game(visitor, table, game, tapped, said):
    table.begin(NewGame(game))
    answer = visitor.post("/api/move", tapped)
    assert answer.status_code in (400, 409)
    assert said in answer.json["error"]
    assert table.moves == []


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/move", {"path": "e2"}, 400),
        ("/api/move", {"path": [2]}, 400),
        ("/api/move", {"thing": "pacman", "path": []}, 400),
        ("/api/move", {"thing": 1, "path": ["e2"]}, 400),
        ("/api/move", {"fence": ["e3h"]}, 400),
        ("/api/move", {}, 400),
        ("/api/move", {"move": 5}, 400),
        ("/api/move", {"move": "e" * 100}, 400),
        ("/api/move", [], 400),
        ("/api/move", "e2", 400),
        ("/api/new", {"game": None}, 400),
        ("/api/new", {"game": "chess"}, 409),
        ("/api/new", {"game": "quoridor", "options": []}, 400),
        ("/api/new", {"game": "quoridor", "options": {"pawnBehind": 1}}, 400),
        ("/api/new", {"game": "quoridor", "options": {"colour": "red"}}, 409),
        ("/api/new", {"game": "quoridor", "pieces": "pacman"}, 400),
        ("/api/new", {"game": "quoridor", "pieces": [1, 2]}, 400),
        ("/api/takeback", {}, 409),
        ("/api/sim/put", {"id": "pacman", "x": "0", "y": 0}, 400),
        ("/api/sim/put", {"id": "pacman", "x": True, "y": 0}, 400),
        ("/api/sim/put", {"id": "pacman", "x": 1e300, "y": 0}, 400),
        ("/api/sim/put", {"id": "pacman", "y": 0}, 400),
        ("/api/sim/lift", {"id": "nobody"}, 404),
        ("/api/sim/half-seat", {"id": "fence1"}, 409),
        ("/api/nothing", {}, 404),
    ],
)
def test_bad_body_gets_one_sentence(visitor, path, body, status):
    answer = visitor.post(path, body)
    assert answer.status_code == status
    assert set(answer.json) == {"error"}
    assert "\n" not in answer.json["error"]
    assert "Traceback" not in answer.text


def test_body_that_is_not_json_is_refused(visitor):
    headers = {"X-CSRF-Token": visitor.token}
    post = visitor.client.post
    assert post("/api/move", data="move=e2", headers=headers).status_code == 415
    broken = post("/api/move", data="{", headers=headers, content_type="application/json")
    assert broken.status_code == 400
    not_a_number = '{"id": "pacman", "x": NaN, "y": Infinity}'
    answer = post(
        "/api/sim/put", data=not_a_number, headers=headers, content_type="application/json"
    )
    assert answer.status_code == 400


def test_large_body_is_refused(visitor, table):
    answer = visitor.post("/api/move", {"move": "e2", "more": "x" * 5000})
    assert answer.status_code == 413
    assert table.commands == []


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "status"), [("/tabel", 404), ("/api/stat", 404), ("/api/move", 405)]
)
def test_a_person_at_a_wrong_address_gets_a_page_that_leads_to_the_game(visitor, path, status):
    answer = visitor.get(path, headers=BROWSER)
    assert answer.status_code == status
    assert answer.mimetype == "text/html"
    assert path in answer.text
    assert 'href="/">To the game</a>' in answer.text
    for accept in ("application/json", "*/*", "image/png,*/*"):
        told = visitor.get(path, headers={"Accept": accept})
        assert told.status_code == status
        assert path in told.json["error"]


def test_what_stands_in_a_wrong_address_is_no_html(visitor):
    answer = visitor.get("/<script>alert(1)</script>", headers=BROWSER)
    assert "<script" not in answer.text


def test_get_on_a_command_is_refused_in_json(visitor):
    answer = visitor.get("/api/move")
    assert answer.status_code == 405
    assert answer.json["error"]


def test_table_that_does_not_answer_gives_503(monkeypatch, hub, table):
    monkeypatch.setattr(api, "ANSWER_SECONDS", 0.01)
    app = create_app(hub, lambda command: Future(), board=BOARD, secret="s")
    answer = Visitor(app.test_client()).post("/api/takeback")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]


def test_broken_table_gives_500_without_a_traceback(hub, table, caplog):
    def broken(command):
        raise RuntimeError("secret inner workings")

    app = create_app(hub, broken, board=BOARD, secret="s")
    answer = Visitor(app.test_client()).post("/api/takeback")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "secret inner workings" in caplog.text


def test_record_of_the_running_game_can_be_read_back(visitor, table):
    table.play("e2", "e8", "e3h")
    answer = visitor.get("/api/record")
    assert answer.mimetype == "text/plain"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="quoridor-1.txt"'
    read = record.parse(answer.text)
    assert read.moves == ("e2", "e8", "e3h")
    assert read.players == ("Pac-Man", "Blinky")


def test_camera_picture_is_served_fresh(visitor):
    answer = visitor.get("/camera.jpg")
    assert answer.data.startswith(b"\xff\xd8")
    assert answer.headers["Cache-Control"] == "no-store"


def test_no_camera_picture_is_a_503(hub, table):
    client = create_app(hub, table.post, board=BOARD, secret="s").test_client()
    assert client.get("/camera.jpg").status_code == 503


@pytest.mark.parametrize(("ok", "status"), [(True, 200), (False, 503)])
def test_health_decides_the_status(hub, table, ok, status):
    app = create_app(
        hub, table.post, board=BOARD, secret="s", health=lambda: {"ok": ok, "beat_seconds": 0.1}
    )
    answer = app.test_client().get("/healthz")
    assert answer.status_code == status
    assert answer.json == {"ok": ok, "beat_seconds": 0.1}


def test_without_a_simulated_table_there_is_no_table_page(hub, table):
    client = create_app(hub, table.post, board=BOARD, secret="s").test_client()
    assert client.get("/table").status_code == 404
    assert client.get("/api/sim/table").status_code == 404
    assert 'href="/table"' not in client.get("/").text


def test_hands_on_the_simulated_table(visitor, sim):
    visitor.post("/api/sim/lift", {"id": "pacman"})
    visitor.post("/api/sim/carry", {"id": "pacman", "x": 1, "y": 2.5})
    visitor.post("/api/sim/put", {"id": "pacman", "x": 0, "y": -87, "angle": 0})
    visitor.post("/api/sim/hand", {})
    visitor.post("/api/sim/no-hand")
    visitor.post("/api/sim/nudge", {"id": "pacman", "dx": 6, "dy": 0})
    visitor.post("/api/sim/set-up")
    assert visitor.post("/api/sim/demo", {"what": "jump"}).json["text"] == "Watch the table."
    assert sim.calls == [
        ("lift", "pacman"),
        ("carry", "pacman", 1.0, 2.5, 0.0),
        ("put", "pacman", 0.0, -87.0, 0.0),
        ("hand", 0.0, 0.0, 90.0),
        ("no_hand",),
        ("nudge", "pacman", 6.0, 0.0),
        ("set_up", {"e1": "pacman", "e9": "blinky"}),
        ("demo", "jump"),
    ]
    assert visitor.get("/api/sim/table").json["bodies"][0]["id"] == "pacman"


def test_page_carries_board_and_state_for_the_first_paint(visitor):
    text = visitor.get("/").text
    assert json.dumps("quoridor") in text
    assert 'name="csrf-token"' in text


def test_helping_hand_is_asked_for_and_told_about(visitor, sim, hub):
    assert visitor.get("/api/sim/help").json == {"on": False, "coach": ""}
    assert visitor.post("/api/sim/help", {"on": True}).json["text"] == "A helping hand."
    helped = visitor.get("/api/sim/help").json
    assert helped["on"]
    assert helped["coach"].startswith("A helping hand does what the companion asks for.")
    stream = hub.stream(None, ["help"])
    assert next(stream).startswith(": hello")
    assert json.dumps(helped["coach"], ensure_ascii=False) in next(stream)
    stream.close()
    refused = visitor.post("/api/sim/help", {"on": "yes"})
    assert (refused.status_code, refused.json["error"]) == (
        400,
        "on must be true or false, not 'yes'",
    )


@pytest.mark.parametrize("game", ["quoridor", "pacman"])
def test_a_hint_is_a_legal_move_with_a_reason_in_words(visitor, table, game):
    table.begin(NewGame(game))
    answer = visitor.post("/api/hint").json
    assert answer["move"] in table.states[-1].legal_moves()
    assert answer["reason"]
    choices = visitor.get("/api/state").json["choices"]
    words = next(choice["text"] for choice in choices if choice["move"] == answer["move"])
    assert answer["text"] == f"Try {words}: {answer['reason']}."
    assert game == "quoridor" or answer["move"] not in words
    assert table.commands == [Hint()]


@pytest.mark.parametrize(
    ("error", "status", "retry"),
    [(Busy("a hint is being looked for"), 503, "1"), (CompanionError("it is over"), 409, None)],
)
def test_a_hint_that_is_refused_says_whether_to_try_again(hub, error, status, retry):
    answer = Future()
    answer.set_exception(error)
    app = create_app(hub, lambda command: answer, board=BOARD, secret="s")
    refused = Visitor(app.test_client()).post("/api/hint")
    assert (refused.status_code, refused.json["error"]) == (status, str(error))
    assert refused.headers.get("Retry-After") == retry


def test_things_are_broken_and_mended_by_name(visitor):
    listed = visitor.get("/api/sim/faults").json["faults"]
    assert len(listed) >= 25
    assert not any(fault["on"] for fault in listed)
    assert visitor.post("/api/sim/fault", {"name": "black-picture", "on": True}).status_code == 200
    on = [fault["name"] for fault in visitor.get("/api/sim/faults").json["faults"] if fault["on"]]
    assert on == ["black-picture"]
    visitor.post("/api/sim/fault", {"name": "black-picture", "on": False})
    assert not any(fault["on"] for fault in visitor.get("/api/sim/faults").json["faults"])
    refused = visitor.post("/api/sim/fault", {"name": "fire", "on": True})
    assert refused.status_code == 409
    assert "expected a fault" in refused.json["error"]


def test_the_panels_buttons_have_keys_on_the_table_page(visitor, sim):
    assert visitor.post("/api/sim/press", {"button": "take back"}).status_code == 200
    assert sim.calls == [("press", "take back")]
