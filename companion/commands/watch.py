"""``companion watch``: the service's loop referees a folder of frames, a video or a stream."""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import permutations, repeat
from pathlib import Path

from companion.board import Board, Evidence, Thing
from companion.boards import profile
from companion.commands.progress import progress, quiet, say
from companion.errors import CompanionError, MoveError, NotAtTheTable, OptionError
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Game, Move, State
from companion.referee.changes import fit
from companion.referee.table import Table
from companion.referee.verdict import Kind
from companion.referee.wording import told
from companion.sensing.camera.files import count_frames, frames
from companion.sensing.camera.playback import Reel
from companion.sensing.corners import Corners
from companion.sensing.fusion import Senses
from companion.service.loop import Loop
from companion.service.requests import NewGame
from companion.service.seating import board_kits, seat
from companion.store.journal import IN_MEMORY, Journal
from companion.store.recordings import Played, read_game

Line = Mapping[str, object]

NO_BOARD = "no board"
DEFAULT_GAME = "quoridor"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("source", metavar="SOURCE", help="folder of frames, video, or address")
    parser.add_argument("--game", help=f"one of {', '.join(kit.name for kit in board_kits())}")
    parser.add_argument("--moves", help="moves played before the first frame")
    parser.add_argument("--board", metavar="PROFILE", help="board profile")
    parser.add_argument(
        "--interval", type=float, default=2.0, metavar="SECONDS", help="between a folder's frames"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    """Print every change of verdict; 1 when no board was ever seen."""
    if not options.interval > 0:
        raise OptionError(f"expected an interval above 0 seconds, got {options.interval}")
    told = told_beside(options)
    game = find_game(told.game)
    board = profile.load(told.board or "reference")
    seat(board, (), find_kit(game.name))
    if not find_kit(game.name).on_board:
        raise NotAtTheTable(f"{game.name} is played on phones: there is no board to watch")
    state, moves = played(game, " ".join(told.before), told.options)
    found = frames(options.source, options.interval)
    shown = progress(found, "frames", lambda: count_frames(options.source))
    reel = Reel(shown, options.interval if Path(options.source).is_dir() else 0.0)
    seen = False
    with quiet(), Journal(IN_MEMORY) as journal:
        watcher = Watcher(board, game, state, moves, reel, journal, told.options, told.corners)
        for number in reel:
            for line in watcher.look():
                seen = seen or line["verdict"] != NO_BOARD
                line = {"frame": number, **line}
                say(json.dumps(line, ensure_ascii=False) if options.json else in_words(line))
    return 0 if seen else 1


def told_beside(options: argparse.Namespace) -> Played:
    """Return what is watched: a folder may say so in its ``game.json``, and options go first.

    Of a folder with another game than the one asked for, only the board is believed.
    """
    folder = Path(options.source)
    found = read_game(folder) if folder.is_dir() else None
    told = found or Played(DEFAULT_GAME)
    if options.game and options.game != told.game:
        told = Played(options.game, board=told.board, corners=told.corners)
    if options.board:
        told = replace(told, board=options.board)
    if options.moves is not None:
        told = replace(told, before=tuple(options.moves.replace(",", " ").split()))
    return told


def played(
    game: Game, text: str, options: Mapping[str, str] | None = None
) -> tuple[State, list[Move]]:
    """Return the moves of a text, checked one by one, and the state they lead to."""
    state, moves = game.start(options or {}), text.replace(",", " ").split()
    for number, move in enumerate(moves, 1):
        try:
            state = state.play(move)
        except MoveError as error:
            raise CompanionError(f"move {number}, {move!r}: {error}") from error
    return state, moves


def in_words(line: Line) -> str:
    """Return a line for people."""
    move = f" {line['move']}" if "move" in line else ""
    return f"frame {line['frame']}: {line['verdict']}{move}: {line['text']}"


@dataclass
class Watcher:
    """Has the service's loop follow a game; who plays which pawn the first clear view shows.

    ``moves`` were played before the first frame, and led to ``state``.
    """

    board: Board
    game: Game
    state: State
    moves: Sequence[Move]
    reel: Reel
    journal: Journal
    options: Mapping[str, str] = field(default_factory=dict)
    corners: Corners | None = None

    def __post_init__(self) -> None:
        self._senses = Senses(self.board, self.reel.clock, self.reel, corners=self.corners)
        self._loop = Loop(self.board, self._senses, self.journal, self.reel.clock)
        self._begun = False
        self._plies = len(self.moves)  # of which nothing is to be told any more
        self._said: Line = {}

    def look(self) -> Iterator[Line]:
        """Yield what is new in what the reel shows now."""
        self._begun = self._begun or self._begin()
        if self._begun:
            self._loop.step()
            yield from self._accepted(self._loop.table)
        line = self._verdict()
        if line != self._said and line["verdict"] is not Kind.ACCEPTED:
            yield line
        self._said = line

    def _begin(self) -> bool:
        """Begin the game if it can be seen which pawn stands where; tell whether it can."""
        reading = self._senses.read()
        pieces = who_plays(self.state, reading.evidence, self.board) if reading else None
        if pieces is None:
            return False
        now = datetime.now(UTC)
        game_id = self.journal.start(self.game.name, self.options, pieces, now)
        self.journal.append_moves(game_id, self.moves, now)
        self._loop.begin(NewGame(self.game.name))  # which goes on with the game in the journal
        if reading and not reading.covered and not reading.moving:
            # Whoever says what was played says how the board stands, and so how it looks.
            self._senses.learn(self._loop.table.expected.position, told=True)
        return True

    def _accepted(self, table: Table) -> Iterator[Line]:
        """Yield a line for each move that is new."""
        new = list(zip(table.states, table.moves, strict=False))[self._plies :]
        self._plies = len(table.moves)
        said = ". ".join(told(state, move, table.company.names) for state, move in new)
        for _, move in new:
            yield {"verdict": Kind.ACCEPTED, "move": move, "text": f"{said}."}

    def _verdict(self) -> Line:
        lookout = self._senses.lookout
        assert lookout is not None
        if lookout.sight is None or not lookout.sight.found:
            return {"verdict": NO_BOARD, "text": lookout.view.text}
        if not self._begun:
            return {"verdict": Kind.HANDS, "text": "Waiting for a clear view of all pawns."}
        verdict = self._loop.table.verdict
        more = {"moves": verdict.moves, "rule": verdict.rule}
        more = {name: value for name, value in more.items() if value}
        return {"verdict": verdict.kind, **more, "text": verdict.text}


def who_plays(state: State, evidence: Evidence, board: Board) -> tuple[Thing, ...] | None:
    """Return the most likely pieces of the pawns, in turn order; None unless all are seen.

    An assignment problem small enough to try every permutation (maximum likelihood).
    Where every piece has its own part there are no pawns, and nothing is to be told apart.
    """
    stands = {thing: spot for spot, thing in state.position().items()}
    pawns = [f"pawn{number}" for number in range(1, state.seats + 1)]
    spots = [stands[pawn] for pawn in pawns if pawn in stands]

    def fits(pieces: Iterable[Thing]) -> list[float]:
        return list(map(fit, spots, pieces, repeat(evidence)))

    likely = max(permutations(board.pieces, len(spots)), key=lambda pieces: sum(fits(pieces)))
    return likely if evidence and min(fits(likely), default=1.0) > 0 else None
