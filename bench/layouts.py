"""``python -m bench.layouts``: look for fences with which Quoridor PAC-MAN is an even game.

Six fences are thrown at random, three of each direction, and the game is played by our own players
at a level. Layouts whose ghosts win about half of the first few games are played on; the best are
printed with their rates, ready to be copied into a file beside ``pacman.toml``.
"""

import argparse
import multiprocessing
import os
from collections.abc import Sequence
from random import Random

from bench.players import Hunt, hunt_from
from bench.score import shown
from companion.games.bits import FIT, SLOT_BIT, connected, ways
from companion.games.layout import Layout
from companion.games.pacman.data import load_layout
from companion.games.pacman.rules import PacmanGame

FIRST_GAMES = 8
EACH_WAY = 3


def throw(rng: Random, like: Layout) -> Layout:
    """Return a layout with random fences: they fit, and every square can be reached."""
    while True:
        slots: list[str] = []
        free = sum(SLOT_BIT.values())
        for way in "hv" * EACH_WAY:
            names = [name for name, bit in SLOT_BIT.items() if name[-1] == way and bit & free]
            slots.append(rng.choice(names))
            free &= FIT[SLOT_BIT[slots[-1]]].keeps
        north, east = ways(sum(SLOT_BIT[slot] for slot in slots))
        if all(connected(1, 1 << number, north, east) for number in range(81)):
            return Layout(
                "thrown", "thrown", like.pacman, like.ghosts, like.pellets, tuple(sorted(slots))
            )


def play(layout: Layout, levels: tuple[int, int], seeds: Sequence[int], nodes: int) -> Hunt:
    """Return what comes of some games on a layout."""
    start = PacmanGame((layout.name,), lambda name: layout).start()
    return sum((hunt_from(start, levels, seed, nodes) for seed in seeds), Hunt())


def score(
    fences: tuple[str, ...], levels: tuple[int, int], games: int, nodes: int
) -> tuple[float, tuple[str, ...], Hunt]:
    """Return how far a layout is from even; a lopsided one is given up after a few games."""
    like = load_layout("pacman")
    layout = Layout("thrown", "thrown", like.pacman, like.ghosts, like.pellets, fences)
    result = play(layout, levels, range(FIRST_GAMES), nodes)
    if 0.2 <= result.ghosts / result.games <= 0.8:
        result += play(layout, levels, range(FIRST_GAMES, games), nodes)
    return abs(result.ghosts / result.games - 0.5), fences, result


def main() -> None:
    """Search, and print the most even layouts."""
    parser = argparse.ArgumentParser(prog="python -m bench.layouts", description=__doc__)
    parser.add_argument("--level", type=int, default=6, help="of both sides (6)")
    parser.add_argument("--throws", type=int, default=40, help="layouts to try (40)")
    parser.add_argument("--games", type=int, default=40, help="games on a promising one (40)")
    parser.add_argument("--nodes", type=int, default=200, help="positions a move (200)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, like = Random(options.seed), load_layout("pacman")
    levels = (options.level, options.level)
    jobs = [
        (throw(rng, like).fences, levels, options.games, options.nodes)
        for _ in range(options.throws)
    ]
    with multiprocessing.get_context("spawn").Pool(os.cpu_count() or 1) as pool:
        found = pool.starmap(score, jobs, chunksize=1)
    for _, fences, result in sorted(found, key=lambda each: (-each[2].games, each[0]))[:6]:
        slots = ", ".join(f'"{slot}"' for slot in fences)
        print(f"slots = [{slots}]  # ghosts win {shown(result.ghosts, result.games)}")


if __name__ == "__main__":
    main()
