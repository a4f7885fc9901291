"""How strong our players are: matches with intervals, answer times, positions a second.

Matches are played to a number of positions a move, so that a busy machine changes their length and
not their result. ``python -m bench players`` plays a few; ``--long`` the numbers of the figures.
Quoridor has a bench of its own, ``race``.
"""

import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bench.report import Row, past, share
from bench.score import shown
from companion.commands.progress import progress
from companion.games.catalogue import KITS, find_game, find_kit
from companion.games.game import CHANCE, Move, State, leave_to_chance
from companion.games.pacman.beginner import run_for_pellets
from companion.games.pacman.chart import chart_of
from companion.games.pacman.player import Hunter
from companion.games.pacman.rules import Pacman
from companion.players.player import Limits, Player, level_limits

GREEDY = 0  # as a level: Pac-Man runs for the next pellet as long as no ghost can catch him
MOST_ROUNDS = 120
#: Positions a move in matches.
PACMAN_NODES = 400
AIMS = {5: 0.3, 10: 2.0}


class Greedy:
    """Pac-Man as a beginner plays him, who never overlooks a ghost."""

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move."""
        assert isinstance(state, Pacman)
        return run_for_pellets(state, chart_of(state.ground), rng, slips=False)


# -- Quoridor PAC-MAN


@dataclass
class Hunt:
    """What came of some games of Quoridor PAC-MAN."""

    games: int = 0
    pacman: int = 0
    ghosts: int = 0
    lives: int = 0
    pellets: int = 0
    rounds: int = 0
    undecided: int = 0

    def __add__(self, other: "Hunt") -> "Hunt":
        return Hunt(
            *(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True))
        )


def hunt(levels: tuple[int, int], seed: int, layout: str = "pacman", nodes: int = 0) -> Hunt:
    """Return what came of a game between Pac-Man and the ghosts at some levels."""
    return hunt_from(find_game("pacman").start({"layout": layout}), levels, seed, nodes)


def hunt_from(state: State, levels: tuple[int, int], seed: int, nodes: int = 0) -> Hunt:
    """Return what came of a game from a position on."""
    assert isinstance(state, Pacman)
    players: list[Player] = [Greedy() if levels[0] == GREEDY else Hunter(levels[0])]
    players.append(Hunter(levels[1]))
    rng, limits, rounds = Random(seed), Limits(nodes=nodes or PACMAN_NODES), 0
    while state.to_act is not None and rounds < MOST_ROUNDS:
        rounds += state.to_act == 0
        state = state.play(players[state.to_act].choose(state, rng, limits))
    outcome = state.outcome()
    won = outcome.winners if outcome else ()
    return Hunt(1, 0 in won, 1 in won, state.lives, state.eaten, rounds, not won)


def told(name: str, result: Hunt) -> Row:
    """Return the line of a match."""
    games = result.games
    return Row(
        name,
        f"ghosts win {shown(result.ghosts, games)}",
        f"lives {result.lives / games:.1f}, pellets {result.pellets / games:.1f}, "
        f"rounds {result.rounds / games:.0f}, undecided {result.undecided}",
    )


# -- answers


@dataclass
class Answers:
    """How long answers took, and how many positions were looked at."""

    seconds: list[float] = field(default_factory=list)
    nodes: int = 0


def answers(game: str, level: int, turns: int) -> Answers:
    """Return how long a player thinks a turn at a level, moves of the same seat in a row as one."""
    found = Answers()
    kit = find_kit(game)
    player, seconds = kit.player(level), level_limits(level).seconds / kit.moves_a_turn
    state, rng, seat, took = find_game(game).start(), Random(level), -2, 0.0
    while len(found.seconds) < turns:
        if state.to_act is None:
            state = find_game(game).start()
        if state.to_act is CHANCE:
            state = state.play(leave_to_chance(state, rng))
            continue
        if state.to_act != seat and took:
            found.seconds.append(took)
            took = 0.0
        seat = state.to_act if state.to_act is not None else -2
        began = time.perf_counter()
        limits = Limits(stop=past(time.perf_counter, began + seconds))
        move = player.choose(state, rng, limits)
        took += time.perf_counter() - began
        found.nodes += getattr(player, "nodes", 0)
        state = state.play(move)
    return found


def answer_rows(turns: int) -> list[Row]:
    """Return the answer times of levels 5 and 10 in every game."""
    rows = []
    for game in progress(KITS, "answers"):
        for level, aim in AIMS.items():
            found = answers(game, level, turns)
            slowest = max(found.seconds)
            rows.append(
                Row(
                    f"{game}, level {level}: a turn, p50 / longest",
                    f"{1000 * share(found.seconds, 0.5):.0f} / {1000 * slowest:.0f} ms",
                    f"aim ≤ {1000 * aim:.0f} ms; {found.nodes / sum(found.seconds):,.0f} nodes/s",
                    slow=slowest > aim,
                )
            )
    return rows


# -- the bench


def _pool_size() -> int:
    return max(1, (os.cpu_count() or 1))


def run(games: int = 6, top: int = 2, turns: int = 6) -> list[Row]:
    """Return the figures; ``games`` for each match, ``top`` for the slowest."""
    rows: list[Row] = []
    context = multiprocessing.get_context("spawn")
    with context.Pool(_pool_size()) as pool:
        pairs = ((10, 10), (GREEDY, 10), (5, 5), (GREEDY, 5), (5, 3), (3, 3))
        for pacman, ghosts in progress(pairs, "matches"):
            count = top if (pacman, ghosts) == (10, 10) else games
            played: Sequence[Hunt] = pool.starmap(
                hunt, [((pacman, ghosts), seed) for seed in range(count)]
            )
            name = "greedy Pac-Man" if pacman == GREEDY else f"Pac-Man {pacman}"
            rows.append(told(f"{name} against ghosts {ghosts}", sum(played, Hunt())))
    return rows + answer_rows(turns)


def run_long() -> list[Row]:
    """Return the figures with enough games to believe them."""
    return run(games=200, top=200, turns=30)
