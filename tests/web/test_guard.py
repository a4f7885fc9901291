import pytest

from companion.web import create_app
from companion.web.guard import Guard, Refused
from tests.web.conftest import Visitor
from tests.web.fake import BOARD


@pytest.fixture
def paired(hub, table, sim):
    return create_app(hub, table.post, board=BOARD, secret="s", sim=sim, pairing="4711")


def test_post_without_the_token_is_refused(app, table):
    client = app.test_client()
    client.get("/")
    answer = client.post("/api/move", json={"move": "e2"})
    assert answer.status_code == 403
    assert "X-CSRF-Token" in answer.json["error"]
    assert table.commands == []


def test_token_of_another_session_is_refused(app, table):
    one, other = Visitor(app.test_client()), Visitor(app.test_client())
    other.token = one.token
    assert other.post("/api/move", {"move": "e2"}).status_code == 403
    assert table.commands == []


def test_cookie_signed_with_another_secret_is_worthless(app, hub, table):
    other = Visitor(create_app(hub, table.post, board=BOARD, secret="other").test_client())
    cookie = other.client.get_cookie("companion").value
    client = app.test_client()
    client.set_cookie("companion", cookie)
    answer = client.post("/api/move", json={"move": "e2"}, headers={"X-CSRF-Token": other.token})
    assert answer.status_code == 403


def test_post_from_another_site_is_refused(visitor, table):
    answer = visitor.post("/api/move", {"move": "e2"}, Origin="http://evil.example")
    assert answer.status_code == 403
    assert table.commands == []
    assert visitor.post("/api/move", {"move": "e2"}, Origin="null").status_code == 403


def test_post_from_our_own_page_is_taken(visitor):
    assert visitor.post("/api/move", {"move": "e2"}, Origin="http://localhost").status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("raspberrypi.local:8000", 200),
        ("companion", 200),
        ("192.168.1.20:8000", 200),
        ("[fe80::1]:8000", 200),
        ("games.example.org", 200),  # allowed by name below
        ("table.home.arpa", 200),
        ("raspberrypi.local.example.com", 403),  # ends elsewhere
        ("rebound.example.com", 403),
        ("rebound.example.com:8000", 403),
    ],
)
def test_page_under_a_name_of_the_wide_web_may_not_command(hub, table, host, status):
    app = create_app(hub, table.post, board=BOARD, secret="s", hosts=["games.example.org"])
    client = app.test_client()
    url = f"http://{host}"
    visit = client.get("/api/session", base_url=url)
    assert visit.status_code == status
    headers = {"X-CSRF-Token": visit.json.get("token", "")}
    answer = client.post("/api/move", json={"move": "e2"}, headers=headers, base_url=url)
    assert answer.status_code == status


def test_watcher_sees_but_may_not_play_until_paired(paired, table, sim):
    visitor = Visitor(paired.test_client())
    assert visitor.get("/api/session").json["role"] == "watcher"
    assert visitor.get("/api/state").status_code == 200
    for path, body in [("/api/move", {"move": "e2"}), ("/api/sim/lift", {"id": "pacman"})]:
        answer = visitor.post(path, body)
        assert answer.status_code == 403
        assert "code" in answer.json["error"]
    assert table.commands == []
    assert sim.calls == []
    assert visitor.post("/api/pair", {"code": "0000"}).status_code == 403
    assert visitor.post("/api/pair", {"code": " 4711 "}).json["role"] == "player"
    assert visitor.post("/api/move", {"move": "e2"}).status_code == 200


@pytest.mark.parametrize("for_all", [False, True])
def test_the_camera_s_picture_is_for_paired_phones_unless_it_is_for_all(hub, table, for_all):
    app = create_app(
        hub,
        table.post,
        board=BOARD,
        secret="s",
        pairing="4711",
        picture=lambda: b"\xff\xd8jpeg",
        camera_for_all=for_all,
    )
    visitor = Visitor(app.test_client())
    answer = visitor.get("/camera.jpg")
    assert answer.status_code == (200 if for_all else 403)
    assert (b"jpeg" in answer.data) == for_all
    assert for_all or "the camera's picture is for paired phones" in answer.json["error"]
    visitor.post("/api/pair", {"code": "4711"})
    assert visitor.get("/camera.jpg").data == b"\xff\xd8jpeg"


def test_new_code_makes_old_pairings_worthless(paired, hub, table):
    visitor = Visitor(paired.test_client())
    visitor.post("/api/pair", {"code": "4711"})
    cookie = visitor.client.get_cookie("companion").value
    later = create_app(hub, table.post, board=BOARD, secret="s", pairing="9999").test_client()
    later.set_cookie("companion", cookie)
    assert later.get("/api/session").json["role"] == "watcher"


def test_sixth_wrong_code_in_a_minute_is_not_even_looked_at(app):
    now = [0.0]
    guard = Guard("4711", clock=lambda: now[0])
    with app.test_request_context():
        for _ in range(5):
            with pytest.raises(Refused) as refused:
                guard.pair("0000")
            assert refused.value.status == 403
        with pytest.raises(Refused) as refused:
            guard.pair("4711")
        assert refused.value.status == 429
        assert refused.value.retry_seconds == 60
        now[0] = 61.0
        guard.pair("4711")
        assert guard.role == "player"


def test_each_wrong_code_counts_for_a_minute(app):
    now = [1000.0]
    guard = Guard("4711", clock=lambda: now[0])

    def tried(at: float, code: str = "0000") -> tuple[int, int | None]:
        now[0] = at
        with pytest.raises(Refused) as refused:
            guard.pair(code)
        return refused.value.status, refused.value.retry_seconds

    with app.test_request_context():
        assert [tried(1000.0 + 10 * number)[0] for number in range(5)] == [403] * 5
        assert tried(1050.0, "4711") == (429, 10)
        assert tried(1059.5, "4711") == (429, 1)
        assert tried(1060.0) == (403, None)  # the first is a minute ago
        assert tried(1061.0, "4711") == (429, 9)
        now[0] = 1070.0
        guard.pair("4711")
        assert guard.role == "player"


@pytest.mark.parametrize("path", ["/", "/table", "/api/state", "/static/page.js", "/nowhere"])
def test_every_answer_carries_the_security_headers(visitor, path):
    with visitor.get(path) as answer:  # a static file stays open otherwise
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert "frame-ancestors 'self'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "SAMEORIGIN"


def test_real_table_may_not_be_framed_at_all(hub, table):
    headers = create_app(hub, table.post, board=BOARD, secret="s").test_client().get("/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_session_cookie_is_out_of_reach_of_scripts_and_other_sites(app):
    cookie = app.test_client().get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_phone_is_paired_without_the_code_while_the_button_is_held(app):
    held = [False]
    guard = Guard("4711", is_open=lambda: held[0])
    with app.test_request_context():
        with pytest.raises(Refused):
            guard.pair("any")
        held[0] = True
        guard.pair("any")
        assert guard.role == "player"
