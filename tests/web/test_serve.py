"""Real sockets: what a phone gets over the wire."""

import http.client
import socket

import pytest

from companion.errors import DeviceError
from companion.web import serve


class Listener:
    """A page that listens, byte by byte."""

    def __init__(self, port, last_id=None, query=""):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {"Last-Event-ID": last_id} if last_id else {}
        self.connection.request("GET", "/api/events" + query, headers=headers)
        self.response = self.connection.getresponse()

    def line(self):
        return self.response.readline().decode().rstrip("\n")

    def until(self, start):
        """Return the rest of the next line that starts so."""
        while True:
            line = self.line()
            if line.startswith(start):
                return line.removeprefix(start)

    def close(self):
        self.connection.sock.shutdown(socket.SHUT_RDWR) if self.connection.sock else None
        self.response.close()
        self.connection.close()


@pytest.fixture
def listen(server):
    opened = []

    def open_one(*args, **more):
        opened.append(Listener(server.port, *args, **more))
        return opened[-1]

    yield open_one
    for listener in opened:
        listener.close()


def test_stream_greets_at_once_and_carries_states_as_they_come(listen, table):
    listener = listen()
    assert listener.response.status == 200
    assert listener.response.getheader("Content-Type").startswith("text/event-stream")
    assert listener.line().startswith(":")
    assert '"moves":[]' in listener.until("data: ")
    table.play("e2")
    assert '"moves":["e2"]' in listener.until("data: ")


def test_stream_goes_on_behind_the_last_id(listen, table):
    first = listen()
    last_id = first.until("id: ")
    first.close()
    table.play("e2")
    table.play("e8")
    second = listen(last_id=last_id)
    assert '"moves":["e2"]' in second.until("data: ")
    assert '"moves":["e2","e8"]' in second.until("data: ")


def test_past_the_cap_the_answer_is_503_and_state_can_still_be_polled(listen, server, hub):
    for _ in range(hub.streams):
        listen().line()
    one_more = listen()
    assert one_more.response.status == 503
    assert one_more.response.getheader("Retry-After")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/api/state")
    assert connection.getresponse().status == 200
    connection.close()


def test_page_that_leaves_frees_its_stream(listen, hub, table):
    listener = listen()
    listener.line()
    assert hub.open_streams == 1
    listener.close()
    for _ in range(100):  # each waits on the hub, until the server has seen the page leave
        if hub.open_streams == 0:
            break
        with hub._changed:
            hub._changed.wait(0.1)
    assert hub.open_streams == 0


def test_port_in_use_is_one_clear_sentence(app, server):
    with pytest.raises(DeviceError, match=f"^port {server.port} is in use; choose another"):
        serve(app, "127.0.0.1", server.port)


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [
        ("127.0.0.1", 99999, "a port lies between 0 and 65535, not 99999"),
        ("no such host", 0, "there is no address 'no such host'"),
        ("192.0.2.1", 0, "'192.0.2.1' is no address of this machine"),
    ],
)
def test_address_that_cannot_be_had_is_one_clear_sentence(app, host, port, says):
    with pytest.raises(DeviceError, match=says):
        serve(app, host, port)


def test_closed_server_gives_its_port_back(app):
    first = serve(app, "127.0.0.1", 0)
    first.close()
    first.close()
    second = serve(app, "127.0.0.1", first.port)
    assert second.port == first.port
    second.close()
