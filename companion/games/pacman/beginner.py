"""Quoridor PAC-MAN as beginners play it: Pac-Man runs for the next pellet, each ghost for itself.

A greedy policy: nobody looks further than its own move. A capture is always seen, by both sides.
"""

from random import Random

from companion.games.game import Move
from companion.games.pacman.chart import Chart
from companion.games.pacman.ground import EATEN, Walk, mask_of
from companion.games.pacman.rules import Pacman


def walks_of(state: Pacman) -> dict[Walk, Move]:
    """Return what Pac-Man's move can come to, each result with a short way there."""
    taken = mask_of(state.ghosts)
    texts: dict[Walk, Move] = {}
    for text, (end, left, reached) in state.ground.walks(
        state.pacman, taken, state.pellets
    ).items():
        walk = end, left, reached & taken
        if walk not in texts or len(text) < len(texts[walk]):
            texts[walk] = text
    return texts


def on_board(state: Pacman) -> tuple[int, ...]:
    """Return the squares of the ghosts, sorted: to the search they are all alike."""
    return tuple(sorted(n for n in state.ghosts if n != EATEN))


def capture(state: Pacman, chart: Chart) -> Move | None:
    """Return the move of a ghost that catches Pac-Man now, None if no ghost can."""
    for ghost in state.ground.turns[state.waiting]:
        if chart.threat[state.ghosts[ghost]] >> state.pacman & 1:
            for move, end in state.hunts(ghost).items():
                if end == state.pacman:
                    return move
    return None


def run_for_pellets(state: Pacman, chart: Chart, rng: Random, slips: bool) -> Move:
    """Return a move of Pac-Man that is safe for now: one that eats, or leads to a pellet.

    A slip is any safe move that leads nearer to something or away from nothing much.
    """
    scored = []
    for walk, move in walks_of(state).items():
        end, left, reached = walk
        ghosts = tuple(n for n in on_board(state) if not reached >> n & 1)
        safe = not chart.threatened(ghosts) >> end & 1
        eaten = state.pellets.bit_count() - left.bit_count()
        nearest = chart.to_pellet(left)[end] if left else -99
        worth = (not left, safe, 2 * eaten + reached.bit_count(), -nearest, rng.random())
        scored.append((worth, move))
    scored.sort(reverse=True)
    best = scored[0][0]
    good = [move for worth, move in scored if worth[1] == best[1] and not best[0]]
    return rng.choice(good[: 2 + len(good) // 2]) if slips and good else scored[0][1]


def chase(state: Pacman, chart: Chart, rng: Random, slips: bool) -> Move:
    """Return a move of one ghost: nearer to Pac-Man, or, for a slip, wherever it likes.

    None of them can catch him now.
    """
    distance = chart.distance[state.pacman]
    ghost = rng.choice(state.ground.turns[state.waiting])
    scored = [(distance[end], rng.random(), move) for move, end in state.hunts(ghost).items()]
    scored.sort()
    return (rng.choice(scored) if slips else scored[0])[2]
