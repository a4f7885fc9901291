"""Our player of Quoridor: it counts the steps of the race and looks ahead, deeper and deeper.

The search is alpha-beta with iterative deepening, null windows after the first move (principal
variation search), a transposition table, killer moves and the history heuristic. Every seat but its
own is taken for an enemy (the paranoid reading of four-player games). Fences are thought of where
they lengthen the way of somebody who matters, and, near the root, beside pawns and other fences.
With no fence left in any hand, the race of two is solved to its end by retrograde analysis.

The upper levels of the game for two use the compiled core (:mod:`companion.players.native`)
where there is one. The others play the same everywhere.
"""

from dataclasses import replace
from random import Random

from companion.games.bits import CELLS, each_bit, slot_names, square_name
from companion.games.game import Move, Seat, State
from companion.games.quoridor.rules import PASS, Quoridor
from companion.games.quoridor.track import Pawns, Track, solve_race
from companion.players.native import NO_MOVE, Board, Core, load
from companion.players.player import HIGHEST, Enough, Limits, level_limits

WIN = 10_000
RACE_WON = 2_000  # ahead, and nobody has a fence to stop it
STEP = 10  # a step in the race
FENCE = 3  # a fence in hand
TURN = 5  # being the one to move
#: A slip is a move that seemed at most this much worse at first sight.
MOST_WORSE = 32
SLIPS = 16
#: Repeating a position of one's own making costs this much a time.
AGAIN = 8
#: So many plies above the horizon, fences beside pawns and fences are thought of too.
WIDE = 3
#: The widest race that is solved at once.
RACE = 16_000
#: From this level on, the compiled core searches; the positions it looks at without a clock.
COMPILED_FROM = 8
COMPILED_NODES = {8: 3_000, 9: 20_000, 10: 1_000_000}

#: A step to a square's bit, or the negative bit of a fence's slot; 0 stands for a pass.
Step = int
Place = tuple[Pawns, tuple[int, ...], int, int]

EXACT, LOW, HIGH = 0, 1, 2


