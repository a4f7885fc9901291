"""Positions a second: for every game the legal moves of a position and one of them played.

Random games on one core, one after the other; the choice of the move is part of the time, chance
decides as fairly as it says.
"""

import sys
import time
from random import Random

from bench.report import Row, table
from companion.commands.progress import progress
from companion.games.catalogue import KITS
from companion.games.game import CHANCE, Game, leave_to_chance

ROUNDS = 3
SECONDS = 0.5

#: Games with a figure to reach.
AIMS = {"pacman": 100_000}


def run() -> list[Row]:
    """Return a row a game."""
    rows = []
    for name, kit in progress(KITS.items(), "games"):
        best, plies = max(measure(kit.game, Random(seed)) for seed in range(ROUNDS))
        aim = AIMS.get(name)
        rows.append(
            Row(
                f"{name}, legal moves and one played, positions a second",
                f"{best:,.0f} in games of {plies:,.0f} plies",
                f"aim {aim:,}" if aim else "",
                best / aim if aim else None,
                slow=bool(aim and best < aim),
            )
        )
    return rows


def measure(game: Game, rng: Random) -> tuple[float, float]:
    """Return positions a second of processor time, and how long a random game is on average."""
    positions = games = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SECONDS or not games:
        state = game.start()
        while (seat := state.to_act) is not None:
            if seat is CHANCE:
                move = leave_to_chance(state, rng)
            else:
                moves = state.legal_moves()
                move = moves[int(rng.random() * len(moves))]
            state = state.play(move)
            positions += 1
        games += 1
    return positions / spent, positions / games


def main() -> int:
    """Print the figures."""
    print(table(run()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
