"""A page of the wide web has its name lead to this machine, and asks: it gets the refusal alone.

The browser that it asks with belongs to a paired phone, and every route is asked in every way.
"""

import http.client
import random
import re
import socket

import pytest

from companion.web import create_app, serve
from companion.web.address import Addresses, _of_interfaces, lan_address
from tests.counts import examples
from tests.web.conftest import Visitor
from tests.web.fake import BOARD
from tests.web.test_start import FakeSteps

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
NOWHERE = ("/nowhere", "/api/", "/api/state/", "//", "/static/../guard.py", "/%00", "/CAMERA.JPG")
OUR_NAME = "games.example.org"

#: Hosts that are none of ours, and those that look as if they were.
FOREIGN = (
    *("evil.example", "evil.example:8080", "EVIL.EXAMPLE", "evil.com", "xn--lcalhost-5jg.com"),
    *("localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1.nip.io:8080", ""),
    *("192.168.1.20.evil.example", "evil.local.example", "raspberrypi.local.evil.example"),
    *("games.example.org.evil.example", "evilgames.example.org", "a.games.example.org"),
    *("evil.example@127.0.0.1", "127.0.0.1@evil.example", "127.0.0.1/evil", "127.0.0.1?x", "#"),
    *("127.0.0.1, evil.example", "localhost evil.example", "localhost\tx", "127.0.0.1:80:80"),
    *("127.0.0.1:port", "localhost:999999", ":8080", "[::1].evil.example", "[evil.example]"),
    *("[::1", "::1", "[]", "8.8.8.8", "8.8.8.8:8080", "[2606:4700:4700::1111]", "0.0.0.0", "[::]"),
    *("127.1", "0x7f.0.0.1", "017700000001.x", "224.0.0.1", "255.255.255.255", "localhost.", "."),
    *("evil.example.", "fritz.box", "evil.localx", "evil.lan.", "l\u00f6calhost", "\u00ff", "*"),
)
FOREIGN_ORIGINS = (
    *("http://evil.example", "https://evil.example", "null", "", "http://", "localhost"),
    *("http://localhost.evil.example", "http://localhost:81", "http://localhost@evil.example"),
    *("https://localhost:80", "file://", "file://localhost", "ftp://localhost"),
    *("chrome-extension://abcdef", "http://localhost/", "http://localhost http://evil.example"),
)


@pytest.fixture
def app(hub, table, sim):
    return create_app(
        hub,
        table.post,
        board=BOARD,
        secret="s",
        sim=sim,
        pairing="4711",
        picture=lambda: b"\xff\xd8jpeg",
        outline=lambda: table.outline,
        hosts=[OUR_NAME],
        where=lambda: Addresses("http://localhost/", "http://192.168.1.20/"),
        first_run=FakeSteps(),
    )


def paths(app) -> list[str]:
    """Return a path of every route, and some of none."""
    routes = [re.sub("<.*>", "page.js", str(rule)) for rule in app.url_map.iter_rules()]
    assert {"/camera.jpg", "/api/session", "/api/events", "/healthz", "/static/page.js"} <= {
        *routes
    }
    return [*routes, *NOWHERE]


def random_host(luck: random.Random) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
    labels = ["".join(luck.choices(letters, k=luck.randint(1, 12))) for _ in range(3)]
    return ".".join([*labels[: luck.randint(1, 3)], luck.choice(["com", "example", "net", "box"])])


def test_under_a_foreign_name_or_from_a_foreign_page_there_is_only_the_refusal(app, table, sim):
    luck = random.Random(15)
    visitor = Visitor(app.test_client())
    visitor.post("/api/pair", {"code": "4711"})
    cookie = f"companion={visitor.client.get_cookie('companion').value}"
    client, routes = app.test_client(use_cookies=False), paths(app)
    commands = len(table.commands)
    for number in range(examples(900, 10_000)):
        accepts = luck.choice(["*/*", "text/html", "application/json", "image/*", ""])
        headers = {"X-CSRF-Token": visitor.token, "Cookie": cookie, "Accept": accepts}
        if number % 2:
            host = FOREIGN[number // 2 % len(FOREIGN)] if luck.random() < 0.5 else random_host(luck)
        else:
            host = "localhost"
            origins = (*FOREIGN_ORIGINS, f"http://{random_host(luck)}")
            headers["Origin"] = luck.choice(origins)
        method = METHODS[number % len(METHODS)]
        with client.open(
            routes[number % len(routes)],
            method=method,
            headers=headers,
            json={"move": "e2"} if method in ("POST", "PUT", "PATCH") else None,
            environ_overrides={"HTTP_HOST": host},
        ) as answer:
            assert answer.status_code == 403, (method, routes[number % len(routes)], headers, host)
            assert "Set-Cookie" not in answer.headers
            assert "Location" not in answer.headers
            said = answer.get_data(as_text=True)
            assert visitor.token not in said
            assert "csrf" not in said
            if answer.is_json and method != "HEAD":
                assert list(answer.json) == ["error"]
            assert method == "HEAD" or re.search("this page must|requests must", said, re.I)
    assert len(table.commands) == commands
    assert sim.calls == []


def test_a_request_without_any_host_is_refused(app):
    answer = app.test_client().get("/api/state", environ_overrides={"HTTP_HOST": ""})
    assert answer.status_code == 403


def our_hosts() -> list[str]:
    name = socket.gethostname()
    found = ["localhost", "127.0.0.1", "[::1]", "[fe80::1]", name, name.upper(), OUR_NAME]
    found += [name if name.endswith(".local") else f"{name}.local", "companion.local", "table.lan"]
    found += [address for address in [*_of_interfaces(), lan_address()] if address]
    six = lan_address(socket.AF_INET6)
    return found + ([f"[{six}]"] if six else [])


def test_under_our_own_names_and_addresses_everything_is_answered(app):
    server = serve(app, "127.0.0.1", 0)
    routes = ["/", "/camera", "/start", "/table", "/api/state", "/api/session", "/healthz"]
    routes += ["/static/page.js", "/favicon.ico", "/qr.svg", "/api/address", "/api/setup"]
    try:
        for host in our_hosts():
            for shown in (host, f"{host}:{server.port}", f"{host}:80"):
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
                for path in routes:
                    headers = {"Host": shown, "Origin": f"http://{shown}"}
                    connection.request("GET", path, headers=headers)
                    answer = connection.getresponse()
                    answer.read()
                    assert answer.status == 200, (shown, path)
                connection.close()
    finally:
        server.close()


def test_behind_a_front_for_https_the_page_s_own_origin_is_taken(app):
    headers = {"Origin": f"https://{OUR_NAME}"}
    answer = app.test_client().get("/", headers=headers, base_url=f"http://{OUR_NAME}")
    assert answer.status_code == 200
