"""Games as text, in the manner of PGN: headers in brackets, then the moves. See docs/notation.md.

    [Game "quoridor"]
    [Players "Pac-Man; Blinky"]
    [pawnBehind "blocked"]
    [first "1"]
    [Result "*"]

    1. e2 e8 2. e3 e7 *

Reading checks the form, :meth:`Record.replay` the moves. Numbers count rounds of as many moves as
there are players; in games that tell where a turn starts they count turns.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill

from companion.errors import CompanionError, MoveError, RecordError
from companion.games.catalogue import find_game
from companion.games.game import Game, Move, State, TellsTurns, choose_options

UNFINISHED = "*"
DRAW = "1/2"

_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9-]*) "((?:[^"\\]|\\["\\])*)"\]')
_NUMBER = re.compile(r"(\d+)\.(.*)")
_RESULT = re.compile(r"\*|1/2|[01](-[01])+")
_WIDTH = 80


@dataclass(frozen=True)
class Record:
    """A finished or running game. ``options`` holds every option of its game.

    ``headers`` are those that mean nothing to the rules, such as Date or Event. ``lines`` tells
    on which line of the text each move stood, for error messages only.
    """

    game: str
    moves: tuple[Move, ...] = ()
    players: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    result: str = UNFINISHED
    headers: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        game = find_game(self.game)
        object.__setattr__(self, "options", choose_options(game, self.options))
        seats = game.start(self.options).seats
        if self.players and len(self.players) != seats:
            count = len(self.players)
            raise RecordError(f"{self.game} has {seats} players, the record names {count}")
        for name in self.players:
            if not name or name != name.strip() or ";" in name or not name.isprintable():
                raise RecordError(f"a player's name is one line without semicolons, not {name!r}")
        for name, value in self.headers.items():
            if name in {"Game", "Players", "Result", *self.options}:
                raise RecordError(f"the header {name} belongs to the game itself")
            if not _HEADER.fullmatch(_header(name, value)) or not value.isprintable():
                raise RecordError(f"the header {name} cannot hold {value!r}")
        if not _RESULT.fullmatch(self.result):
            raise RecordError(f"a result is *, 1/2, 1-0 or the like, not {self.result!r}")

    def replay(self) -> list[State]:
        """Return the states of the game, the start first; raise RecordError at a bad move."""
        game = find_game(self.game)
        states = [game.start(self.options)]
        for number, move in enumerate(self.moves):
            try:
                states.append(states[-1].play(move))
            except MoveError as error:
                raise RecordError(
                    f"{self._place(number)}: {move} cannot be played: {error}"
                ) from None
        self._check_result(states[-1])
        return states

    def numbers(self) -> list[int]:
        """Return for each move the number of the round or turn it belongs to, from 1."""
        return _numbers(find_game(self.game), self.options, self.moves)

    def _place(self, ply: int) -> str:
        line = f"line {self.lines[ply]}, " if ply < len(self.lines) else ""
        return f"{line}move {self.numbers()[ply]}"

    def _check_result(self, last: State) -> None:
        outcome, seats = last.outcome(), last.seats
        claimed = self.result
        if outcome is None and claimed not in (UNFINISHED, DRAW):  # Q-A13: a draw can be agreed
            raise RecordError(f"the result says {claimed}, but the moves do not end the game")
        if outcome is not None and claimed not in (UNFINISHED, outcome.result(seats)):
            came = outcome.result(seats)
            raise RecordError(f"the result says {claimed}, but the moves end in {came}")

    def __str__(self) -> str:
        headers = {"Game": self.game}
        if self.players:
            headers["Players"] = "; ".join(self.players)
        headers |= {**self.headers, **self.options, "Result": self.result}
        words: list[str] = []
        last = 0
        for number, move in zip(self.numbers(), self.moves, strict=True):
            words += [move] if number == last else [f"{number}.", move]
            last = number
        text = fill(
            " ".join([*words, self.result]), _WIDTH, break_long_words=False, break_on_hyphens=False
        )
        return "\n".join([_header(*header) for header in headers.items()]) + f"\n\n{text}\n"


def parse(text: str) -> Record:
    """Return the record that a text holds; raise RecordError with the line of what is wrong."""
    headers: dict[str, str] = {}
    words: list[tuple[int, str]] = []
    for line, content in _without_comments(text):
        stripped = content.strip()
        if stripped.startswith("["):
            name, value = _read_header(line, stripped, begun=bool(words))
            if name in headers:
                raise RecordError(f"line {line}: a second header {name}")
            headers[name] = value
        else:
            words += [(line, word) for word in stripped.split()]
    if "Game" not in headers:
        raise RecordError('a record needs a header such as [Game "quoridor"], this text has none')
    try:
        return _assemble(headers, words)
    except RecordError:
        raise
    except CompanionError as error:  # the game or an option is unknown
        raise RecordError(str(error)) from None


def _assemble(headers: dict[str, str], words: list[tuple[int, str]]) -> Record:
    game = find_game(headers.pop("Game"))
    players = headers.pop("Players", "")
    stated = headers.pop("Result", None)
    options = {name: headers.pop(name) for name in game.options if name in headers}
    moves, closing, stated_numbers = _read_moves(words)
    if stated is not None and closing is not None and stated != closing:
        raise RecordError(f"the header says {stated}, but the moves end with {closing}")
    record = Record(
        game.name,
        tuple(move for _, move in moves),
        tuple(name.strip() for name in players.split(";")) if players else (),
        options,
        stated or closing or UNFINISHED,
        headers,
        tuple(line for line, _ in moves),
    )
    _check_numbers(record, stated_numbers)
    return record


@dataclass(frozen=True)
class _Number:
    """A number among the moves: the word, its line, and how many moves stand before it."""

    word: str
    line: int
    ply: int


def _read_moves(
    words: list[tuple[int, str]],
) -> tuple[list[tuple[int, Move]], str | None, list[_Number]]:
    """Return the moves with their lines, the result after them if there is one, the numbers."""
    moves: list[tuple[int, Move]] = []
    result: str | None = None
    numbers: list[_Number] = []
    for line, word in words:
        if result is not None:
            raise RecordError(f"line {line}: {word!r} follows the result {result}")
        rest = word
        if numbered := _NUMBER.fullmatch(word):
            numbers.append(_Number(word, line, len(moves)))
            rest = numbered[2]
        if _RESULT.fullmatch(rest):
            result = rest
        elif rest:
            moves.append((line, rest))
    return moves, result, numbers


def _check_numbers(record: Record, stated: Sequence[_Number]) -> None:
    """Raise RecordError at the first number that is wrong or stands within a round or turn."""
    if not stated:
        return
    due = [0, *record.numbers()]
    due.append(_next_number(record))
    for number in stated:
        before, here = due[number.ply], due[number.ply + 1]
        if int(number.word.split(".")[0]) != here or before == here:
            within = due[1 : number.ply + 1].count(here) + 1
            wanted = f"{here}" if within == 1 else f"{within} of turn {here}"
            raise RecordError(
                f"line {number.line}: {number.word!r} stands where move {wanted} is due"
            )


def _next_number(record: Record) -> int:
    """Return the number that one more move would have."""
    return _numbers(find_game(record.game), record.options, (*record.moves, ""))[-1]


def _numbers(game: Game, options: Mapping[str, str], moves: Sequence[Move]) -> list[int]:
    """Return the number of each move; after a move that cannot be played it stays the same."""
    state = game.start(options)
    if not isinstance(state, TellsTurns):
        return [ply // state.seats + 1 for ply in range(len(moves))]
    numbers: list[int] = []
    playable = True
    for move in moves:
        last = numbers[-1] if numbers else 0
        numbers.append(last + 1 if not last or (playable and state.starts_turn) else last)
        if playable:
            try:
                following = state.play(move)
            except MoveError:
                playable = False
            else:
                state = following
    return numbers


def _read_header(line: int, text: str, begun: bool) -> tuple[str, str]:
    match = _HEADER.fullmatch(text)
    if not match:
        raise RecordError(f'line {line}: a header looks like [Game "quoridor"], not {text!r}')
    if begun:
        raise RecordError(f"line {line}: the header {match[1]} stands among the moves")
    return match[1], re.sub(r"\\(.)", r"\1", match[2])


def _header(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _without_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, comments in braces left out."""
    opened = 0
    for line, content in enumerate(text.splitlines(), 1):
        kept = ""
        # A header may hold braces of its own: a comment cannot start inside one.
        if not opened and content.lstrip().startswith("["):
            yield line, content
            continue
        for piece in re.split(r"([{}])", content):
            if opened and piece == "}":
                opened = 0
                kept += " "
            elif not opened and piece == "{":
                opened = line
            elif not opened and piece == "}":
                raise RecordError(f"line {line}: a comment is closed that was not opened")
            elif not opened:
                kept += piece
        yield line, kept
    if opened:
        raise RecordError(f"line {opened}: the comment that opens here is never closed")
