"""Moves found by UGI engines in processes of their own: the companion's, hints, those of demos.

A search takes all the time it gets, so it must not share a process with the camera and the page.
The companion's seats are played by our engine, ``companion engine``, or by any other program that
speaks UGI.
"""

import logging
import queue
import random
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from companion.engine.client import ExternalPlayer
from companion.errors import CompanionError
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Move, replay
from companion.players.player import Limits, level_limits

log = logging.getLogger(__name__)

OURS = (sys.executable, "-m", "companion", "engine")

#: How long to look for a hint, whatever the game.
HINT_SECONDS = 0.8

#: An engine for hints or demos is ended when nobody has asked it for so long.
IDLE_SECONDS = 60.0
LOOK_SECONDS = 1.0

#: All that is said of an engine that fails in a game with hidden hands.
FAILED = "the engine has failed"


class Purpose(Enum):
    """What a move is wanted for: the companion plays it, or people are shown it."""

    OWN = "own move"
    HINT = "hint"
    DEMO = "demo"


@dataclass(frozen=True)
class Task:
    """A position, as the moves that led to it, how well to play it, and what for."""

    game: str
    options: Mapping[str, str]
    moves: tuple[Move, ...]
    level: int
    purpose: Purpose = Purpose.OWN


@dataclass(frozen=True)
class Thought:
    """The move found for a task, or in a sentence why there is none."""

    task: Task
    move: Move = ""
    trouble: str = ""


def no_move(error: Exception | str) -> str:
    """Return in words that the companion has no move to play, and what to do about it."""
    return (
        f"The companion cannot find its move: {error}. Take a move back, or begin a new game;"
        " if game.engine is in the settings, take it out."
    )


class Engine:
    """A running engine for tasks that differ only in their moves; ``used_at`` is when it last
    found one."""

    def __init__(self, task: Task, command: Sequence[str]) -> None:
        self.kind = _kind(task)
        self.used_at = float("inf")
        self._moves: Sequence[Move] = task.moves
        self._player = ExternalPlayer(
            [*command, task.game],
            lambda: self._moves,
            _seconds(task),
            {**task.options, "level": str(task.level)},
        )

    def best(self, task: Task, stop: Callable[[], bool]) -> Move:
        """Return the engine's move, which is legal; EngineError when it gives none."""
        self._moves = task.moves
        state = replay(find_game(task.game).start(task.options), task.moves)
        return self._player.choose(state, random.Random(), Limits(stop=stop))

    def makes_way(self, kind: Task) -> bool:
        """Tell whether it is ended before one of this kind starts: there is one game at a time,
        and one engine besides those of the companion's seats."""
        if (kind.game, kind.options) != (self.kind.game, self.kind.options):
            return True
        return Purpose.OWN not in (kind.purpose, self.kind.purpose)

    def is_idle(self, now: float) -> bool:
        """Tell whether it is no longer needed; engines of the companion's seats are kept."""
        return self.kind.purpose is not Purpose.OWN and now - self.used_at >= IDLE_SECONDS

    def close(self) -> None:
        """End the engine."""
        self._player.close()


class EngineThinker:
    """Thinks in a thread that waits for engines; the loop only asks and polls.

    ``command`` starts the engine for the companion's seats; hints and demos always use ours.
    """

    def __init__(
        self,
        command: Sequence[str] = OURS,
        clock: Callable[[], float] = time.monotonic,
        ours: Sequence[str] = OURS,
    ) -> None:
        self._command = command
        self._ours = ours
        self._clock = clock
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._wanted: Task | None = None  # guarded by the lock, like what was found
        self._found: Thought | None = None
        self._engines: list[Engine] = []  # the thread's own
        self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self._thread.start()

    def think(self, task: Task) -> None:
        """Begin to look for a move; whatever was looked for before is dropped."""
        with self._lock:
            self._wanted, self._found = task, None
        self._tasks.put(task)

    def poll(self) -> Thought | None:
        """Return what was found for the last task, None while there is nothing new."""
        with self._lock:
            found, self._found = self._found, None
            return found

    def drop(self) -> None:
        """Stop looking: the answer, when it comes, is not wanted any more."""
        with self._lock:
            self._wanted = self._found = None

    def close(self) -> None:
        """End the thread and its engines."""
        self.drop()
        self._tasks.put(None)
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while (task := self._next()) is not None:
            if not self._is_dropped(task):
                thought = self._look_for(task)
                with self._lock:
                    if task is self._wanted:
                        self._found = thought
        self._end(lambda engine: True)

    def _next(self) -> Task | None:
        """Return the next task; while there is none, engines that are idle are ended."""
        while True:
            try:
                return self._tasks.get(timeout=LOOK_SECONDS if self._engines else None)
            except queue.Empty:
                self._end(lambda engine: engine.is_idle(self._clock()))

    def _is_dropped(self, task: Task) -> bool:
        with self._lock:
            return task is not self._wanted

    def _look_for(self, task: Task) -> Thought:
        try:
            engine = self._engine_for(task)
            move = engine.best(task, lambda: self._is_dropped(task))
            engine.used_at = self._clock()
            return Thought(task, move)
        except CompanionError as error:
            text = FAILED if _hides(task) else str(error)  # it may name a card
            if not self._is_dropped(task):
                log.warning("%s", text)
            self._end(lambda engine: engine.kind == _kind(task))
            return Thought(task, trouble=text)

    def _engine_for(self, task: Task) -> Engine:
        """Return the engine for such tasks, started if need be; others may have to make way."""
        kind = _kind(task)
        for engine in self._engines:
            if engine.kind == kind:
                return engine
        self._end(lambda engine: engine.makes_way(kind))
        foreign = task.purpose is Purpose.OWN and not _hides(task)
        engine = Engine(task, self._command if foreign else self._ours)
        self._engines.append(engine)
        return engine

    def _end(self, which: Callable[[Engine], bool]) -> None:
        for engine in [engine for engine in self._engines if which(engine)]:
            self._engines.remove(engine)
            engine.close()


def _hides(task: Task) -> bool:
    """Tell whether the moves of the game are secret: only our own player may have them, which looks
    at nothing but what its seat sees."""
    return find_kit(task.game).hands is not None


def _kind(task: Task) -> Task:
    return replace(task, moves=())


def _seconds(task: Task) -> float:
    """Return how long to think about one move; the moves of one turn share its time."""
    if task.purpose is Purpose.HINT:
        return HINT_SECONDS
    return level_limits(task.level).seconds / find_kit(task.game).moves_a_turn
