"""Publishes what changed to every open page, as server-sent events.

The loop's thread publishes and never waits; each page reads a stream in a thread of the web
server. A reader that falls behind (backpressure) gets every ``state`` of the last few hundred, but
of every other kind (``lights``, ``table``) only the newest.
"""

import json
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

STATE = "state"
KEEP_ALIVE_SECONDS = 10.0
LOOK_SECONDS = 1.0  # how often a quiet stream looks whether its reader has gone
HISTORY = 256  # states that can be replayed after a reconnect (a ring buffer)


class TooManyStreams(Exception):
    """Every stream is taken; the page asks for the state now and then instead."""


@dataclass(frozen=True)
class Listener:
    """Who listens: from which address, and whether as a guest, who only watches."""

    address: str = ""
    is_guest: bool = False


@dataclass(frozen=True)
class Event:
    """Something published: its number, its kind, and its data as JSON text."""

    id: int
    kind: str
    text: str


class Hub:
    """Keeps the newest of each kind and the last states, and wakes the streams.

    Example::

        hub = Hub()
        hub.publish("state", state_json(snapshot, board))
        for text in hub.stream(None):  # in a thread of the web server
            ...
    """

    def __init__(
        self,
        *,
        streams: int = 32,
        keep_alive: float = KEEP_ALIVE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``streams`` is how many pages may listen at a time."""
        self.streams = streams
        self.keep_alive = keep_alive
        self.clock = clock
        # Ids of an earlier run mean nothing now, so each run marks its own.
        self._run = secrets.token_hex(4)
        self._changed = threading.Condition()
        self._id = 0
        self._states: deque[Event] = deque(maxlen=HISTORY)
        self._latest: dict[str, Event] = {}
        self._open: list[Stream] = []

    def publish(self, kind: str, data: Mapping[str, Any]) -> int:
        """Hand data to every stream; return its event number. The same data twice is one event."""
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        with self._changed:
            before = self._latest.get(kind)
            if before is not None and before.text == text:
                return before.id
            self._id += 1
            event = Event(self._id, kind, text)
            self._latest[kind] = event
            if kind == STATE:
                self._states.append(event)
            self._changed.notify_all()
            return event.id

    def latest(self, kind: str = STATE) -> dict[str, Any] | None:
        """Return the newest data of a kind, None when nothing was published yet."""
        text = self.latest_text(kind)
        return None if text is None else dict(json.loads(text))

    def latest_text(self, kind: str = STATE) -> str | None:
        """Return the newest data of a kind as JSON text."""
        with self._changed:
            event = self._latest.get(kind)
        return None if event is None else event.text

    @property
    def open_streams(self) -> int:
        """Return how many streams are being read."""
        with self._changed:
            return len(self._open)

    def stream(
        self,
        last_id: str | None,
        kinds: Collection[str] = (),
        gone: Callable[[], bool] = lambda: False,
        listener: Listener = Listener(),
    ) -> "Stream":
        """Return a new stream of server-sent events, or raise TooManyStreams.

        It starts behind ``last_id`` when this run gave that id out, else with the newest of each
        kind. No ``kinds`` means all. ``gone`` tells whether the reader has left.

        When all are taken, a guest's is ended for a player's, and among equals one of the address
        that holds most (fair sharing), so that nobody can take them all.
        """
        with self._changed:
            if len(self._open) >= self.streams:
                self._make_way_for(listener)
            stream = Stream(self, self._cursor(last_id), frozenset(kinds), gone, listener)
            self._open.append(stream)
        return stream

    def _make_way_for(self, listener: Listener) -> None:
        held = Counter(stream.listener.address for stream in self._open)

        def greed(listener: Listener, more: int = 0) -> tuple[bool, int]:
            return listener.is_guest, held[listener.address] + more

        worst = max(self._open, key=lambda stream: greed(stream.listener))  # and the oldest of them
        if greed(worst.listener) <= greed(listener, 1):
            raise TooManyStreams
        self._open.remove(worst)
        worst.is_over = True
        self._changed.notify_all()

    def end_streams(self) -> None:
        """End every stream that is open now; pages then come back by themselves."""
        with self._changed:
            for stream in self._open:
                stream.is_over = True
            self._changed.notify_all()

    def _cursor(self, last_id: str | None) -> int | None:
        run, _, number = (last_id or "").partition("-")
        if run != self._run or not number.isascii() or not number.isdigit():
            return None
        return int(number) if len(number) < 16 else None

    def _leave(self, stream: "Stream") -> None:
        with self._changed:
            if stream in self._open:
                self._open.remove(stream)

    def _after(self, cursor: int | None) -> list[Event]:
        """Return what a reader has not seen, oldest first; the caller holds the condition."""
        events = [event for event in self._latest.values() if event.id > (cursor or 0)]
        if cursor is not None:
            events = [event for event in events if event.kind != STATE]
            events += [event for event in self._states if event.id > cursor]
        return sorted(events, key=lambda event: event.id)

    def _wait(self, stream: "Stream") -> tuple[list[Event], bool]:
        """Return new events, or none when a keep-alive is due; and whether the stream is over."""
        until = self.clock() + self.keep_alive
        while True:
            with self._changed:
                if stream.is_over:
                    return [], True
                events = self._after(stream.cursor)
                if events:
                    return events, False
                left = until - self.clock()
                if left <= 0:
                    return [], False
                self._changed.wait(min(left, LOOK_SECONDS))
            if stream.gone():
                return [], True

    def _text(self, event: Event) -> str:
        return f"id: {self._run}-{event.id}\nevent: {event.kind}\ndata: {event.text}\n\n"


@dataclass(eq=False)
class Stream:
    """One page listening. Close it when the page has gone; the web server does."""

    _hub: Hub
    cursor: int | None
    _kinds: frozenset[str]
    gone: Callable[[], bool]
    listener: Listener
    is_over: bool = False  # because the hub has ended it
    _greeted: bool = False
    _left: threading.Lock = field(default_factory=threading.Lock)  # taken by who closes first

    def __iter__(self) -> Iterator[str]:
        """Return itself."""
        return self

    def __next__(self) -> str:
        """Return the next piece of the stream: a first comment at once, then as things happen."""
        if not self._greeted:
            self._greeted = True
            return ": hello\nretry: 1000\n\n"
        while True:
            events, over = self._hub._wait(self)
            if over:
                self.close()
                raise StopIteration
            if not events:
                return ": still here\n\n"
            self.cursor = events[-1].id
            text = "".join(
                self._hub._text(event)
                for event in events
                if not self._kinds or event.kind in self._kinds
            )
            if text:
                return text

    def close(self) -> None:
        """Give the place back; calling it twice is fine."""
        if self._left.acquire(blocking=False):
            self._hub._leave(self)
