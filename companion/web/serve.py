"""Puts the app on a port, with waitress. Every open page holds a thread, so there are plenty."""

import errno
import logging
import socket
import threading

from flask import Flask
from waitress.server import create_server  # type: ignore[import-untyped]

from companion.errors import DeviceError
from companion.web.hub import Hub

SPARE_THREADS = 8
CONNECTIONS = 256
BUFFER_BYTES = 64 * 1024  # a reader further behind waits, and then gets only the newest
LOST_MILLISECONDS = 30_000  # a phone that left without a word frees its stream after this


class Server:
    """A running server; ``port`` is the real one, even when any was asked for."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        self.host, self.port = listener.getsockname()[:2]
        hub: Hub = app.extensions["companion.hub"]
        self._hub = hub
        options = [(socket.SOL_TCP, socket.TCP_NODELAY, 1)]
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            options.append((socket.SOL_TCP, socket.TCP_USER_TIMEOUT, LOST_MILLISECONDS))
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._server = create_server(
            app,
            sockets=[listener],
            threads=hub.streams + SPARE_THREADS,
            connection_limit=CONNECTIONS,
            channel_request_lookahead=1,  # lets a stream see that its reader has gone
            outbuf_high_watermark=BUFFER_BYTES,
            max_request_body_size=64 * 1024,
            socket_options=options,
            ident="",
        )
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all streams, let go of the port; calling it twice is fine."""
        self._hub.close()
        if self._thread.is_alive():
            self._server.trigger.pull_trigger(self._let_go)
            self._thread.join(5)
            self._server.task_dispatcher.shutdown()

    def _let_go(self) -> None:
        """Close every socket of the server's loop, inside it; then it ends by itself."""
        for part in list(self._server._map.values()):
            part.close()


def serve(app: Flask, host: str, port: int) -> Server:
    """Start serving in threads of its own; DeviceError when the address cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        listener = socket.create_server(address[:2], family=family)
    except socket.gaierror:
        raise DeviceError(f"there is no address {host!r} to serve on; try --host 0.0.0.0") from None
    except OverflowError:
        raise DeviceError(f"a port lies between 0 and 65535, not {port}") from None
    except OSError as error:
        raise DeviceError(_why(error, host, port)) from None
    return Server(app, listener)


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not open to this user; choose one from 1024 up with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host!r} is no address of this machine; try --host 0.0.0.0"
    return f"cannot serve on {host}:{port}: {error.strerror}"
