"""Serves the app with waitress. Every open page holds a thread, so the pool is large."""

import errno
import logging
import resource
import socket
import threading
import time
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]

from companion.errors import ConfigError, DeviceError
from companion.web.door import ACCEPTS, Clock, Door, Listening, Threads
from companion.web.hub import Hub

SPARE_THREADS = 8
CONNECTIONS = 256  # besides the open pages
HEADER_BYTES = 16 * 1024
STILL_SECONDS = 5.0  # without a round of the loop, or a request taken up, it hangs
BUFFER_BYTES = 64 * 1024  # a reader further behind waits, and then gets only the newest
LOST_MILLISECONDS = 30_000  # a phone that left without a word frees its stream after this


class Server:
    """A running server; ``port`` is the real one, even when any was asked for.

    ``front`` is the address of a front that asks for many phones and tells for whom.
    """

    def __init__(
        self,
        app: Flask,
        listener: socket.socket,
        front: str | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.host, self.port = listener.getsockname()[:2]
        hub: Hub = app.extensions["companion.hub"]
        self._hub = hub
        self._clock = clock
        self._beat = clock()
        logging.getLogger("waitress").setLevel(logging.WARNING)  # pages come and go
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        most = _room_for(CONNECTIONS + hub.streams)
        self._threads = Threads(hub.streams + SPARE_THREADS, clock)
        self._server = Door(
            app,
            listener,
            self._threads,
            _adjustments(front, most),
            most=most,
            front=front,
            clock=clock,
        )
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    @property
    def goes_on(self) -> bool:
        """Tell whether requests are let in and taken up, however many of them there are."""
        now, turns = self._clock(), self._threads.queue
        hangs = now - self._beat > STILL_SECONDS or (
            len(turns) > 0 and now - turns.taken_at > STILL_SECONDS
        )
        return not hangs and self._server.listening is Listening.OPEN

    def close(self) -> None:
        """End all streams and let go of the port; calling it twice is fine."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._server.pull_trigger()
        self._thread.join()
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()  # also wakes a thread that waits for a slow reader
        self._hub.end_streams()
        self._server.task_dispatcher.shutdown()
        self._server.close()  # last: until now threads could still pull the trigger

    def _run(self) -> None:
        adjustments = self._server.adj
        while not self._stopping.is_set():
            self._server.asyncore.loop(
                timeout=adjustments.asyncore_loop_timeout,
                map=self._server._map,
                use_poll=adjustments.asyncore_use_poll,
                count=1,
            )
            self._server.tidy()
            self._beat = self._clock()


def _adjustments(front: str | None, most: int) -> Any:
    """Return how waitress is to work."""
    more: dict[str, Any] = {}
    if front is not None:
        more = {"trusted_proxy": front, "trusted_proxy_headers": "x-forwarded-for"}
        more["trusted_proxy_count"] = 1
    adjustments = Adjustments(
        connection_limit=most + 2 * ACCEPTS,  # past that even requests at work are too many
        channel_request_lookahead=1,  # lets a stream see that its reader has gone
        outbuf_high_watermark=BUFFER_BYTES,
        max_request_header_size=HEADER_BYTES,
        max_request_body_size=64 * 1024,
        asyncore_use_poll=True,
        ident="",
        **more,
    )
    options = [(socket.SOL_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.SOL_TCP, socket.TCP_USER_TIMEOUT, LOST_MILLISECONDS))
    adjustments.socket_options = options  # no argument sets it
    return adjustments


def _room_for(connections: int) -> int:
    """Return how many connections there may be: half of all descriptors are for the table."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    unlimited = descriptors == resource.RLIM_INFINITY
    return connections if unlimited else min(connections, descriptors // 2)


def serve(app: Flask, host: str, port: int, front: str | None = None) -> Server:
    """Start serving in threads of its own; DeviceError when the address cannot be had."""
    return Server(app, listen(host, port), front)


def listen(host: str, port: int) -> socket.socket:
    """Take an address, so that nobody else can; DeviceError when it cannot be had, ConfigError when
    this user never may."""
    if not 0 <= port <= 65535:
        raise DeviceError(f"a port lies between 0 and 65535, not {port}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family)
    except socket.gaierror:
        raise DeviceError(f"there is no address {host!r} to serve on; try --host 0.0.0.0") from None
    except OSError as error:
        refused = ConfigError if error.errno == errno.EACCES else DeviceError
        raise refused(_why(error, host, port)) from None


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not open to this user; choose one from 1024 up with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host!r} is no address of this machine; try --host 0.0.0.0"
    return f"cannot serve on {host}:{port}: {error.strerror}"
