"""A crowd at the page's door: how long another phone waits, and whether open pages stay served.

Every address of 127.0.0.0/8 is this machine's, so each can be a phone of its own.
"""

import http.client
import resource
import socket
import tempfile
import time
from collections.abc import Iterator

from bench.pages import Service, until
from bench.report import Row

IDLE = 2000
SLOW = 500
PAGES = 30
AIM_SECONDS = 1.0
FLOOD, PHONE = "127.0.0.66", "127.0.0.3"
LISTEN = b"GET /api/events?kinds=state HTTP/1.1\r\nHost: localhost\r\n\r\n"


def come(port: int, says: bytes = b"", address: str = FLOOD) -> socket.socket:
    """Open a connection and say something."""
    made = socket.create_connection(("127.0.0.1", port), 20, source_address=(address, 0))
    made.sendall(says)
    return made


def first_page(port: int) -> float:
    """Return the seconds until a phone that was not here before has the page."""
    began = time.monotonic()
    phone = http.client.HTTPConnection("127.0.0.1", port, 20, source_address=(PHONE, 0))
    phone.request("GET", "/")
    answer = phone.getresponse()
    answer.read()
    phone.close()
    if answer.status != 200:
        raise AssertionError(f"expected the page, got status {answer.status}")
    return time.monotonic() - began


def idle(port: int, held: list[socket.socket]) -> Iterator[float]:
    """Let idle connections come; yield how long a page takes meanwhile and afterwards."""
    for number in range(IDLE):
        held.append(come(port))
        if number % 100 == 99:
            yield first_page(port)
    for _ in range(20):
        yield first_page(port)


def slow(port: int, held: list[socket.socket]) -> Iterator[float]:
    """Let many send a request byte by byte, and come again when they are sent away."""
    senders = [come(port) for _ in range(SLOW)]
    for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\n" * 2:
        for number, sender in enumerate(senders):
            try:
                sender.sendall(bytes([byte]))
            except OSError:
                sender.close()
                senders[number] = come(port, b"G")
        yield first_page(port)
    held += senders


def still_served(service: Service, pages: list[socket.socket]) -> int:
    """Return how many open pages hear of the next move."""
    service.post("/api/sim/demo", {"what": "move"})
    return sum(_hears_of_a_move(page) for page in pages)


def _hears_of_a_move(page: socket.socket) -> bool:
    said, end = b"", time.monotonic() + 20
    try:
        while b'"moves":["' not in said and time.monotonic() < end:
            data = page.recv(65536)
            if not data:
                return False
            said += data
    except OSError:
        return False
    return b'"moves":["' in said


def run() -> list[Row]:
    """Return the figures."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held: list[socket.socket] = []
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        service = Service(folder)
        try:
            until(service.is_well, "all devices of the service", 60.0)
            pages = [come(service.port, LISTEN) for _ in range(PAGES)]
            held += pages
            waits = {
                f"{IDLE:,} idle connections from one address": list(idle(service.port, held)),
                f"{SLOW} that send byte by byte": list(slow(service.port, held)),
            }
            served = still_served(service, pages)
        finally:
            for connection in held:
                connection.close()
            service.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    rows = [
        Row(
            f"another phone's page, {what}, longest of {len(times)}",
            f"{1000 * max(times):.0f} ms",
            f"aim ≤ {AIM_SECONDS:g} s",
            max(times) / AIM_SECONDS,
            slow=max(times) > AIM_SECONDS,
        )
        for what, times in waits.items()
    ]
    rows.append(
        Row(
            "open pages of the same address that stay served",
            f"{served} of {PAGES}",
            "aim: all",
            slow=served < PAGES,
        )
    )
    return rows
