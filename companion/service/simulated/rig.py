"""A rig in simulated time: the companion's own loop at the table of a simulated room.

Every part between the pieces on the table and the verdict is the real one. Only two devices are
shortened: time, which goes when it is told to, and the wire between grid and host, whose values
are handed over without a pseudo-terminal.
"""

import random
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.board import Position
from companion.lights.scene import scene
from companion.lights.strip import Strip
from companion.referee.verdict import Kind, Verdict
from companion.sensing.fusion import Senses as Sensing
from companion.service.loop import Loop
from companion.service.ports import Output, Senses, Thinker, Watched
from companion.service.requests import Command, NewGame, Reply
from companion.service.snapshot import Snapshot
from companion.sim.hands import Step
from companion.sim.room import FPS, Room
from companion.store.journal import Journal


class Rig:
    """A companion at the table of a room, frame by frame.

    Its journal lies in the ``folder``, or in one that goes with it. ``senses`` may be others than
    camera and grid of the room. ``on_moves`` is called as soon as moves have been accepted;
    ``kinds`` gathers the kinds of verdicts until somebody clears it.

    Example::

        rig = Rig(Room(profile.load("reference"), Setting("lamp", seed=3)))
        rig.begin("quoridor")
        rig.watch(Person(rig.table, rig.board).move_pawn("pacman", "e1", "e2"))
        rig.wait(1.0, until=lambda: rig.moves == ("e2",))
        rig.close()
    """

    def __init__(
        self,
        room: Room,
        senses: Senses | None = None,
        *,
        folder: Path | None = None,
        outputs: Iterable[Output] = (),
        thinker: Thinker | None = None,
        fps: int = FPS,
        watched: Watched = lambda reading, agreed: None,
    ) -> None:
        self.room, self.setting, self.board = room, room.setting, room.board
        self.table, self.clock = room.table, room.clock
        self.senses = senses or watching(room)
        self._strip = Strip(room.pixels, room.board.lights.milliamps)
        self._folder = tempfile.TemporaryDirectory(prefix="companion-rig-")
        self.journal = Journal((folder or Path(self._folder.name)) / "journal.db")
        self.loop = Loop(
            room.board,
            self.senses,
            self.journal,
            self.clock,
            [*outputs, self._show_lights],
            thinker=thinker,
            rng=random.Random(room.setting.seed),
            watched=watched,
        )
        self.on_moves: Callable[[tuple[str, ...]], None] = lambda moves: None
        self.kinds: set[Kind] = set()
        self._began = False
        self._beat = 1 / fps
        self._due = self.clock.now

    def begin(self, game: str, pieces: tuple[str, ...] = ()) -> None:
        """Set up a new game, and wait until the companion has seen that it is."""
        wanted = NewGame(game, {}, pieces)
        if self._began:
            self.ask(wanted)
        else:
            self.loop.begin(wanted)
            self._began = True
        self.table.set_up(self.position)
        self.wait(2.0, until=lambda: self.loop.table.is_as_agreed)

    @property
    def snapshot(self) -> Snapshot:
        """Return what everybody outside is told."""
        return self.loop.snapshot

    @property
    def moves(self) -> tuple[str, ...]:
        """Return the moves of the game as they are told."""
        return self.loop.snapshot.moves

    @property
    def position(self) -> Position:
        """Return what the companion takes to be on the board."""
        return self.loop.table.expected.position

    @property
    def verdict(self) -> Verdict:
        """Return the verdict that stands."""
        return self.loop.table.verdict

    def ask(self, command: Command) -> Reply:
        """Have a command obeyed at once, and return the answer."""
        answer = self.loop.post(command)
        self.loop.step()
        return answer.result(0)

    def watch(self, steps: Iterable[Step]) -> None:
        """Let somebody act; the camera looks on."""
        for step in steps:
            self.wait(step.seconds)

    def wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass, at most so much; tell whether it came to what was waited for."""
        end = self.clock.now + seconds
        while self._due <= end:
            self.clock.now = max(self._due, self.clock.now)
            self._due = self.clock.now + self._beat
            self._look()
            if until():
                return True
        self.clock.now = end
        return False

    def close(self) -> None:
        """Clear up."""
        self.journal.close()
        self._folder.cleanup()

    def _look(self) -> None:
        moves = len(self.loop.table.moves)
        self.loop.step()
        self.kinds.add(self.verdict.kind)
        if len(self.loop.table.moves) > moves:
            self.on_moves(tuple(self.loop.table.moves[moves:]))

    def _show_lights(self, snapshot: Snapshot, now: float) -> None:
        if self.setting.lights:
            self._strip.show(scene(snapshot, self.board, now), now)


def watching(room: Room) -> Sensing:
    """Return the real senses, before the devices that the room has."""
    camera = None if room.setting.blind else room.seen
    return Sensing(room.board, room.clock, camera, room.grid if room.setting.hall else None)
