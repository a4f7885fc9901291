"""How strong our player of Quoridor is: every level against the next, others, positions a second.

Games begin with a few moves drawn at random, each opening once for either side. All players look at
a fixed number of positions a move, so that a busy machine changes the length of a match and not its
result; only the speed itself is measured by the clock.
"""

import contextlib
import multiprocessing
import os
import time
from random import Random
from typing import Any

from bench.perft import quiet
from bench.report import Row, past
from bench.score import shown
from companion.commands.progress import progress
from companion.games.catalogue import find_game
from companion.games.game import Move, State, replay
from companion.games.quoridor.player import Racer
from companion.games.quoridor.rules import Quoridor
from companion.players.native import load
from companion.players.player import HIGHEST, Limits, Player

MOST_PLIES = 300
#: Positions a move of the highest level in matches: a tenth or so of what it has time for in 2 s.
TOP_NODES = 200_000
#: The same for the search in Python, which is as many as it has time for in 2 s.
PLAIN_NODES = 30_000
AIM = 0.95  # of the games of level 10 against 5
SECONDS = 2.0
SIMULATIONS = 2_000  # of OpenSpiel's bot, a move
ROLLOUTS = 2

#: A game of its own; speed is measured after so many of its moves.
GAME = """
    e2 e8 e3 e7 e4 e6 d1h d7h f4 e5 f5 e4 f6 f7h e6 c6v e5 h7h e1v c4v e3 d2v e3v b3h
    e5 b2v d5 a5h b6v e8v e5v d4 d3 d2 c1v d4
"""
PLACES = (0, 12, 24, 32)


def opening(number: int) -> State:
    """Return the position after a few moves drawn at random: steps ahead and some fences."""
    rng = Random(number)
    state: State = find_game("quoridor").start()
    for _ in range(rng.randrange(4, 9)):
        assert isinstance(state, Quoridor)
        steps = [move for move in state.pawn_moves() if _is_ahead(state, move)]
        fences = [move for move in state.legal_moves() if len(move) == 3]
        state = state.play(rng.choice(steps if steps and rng.random() < 0.7 else fences))
    return state


def _is_ahead(state: Quoridor, move: Move) -> bool:
    after = state.play(move)
    assert isinstance(after, Quoridor)
    return after.to_act is not None and after.distance(state.turn) < state.distance(state.turn)


def play_out(state: State, players: list[Player], rng: Random, limits: list[Limits]) -> int | None:
    """Return the seat that wins from a position on, None when it takes too long."""
    for _ in range(MOST_PLIES):
        seat = state.to_act
        if not isinstance(seat, int):
            break
        state = state.play(players[seat].choose(state, rng, limits[seat]))
    outcome = state.outcome()
    return outcome.winners[0] if outcome and outcome.winners else None


def game(levels: tuple[int, int], seed: int, compiled: tuple[bool, bool] = (True, True)) -> float:
    """Return what the first of two players has of a game; each opening is played by both sides."""
    players: list[Player] = [Racer(*each) for each in zip(levels, compiled, strict=True)]
    limits = [
        Limits(nodes=(TOP_NODES if fast and load() else PLAIN_NODES) if level == HIGHEST else None)
        for level, fast in zip(levels, compiled, strict=True)
    ]
    mine = seed % 2
    if mine:
        players.reverse()
        limits.reverse()
    winner = play_out(opening(seed // 2), players, Random(seed), limits)
    return 0.5 if winner is None else float(winner == mine)


# -- OpenSpiel


def mirrored(move: Move) -> Move:
    """Return a move as OpenSpiel writes it, or back: it counts the rows from the other side."""
    return (
        f"{move[0]}{10 - int(move[1])}"
        if len(move) == 2
        else f"{move[0]}{9 - int(move[1])}{move[2]}"
    )


class OpenSpielBot:
    """OpenSpiel's Monte Carlo tree search, which plays games to their end at random."""

    def __init__(self, simulations: int, seed: int) -> None:
        with quiet():
            import pyspiel

            self._game = pyspiel.load_game("quoridor(players=2,board_size=9,wall_count=10)")
            evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
            self._bot = pyspiel.MCTSBot(
                self._game, evaluator, 1.4, simulations, 500, True, seed, False
            )

    def choose(self, moves: list[Move]) -> Move:
        """Return its move after these."""
        state: Any = self._game.new_initial_state()
        for move in moves:
            state.apply_action(state.string_to_action(mirrored(move)))
        return mirrored(str(state.action_to_string(self._bot.step(state))))


def game_against_openspiel(level: int, seed: int) -> float:
    """Return what a level has of a game against OpenSpiel's bot, from the start."""
    bot, player, rng = OpenSpielBot(SIMULATIONS, seed), Racer(level), Random(seed)
    limits = Limits(nodes=TOP_NODES if level == HIGHEST else None)
    state: State = find_game("quoridor").start()
    moves: list[Move] = []
    while state.to_act is not None and len(moves) < MOST_PLIES:
        ours = state.to_act == seed % 2
        moves.append(player.choose(state, rng, limits) if ours else bot.choose(moves))
        state = state.play(moves[-1])
    outcome = state.outcome()
    return 0.5 if outcome is None else float(seed % 2 in outcome.winners)


# -- speed


def speeds(compiled: bool) -> list[Row]:
    """Return how many positions a second are looked at, and how deep, in two seconds a move."""
    rows = []
    for number in PLACES:
        state = replay(find_game("quoridor").start(), GAME.split()[:number])
        player = Racer(HIGHEST, compiled)
        began = time.process_time()
        player.choose(state, Random(1), Limits(stop=past(time.process_time, began + SECONDS)))
        took = time.process_time() - began
        how = "compiled" if compiled else "in Python"
        rows.append(
            Row(
                f"Quoridor after {number} moves, {how}: positions a second",
                f"{player.nodes / took:,.0f}",
                f"{player.depth} plies in {took:.1f} s of processor time",
            )
        )
    return rows


# -- the bench


def run(games: int = 6, slow: int = 2) -> list[Row]:
    """Return the figures; ``games`` for each pair, ``slow`` against the searches that take long."""
    rows = speeds(False) + (speeds(True) if load() else [])
    context = multiprocessing.get_context("spawn")
    with context.Pool(os.cpu_count() or 1) as pool:

        def match(high: int, low: int, count: int, python: bool = False) -> Row:
            asked = [((high, low), seed, (True, not python)) for seed in range(count)]
            won = sum(pool.starmap(game, asked, chunksize=1))
            aim = (high, low) == (HIGHEST, 5)
            return Row(
                f"Quoridor, level {high} against {low}" + (" in Python" if python else ""),
                shown(won, count),
                f"aim ≥ {100 * AIM:.0f} %" if aim else "",
                slow=aim and won < AIM * count,
            )

        pairs = [(high, high - 1) for high in range(2, HIGHEST + 1)] + [(HIGHEST, 8), (HIGHEST, 5)]
        rows += [match(high, low, games) for high, low in progress(pairs, "matches")]
        if load():
            rows += [match(level, level, slow, python=True) for level in (8, HIGHEST)]
        with contextlib.suppress(ImportError):
            import pyspiel  # noqa: F401

            for level in (5, HIGHEST):
                asked = [(level, seed) for seed in range(slow)]
                won = sum(pool.starmap(game_against_openspiel, asked, chunksize=1))
                name = f"Quoridor, level {level} against OpenSpiel's MCTS, {SIMULATIONS:,}"
                rows.append(Row(name, shown(won, slow)))
    return rows


def run_long() -> list[Row]:
    """Return the figures with enough games to believe them."""
    return run(games=100, slow=20)
