"""A first player of Quoridor: it counts the steps of the race and looks a few plies ahead.

Every seat but its own is taken for an enemy (the paranoid reading of four-player games). Fences
are only thought of where they lengthen the way of somebody who matters.
"""

from collections.abc import Sequence
from random import Random

from companion.players.player import Limits
from companion.rules.game import Move, Seat, State
from companion.rules.quoridor import PASS, Quoridor

WIN = 10_000
STEP = 10  # a step in the race
FENCE = 4  # a fence in hand
TURN = 5  # being the one to move
DEPTH = 3  # plies to look ahead when nothing else is said
DEEPEST = 12


class _Enough(Exception):
    """The limits are reached; the best move so far stands."""


class Racer:
    """Runs when it is ahead and builds when it is behind."""

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; ties are broken by the random source."""
        if not isinstance(state, Quoridor):
            raise TypeError(f"this player plays Quoridor, not {type(state).__name__}")
        return _Search(state, limits).best(rng)


class _Search:
    """One search from one position, deeper and deeper until the limits say enough."""

    def __init__(self, state: Quoridor, limits: Limits) -> None:
        if state.to_act is None:
            raise ValueError("the game is over, there is no move to choose")
        self.state = state
        self.me: Seat = state.to_act
        self.limits = limits
        self.nodes = 0
        self.interruptible = False

    def best(self, rng: Random) -> Move:
        moves = candidates(self.state, self.me)
        rng.shuffle(moves)
        for depth in range(1, self.depth() + 1):
            try:
                scored = self.score_all(moves, depth)
            except _Enough:
                break
            moves = [move for _, move in sorted(scored, key=lambda pair: -pair[0])]
            if len(moves) == 1 or abs(max(scored)[0]) > WIN // 2:  # nothing left to find out
                break
            self.interruptible = True  # one whole round is always finished
        return moves[0]

    def depth(self) -> int:
        if self.limits.depth is not None:
            return max(1, self.limits.depth)
        return DEPTH if self.limits == Limits() else DEEPEST

    def score_all(self, moves: Sequence[Move], depth: int) -> list[tuple[int, Move]]:
        scored: list[tuple[int, Move]] = []
        bar = -2 * WIN
        for move in moves:
            score = self.score(self.state.play(move), depth - 1, bar, 2 * WIN)
            # A move that merely reaches the bar may be worse than it looks: it is ranked behind.
            scored.append((score if score > bar else score - 1, move))
            bar = max(bar, score)
        return scored

    def score(self, state: Quoridor, depth: int, low: int, high: int) -> int:
        """Return what a state is worth to us, by alpha-beta between two bounds."""
        self.count()
        if depth == 0 or state.to_act is None:
            return evaluate(state, self.me) + (depth if state.winner == self.me else 0)
        mine = state.to_act == self.me
        best = -2 * WIN if mine else 2 * WIN
        for move in candidates(state, self.me):
            value = self.score(state.play(move), depth - 1, low, high)
            if mine:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best

    def count(self) -> None:
        self.nodes += 1
        if not self.interruptible:
            return
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            raise _Enough
        if self.nodes % 8 == 0 and self.limits.stop():
            raise _Enough


def candidates(state: Quoridor, me: Seat) -> list[Move]:
    """Return the moves worth a thought: every pawn move, and fences against who matters.

    We build against whoever is nearest to the goal, the others against us.
    """
    moves = state.pawn_moves()
    if state.to_act == me:
        others = [seat for seat in range(state.seats) if seat != me]
        target = min(others, key=state.distance)
    else:
        target = me
    return moves + state.fences_against(target) or [PASS]


def evaluate(state: Quoridor, me: Seat) -> int:
    """Return what a state is worth to a seat, from the lengths of the ways and the fences left."""
    if state.winner is not None:
        return WIN if state.winner == me else -WIN
    others = [seat for seat in range(state.seats) if seat != me]
    ahead = min(state.distance(seat) for seat in others) - state.distance(me)
    theirs = max(state.fences_left[seat] for seat in others)
    turn = TURN if state.to_act == me else -TURN if state.seats == 2 else 0
    return STEP * ahead + FENCE * (state.fences_left[me] - theirs) + turn
