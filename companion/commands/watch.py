"""``companion watch``: referees a folder of frames, a video or a stream."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.board import Board, Evidence, Spot, Thing
from companion.boards import profile
from companion.commands.progress import progress, say
from companion.errors import CompanionError, MoveError, OptionError
from companion.games import find_game
from companion.referee.judge import Company
from companion.referee.table import Table
from companion.referee.verdict import Kind
from companion.rules.game import Game, Move, State
from companion.sensing.camera.files import count_frames, frames
from companion.sensing.camera.frame import Frame
from companion.sensing.vision.eyes import Eyes, Sight
from companion.service.seating import DEFAULT_PIECES, seat

Line = Mapping[str, object]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("source", metavar="SOURCE", help="folder of frames, video, or address")
    parser.add_argument("--game", default="quoridor", help=f"one of {', '.join(DEFAULT_PIECES)}")
    parser.add_argument("--moves", default="", help="moves played before the first frame")
    parser.add_argument("--board", default="reference", metavar="PROFILE", help="board profile")
    parser.add_argument(
        "--interval", type=float, default=2.0, metavar="SECONDS", help="between a folder's frames"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    """Print every change of verdict; 1 when no board was ever seen."""
    if not options.interval > 0:
        raise OptionError(f"expected an interval above 0 seconds, got {options.interval}")
    game = find_game(options.game)
    board = profile.load(options.board)
    seat(board, (), game)
    watcher = Watcher(board, game, played(game, options.moves))
    hold = options.interval if Path(options.source).is_dir() else 0.0
    found = frames(options.source, options.interval)
    shown = progress(found, "frames", lambda: count_frames(options.source))
    for number, frame in enumerate(shown):
        for line in watcher.watch(number, frame, hold):
            say(json.dumps(line, ensure_ascii=False) if options.json else in_words(line))
    return 0 if watcher.seen else 1


def played(game: Game, text: str) -> list[Move]:
    """Return the moves of a text, checked one by one."""
    state, moves = game.start({}), text.replace(",", " ").split()
    for number, move in enumerate(moves, 1):
        try:
            state = state.play(move)
        except MoveError as error:
            raise CompanionError(f"move {number}, {move!r}: {error}") from error
    return moves


def in_words(line: Line) -> str:
    """Return a line for people."""
    move = f" {line['move']}" if "move" in line else ""
    return f"frame {line['frame']}: {line['verdict']}{move}: {line['text']}"


@dataclass
class Watcher:
    """Follows a game through frames; who plays which pawn it learns from the first clear one."""

    board: Board
    game: Game
    moves: Sequence[Move]
    seen: bool = False

    def __post_init__(self) -> None:
        self._eyes = Eyes(self.board)
        self._table: Table | None = None
        self._said: object = None

    def watch(self, number: int, frame: Frame, hold: float) -> Iterator[Line]:
        """Yield what changes with a frame, which stands for ``hold`` seconds."""
        sight = self._eyes.look(frame)
        self.seen = self.seen or sight.found
        if not sight.found:
            yield from self._tell(number, "no board", sight.text)
            return
        if self._table is None:
            self._table = self._sit_down(sight)
        if self._table is None:
            yield from self._tell(
                number, Kind.HANDS.value, "Waiting for a clear view of all pawns."
            )
            return
        yield from self._judge(number, self._table, sight)
        if hold:
            later = replace(sight, time=sight.time + 0.9 * hold, moving=False)
            yield from self._judge(number, self._table, later)

    def _judge(self, number: int, table: Table, sight: Sight) -> Iterator[Line]:
        moves = table.judge(sight.reading)
        if moves:
            said = table.play(moves, on_board=True)
            for move in moves:
                yield {"frame": number, "verdict": "accepted", "move": move, "text": said}
            self._said = (table.verdict.kind, table.verdict.text)
        elif (told := (table.verdict.kind, table.verdict.text)) != self._said:
            self._said = told
            if table.verdict.kind is not Kind.ACCEPTED:
                yield self._line(number, table)
        if not sight.moving and (table.is_as_agreed or (moves and not table.must_follow)):
            self._eyes.learn(table.expected.position)

    def _line(self, number: int, table: Table) -> Line:
        verdict = table.verdict
        line: dict[str, object] = {"frame": number, "verdict": verdict.kind.value}
        if verdict.moves:
            line["moves"] = list(verdict.moves)
        if verdict.rule:
            line["rule"] = verdict.rule
        return line | {"text": verdict.text}

    def _tell(self, number: int, verdict: str, text: str) -> Iterator[Line]:
        if self._said != (verdict, text):
            self._said = (verdict, text)
            yield {"frame": number, "verdict": str(verdict), "text": text}

    def _sit_down(self, sight: Sight) -> Table | None:
        """Return the table once a clear view shows which pawn stands where."""
        state: State = self.game.start({})
        for move in self.moves:
            state = state.play(move)
        company = self._company(state, sight.evidence)
        return Table(self.game, {}, company, self.moves) if company else None

    def _company(self, state: State, evidence: Evidence) -> Company | None:
        stands = {thing: spot for spot, thing in state.position().items()}
        if "pawn1" not in stands:
            return seat(self.board, (), self.game)  # its pieces have their own parts
        spots = [stands[f"pawn{number}"] for number in range(1, self.game.seats + 1)]
        pieces = who_stands(spots, evidence, tuple(self.board.pieces))
        return seat(self.board, pieces, self.game) if pieces else None


def who_stands(
    spots: Sequence[Spot], evidence: Evidence, pieces: Sequence[Thing]
) -> tuple[Thing, ...]:
    """Return the piece on each spot, the most certain first chosen; none unless all are seen."""
    claims = sorted(
        (
            (evidence.get(spot, {}).get(piece, 0.0), spot, piece)
            for spot in spots
            for piece in pieces
        ),
        reverse=True,
    )
    found: dict[Spot, Thing] = {}
    for value, spot, piece in claims:
        if value > 0 and spot not in found and piece not in found.values():
            found[spot] = piece
    return tuple(found[spot] for spot in spots) if len(found) == len(spots) else ()