class Racer:
    """Runs when it is ahead and builds when it is behind; without ``compiled`` in Python alone."""

    def __init__(self, level: int = HIGHEST, compiled: bool = True) -> None:
        self.level = level_limits(level)
        self.nodes = 0
        self.depth = 0
        self._made: dict[Place, int] = {}
        self._core: Core | None = None
        library = load() if compiled and level >= COMPILED_FROM else None
        if library is not None:
            self._core = library.core()
            self.level = replace(self.level, nodes=COMPILED_NODES[level], depth=60)

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; ties are broken by the random source."""
        if not isinstance(state, Quoridor):
            raise TypeError(f"this player plays Quoridor, not {type(state).__name__}")
        if state.to_act is None:
            raise ValueError("the game is over, there is no move to choose")
        step = self._compiled(state, rng, limits)
        if step is None:
            step = self._plain(state, rng, limits)
        if step > 0:
            at, left, fenced, turn = state.at, state.fences_left, state.fenced, state.turn
            made = (*at[:turn], step, *at[turn + 1 :]), left, fenced, (turn + 1) % state.seats
            self._made[made] = self._made.get(made, 0) + 1
            return square_name(step)
        self._made.clear()  # no position from before a fence comes back
        return slot_names(-step)[0] if step else PASS

    def _plain(self, state: Quoridor, rng: Random, limits: Limits) -> Step:
        search = Search(state, limits, self.level.most_nodes(limits), self._made)
        slips = rng.random() < self.level.slips
        step = search.best(rng, self.level.most_depth(limits), slips)
        self.nodes, self.depth = search.nodes, search.finished
        return step

    def _compiled(self, state: Quoridor, rng: Random, limits: Limits) -> Step | None:
        """Return what the compiled core finds, None when it is not for it."""
        if self._core is None or state.seats != 2:
            return None
        seen = [
            (_number(at[0]), _number(at[1]))
            for at, left, fenced, _ in self._made
            if (left, fenced) == (state.fences_left, state.fenced)
        ]
        found = self._core.search(
            board_of(state),
            rng.getrandbits(32),
            self.level.most_depth(limits),
            self.level.most_nodes(limits),
            limits.stop,
            seen,
        )
        if found.move == NO_MOVE:
            return None
        self.nodes, self.depth = found.nodes, found.depth
        return 1 << found.move if found.move < CELLS else -(1 << found.move - CELLS)


def board_of(state: Quoridor) -> Board:
    """Return a position of two as the compiled core knows it."""
    at, left = state.at, state.fences_left
    return Board(
        (_number(at[0]), _number(at[1])),
        (left[0], left[1]),
        state.turn,
        tuple(CELLS + _number(slot) for slot in each_bit(state.fenced)),
    )


def _number(bit: int) -> int:
    return bit.bit_length() - 1


class Search:
    """One search from one position, deeper and deeper until the limits say enough."""

    def __init__(
        self, state: Quoridor, limits: Limits, nodes: int, made: dict[Place, int] | None = None
    ) -> None:
        self.track = Track(state.table)
        self.seats = state.seats
        self.me: Seat = state.turn
        self.root: Place = state.at, state.fences_left, state.fenced, state.turn
        self.made = made or {}
        self.stop = limits.stop
        self.most = nodes
        self.nodes = 0
        self.finished = 0
        self.may_stop = False
        #: the transposition table: depth, kind of bound, value, best step
        self._known: dict[Place, tuple[int, int, int, Step]] = {}
        self._history: dict[tuple[int, Step], int] = {}
        self._killers: dict[int, Step] = {}

    def best(self, rng: Random, depth: int, slips: bool = False) -> Step:
        """Return the step to take."""
        solved = self._race()
        if solved is not None:
            return solved
        steps = self.steps(self.root, WIDE)
        rng.shuffle(steps)
        scored = self._score(steps, 1)
        if slips:
            return self._slip(scored, rng)
        self.may_stop = True  # one whole round is always finished
        for ahead in range(2, depth + 1):
            if len(scored) == 1 or abs(scored[0][0]) > WIN // 2:
                break  # nothing left to find out
            done: list[tuple[int, Step]] = []
            try:
                scored = self._score([step for _, step in scored], ahead, done)
            except Enough:
                if done:
                    return max(done, key=lambda pair: pair[0])[1]
                break
        return scored[0][1]

    def _race(self) -> Step | None:
        """Return the best step of a race of two without fences; it is known to the end."""
        at, left, fenced, turn = self.root
        if self.seats != 2 or any(left):
            return None
        values = solve_race(self.track, fenced, at, turn, RACE)
        if not values:
            return None

        def worth(bit: int) -> tuple[float, int]:
            plies = values[bit]
            steps = self.track.distance(fenced, turn, bit)
            return (1 / plies if plies else 0), -steps - AGAIN * self._again(bit)

        return max(values, key=worth)

    def _again(self, step: Step) -> int:
        return self.made.get(self.after(self.root, step), 0) if step > 0 else 0

    def _score(
        self, steps: list[Step], depth: int, done: list[tuple[int, Step]] | None = None
    ) -> list[tuple[int, Step]]:
        scored = [] if done is None else done
        low = -2 * WIN
        for step in steps:
            again = AGAIN * self._again(step)
            there = self.after(self.root, step)
            if scored and depth > 1:  # is it better at all? Only then how much
                value = self.value(there, depth - 1, low + again, low + again + 1) - again
                if value > low:
                    value = self.value(there, depth - 1, low + again, 2 * WIN) - again
            else:
                value = self.value(there, depth - 1, -2 * WIN, 2 * WIN) - again
            scored.append((value if value > low else min(value, low - 1), step))
            low = max(low, value)
        self.finished = depth
        return sorted(scored, key=lambda pair: -pair[0])

    def _slip(self, scored: list[tuple[int, Step]], rng: Random) -> Step:
        best = scored[0][0]
        if abs(best) > RACE_WON // 2:
            return scored[0][1]
        good = [step for value, step in scored[:SLIPS] if value > best - MOST_WORSE]
        return rng.choice(good)

    # -- positions

    def after(self, place: Place, step: Step) -> Place:
        """Return the position after a step."""
        at, left, fenced, turn = place
        if step > 0:
            at = (*at[:turn], step, *at[turn + 1 :])
        elif step:
            fenced |= -step
            left = (*left[:turn], left[turn] - 1, *left[turn + 1 :])
        return at, left, fenced, (turn + 1) % self.seats

    def value(self, place: Place, depth: int, low: int, high: int) -> int:
        """Return what a position is worth to us, by alpha-beta between two bounds."""
        at, _, _, turn = place
        self.nodes += 1
        if at[turn - 1] & self.track.goals[turn - 1]:
            return WIN + depth if (turn - 1) % self.seats == self.me else -WIN - depth
        if depth <= 0:
            return self.look(place)
        if self.may_stop and (self.nodes >= self.most or (self.nodes & 15 == 0 and self.stop())):
            raise Enough
        known = self._known.get(place)
        first = 0
        if known is not None:
            far, kind, value, first = known
            if far >= depth and (
                kind == EXACT or (kind == LOW and value >= high) or (kind == HIGH and value <= low)
            ):
                return value
        best, step = self._search(place, depth, low, high, first)
        kind = LOW if best >= high else HIGH if best <= low else EXACT
        self._known[place] = depth, kind, best, step
        return best

    def _search(
        self, place: Place, depth: int, low: int, high: int, first: Step
    ) -> tuple[int, Step]:
        mine = place[3] == self.me
        best, best_step = (-2 * WIN if mine else 2 * WIN), 0
        for number, step in enumerate(self._ordered(place, depth, first)):
            there = self.after(place, step)
            value = low
            if number:  # is it better at all? Only then how much (null window)
                bound = low if mine else high - 1
                value = self.value(there, depth - 1, bound, bound + 1)
            if not number or low < value < high:
                value = self.value(there, depth - 1, low, high)
            if mine and value > best:
                best, best_step = value, step
                low = max(low, best)
            elif not mine and value < best:
                best, best_step = value, step
                high = min(high, best)
            if low >= high:
                self._killers[depth] = step
                key = place[3], step
                self._history[key] = self._history.get(key, 0) + depth * depth
                break
        return best, best_step

    def _ordered(self, place: Place, depth: int, first: Step) -> list[Step]:
        """Return the steps in the order of the search: the move of the transposition table, the one
        straight ahead, the killer, then by their history."""
        steps = self.steps(place, depth)
        turn, killer, history = place[3], self._killers.get(depth, 0), self._history
        head = steps[0]

        def rank(step: Step) -> int:
            if step == first:
                return -(1 << 40)
            if step == head:
                return -(1 << 30)
            if step == killer:
                return -(1 << 29)
            return -history.get((turn, step), 0)

        steps.sort(key=rank)
        return steps

    def steps(self, place: Place, depth: int) -> list[Step]:
        """Return the steps worth a thought, the one straight ahead first; 0 if there are none.

        We build against whoever is nearest to the goal, the others against us.
        """
        at, left, fenced, turn = place
        track = self.track
        found = list(each_bit(track.targets(fenced, turn, at)))
        found.sort(key=lambda bit: track.distance(fenced, turn, bit))
        if not left[turn]:
            return found or [0]
        target = self.me
        if turn == self.me:
            others = [seat for seat in range(self.seats) if seat != turn]
            target = min(others, key=lambda seat: track.distance(fenced, seat, at[seat]))
        slots = track.cuts(fenced, target, at[target])
        if depth >= WIDE:
            slots |= track.nearby(fenced, at) | track.cuts(fenced, turn, at[turn])
        slots &= track.room(fenced)[0]
        found += [-slot for slot in each_bit(slots) if track.with_fence(fenced, slot, at)]
        if not found:
            free = track.room(fenced)[0]
            found = [-slot for slot in each_bit(free) if track.with_fence(fenced, slot, at)][:1]
        return found or [0]

    def look(self, place: Place) -> int:
        """Return the static evaluation of a position: ways, fences in hand, the turn."""
        at, left, fenced, turn = place
        track, me = self.track, self.me
        mine = track.distance(fenced, me, at[me])
        others = [
            track.distance(fenced, seat, at[seat]) for seat in range(self.seats) if seat != me
        ]
        theirs = min(others)
        fences = max(count for seat, count in enumerate(left) if seat != me)
        value = STEP * (theirs - mine) + FENCE * (left[me] - fences)
        if turn == me:
            value += TURN
            if not fences and mine < theirs:
                value += RACE_WON
        elif self.seats == 2:
            value -= TURN
            if not left[me] and theirs < mine:
                value -= RACE_WON
        return value
