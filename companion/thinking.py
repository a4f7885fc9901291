"""The companion's own moves, found by a UGI engine in a process of its own.

A search takes all the time it gets, so it must not share a process with the camera and the page.
The engine is ours, ``companion engine``, or any other program that speaks UGI.
"""

import logging
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence

from companion.errors import CompanionError
from companion.thought import Task, Thought

log = logging.getLogger(__name__)

OURS = (sys.executable, "-m", "companion", "engine")

#: How long to think about one move, in milliseconds, by level; one of four ghosts gets a quarter.
THINK_MS = (40, 60, 90, 140, 240, 400, 600, 900, 1400, 1900)
SHARED = {"pacman": 4, "pacman-advanced": 4}
ANSWER_SECONDS = 15.0


class EngineError(CompanionError):
    """An engine that did not answer as it should."""


class UgiProcess:
    """A running UGI engine for one game. ``command`` gets the game's name as its last word."""

    def __init__(self, game: str, command: Sequence[str] = OURS) -> None:
        self.game = game
        try:
            self._process = subprocess.Popen(
                [*command, game],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except OSError as error:
            raise EngineError(
                f"the engine {command[0]} cannot be started: {error.strerror}"
            ) from error
        self._options: frozenset[str] | None = None
        self._said: Mapping[str, str] = {}

    def best(self, task: Task, milliseconds: int) -> str:
        """Return the engine's move; EngineError when it gives none in time."""
        watch = threading.Timer(ANSWER_SECONDS + milliseconds / 1000, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            self._set({**task.options, "level": str(task.level)})
            moves = ["moves", *task.moves] if task.moves else []
            self._tell(" ".join(["position startpos", *moves]))
            self._tell(f"go movetime {milliseconds}")
            return self._hear("bestmove").split()[0]
        finally:
            watch.cancel()

    def _set(self, options: Mapping[str, str]) -> None:
        """Set the options that the engine knows and that are new to it."""
        if self._options is None:
            self._tell("ugi")
            told: list[str] = []
            self._hear("ugiok", told)
            self._options = frozenset(line.split()[2] for line in told if line.count(" ") > 1)
        for name, value in options.items():
            if name in self._options and self._said.get(name) != value:
                self._tell(f"setoption name {name} value {value}")
        self._said = options

    def close(self) -> None:
        """End the engine, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError("the engine has ended") from error

    def _hear(self, wanted: str, options: list[str] | None = None) -> str:
        """Return what follows this word, as soon as the engine says it."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            verb, _, rest = line.strip().partition(" ")
            if verb == wanted:
                return rest or wanted
            if verb == "error":
                raise EngineError(f"the engine says: {rest:.200}")
            if verb == "option" and options is not None:
                options.append(line)
        raise EngineError("the engine has ended without an answer")


class EngineThinker:
    """Thinks in a thread that waits for engines; the loop only asks and polls."""

    def __init__(self, command: Sequence[str] = OURS) -> None:
        self._command = command
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._wanted: Task | None = None  # guarded by the lock, like the two below
        self._found: Thought | None = None
        self._engine: UgiProcess | None = None
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
        """End the thread and its engine."""
        self.drop()
        self._tasks.put(None)
        with self._lock:
            engine, self._engine = self._engine, None
        if engine:
            engine.close()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            with self._lock:
                wanted = task is self._wanted
            if wanted:
                thought = self._look_for(task)
                with self._lock:
                    if task is self._wanted:
                        self._found = thought

    def _look_for(self, task: Task) -> Thought:
        milliseconds = THINK_MS[task.level - 1] // SHARED.get(task.game, 1)
        try:
            return Thought(task, self._engine_for(task.game).best(task, milliseconds))
        except CompanionError as error:
            log.warning("%s", error)
            self._end_engine()
            return Thought(task, trouble=f"The companion cannot find its move: {error}.")

    def _engine_for(self, game: str) -> UgiProcess:
        with self._lock:
            if self._engine is not None and self._engine.game == game:
                return self._engine
        self._end_engine()
        engine = UgiProcess(game, self._command)
        with self._lock:
            self._engine = engine
        return engine

    def _end_engine(self) -> None:
        with self._lock:
            engine, self._engine = self._engine, None
        if engine:
            engine.close()
