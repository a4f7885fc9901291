"""A loop with senses that a test leads: what it shows them is what the table is taken to be."""

from collections.abc import Callable, Iterable
from pathlib import Path

from companion.board import DeviceView, Place, Position, Reading, Thing
from companion.games.catalogue import find_game, find_kit
from companion.service.ports import Output, Thinker
from companion.service.requests import NewGame
from companion.service.seating import seat
from companion.service.simulated.rig import Rig
from companion.sim.room import Clock, Room
from tests.referee.seeing import BOARD, evidence_of

SENSOR_OK = DeviceView("camera", "ok", "The camera sees the board.")


class Scripted:
    """Senses that see what ``look`` returns, perfectly, whenever they are asked."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.look: Callable[[], Position] | None = None
        self.strange: dict[Place, dict[Thing, float]] = {}
        self.covered: frozenset[Place] = frozenset()
        self.view = SENSOR_OK
        self.learned: list[Position] = []

    def read(self) -> Reading | None:
        if self.look is None:
            return None
        evidence = evidence_of(self.look()) | self.strange
        return Reading(self.clock(), evidence, self.covered)

    def learn(self, position: Position, *, told: bool = False) -> None:
        self.learned.append(dict(position))

    def devices(self) -> tuple[DeviceView, ...]:
        return (self.view,)


class Stage(Rig):
    """A rig whose senses a test leads, on a journal in a folder."""

    def __init__(
        self, folder: Path, outputs: Iterable[Output] = (), thinker: Thinker | None = None
    ) -> None:
        room = Room(BOARD)
        senses = Scripted(room.clock)
        super().__init__(room, senses, folder=folder, outputs=outputs, thinker=thinker, fps=10)

    def begin(self, game: str = "quoridor", **more: bool) -> "Stage":
        self.loop.begin(NewGame(game), **more)
        self.senses.look = lambda: self.loop.snapshot.position
        self.wait(0.5)
        return self

    def put(self, move: str) -> None:
        """Make a move on the board, legal or not, without a word to the loop."""
        position = self.after(move)
        self.senses.look = lambda: position

    def play(self, *moves: str) -> None:
        """Make moves on the board and let each be accepted."""
        for move in moves:
            self.put(move)
            self.wait(0.5)
            assert self.moves[-1:] == (move,), self.loop.snapshot.verdict

    def after(self, move: str) -> Position:
        snapshot = self.loop.snapshot
        position = dict(snapshot.position)
        if len(move) == 3:
            return position | {move: "fence"}
        assert snapshot.to_act is not None
        piece = snapshot.seats[snapshot.to_act].piece
        return {spot: thing for spot, thing in position.items() if thing != piece} | {move: piece}


def position_of(game: str, *moves: str) -> Position:
    """Return the position after moves, with the usual pieces."""
    rules = find_game(game)
    state = rules.start({})
    for move in moves:
        state = state.play(move)
    cast = seat(BOARD, (), find_kit(rules.name)).cast
    return {spot: cast.get(thing, thing) for spot, thing in state.position().items()}
