"""The search of Quoridor PAC-MAN: joint plans of the ghosts against Pac-Man's replies.

The ghosts are one mind and all alike, so a round of theirs is a set of squares to stand on. There
are hundreds of such plans a round; the few that look best are followed (a beam), deeper and deeper,
until the limits say enough. It is alpha-beta between Pac-Man's moves and these plans, with a
transposition table; the leaves see captures exactly. Values are always those to Pac-Man.
"""

from heapq import nsmallest
from itertools import product

from companion.games.bits import each_bit
from companion.games.pacman.chart import WIN, Chart, Ghosts
from companion.games.pacman.ground import Walk
from companion.players.player import Enough, Limits

#: Plans of a round that are looked at, at the root and below, and those that are followed.
WIDEST = 1_600
LOOKED_AT = 32
FOLLOWED = 7
#: What it costs Pac-Man that the ghosts move next, in a position that is looked at before they do.
GHOSTS_NEXT = 25
#: How much less a kill is worth for every round it lies ahead.
LATER = 2

EXACT, LOW, HIGH = 0, 1, 2

Position = tuple[int, Ghosts, int, int]


class Search:
    """One search: it counts its positions, and remembers what they are worth."""

    def __init__(self, chart: Chart, limits: Limits, nodes: int) -> None:
        self.chart = chart
        self.stop = limits.stop
        self.most = nodes
        self.nodes = 0
        self.may_stop = False
        #: the transposition table: rounds, kind of bound, value
        self._known: dict[Position, tuple[int, int, int]] = {}
        self._plans: dict[Position, list[tuple[int, Ghosts]]] = {}
        self._leaves: dict[Position, int] = {}
        self._lost: dict[tuple[int, int], int] = {}

    # -- what is decided

    def lost(self, pellets: int, lives: int) -> int:
        """Return what is left to Pac-Man when he is caught with so many lives."""
        if lives == 1:
            return -WIN
        key = pellets, lives
        if key not in self._lost:
            ground = self.chart.ground
            self._lost[key] = self.chart.look(
                ground.pacman, tuple(sorted(ground.ghosts)), pellets, lives - 1
            )
        return self._lost[key]

    def leaf(self, pacman: int, ghosts: Ghosts, pellets: int, lives: int) -> int:
        """Return what a position with Pac-Man to move looks to be worth, captures seen exactly."""
        key = pacman, ghosts, pellets, lives
        known = self._leaves.get(key)
        if known is not None:
            return known
        self.nodes += 1
        chart = self.chart
        taken = _mask(ghosts)
        if chart.plain_ends(pacman, taken) & ~chart.threatened(ghosts):
            value = chart.look(pacman, ghosts, pellets, lives)
        else:
            value = self.lost(pellets, lives)
        if pellets & chart.two_steps[pacman]:
            for walk in chart.results(pacman, taken, pellets):
                if walk[1] != pellets:
                    value = max(value, self._eaten(ghosts, walk, lives))
        self._leaves[key] = value
        return value

    def _eaten(self, ghosts: Ghosts, walk: Walk, lives: int) -> int:
        """Return what it looks to be worth that Pac-Man eats."""
        end, pellets, reached = walk
        if not pellets:
            return WIN
        left = _without(ghosts, reached)
        if self.chart.threatened(left) >> end & 1:
            return self.lost(pellets, lives)
        return self.chart.look(end, left, pellets, lives) - GHOSTS_NEXT

    # -- Pac-Man

    def for_pacman(
        self,
        pacman: int,
        ghosts: Ghosts,
        pellets: int,
        lives: int,
        rounds: int,
        low: int,
        high: int,
    ) -> int:
        """Return what a position with Pac-Man to move is worth after so many rounds: alpha-beta."""
        if not rounds:
            return self.leaf(pacman, ghosts, pellets, lives)
        key = pacman, ghosts, pellets, lives
        known = self._known.get(key)
        if known is not None and known[0] >= rounds:
            _, kind, value = known
            if kind == EXACT or (kind == LOW and value >= high) or (kind == HIGH and value <= low):
                return value
        floor = low
        best = -2 * WIN
        for walk in self.replies(pacman, ghosts, pellets, lives):
            value = self.after_walk(ghosts, walk, lives, rounds, low, high)
            if value > best:
                best = value
                if best > low:
                    low = best
                    if low >= high:
                        break
        kind = LOW if best >= high else HIGH if best <= floor else EXACT
        self._known[key] = rounds, kind, best
        return best

    def after_walk(
        self, ghosts: Ghosts, walk: Walk, lives: int, rounds: int, low: int, high: int
    ) -> int:
        """Return what it is worth that Pac-Man has made a move."""
        end, pellets, reached = walk
        if not pellets:
            return WIN + LATER * rounds
        if reached:
            ghosts = _without(ghosts, reached)
            if not ghosts:
                return WIN - 50 - 10 * pellets.bit_count()
        if self.chart.threatened(ghosts) >> end & 1:
            return self.lost(pellets, lives) - LATER * rounds
        return self.for_ghosts(end, ghosts, pellets, lives, rounds, low, high)

    def replies(self, pacman: int, ghosts: Ghosts, pellets: int, lives: int) -> list[Walk]:
        """Return Pac-Man's moves, the most promising first; one that is suicide stands for all."""
        chart = self.chart
        taken = _mask(ghosts)
        threatened = chart.threatened(ghosts)
        if pellets & chart.two_steps[pacman]:
            walks = chart.results(pacman, taken, pellets)
        else:
            ends = chart.plain_ends(pacman, taken)
            safe = ends & ~threatened or ends & -ends
            walks = tuple([(bit.bit_length() - 1, pellets, 0) for bit in each_bit(safe)])
        if len(walks) == 1:
            return list(walks)
        scored = []
        for walk in walks:
            end, left, reached = walk
            if not left:
                return [walk]
            rest, shut = ghosts, threatened
            if reached:
                rest = _without(ghosts, reached)
                shut = chart.threatened(rest)
            if shut >> end & 1:
                value = self.lost(left, lives)
            else:
                value = chart.look(end, rest, left, lives)
            scored.append((-value, walk))
        scored.sort()
        return [walk for _, walk in scored]

    # -- the ghosts

    def for_ghosts(
        self,
        pacman: int,
        ghosts: Ghosts,
        pellets: int,
        lives: int,
        rounds: int,
        low: int,
        high: int,
    ) -> int:
        """Return what a position is worth with all ghosts to move, none of which can catch him."""
        if self.may_stop and (self.nodes >= self.most or self.stop()):
            raise Enough
        self.nodes += 1
        best = 2 * WIN
        for value, plan in self.plans(pacman, ghosts, pellets, lives):
            if rounds > 1:
                value = self.for_pacman(pacman, plan, pellets, lives, rounds - 1, low, high)
            if value < best:
                best = value
                if best < high:
                    high = best
                    if low >= high:
                        break
        return best

    def plans(
        self, pacman: int, ghosts: Ghosts, pellets: int, lives: int
    ) -> list[tuple[int, Ghosts]]:
        """Return the plans worth following, the best for the ghosts first."""
        key = pacman, ghosts, pellets, lives
        found = self._plans.get(key)
        if found is None:
            each = [self.chart.hunting_ends(ghost, pacman, pellets) for ghost in ghosts]
            ways = self.narrow(each, pacman, LOOKED_AT)
            scored = [(self.leaf(pacman, plan, pellets, lives), plan) for plan in ways]
            scored.sort()
            found = self._plans[key] = scored[:FOLLOWED]
        return found

    def narrow(self, each: list[tuple[int, ...]], pacman: int, count: int) -> list[Ghosts]:
        """Return the joint plans that leave Pac-Man the least, by a quick count."""
        chart = self.chart
        distance = chart.distance[pacman]
        ends = chart.plain_ends(pacman, 0)
        threat = chart.threat
        widest = WIDEST
        size = 1
        for options in each:
            size *= len(options)
        while size > widest:
            longest = max(range(len(each)), key=lambda n: len(each[n]))
            options = each[longest]
            size = size // len(options) * (len(options) - 1)
            worst = max(
                options, key=lambda n: (2 * distance[n] - (threat[n] & ends).bit_count(), n)
            )
            each[longest] = tuple(n for n in options if n != worst)
        scored: dict[Ghosts, int] = {}
        for plan in product(*each):
            if len(set(plan)) < len(plan):
                continue
            shut = away = 0
            for n in plan:
                shut |= threat[n] | 1 << n
                away += distance[n]
            scored[tuple(sorted(plan))] = 6 * (ends & ~shut).bit_count() + away
        return nsmallest(count, scored, key=lambda plan: (scored[plan], plan)) or [
            tuple(sorted(options[0] for options in each))
        ]


def _mask(ghosts: Ghosts) -> int:
    taken = 0
    for ghost in ghosts:
        taken |= 1 << ghost
    return taken


def _without(ghosts: Ghosts, reached: int) -> Ghosts:
    return tuple([n for n in ghosts if not reached >> n & 1])
