"""What a player of Quoridor PAC-MAN knows of a board before it thinks: tables, and a first look.

A :class:`Chart` belongs to a ground. Squares are numbers, sets of squares whole numbers, as in the
rules (bitboards). A ghost catches Pac-Man next to it, or two squares away in a straight open line:
then it sees him and has two steps. So the squares that ghosts threaten are a union of masks from a
table, and whether Pac-Man can be caught is one bit. Distances are from breadth-first searches. The
first look, the static evaluation of this pursuit and evasion, floods the board with what he reaches
before any ghost can be there.
"""

from functools import lru_cache

from companion.games.bits import CELLS, SIZE, slot_mask, ways
from companion.games.pacman.ground import EATEN, Ground, Walk, union
from companion.players.lookahead import steps_between

#: What the game is worth when it is decided, always to Pac-Man.
WIN = 100_000
#: What lives and the pellets that are left are worth; the first figure is never used.
LIVES = (0, 0, 190, 330, 440, 530)
PELLETS_LEFT = (0, -120, -220, -300, -370, -430, -480, -520, -560)
#: What it is worth that so many ghosts are on the board, which lasts until the next capture.
ON_BOARD = (420, 260, 150, 70, 0)
#: The rounds that the first look runs ahead of the ghosts, and what it costs to be shut in then.
AHEAD = 5
SHUT_IN = (0, 90, 55, 35, 20, 12)
#: What a square is worth that Pac-Man can still reach, and how many count.
ROOM = 2
ROOMY = 14
#: What a pellet is worth that nobody can keep him from, by the rounds it takes.
IN_REACH = (75, 58, 45, 35, 27, 20)
ANOTHER = 12
#: What a step of distance is worth: from each ghost to Pac-Man, from Pac-Man to the next pellet.
FAR_GHOST = 2
FAR_PELLET = 3

Ghosts = tuple[int, ...]


class Chart:
    """The tables of a ground, and what a position looks like at first sight."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.north, self.east = ways(slot_mask(ground.layout.fences))
        steps = ground.steps
        self.distance = steps_between(steps)
        self.threat = tuple(self._threats(square) for square in range(CELLS))
        #: what a ghost threatens after so many single steps
        self.spread = tuple(
            tuple(
                union(self.threat[n] for n in range(CELLS) if self.distance[square][n] <= count)
                for count in range(AHEAD + 1)
            )
            for square in range(CELLS)
        )
        self.firsts = tuple(
            tuple((1 << first, ground.near[first]) for first in steps[square])
            for square in range(CELLS)
        )
        self.two_steps = tuple(
            ground.near[square] | union(ground.near[first] for first in steps[square])
            for square in range(CELLS)
        )
        self._results: dict[tuple[int, int, int], tuple[Walk, ...]] = {}
        self._ends: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._nearest: dict[int, tuple[int, ...]] = {}

    def _threats(self, square: int) -> int:
        mask = self.ground.near[square]
        for way in range(4):
            beside = self.ground.beside[square][way]
            if beside >= 0 and (behind := self.ground.beside[beside][way]) >= 0:
                mask |= 1 << behind
        return mask

    # -- what can follow

    def threatened(self, ghosts: Ghosts) -> int:
        """Return every square on which one of the ghosts catches Pac-Man in its next move."""
        mask = 0
        for ghost in ghosts:
            mask |= self.threat[ghost]
        return mask

    def plain_ends(self, pacman: int, taken: int) -> int:
        """Return where Pac-Man can end a move of two steps, pellets disregarded."""
        ends = 0
        for bit, near in self.firsts[pacman]:
            if not bit & taken:
                ends |= near
        return ends & ~taken or 1 << pacman

    def results(self, pacman: int, taken: int, pellets: int) -> tuple[Walk, ...]:
        """Return what can come of Pac-Man's move, each result once."""
        key = pacman, taken, pellets
        found = self._results.get(key)
        if found is None:
            walks = self.ground.walks(pacman, taken, pellets).values()
            unique = {(end, left, reached & taken) for end, left, reached in walks}
            if len(self._results) > 100_000:
                self._results.clear()
            found = self._results[key] = tuple(sorted(unique))
        return found

    def hunting_ends(self, ghost: int, pacman: int, pellets: int) -> tuple[int, ...]:
        """Return where a ghost's move can end, the other ghosts disregarded."""
        sees = self.ground.sees[ghost][pacman]
        key = ghost, pellets, pacman if sees else EATEN
        found = self._ends.get(key)
        if found is None:
            moves = self.ground.hunts(0, ghost, pacman, pellets)
            found = self._ends[key] = tuple(sorted(set(moves.values())))
        return found

    # -- the first look

    def look(self, pacman: int, ghosts: Ghosts, pellets: int, lives: int) -> int:
        """Return what a position with Pac-Man to move looks to be worth to him.

        It runs ahead a few rounds and lets every ghost be everywhere it could have got to: what
        Pac-Man reaches then, nobody can keep from him.
        """
        if not ghosts:
            return WIN - 50 - 10 * pellets.bit_count()
        taken = spread = 0
        away = 0
        distance = self.distance[pacman]
        for ghost in ghosts:
            taken |= 1 << ghost
            spread |= self.threat[ghost]
            away += distance[ghost]
        ends = self.plain_ends(pacman, taken)
        value = (
            LIVES[lives]
            + PELLETS_LEFT[pellets.bit_count()]
            + ON_BOARD[len(ghosts)]
            + FAR_GHOST * away
        )
        safe = ends & ~spread
        north, east = self.north, self.east
        reached = 0
        if wanted := pellets & self.two_steps[pacman]:
            reached = wanted
            value += IN_REACH[0] + ANOTHER * (wanted.bit_count() - 1)
        table = self.spread
        for ahead in range(1, AHEAD + 1):
            if not safe:
                if not reached:
                    value -= SHUT_IN[ahead]
                break
            size = safe.bit_count()
            value += ROOM * (size if size < ROOMY else ROOMY)
            grown = (
                (safe & north) << SIZE
                | safe >> SIZE & north
                | (safe & east) << 1
                | safe >> 1 & east
            )
            grown |= (
                (grown & north) << SIZE
                | grown >> SIZE & north
                | (grown & east) << 1
                | grown >> 1 & east
            )
            if fresh := grown & pellets & ~reached:
                value += (ANOTHER if reached else IN_REACH[ahead]) * fresh.bit_count()
                reached |= fresh
            spread = 0
            for ghost in ghosts:
                spread |= table[ghost][ahead]
            safe = grown & ~spread
        if not reached:
            value -= FAR_PELLET * self.to_pellet(pellets)[pacman]
        return value

    def to_pellet(self, pellets: int) -> tuple[int, ...]:
        """Return how far each square is from the nearest of these pellets."""
        found = self._nearest.get(pellets)
        if found is None:
            there = [n for n in range(CELLS) if pellets >> n & 1]
            found = tuple(min(row[n] for n in there) for row in self.distance)
            self._nearest[pellets] = found
        return found


@lru_cache(maxsize=16)
def chart_of(ground: Ground) -> Chart:
    """Return the tables of a ground, made once."""
    return Chart(ground)
