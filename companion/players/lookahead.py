"""A player for games with dice, small steps and many seats: it looks a few turns ahead (expectimax
with iterative deepening, and forward pruning to the moves that look best).

What a position is worth to a seat is up to the game's evaluation function. A turn may be
several moves; nothing is judged before it is over. A throw of dice counts as the mean of all that
it can show, an opponent's turn as the worst of the moves that look best to them.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random

from companion.games.game import CHANCE, Actor, Move, Seat, State, Weighted
from companion.players.player import HIGHEST, Enough, Limits, level_limits

Worth = Callable[[State, Seat], float]
#: Which of the legal moves are worth a thought; never none.
Sift = Callable[[State], Sequence[Move]]

#: Moves that are followed: at the root, in one's own turn, in turns of others.
AT_ROOT = 10
OWN = 4
OTHERS = 2
#: A turn may be many moves, so each is searched for no more than this many positions.
MOST_NODES = 2_500
#: So many throws of dice are followed one by one; of more, those with the most weight.
THROWS = 12
#: No turn takes more moves than this.
LONGEST = 5
#: A slip is one of so many moves that look good at first sight.
SLIPS = 4
#: Levels up to this one trust their first sight.
AT_SIGHT = 3

FAR = 99  # there is no way


class Ahead:
    """Looks ahead by turns. ``worse`` is how much less a slip may be worth at first sight."""

    def __init__(
        self,
        kind: type[State],
        worth: Worth,
        worse: float,
        level: int = HIGHEST,
        sift: Sift = lambda state: state.legal_moves(),
    ) -> None:
        self.kind = kind
        self.worth = worth
        self.sift = sift
        self.worse = worse
        self.level = level_limits(level)
        self.nodes = 0

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; the game must not be over."""
        if not isinstance(state, self.kind):
            raise TypeError(f"this player plays {self.kind.__name__}, not {type(state).__name__}")
        if state.to_act is None or state.to_act is CHANCE:
            raise ValueError("the game is over or chance is to act, there is no move to choose")
        most = min(MOST_NODES, self.level.most_nodes(limits))
        search = _Search(self.worth, self.sift, state.to_act, limits, most)
        try:
            return self._best(state, search, rng, limits)
        finally:
            self.nodes = search.nodes

    def _best(self, state: State, search: "_Search", rng: Random, limits: Limits) -> Move:
        moves = list(self.sift(state))
        if len(moves) == 1:
            return moves[0]
        rng.shuffle(moves)
        scored = [(search.sight(state.play(move)), move) for move in moves]
        scored.sort(key=lambda pair: -pair[0])
        if rng.random() < self.level.slips:
            good = [m for value, m in scored[:SLIPS] if value >= scored[0][0] - self.worse]
            return rng.choice(good)
        if self.level.number <= AT_SIGHT and limits.depth is None:
            return scored[0][1]
        search.may_stop = True
        best = scored[0][1]
        followed = [move for _, move in scored[:AT_ROOT]]
        for turns in range(1, max(1, self.level.most_depth(limits) // 2) + 1):
            deeper = []
            try:
                for move in followed:
                    deeper.append((search.value(state.play(move), turns), move))
            except Enough:
                break
            deeper.sort(key=lambda pair: -pair[0])
            followed = [move for _, move in deeper]
            best = followed[0]
        return best


class _Search:
    """One search for one seat."""

    def __init__(self, worth: Worth, sift: Sift, me: Seat, limits: Limits, nodes: int) -> None:
        self.worth = worth
        self.sift = sift
        self.me = me
        self.stop = limits.stop
        self.most = nodes
        self.nodes = 0
        self.may_stop = False

    def sight(self, state: State) -> float:
        self.nodes += 1
        return self.worth(state, self.me)

    def value(self, state: State, turns: int, actor: Actor | None = None, moves: int = 0) -> float:
        """Return what a state is worth after so many turns; ``actor`` had the last move."""
        if self.may_stop and (self.nodes >= self.most or self.stop()):
            raise Enough
        actor = self.me if actor is None else actor
        acting = state.to_act
        if acting is None:
            return self.sight(state)
        if acting != actor or moves >= LONGEST:
            turns, moves = turns - 1, 0
        if not turns:
            return self.sight(state)
        if acting is CHANCE:
            return self._mean(state, turns)
        scored = []
        for move in self.sift(state):
            after = state.play(move)
            self.nodes += 1
            scored.append((self.worth(after, acting), after))
        scored.sort(key=lambda pair: -pair[0])
        if acting == self.me:
            return max(self.value(s, turns, acting, moves + 1) for _, s in scored[:OWN])
        return min(self.value(s, turns, acting, moves + 1) for _, s in scored[:OTHERS])

    def _mean(self, state: State, turns: int) -> float:
        """Return the mean of what dice can show (a chance node)."""
        outcomes: dict[State, int] = {}
        moves = state.legal_moves()
        weights = state.weights() if isinstance(state, Weighted) else [1] * len(moves)
        for move, weight in zip(moves, weights, strict=True):
            after = state.play(move)
            outcomes[after] = outcomes.get(after, 0) + weight
        likely = sorted(outcomes.items(), key=lambda pair: -pair[1])[:THROWS]
        total = sum(weight for _, weight in likely)
        # The throw itself is nobody's turn: whoever acts next has all of it before them.
        return (
            sum(weight * self.value(after, turns, after.to_act, 0) for after, weight in likely)
            / total
        )


def steps_between(neighbours: Sequence[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """Return how many steps it is from each spot to each other one (breadth-first search).

    Spots are numbers with neighbours; FAR where there is no way.
    """
    around = [tuple(near) for near in neighbours]
    rows = []
    for start in range(len(around)):
        row = [FAR] * len(around)
        row[start], edge = 0, [start]
        for here in edge:
            for there in around[here]:
                if row[there] == FAR:
                    row[there] = row[here] + 1
                    edge.append(there)
        rows.append(tuple(row))
    return tuple(rows)
