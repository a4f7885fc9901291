"""The companion's own moves, found by a UGI engine in a process of its own.

A search takes all the time it gets, so it must not share a process with the camera and the page.
The engine is ours, ``companion engine``, or any other program that speaks UGI.
"""

import logging
import queue
import random
import sys
import threading
from collections.abc import Sequence

from companion.engine.client import ExternalPlayer
from companion.engine.thought import Task, Thought, no_move
from companion.errors import CompanionError
from companion.games import find_game
from companion.players import Limits
from companion.rules.game import Move, State

log = logging.getLogger(__name__)

OURS = (sys.executable, "-m", "companion", "engine")

#: How long to think about one move, in seconds, by level; one of four ghosts gets a quarter.
THINK_SECONDS = (0.04, 0.06, 0.09, 0.14, 0.24, 0.4, 0.6, 0.9, 1.4, 1.9)
SHARED = {"pacman": 4, "pacman-advanced": 4}


#: A game and its options.
Kind = tuple[str, tuple[tuple[str, str], ...]]


class Engine:
    """A running engine for one game at one level."""

    def __init__(self, task: Task, command: Sequence[str]) -> None:
        self._moves: Sequence[Move] = task.moves
        seconds = THINK_SECONDS[task.level - 1] / SHARED.get(task.game, 1)
        self._player = ExternalPlayer(
            [*command, task.game],
            lambda: self._moves,
            seconds,
            {**task.options, "level": str(task.level)},
        )

    def best(self, task: Task) -> Move:
        """Return the engine's move, which is legal; EngineError when it gives none."""
        self._moves = task.moves
        state: State = find_game(task.game).start(task.options)
        for move in task.moves:
            state = state.play(move)
        return self._player.choose(state, random.Random(), Limits())

    def close(self) -> None:
        """End the engine."""
        self._player.close()


class EngineThinker:
    """Thinks in a thread that waits for engines; the loop only asks and polls."""

    def __init__(self, command: Sequence[str] = OURS) -> None:
        self._command = command
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._wanted: Task | None = None  # guarded by the lock, like what was found
        self._found: Thought | None = None
        self._engines: dict[tuple[Kind, int], Engine] = {}  # the thread's own
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
        while (task := self._tasks.get()) is not None:
            with self._lock:
                wanted = task is self._wanted
            if wanted:
                thought = self._look_for(task)
                with self._lock:
                    if task is self._wanted:
                        self._found = thought
        self._end_engines()

    def _look_for(self, task: Task) -> Thought:
        try:
            return Thought(task, self._engine_for(task).best(task))
        except CompanionError as error:
            log.warning("%s", error)
            self._end_engines()
            return Thought(task, trouble=no_move(error))

    def _engine_for(self, task: Task) -> Engine:
        """Return the engine for this game at this level; those of another game are ended."""
        game = (task.game, tuple(sorted(task.options.items())))
        if any(kind != game for kind, _ in self._engines):
            self._end_engines()
        key = (game, task.level)
        if key not in self._engines:
            self._engines[key] = Engine(task, self._command)
        return self._engines[key]

    def _end_engines(self) -> None:
        for engine in self._engines.values():
            engine.close()
        self._engines = {}
