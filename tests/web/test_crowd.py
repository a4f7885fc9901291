"""A crowd at the page's door: idle, slow or greedy, it takes room from nobody but itself.

Every address of 127.0.0.0/8 is this machine's, so each can be a phone of its own.
"""

import contextlib
import errno
import http.client
import os
import resource
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from companion.sim.room import Clock
from companion.web import Hub, Server, create_app, serve
from companion.web.door import READER_SECONDS, REQUEST_SECONDS, REST_SECONDS, Turns
from companion.web.hub import Listener, TooManyStreams
from companion.web.serve import CONNECTIONS, STILL_SECONDS, _room_for, listen
from tests.counts import examples
from tests.waiting import wait_for
from tests.web.fake import BOARD

FLOOD, PHONE, OTHER = "127.0.0.66", "127.0.0.3", "127.0.0.4"
PAGES = 30
IDLE = examples(600, 2000)


class Alarm(Clock):
    """A clock that wakes whoever should look at it."""

    def __init__(self) -> None:
        super().__init__()
        self.wake = lambda: None

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        self.wake()


class Crowd:
    """Connections to one server, from whichever address; all are closed at the end."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open: list[socket.socket] = []

    def come(self, address: str, says: bytes = b"") -> socket.socket:
        """Open a connection and say something."""
        made = socket.create_connection(("127.0.0.1", self.port), 20, source_address=(address, 0))
        made.sendall(says)
        self.open.append(made)
        return made

    def listen(self, address: str) -> socket.socket:
        """Open a page's stream and read its greeting."""
        page = self.come(address, b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert page.recv(12, socket.MSG_WAITALL) == b"HTTP/1.1 200"
        return page

    def close(self) -> None:
        for each in self.open:
            each.close()


def is_closed(connection: socket.socket) -> bool:
    """Tell whether the server has closed a connection to which it has said nothing."""
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def get(connection: http.client.HTTPConnection, path: str = "/") -> bytes:
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200
    return answer.read()


def first_page(port: int) -> bool:
    """Tell whether a phone that was not here before gets the page."""
    with contextlib.closing(phone(port)) as visitor:
        return b"<!doctype html>" in get(visitor)


def phone(port: int, address: str = PHONE) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, 20, source_address=(address, 0))


