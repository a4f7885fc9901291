"""Our player of Quoridor PAC-MAN, for either seat: four ghosts with one mind, or Pac-Man.

Either side deepens its search iteratively, the best of the last depth first (see
:mod:`companion.games.pacman.search`). The ghosts plan a whole round at their first move and keep to
the plan, as long as the table does.
"""

from collections.abc import Callable
from random import Random
from typing import TypeVar

from companion.games.game import Move, State
from companion.games.pacman.beginner import capture, chase, on_board, run_for_pellets, walks_of
from companion.games.pacman.chart import WIN, Ghosts, chart_of
from companion.games.pacman.ground import EATEN, Walk
from companion.games.pacman.rules import Pacman
from companion.games.pacman.search import Search
from companion.players.player import HIGHEST, Enough, Limits, level_limits

#: Below this level Pac-Man does not look ahead; below this one the ghosts do not plan together.
THINKS = 4
TEAM = 8
#: How often a ghost of a level stops to look at the whole board instead of running after Pac-Man.
OVERVIEW = {1: 0.0, 2: 0.0, 3: 0.1, 4: 0.35, 5: 0.6, 6: 0.8, 7: 1.0}
#: Plans at the root: those that are looked at, and those that are followed.
LOOKED_AT = 160
FOLLOWED = 14
#: A slip is one of so many moves that look good at first sight, and this much worse at most.
SLIPS = 6
MOST_WORSE = 60

#: A round of the ghosts: the squares that they come to, and their moves in order.
Plan = tuple[Ghosts, tuple[Move, ...]]

T = TypeVar("T")


class Hunter:
    """Plays Pac-Man or the ghosts, as well as its level says."""

    def __init__(self, level: int = HIGHEST) -> None:
        self.level = level_limits(level)
        self._planned: dict[Pacman, Move] = {}
        self.nodes = 0

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; the game must not be over."""
        if not isinstance(state, Pacman):
            raise TypeError(f"this player plays Quoridor PAC-MAN, not {type(state).__name__}")
        if state.to_act is None:
            raise ValueError("the game is over, there is no move to choose")
        search = Search(chart_of(state.ground), limits, self.level.most_nodes(limits))
        rounds = self.level.most_depth(limits)
        slips = rng.random() < self.level.slips
        level = self.level.number
        if state.to_act == 0:
            if level < THINKS:
                return run_for_pellets(state, search.chart, rng, slips)
            move = self._walk(state, search, rng, rounds, slips)
        elif found := capture(state, search.chart):
            return found
        elif level < TEAM:
            if rng.random() >= OVERVIEW[level]:
                return chase(state, search.chart, rng, slips)
            move = self._alone(state, search, rng)
        elif state in self._planned:
            return self._planned[state]
        else:
            move = self._hunt(state, search, rng, rounds, slips)
        self.nodes = search.nodes
        return move

    # -- Pac-Man

    def _walk(self, state: Pacman, search: Search, rng: Random, rounds: int, slips: bool) -> Move:
        texts = walks_of(state)
        ghosts, lives = on_board(state), state.lives

        def value(walk: Walk, ahead: int, low: int) -> int:
            return search.after_walk(ghosts, walk, lives, ahead, low, 2 * WIN)

        scored = [(value(walk, 1, -2 * WIN), walk) for walk in texts]
        rng.shuffle(scored)
        scored.sort(key=lambda pair: -pair[0])
        if slips:
            return texts[_slip(scored, rng)]
        return texts[_deepen(search, scored, range(2, rounds + 1), value)]

    # -- the ghosts

    def _hunt(self, state: Pacman, search: Search, rng: Random, rounds: int, slips: bool) -> Move:
        pacman, pellets, lives = state.pacman, state.pellets, state.lives

        def value(plan: Plan, ahead: int, low: int) -> int:
            return -search.for_pacman(pacman, plan[0], pellets, lives, ahead, -2 * WIN, -low)

        scored = self._first_plans(state, search)
        rng.shuffle(scored)
        scored.sort(key=lambda pair: -pair[0])
        if not scored:  # they stand in each other's way: one after the other
            return self._alone(state, search, rng)
        if slips:
            return self._keep(state, _slip(scored, rng)[1])
        return self._keep(state, _deepen(search, scored, range(1, rounds), value)[1])

    def _first_plans(self, state: Pacman, search: Search) -> list[tuple[int, Plan]]:
        """Return the plans of this round worth following, with their worth to the ghosts."""
        chart, pacman, pellets = search.chart, state.pacman, state.pellets
        each = [
            chart.hunting_ends(square, pacman, pellets) if state.waiting >> ghost & 1 else (square,)
            for ghost, square in enumerate(state.ghosts)
            if square != EATEN
        ]
        plans = search.narrow(each, pacman, LOOKED_AT)
        scored = sorted((search.leaf(pacman, plan, pellets, state.lives), plan) for plan in plans)
        found = []
        for value, plan in scored:
            moves = _in_order(state, plan)
            if moves is not None:
                found.append((-value, (plan, moves)))
                if len(found) == FOLLOWED:
                    break
        return found

    def _keep(self, state: Pacman, moves: tuple[Move, ...]) -> Move:
        """Remember the rest of a plan, and return its first move."""
        self._planned = {}
        for move in moves:
            self._planned[state] = move
            state = state.play(move)
        return moves[0]

    def _alone(self, state: Pacman, search: Search, rng: Random) -> Move:
        """Return a move of one ghost that looks best as long as the others stay."""
        scored = []
        for move in state.legal_moves():
            after = state.play(move)
            value = search.leaf(after.pacman, on_board(after), after.pellets, after.lives)
            scored.append((-value, move))
        rng.shuffle(scored)
        scored.sort(key=lambda pair: -pair[0])
        return scored[0][1]


def _in_order(state: Pacman, plan: Ghosts) -> tuple[Move, ...] | None:
    """Return moves that bring the ghosts to the squares of a plan, None if there are none."""
    if not state.waiting:
        return () if on_board(state) == plan else None
    standing = {
        n for ghost, n in enumerate(state.ghosts) if n != EATEN and not state.waiting >> ghost & 1
    }
    for ghost in state.ground.turns[state.waiting]:
        for move, end in state.hunts(ghost).items():
            if end in plan and end not in standing and end != state.pacman:
                rest = _in_order(state.play(move), plan)
                if rest is not None:
                    return (move, *rest)
    return None


def _slip(scored: list[tuple[int, T]], rng: Random) -> T:
    """Return one of the moves that look good at first sight; values count upwards."""
    best = scored[0][0]
    good = [entry for value, entry in scored[:SLIPS] if value > best - MOST_WORSE]
    return rng.choice(good)


def _deepen(
    search: Search,
    scored: list[tuple[int, T]],
    depths: range,
    value: Callable[[T, int, int], int],
) -> T:
    """Return the best choice by iterative deepening, the best of the last depth searched first.

    ``value`` tells what a choice is worth at a depth if that is more than a bound. Of a depth that
    is not finished the best so far counts.
    """
    search.may_stop = True
    for ahead in depths:
        if len(scored) == 1 or abs(scored[0][0]) > WIN // 2:
            break
        deeper: list[tuple[int, T]] = []
        low = -2 * WIN
        try:
            for _, choice in scored:
                found = value(choice, ahead, low)
                deeper.append((found if found > low else found - 1, choice))
                low = max(low, found)
        except Enough:
            return max(deeper, key=lambda pair: pair[0], default=scored[0])[1]
        scored = sorted(deeper, key=lambda pair: -pair[0])
    return scored[0][1]
