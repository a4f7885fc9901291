"""A UGI client: a player that starts another program, tells it the moves, and asks for its own.

    with ExternalPlayer(["some-engine", "quoridor"], history=lambda: moves, seconds=2) as player:
        move = player.choose(state, rng, limits)

UGI knows positions as the moves that lead to them, and a state does not remember them: whoever
seats the program says with ``history`` what has been played. A program that is late, dies or
answers with a move that is not legal is an :class:`EngineError` with a sentence for people.
"""

import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random

from companion.errors import EngineError
from companion.games.game import Move, State
from companion.players.player import Limits

START_SECONDS = 10.0
#: How much longer than its thinking time an answer may take, and after it was told to stop; and how
#: often stopping is checked for.
GRACE_SECONDS = 3.0
STOP_SECONDS = 0.25
TICK_SECONDS = 0.02


class ExternalPlayer:
    """Takes a seat with another program. ``seconds`` is its time for a move."""

    def __init__(
        self,
        command: Sequence[str],
        history: Callable[[], Sequence[Move]],
        seconds: float = 2.0,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.name = command[0]
        self.history = history
        self.seconds = seconds
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise EngineError(f"the engine {self.name!r} does not start: {error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._greet(options or {})

    def _greet(self, options: Mapping[str, str]) -> None:
        try:
            self._say("ugi")
            for line in self._until("ugiok", START_SECONDS):
                if line.startswith("id name "):
                    self.name = line.removeprefix("id name ")
            for option, value in options.items():
                self._say(f"setoption name {option} value {value}")
            self._say("uginewgame")
            self._ready()
        except EngineError:
            self.close()
            raise

    # -- playing

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return the program's move; it keeps its own time, and is killed if it will not stop."""
        self._ready()
        self._say(" ".join(["position startpos", *_moves(self.history())]))
        self._say(self._go(limits))
        for line in self._until("bestmove", self.seconds + GRACE_SECONDS, limits.stop):
            if line.startswith("error"):
                raise EngineError(f"the engine {self.name} cannot follow the game: {line[6:]}")
            if line.startswith("bestmove"):
                move = " ".join(line.split()[1:2])  # some say what they ponder as well
                refusal = state.why_not(move)
                if refusal is not None:
                    raise EngineError(
                        f"the engine {self.name} answered {move!r}, which is not legal: "
                        f"{refusal.text}"
                    )
                return move
        raise EngineError(f"the engine {self.name} answered nothing")

    def _go(self, limits: Limits) -> str:
        words = [f"go movetime {max(1, round(1000 * self.seconds))}"]
        if limits.depth is not None:
            words.append(f"depth {limits.depth}")
        if limits.nodes is not None:
            words.append(f"nodes {limits.nodes}")
        return " ".join(words)

    def close(self) -> None:
        """Ask the program to quit; kill it if it does not."""
        if self._process.poll() is None:
            try:
                self._say("quit")
                self._process.wait(1)
            except (EngineError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not yet written to a program that is gone
                    stream.close()

    def __enter__(self) -> "ExternalPlayer":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # -- lines

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineError(f"the engine {self.name} has ended") from None

    def _ready(self) -> None:
        self._say("isready")
        for _ in self._until("readyok", START_SECONDS):
            pass

    def _until(
        self, word: str, seconds: float, stop: Callable[[], bool] | None = None
    ) -> list[str]:
        """Return the lines up to one that begins with a word; stopping is passed on once.

        A program that is late is of no more use, and is killed.
        """
        lines: list[str] = []
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            if stop is not None and stop():
                self._say("stop")
                stop, seconds, end = None, STOP_SECONDS, now + STOP_SECONDS
            try:
                line = self._lines.get(timeout=TICK_SECONDS)
            except queue.Empty:
                continue
            if line is None:
                raise EngineError(f"the engine {self.name} has ended")
            lines.append(line)
            if line.startswith(word) or (word == "bestmove" and line.startswith("error")):
                return lines
        self._process.kill()
        raise EngineError(f"the engine {self.name} did not answer {word} in {seconds:g} seconds")


def _moves(history: Sequence[Move]) -> list[str]:
    return ["moves", *history] if history else []