@pytest.fixture(scope="module", autouse=True)
def many_descriptors() -> Iterator[None]:
    """Both ends of every connection are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = IDLE + 1500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"{wanted} descriptors are needed, {hard} are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def hub() -> Hub:
    return Hub(streams=PAGES + 2)


@pytest.fixture
def crowd(server: Server) -> Iterator[Crowd]:
    crowd = Crowd(server.port)
    yield crowd
    crowd.close()


# --- idle -----------------------------------------------------------------------------------------


def test_a_flood_of_idle_connections_leaves_pages_and_other_phones_alone(server, crowd, table, hub):
    pages = [crowd.listen(FLOOD) for _ in range(PAGES)]  # of the same address as the flood
    resting = phone(server.port, OTHER)
    get(resting, "/api/state")
    its_socket = resting.sock
    for number in range(IDLE):
        crowd.come(FLOOD, b"" if number % 2 else b"GET / HTT")
        if number % 100 == 0:
            assert first_page(server.port)
    assert server.goes_on
    assert len(server._server.active_channels) <= CONNECTIONS + hub.streams + 64
    get(resting, "/api/state")
    assert resting.sock is its_socket  # the same connection still
    assert hub.open_streams == PAGES
    table.play("e2")
    for page in pages:
        said = b""
        while b'"moves":["e2"]' not in said:
            said += page.recv(65536)
    resting.close()


def test_the_flood_s_own_connections_make_way_the_oldest_first(server, crowd):
    first = [crowd.come(FLOOD) for _ in range(50)]
    quiet = [crowd.come(PHONE) for _ in range(5)]
    for _ in range(CONNECTIONS + 100):
        last = crowd.come(FLOOD)
    wait_for(lambda: all(map(is_closed, first)))
    assert not any(map(is_closed, quiet))
    assert not is_closed(last)


def test_many_addresses_with_one_connection_each_do_not_keep_a_phone_out(server, crowd):
    for number in range(IDLE):
        crowd.come(f"127.1.{number // 200}.{number % 200 + 1}")
    for _ in range(3):
        assert first_page(server.port)


def test_connections_of_a_front_count_as_a_phone_each(app):
    server = serve(app, "127.0.0.1", 0, front=FLOOD)
    crowd = Crowd(server.port)
    try:
        first = crowd.come(FLOOD)
        others = [crowd.come(PHONE) for _ in range(CONNECTIONS + 80)]
        wait_for(lambda: sum(map(is_closed, others)) >= 40)  # of those that one phone has
        assert not is_closed(first)
    finally:
        crowd.close()
        server.close()


# --- slow -----------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> Alarm:
    return Alarm()


@pytest.fixture
def timed(app, clock) -> Iterator[Server]:
    server = Server(app, listen("127.0.0.1", 0), clock=clock)
    clock.wake = server._server.pull_trigger
    yield server
    server.close()


BODY = b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{"


@pytest.mark.parametrize("says", [b"", b"G", b"GET / HTTP/1.1\r\nHost: loc", b"\r\n", BODY])
def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(timed, clock, says):
    crowd = Crowd(timed.port)
    try:
        slow = crowd.come(FLOOD, says)
        for _ in range(4):
            wait_for(lambda: timed._server.active_channels)
            clock.go_on(REQUEST_SECONDS / 4)
            slow.sendall(says[-1:])  # a byte now and then is not enough
        clock.go_on(1.1)
        wait_for(lambda: not timed._server.active_channels)
        wait_for(lambda: is_closed(slow))
    finally:
        crowd.close()


def test_a_connection_may_rest_between_two_requests_but_not_for_ever(timed, clock):
    visitor = phone(timed.port)
    get(visitor, "/api/state")
    its_socket = visitor.sock
    clock.go_on(REST_SECONDS - 1)
    get(visitor, "/api/state")
    assert visitor.sock is its_socket
    wait_for(lambda: all(visit.waits for visit in timed._server.active_channels.values()))

    def is_gone() -> bool:
        clock.go_on(REST_SECONDS + 1)  # again, if its rest began only now
        return not timed._server.active_channels

    wait_for(is_gone)
    visitor.close()


def test_a_page_that_listens_is_never_overdue(timed, clock, table, hub):
    crowd = Crowd(timed.port)
    try:
        page = crowd.listen(PHONE)
        for _ in range(3):
            clock.go_on(1000)
            wait_for(lambda: timed.goes_on)
        table.play("e2")
        said = b""
        while b'"moves":["e2"]' not in said:
            said += page.recv(65536)
    finally:
        crowd.close()


def test_a_page_that_does_not_read_loses_its_stream(timed, clock, hub):
    crowd = Crowd(timed.port)
    try:
        crowd.listen(FLOOD)

        def is_stuck() -> bool:
            hub.publish("table", {"text": os.urandom(50_000).hex()})
            visits = list(timed._server.active_channels.values())
            return any(visit._reader_awaited_since is not None for visit in visits)

        wait_for(is_stuck, 30)
        wait_for(is_stuck)  # it was not just passing
        clock.go_on(READER_SECONDS + 1)
        wait_for(lambda: hub.open_streams == 0)
    finally:
        crowd.close()


# --- greedy ---------------------------------------------------------------------------------------


class Request:
    """Stands for a request in the line for a thread."""

    def __init__(self, party: str) -> None:
        self.party = (party,)


def test_each_phone_has_its_turn_at_the_threads():
    turns = Turns(Clock())
    flood = [Request("flood") for _ in range(100)]
    for request in flood[:99]:
        turns.append(request)
    late = [Request("one"), Request("two"), Request("one")]
    for request in [*late, flood[99]]:
        turns.append(request)
    assert len(turns) == 103
    order = [turns.popleft() for _ in range(103)]
    assert order[:6] == [flood[0], late[0], late[1], flood[1], late[2], flood[2]]
    assert [request for request in order if request in flood] == flood
    assert len(turns) == 0


def test_all_streams_taken_from_one_address_are_not_all_taken():
    hub = Hub(streams=8)
    flood = [hub.stream(None, listener=Listener(FLOOD)) for _ in range(8)]
    mine = hub.stream(None, listener=Listener(PHONE))
    assert flood[0].is_over
    assert not any(stream.is_over for stream in flood[1:])
    with pytest.raises(TooManyStreams):
        hub.stream(None, listener=Listener(FLOOD))  # not at the cost of others
    assert hub.open_streams == 8
    flood[0].close()
    assert hub.open_streams == 8
    assert not mine.is_over


def test_those_who_only_watch_make_way_for_players_and_never_the_other_way_round():
    hub = Hub(streams=4)
    guests = [hub.stream(None, listener=Listener(f"10.0.0.{n}", True)) for n in range(4)]
    players = [hub.stream(None, listener=Listener(PHONE)) for _ in range(4)]
    assert all(guest.is_over for guest in guests)
    with pytest.raises(TooManyStreams):
        hub.stream(None, listener=Listener("10.0.0.9", True))
    assert not any(player.is_over for player in players)


def test_a_stream_that_made_way_ends_for_its_page(server, crowd, hub):
    pages = [crowd.listen(FLOOD) for _ in range(hub.streams)]
    crowd.listen(PHONE)
    said = b""
    while not said.endswith(b"0\r\n\r\n"):  # the end of a chunked answer
        said += pages[0].recv(65536)
    assert hub.open_streams == hub.streams


@pytest.mark.parametrize(("front", "address"), [("127.0.0.1", "192.168.1.30"), (None, "127.0.0.1")])
def test_only_a_front_is_believed_whom_it_asks_for(app, hub, front, address):
    server = serve(app, "127.0.0.1", 0, front=front)
    crowd = Crowd(server.port)
    try:
        page = crowd.come(
            "127.0.0.1",
            b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n"
            b"X-Forwarded-For: 10.9.9.9, 192.168.1.30\r\n\r\n",
        )
        assert page.recv(12, socket.MSG_WAITALL) == b"HTTP/1.1 200"
        assert [stream.listener.address for stream in hub._open] == [address]
    finally:
        crowd.close()
        server.close()


# --- the pulse ------------------------------------------------------------------------------------


def test_a_page_whose_threads_all_hang_does_not_go_on(hub, table, clock):
    release = threading.Event()

    def hang() -> dict[str, bool]:
        release.wait(60)
        return {"ok": True}

    app = create_app(hub, table.post, board=BOARD, secret="s", health=hang)
    server = Server(app, listen("127.0.0.1", 0), clock=clock)
    clock.wake = server._server.pull_trigger
    crowd = Crowd(server.port)
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try:
        for _ in range(len(server._threads.threads)):
            crowd.come(PHONE, ask)
        wait_for(lambda: server._threads.active_count == len(server._threads.threads))
        clock.go_on(STILL_SECONDS + 1)
        wait_for(lambda: server.goes_on)  # all are at work, and nobody waits
        crowd.come(OTHER, ask)
        wait_for(lambda: len(server._threads.queue) == 1)
        clock.go_on(STILL_SECONDS + 1)
        wait_for(lambda: server._beat == clock.now)
        assert not server.goes_on
        release.set()
        wait_for(lambda: server.goes_on)
    finally:
        release.set()
        crowd.close()
        server.close()


def test_a_page_whose_loop_hangs_does_not_go_on(timed, clock, monkeypatch):
    assert timed.goes_on
    release = threading.Event()
    monkeypatch.setattr(timed._server, "tidy", lambda: release.wait(60))
    timed._server.pull_trigger()
    clock.go_on(STILL_SECONDS + 1)
    wait_for(lambda: not timed.goes_on)
    release.set()
    wait_for(lambda: timed.goes_on)


def test_without_descriptors_the_door_is_deaf_and_hears_again(timed, clock, monkeypatch):
    def accept() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(timed._server, "accept", accept)
        visitor = phone(timed.port)
        visitor.connect()
        wait_for(lambda: not timed.goes_on)
    clock.go_on(2)
    get(visitor)
    assert timed.goes_on
    visitor.close()


@pytest.mark.parametrize(
    ("allowed", "most"), [(64, 32), (1024, 288), (resource.RLIM_INFINITY, 288)]
)
def test_half_of_all_descriptors_are_for_the_table(monkeypatch, allowed, most):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (allowed, allowed))
    assert _room_for(288) == most


# --- the whole service ----------------------------------------------------------------------------


@pytest.mark.long
def test_the_watchdog_is_fed_while_2000_idle_connections_come_and_come_again(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(20)
        environ = {**os.environ, "NOTIFY_SOCKET": line.getsockname(), "WATCHDOG_USEC": "4000000"}
        environ.pop("WATCHDOG_PID", None)
        command = [sys.executable, "-m", "companion", "play", "--sim", "--port", "0"]
        command += ["--host", "127.0.0.1", "--data", str(tmp_path / "data")]
        service = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)
        try:
            assert service.stdout is not None
            lines = iter(service.stdout.readline, "")
            said = next(text for text in lines if "The page:" in text)
            port = int(said.rstrip().rstrip("/").rpartition(":")[2])
            _flood_and_be_fed(port, line)
            assert service.poll() is None
        finally:
            service.terminate()
            service.wait(30)
            assert service.stdout is not None
            service.stdout.close()


def _flood_and_be_fed(port: int, line: socket.socket) -> None:
    """Come again and again for longer than the page may hang, and hear of feeding all the while."""
    fed = 0
    while fed < 60:  # one is due every second
        crowd = Crowd(port)
        try:
            for _ in range(2000):
                crowd.come(FLOOD)
            assert first_page(port)
            while b"WATCHDOG=1" not in line.recv(4096):
                pass
            fed += 1
            while select.select([line], [], [], 0)[0]:
                fed += line.recv(4096).count(b"WATCHDOG=1")
        finally:
            crowd.close()
