"""A server for UGI, the Universal Game Interface: UCI for any game, over lines of text.

An :class:`Engine` holds one position and answers one line at a time; :func:`serve` gives it a
pair of streams. Besides UGI's own commands it knows ``legal``, ``perft N`` and ``d``. Where a die
or a deck is to act, ``go`` answers with what it shows. How well it plays is the option ``level``. A
line it cannot parse is answered with ``error`` and a sentence, and changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TextIO

from companion import __version__
from companion.errors import CompanionError, MoveError
from companion.games.catalogue import find_kit
from companion.games.drawing import picture
from companion.games.game import CHANCE, Actor, Game, Move, State, leave_to_chance, no_option
from companion.games.perft import perft
from companion.players.native import load
from companion.players.player import HIGHEST, LOWEST, Limits, Player, level_limits

MOVETIME_MS = 1000  # for a bare ``go``
ANSWER_MS = 20  # kept back of the thinking time, so that the answer is in time (move overhead)
DEEPEST_PERFT = 9


class LineError(CompanionError, ValueError):
    """A line that the engine cannot parse or carry out."""

    wrong_use = True


class Engine:
    """One game at the other end of a line. ``clock`` counts seconds from any origin."""

    def __init__(
        self,
        game: Game,
        clock: Callable[[], float],
        rng: Random,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self.clock = clock
        self.rng = rng
        self.options: dict[str, str] = {}
        self.moves: list[Move] = []
        self.state: State = game.start(self.options)
        self.over = False
        self.level = HIGHEST
        self._player: Player | None = None
        self.choose(options or {})
        self.verbs: dict[str, Callable[[Sequence[str]], Iterable[str]]] = {
            "ugi": self.hello,
            "isready": lambda words: ["readyok"],
            "setoption": self.set_option,
            "uginewgame": self.new_game,
            "position": self.set_position,
            "go": self.go,
            "stop": lambda words: [],  # a search has always ended before the next line is read
            "query": self.query,
            "legal": lambda words: [" ".join(["legal", *self.state.legal_moves()])],
            "perft": self.perft,
            "d": self.draw,
            "quit": self.quit,
        }

    def answer(self, line: str) -> Iterator[str]:
        """Yield the lines that answer a line; none for an empty one."""
        words = line.split()
        if not words:
            return
        try:
            if words[0] not in self.verbs:
                known = ", ".join(self.verbs)
                raise LineError(f"{words[0]!r} is no command; the commands are {known}")
            yield from self.verbs[words[0]](words[1:])
        except CompanionError as error:
            yield f"error {error}"

    # -- UGI

    def hello(self, words: Sequence[str]) -> Iterator[str]:
        yield f"id name Board Companion {__version__} {self.game.name}"
        yield "id author the Board Companion authors"
        for name, values in self.game.options.items():
            choices = " ".join(f"var {value}" for value in values)
            yield f"option name {name} type combo default {values[0]} {choices}"
        yield (
            f"option name {self.level_name} type spin default {HIGHEST} min {LOWEST} max {HIGHEST}"
        )
        if self.game.name == "quoridor":
            yield f"info string the search is {'compiled' if load() else 'in Python'}"
        yield "ugiok"

    def set_option(self, words: Sequence[str]) -> Sequence[str]:
        """Set an option; the moves so far are replayed under it, if it allows them."""
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise _wrong("'setoption name X value Y'", "setoption", words)
        self.choose({words[1]: words[3]})
        return []

    def choose(self, given: Mapping[str, str]) -> None:
        """Set options that ``ugi`` lists, all or none: some values fit only together.

        As in UCI, the case of a name does not matter.
        """
        listed = (*self.game.options, self.level_name)
        names = {name.lower(): name for name in listed}
        options, level = dict(self.options), self.level
        for word, value in given.items():
            name = names.get(word.lower())
            if name is None:
                raise no_option(self.game, word, listed)
            if name == self.level_name:
                level = _number(value, f"the option {name}", LOWEST, HIGHEST)
            else:
                options[name] = value
        if options != self.options:
            self._start_with(options)
        if level != self.level:
            self.level, self._player = level, None

    def _start_with(self, options: dict[str, str]) -> None:
        start = self.game.start(options)
        self.options = options
        try:
            self.state = _play_all(start, self.moves)
        except LineError:
            self.moves, self.state = [], start

    @property
    def level_name(self) -> str:
        """Return the name of the option for our level; a rule of that name takes precedence."""
        return "playerLevel" if "level" in self.game.options else "level"

    def new_game(self, words: Sequence[str]) -> Sequence[str]:
        self._player = None
        self.moves, self.state = [], self.game.start(self.options)
        return []

    def set_position(self, words: Sequence[str]) -> Sequence[str]:
        if words[:1] != ["startpos"] or words[1:2] not in ([], ["moves"]):
            raise _wrong("'position startpos' or 'position startpos moves …'", "position", words)
        moves = list(words[2:])
        self.state = _play_all(self.game.start(self.options), moves)
        self.moves = moves
        return []

    def go(self, words: Sequence[str]) -> Sequence[str]:
        limits = self._limits(words)
        if self.state.to_act is None:
            raise LineError("the game is over, there is no move to choose")
        if self.state.to_act is CHANCE:
            return [f"bestmove {leave_to_chance(self.state, self.rng)}"]
        if self._player is None:  # one for a whole game: it may remember what it planned
            self._player = find_kit(self.game.name).player(self.level)
        return [f"bestmove {self._player.choose(self.state, self.rng, limits)}"]

    def _limits(self, words: Sequence[str]) -> Limits:
        if len(words) % 2 or not set(words[::2]) <= {"movetime", "depth", "nodes"}:
            raise _wrong("'go' with movetime MS, depth N or nodes N", "go", words)
        given = {
            name: _number(value, f"go {name}", 1)
            for name, value in zip(words[::2], words[1::2], strict=True)
        }
        usual = min(MOVETIME_MS, round(1000 * level_limits(self.level).seconds))
        milliseconds = given.get("movetime", None if given else usual)
        if milliseconds is None:
            return Limits(given.get("depth"), given.get("nodes"))
        end = self.clock() + max(milliseconds / 2, milliseconds - ANSWER_MS) / 1000
        return Limits(given.get("depth"), given.get("nodes"), lambda: self.clock() >= end)

    def query(self, words: Sequence[str]) -> Sequence[str]:
        outcome = self.state.outcome()
        turns: dict[str, Actor] = {f"p{seat + 1}turn": seat for seat in range(self.state.seats)}
        turns["chanceturn"] = CHANCE
        if len(words) == 1 and words[0] in turns:
            answer = str(self.state.to_act == turns[words[0]]).lower()
        elif words == ["gameover"]:
            answer = str(outcome is not None).lower()
        elif words == ["result"] and outcome is None:
            answer = "none"
        elif words == ["result"] and outcome is not None:
            answer = " ".join(f"p{seat + 1}win" for seat in outcome.winners) or "draw"
        else:
            known = f"p1turn to p{self.state.seats}turn, chanceturn, gameover or result"
            raise _wrong(f"'query' with {known}", "query", words)
        return [f"response {answer}"]

    def quit(self, words: Sequence[str]) -> Sequence[str]:
        self.over = True
        return []

    # -- additions

    def perft(self, words: Sequence[str]) -> Sequence[str]:
        if len(words) != 1:
            raise _wrong("'perft N'", "perft", words)
        return [f"nodes {perft(self.state, _number(words[0], 'perft', 0, DEEPEST_PERFT))}"]

    def draw(self, words: Sequence[str]) -> Iterator[str]:
        yield from picture(self.state).split("\n")
        for name, counts in self.state.tallies().items():
            each = ", ".join(f"player {n}: {count}" for n, count in enumerate(counts, 1))
            yield f"{name}: {each}"
        outcome = self.state.outcome()
        if self.state.to_act is CHANCE:
            yield "chance to move"
        elif outcome is None and self.state.to_act is not None:
            yield f"player {self.state.to_act + 1} to move"
        elif outcome is not None:
            won = " and ".join(f"player {seat + 1}" for seat in outcome.winners)
            yield f"{won} won: {outcome.reason}" if won else f"draw: {outcome.reason}"


def serve(engine: Engine, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until ``quit`` or the end of the input; each answer goes out at once."""
    for line in lines:
        for answer in engine.answer(line):
            print(answer, file=out, flush=True)
        if engine.over:
            return


def _play_all(state: State, moves: Sequence[Move]) -> State:
    for number, move in enumerate(moves, 1):
        try:
            state = state.play(move)
        except MoveError as error:
            raise LineError(f"move {number}, {move}: {error}") from None
    return state


def _number(text: str, what: str, least: int, most: int | None = None) -> int:
    number = int(text) if text.isdecimal() and len(text) < 10 else -1
    if number < least or (most is not None and number > most):
        span = f"from {least} to {most}" if most is not None else f"of {least} or more"
        raise LineError(f"{what} takes a whole number {span}, not {text!r}")
    return number


def _wrong(expected: str, verb: str, words: Sequence[str]) -> LineError:
    return LineError(f"expected {expected}, not {' '.join([verb, *words])!r}")
