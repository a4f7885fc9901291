"""Admission control: however many connections there are, every phone's requests get through.

A connection *waits* while none of its requests is being served: it is new, sends slowly
(slowloris), or is idle between two requests (keep-alive). Open pages and requests being served are
never closed; of those that wait, the longest waiting of the phone with most connections is closed
first. So a flood takes room from nobody but its sender. Requests that wait for a thread are taken
round robin, phone by phone (fair queueing).
"""

import errno
import socket
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

REQUEST_SECONDS = 10.0  # for a whole request, from the first byte or from coming
REST_SECONDS = 60.0  # between two requests
READER_SECONDS = 10.0  # for which a thread waits until its reader reads on
TIDY_SECONDS = 1.0
ACCEPTS = 32  # let in at a time: a full queue must not take as many rounds
OUT_OF_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

Clock = Callable[[], float]
Party = tuple[Any, ...]


class Visit(HTTPChannel):  # type: ignore[misc]
    """One connection, with the time since which it has been waiting, and for what."""

    def __init__(self, server: "Door", sock: socket.socket, addr: Any, adj: Any, map: Any) -> None:
        self._clock = server.clock
        self.party = server.party(addr)
        self.waiting_since = self._clock()
        self._rests = False  # else a request is due
        self._reader_awaited_since: float | None = None
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def waits(self) -> bool:
        """Tell whether no request of it is at work."""
        return not self.requests

    def is_overdue(self, now: float) -> bool:
        """Tell whether it has exceeded its timeout."""
        awaited_since = self._reader_awaited_since
        if awaited_since is not None and now - awaited_since > READER_SECONDS:
            return True
        patience = REST_SECONDS if self._rests and self.request is None else REQUEST_SECONDS
        return self.waits and now - self.waiting_since > patience

    def received(self, data: bytes) -> bool:
        """Take bytes of a request; from the first one on it is due."""
        if self._rests:
            self._rests = False
            self.waiting_since = self._clock()
        return bool(super().received(data))

    def service(self) -> None:
        """Carry a request out."""
        self._rests = True  # from the moment at which it is done
        super().service()
        self.waiting_since = self._clock()

    def _flush_outbufs_below_high_watermark(self) -> None:
        self._reader_awaited_since = self._clock()
        super()._flush_outbufs_below_high_watermark()
        self._reader_awaited_since = None


class Turns:
    """Requests that wait for a thread: one of each phone, then the next of each (round robin)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lines: dict[Party, deque[Visit]] = {}
        self._count = 0
        self.taken_at = clock()  # when the last one was, or could have been

    def __len__(self) -> int:
        """Return how many wait."""
        return self._count

    def append(self, visit: Visit) -> None:
        """Put a request at the end of its phone's line."""
        if not self._count:
            self.taken_at = self._clock()
        self._lines.setdefault(visit.party, deque()).append(visit)
        self._count += 1

    def popleft(self) -> Visit:
        """Return the request whose turn it is."""
        party = next(iter(self._lines))
        line = self._lines.pop(party)
        visit = line.popleft()
        if line:
            self._lines[party] = line  # behind all others
        self._count -= 1
        self.taken_at = self._clock()
        return visit


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads that carry requests out, by turns."""

    def __init__(self, count: int, clock: Clock) -> None:
        super().__init__()
        self.queue = Turns(clock)
        self.set_thread_count(count)


class Listening(Enum):
    """How the door listens: when descriptors run out it pauses, and then tries again."""

    OPEN = "open"
    PAUSED = "paused"
    RETRYING = "retrying"


class Door(TcpWSGIServer):  # type: ignore[misc]
    """Lets connections in and sees that those that wait do not fill the room.

    ``most`` is how many may be open. The connections of ``front``, an address that asks for many
    phones, count as a phone each.
    """

    channel_class = Visit

    def __init__(
        self,
        app: Any,
        listener: socket.socket,
        threads: Threads,
        adj: Any,
        *,
        most: int,
        front: str | None,
        clock: Clock,
    ) -> None:
        self.clock = clock
        self.most = most
        self.listening = Listening.OPEN
        self._front = front
        self._tidy_at = clock()
        info = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            app, {}, True, listener, dispatcher=threads, adj=adj, sockinfo=info, bind_socket=False
        )

    def party(self, address: tuple[Any, ...]) -> Party:
        """Return whose a connection from an address is."""
        return address[:2] if address[0] == self._front else address[:1]

    def readable(self) -> bool:
        """Tell whether another connection can be let in."""
        return self.listening is not Listening.PAUSED and bool(super().readable())

    def handle_accept(self) -> None:
        """Let those in who stand outside; :meth:`tidy` then makes room."""
        for _ in range(ACCEPTS):
            try:
                accepted = self.accept()
            except OSError as error:
                is_full = error.errno in OUT_OF_ROOM
                self.listening = Listening.PAUSED if is_full else Listening.OPEN
                return
            if accepted is None:
                return
            self.listening = Listening.OPEN
            self._let_in(*accepted)

    def _let_in(self, connection: socket.socket, address: Any) -> None:
        try:
            self.set_socket_options(connection)
        except OSError:
            connection.close()  # it has gone already
        else:
            self.channel_class(self, connection, address, self.adj, map=self._map)

    def maintenance(self, now: float) -> None:
        """Do nothing: connections may not be closed at this moment."""

    def tidy(self) -> None:
        """Close what is too much or overdue. To be called between two rounds of the loop."""
        self._close_waiting(len(self.active_channels) - self.most)
        now = self.clock()
        if now < self._tidy_at:
            return
        self._tidy_at = now + TIDY_SECONDS
        for visit in list(self.active_channels.values()):
            if visit.is_overdue(now):
                visit.handle_close()
        if self.listening is Listening.PAUSED:
            self.listening = Listening.RETRYING
            self._close_waiting(len(self.active_channels) // 2)

    def _close_waiting(self, count: int) -> None:
        """Close some of those that wait: the longest waiting of whoever has most, one by one."""
        if count <= 0:
            return
        waiting = sorted(
            (visit for visit in self.active_channels.values() if visit.waits),
            key=lambda visit: visit.waiting_since,
        )
        lines: dict[Party, deque[Visit]] = {}
        for visit in waiting:
            lines.setdefault(visit.party, deque()).append(visit)
        for _ in range(min(count, len(waiting))):
            party = max(lines, key=lambda who: (len(lines[who]), -lines[who][0].waiting_since))
            lines[party].popleft().handle_close()
            if not lines[party]:
                del lines[party]
