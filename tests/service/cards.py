"""A table of hidden hands for tests: the loop itself, a journal on disk, and people at phones."""

from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

from companion.board import DeviceView, Reading
from companion.boards import profile
from companion.engine.thinker import Task, Thought
from companion.games.catalogue import find_kit
from companion.games.game import Move, Seat, replay
from companion.players.player import Limits
from companion.sensing.corners import Corners
from companion.service.loop import Loop
from companion.service.requests import Command, NewGame, Place, PlayHand, Reply
from companion.sim.room import Clock
from companion.store.journal import IN_MEMORY, Journal
from companion.store.seal import Seal

BOARD = profile.load("reference")
KEY = b"k" * 32


class Blind:
    """Senses of a table that has none; reading them is a mistake while cards are played."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self) -> Reading | None:
        self.reads += 1
        return None

    def learn(self, position: object, *, told: bool = False) -> None: ...

    def use_corners(self, corners: Corners | None) -> None: ...

    def devices(self) -> tuple[DeviceView, ...]:
        return ()


class Quick:
    """Thinks at once, with our own player."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.task: Task | None = None
        self.trouble = ""

    def think(self, task: Task) -> None:
        self.task = task

    def poll(self) -> Thought | None:
        task, self.task = self.task, None
        if task is None:
            return None
        if self.trouble:
            return Thought(task, trouble=self.trouble)
        kit = find_kit(task.game)
        state = replay(kit.game.start(task.options), task.moves)
        return Thought(task, kit.player(min(task.level, 3)).choose(state, self.rng, Limits()))

    def drop(self) -> None:
        self.task = None


class Party:
    """A game of cards in the loop. Time goes when a test says so."""

    def __init__(
        self, folder: Path | None = None, seed: int = 1, seal: Seal | None = None, **more: Any
    ) -> None:
        self.clock = Clock()
        self.senses = Blind()
        self.thinker = Quick(seed)
        self.outputs: list[Any] = []
        self.journal = Journal(folder / "journal.db" if folder else IN_MEMORY)
        self.loop = Loop(
            BOARD,
            self.senses,
            self.journal,
            self.clock,
            [lambda snapshot, now: self.outputs.append(snapshot)],
            thinker=self.thinker,
            rng=Random(seed),
            seal=seal or Seal(KEY),
            **more,
        )

    def begin(self, levels: dict[Seat, int] | None = None, **options: str) -> "Party":
        self.loop.begin(NewGame("cards", options, (), levels or {}))
        return self

    @property
    def state(self) -> Any:
        return self.loop.table.state

    def post(self, command: Command) -> "Future[Reply]":
        """Ask, and have it obeyed: as the page does, without its thread."""
        answer = self.loop.post(command)
        self.loop.step()
        return answer

    def ask(self, command: Command) -> Reply:
        return self.post(command).result(0)

    def place(self, seat: Seat) -> Place:
        assert self.loop.private is not None
        return Place(seat, self.loop.private.places.renewed[seat])

    def play(self, seat: Seat, move: Move, seen: int | None = None) -> Reply:
        count = len(self.loop.table.moves) if seen is None else seen
        return self.ask(PlayHand(self.place(seat), move, count))

    def close(self) -> None:
        self.journal.close()
