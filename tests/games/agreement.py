"""Play the real rules and the slow ones side by side, and tell where they differ.

Left to chance alone Pac-Man would hardly find a pellet and nobody a dead end. So each game has its
temper: how eager he is for pellets, how eager the ghosts are for him, how many fences are placed.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import companion
from companion.games.catalogue import find_game
from companion.games.game import Move, State, choose_options
from tests.games.advanced.naive import NaiveAdvanced
from tests.games.pacman.naive import COLUMNS, LETTERS, NaivePacman

GAMES = Path(companion.__file__).parent / "games"
SQUARE = re.compile("[a-i][1-9]")
GHOSTS = frozenset(LETTERS.values())
KINDS = {"pacman": NaivePacman, "pacman-advanced": NaiveAdvanced}

#: The options that are played, each game with all of its values in turn.
OPTIONS: dict[str, list[dict[str, str]]] = {
    "pacman": [
        {},
        {"frenzyUpTo": "yes"},
        {"frenzyStraight": "yes"},
        {"frenzyStraight": "yes", "frenzyUpTo": "yes"},
        {"ghostOrder": "fixed", "lives": "5"},
        {"lives": "1"},
        {"lives": "2"},
        {"lives": "4"},
        {"layout": "pacman-short"},
        {"layout": "pacman-even"},
        {"layout": "pacman-flank"},
        {"noProgress": "3", "layout": "pacman-short"},
        {"exactBonus": "yes"},
    ],
    "pacman-advanced": [
        {},
        {"chamber": "e4"},
        {"chamber": "d5", "respawnConsumesMove": "yes"},
        {"chamber": "e5", "noProgress": "50"},
        {"chamber": "pinwheel", "respawnConsumesMove": "yes"},
        {"noProgress": "50"},
        {"exactSpeed": "yes"},
        {"exactBonus": "yes", "chamber": "d5"},
        {"exactSpeed": "yes", "exactBonus": "yes", "respawnConsumesMove": "yes"},
    ],
}


class Disagreement(AssertionError):
    """The two do not say the same; the text has the moves, the position and both answers."""


@dataclass
class Temper:
    """How the two sides of one game play; each is the chance that it matters for a move."""

    pellets: float
    prey: float
    fences: float

    @classmethod
    def drawn(cls, rng: Random) -> "Temper":
        return cls(
            rng.choice((0.0, 0.6, 0.9, 0.95)),
            rng.choice((0.0, 0.0, 0.3, 0.9)),
            rng.choice((0.0, 0.2, 0.6)),
        )


@dataclass
class Pair:
    """One game in both implementations."""

    name: str
    options: Mapping[str, str]
    moves: list[Move] = field(default_factory=list)
    heard: list[Move] = field(default_factory=list)

    def __post_init__(self) -> None:
        game = find_game(self.name)
        chosen = choose_options(game, self.options)
        (file,) = GAMES.glob(f"*/{chosen.get('layout', self.name)}.toml")
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        self.real: State = game.start(chosen)
        self.naive = KINDS[self.name](data, chosen)

    def compare(self) -> None:
        """Raise Disagreement where the two differ."""
        outcome = self.real.outcome()
        self.agree("legal moves", sorted(self.real.legal_moves()), sorted(self.naive.legal()))
        self.agree("to act", self.real.to_act, self.naive.to_act())
        self.agree("winners", outcome and outcome.winners, self.naive.winners())
        self.agree("tallies", dict(self.real.tallies()), self.naive.tallies())
        self.agree("position", dict(self.real.position()), self.naive.position())

    def ask(self, rng: Random) -> None:
        """Ask the real one why not, of moves that were legal earlier in the game."""
        legal = self.naive.legal()
        for move in rng.sample(self.heard, min(3, len(self.heard))):
            self.agree(f"legal {move}", self.real.why_not(move) is None, move in legal)
        self.heard += rng.sample(sorted(legal), min(2, len(legal)))

    def agree(self, what: str, real: object, naive: object) -> None:
        if real != naive:
            raise Disagreement(
                f"{self.name} {dict(self.options)} differs in {what}\n"
                f"moves: {' '.join(self.moves)}\nposition: {self.naive.position()}\n"
                f"real: {real}\nnaive: {naive}"
            )

    def play(self, move: Move) -> None:
        self.moves.append(move)
        self.real = self.real.play(move)
        self.naive.play(move)

    def choose(self, rng: Random, temper: Temper) -> Move:
        """Return a move after the game's temper."""
        kinds: dict[str, list[Move]] = {}
        for move in self.real.legal_moves():
            kind = "step" if SQUARE.match(move) else move[0]
            kinds.setdefault("fence" if move[-1] in "hv" else kind, []).append(move)
        fences = kinds.pop("fence", [])
        if fences and (not kinds or rng.random() < temper.fences):
            return rng.choice(fences)
        moves = kinds[rng.choice(sorted(kinds))]
        board = self.real.position()
        pacman = self.real.to_act == 0
        goal = "pellet" if pacman else "pacman"
        goals = [square for square, thing in board.items() if thing == goal]
        if pacman and rng.random() < temper.pellets / 2:
            prizes = {square for square, thing in board.items() if thing in GHOSTS} | {*goals}
            moves = [move for move in moves if prizes & {*SQUARE.findall(move)}] or moves
        if goals and rng.random() < (temper.pellets if pacman else temper.prey):
            return min(rng.sample(moves, len(moves)), key=lambda move: near(move, goals))
        return rng.choice(moves)


def near(move: Move, goals: list[str]) -> int:
    """Return how far the end of a move is from the nearest goal."""
    if move[-1] not in "123456789":
        return 99

    def far(goal: str) -> int:
        columns = COLUMNS.index(goal[0]) - COLUMNS.index(move[-2])
        return abs(columns) + abs(int(goal[1]) - int(move[-1]))

    return min(far(goal) for goal in goals)


def play_games(
    name: str, options: Mapping[str, str], positions: int, seed: int, longest: int = 600
) -> Counter[str]:
    """Compare so many positions of random games; return what was met on the way."""
    met: Counter[str] = Counter()
    rng = Random(f"{name} {sorted(options.items())} {seed}")
    while met["positions"] < positions:
        pair, temper = Pair(name, options), Temper.drawn(rng)
        met["games"] += 1
        while met["positions"] < positions:
            pair.compare()
            pair.ask(rng)
            met["positions"] += 1
            if pair.real.to_act is None or len(pair.moves) >= longest:
                break
            before = pair.real
            pair.play(pair.choose(rng, temper))
            met += events(before, pair.real, pair.moves[-1])
        outcome = pair.real.outcome()
        if outcome:
            met["won by Pac-Man" if 0 in outcome.winners else "won by ghosts"] += bool(
                outcome.winners
            )
            met["drawn"] += not outcome.winners
    return met


def events(before: State, after: State, move: Move) -> Counter[str]:
    """Return what happened in a move, for the counts."""
    ghosts = [
        sum(thing in GHOSTS for thing in state.position().values()) for state in (before, after)
    ]
    caught = after.tallies()["lives"] < before.tallies()["lives"]
    found = {
        "caught": caught,
        "walked into a ghost": caught and before.to_act == 0,
        "pellets eaten": after.tallies()["pellets"] > before.tallies()["pellets"],
        "ghosts eaten": ghosts[1] < ghosts[0],
        "forced stays": move[-1] == "=" or move == "pass",
        "waits": move == "wait",
        "pellet steps": move[0] == "+",
        "fences": move[-1] in "hv",
    }
    return Counter({what: 1 for what, happened in found.items() if happened})
