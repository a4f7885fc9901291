"""The ground of a Quoridor PAC-MAN game: its fences never move (SV-4), so all is worked out once.

A :class:`Ground` knows for every square where one can step, what one can see, and every way that
Pac-Man or a ghost can go from it. Squares are numbers here, 0 for a1 by b1 to 80 for i9, and sets
of squares whole numbers with a bit for each. Ways are worked out when first asked for and kept:
only what stands within two squares matters to them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from companion.board import Position, Spot
from companion.games.bits import BIT, CELLS, SQUARES, slot_mask, step, ways
from companion.games.game import Move, Seat
from companion.games.layout import GHOSTS, Layout

PASS: Move = "pass"
STAY: Move = "="  # of a ghost, after its letter

#: The ghosts sorted by letter: their moves, one ghost after the other, are then sorted too.
SORTED_GHOSTS = tuple(sorted(GHOSTS))
GHOST_TITLES = tuple(ghost.title() for ghost in SORTED_GHOSTS)
LETTERS = tuple(ghost[0].upper() for ghost in SORTED_GHOSTS)
GHOST_OF: dict[str, int] = {letter: number for number, letter in enumerate(LETTERS)}
EATEN = -1

BASE_STEPS = 2
BONUS_STEPS = 3

#: Where Pac-Man ends, the pellets that are left, the squares he reached as a bonus.
Walk = tuple[int, int, int]

#: So many ways are kept at most. A game needs a few thousand.
_MOST_KEPT = 200_000


def number_of(spot: Spot) -> int:
    """Return the number of a square."""
    return BIT[spot].bit_length() - 1


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of these squares; eaten ghosts stand on none."""
    return sum(1 << number for number in numbers if number != EATEN)


class Ground:
    """A layout prepared for play under the house's switches. Equal ones compare and hash alike."""

    def __init__(self, layout: Layout, options: Mapping[str, str]) -> None:
        self.layout = layout
        self.options = dict(options)
        self.pacman = number_of(layout.pacman)
        self.ghosts = tuple(number_of(layout.ghosts[ghost]) for ghost in SORTED_GHOSTS)
        self.pellets = mask_of(map(number_of, layout.pellets))
        self.pellet_count = len(layout.pellets)
        self.taken = mask_of(self.ghosts)
        north, east = ways(slot_mask(layout.fences))
        #: the square north, east, south and west of each, EATEN where none is or a fence stands
        self.beside = tuple(
            tuple(step(1 << number, way, north, east).bit_length() - 1 for way in range(4))
            for number in range(CELLS)
        )
        #: SV-6, SV-9: the squares one step away, and all those two steps reach but its own
        self.steps = tuple(tuple(n for n in row if n >= 0) for row in self.beside)
        self.near = tuple(map(mask_of, self.steps))
        self.around = tuple(
            (self.near[n] | union(self.near[s] for s in self.steps[n])) & ~(1 << n)
            for n in range(CELLS)
        )
        self.lines = tuple(self._lines(number) for number in range(CELLS))
        self.sees = tuple(tuple(n in lines for n in range(CELLS)) for lines in self.lines)
        self.turns = tuple(self._turns(waiting) for waiting in range(1 << len(GHOSTS)))
        self.up_to = options.get("frenzyUpTo") == "yes"
        self.straight = options.get("frenzyStraight") == "yes"
        self.exact = options.get("exactBonus") == "yes"
        self.no_progress = int(options["noProgress"]) if options.get("noProgress") != "off" else 0
        self._walks: dict[tuple[int, int, int], dict[Move, Walk]] = {}
        self._hunts: dict[tuple[int, int, int, int], dict[Move, int]] = {}
        self._key = (self.pacman, self.ghosts, self.pellets, tuple(sorted(layout.fences)))
        self._hash = hash((self._key, tuple(sorted(self.options.items()))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ground):
            return NotImplemented
        return self is other or (self._key, self.options) == (other._key, other.options)

    def __hash__(self) -> int:
        return self._hash

    def _turns(self, waiting: int) -> tuple[int, ...]:
        """Return which of the waiting ghosts may move next (SV-A12)."""
        if self.options.get("ghostOrder") == "fixed":
            order = (SORTED_GHOSTS.index(ghost) for ghost in GHOSTS)
            return tuple(ghost for ghost in order if waiting >> ghost & 1)[:1]
        return tuple(ghost for ghost in range(len(GHOSTS)) if waiting >> ghost & 1)

    # -- sight

    def _lines(self, start: int) -> dict[int, tuple[int, ...]]:
        """Return every square in sight with those between: straight, any distance (SV-A21)."""
        lines = {}
        for way in range(4):
            between: tuple[int, ...] = ()
            here = self.beside[start][way]
            while here >= 0:  # SV-12: a fence across the line ends it
                lines[here] = between
                between += (here,)
                here = self.beside[here][way]
        return lines

    # -- Pac-Man

    def walks(self, start: int, taken: int, pellets: int) -> Mapping[Move, Walk]:
        """Return every move of Pac-Man, sorted, and what becomes of it.

        ``taken`` are the squares of the ghosts, ``pellets`` those with a pellet.
        """
        key = start, taken & self.around[start], pellets
        found = self._walks.get(key)
        if found is None:
            if len(self._walks) > _MOST_KEPT:
                self._walks.clear()
            found = self._walks[key] = self._find_walks(start, taken, pellets)
        return found

    def _find_walks(self, start: int, taken: int, pellets: int) -> dict[Move, Walk]:
        walks: dict[tuple[int, ...], Walk] = {}
        for first in self.steps[start]:
            if taken >> first & 1:  # SV-A3: a ghost's square is shut outside the bonus
                continue
            if pellets >> first & 1:  # SV-A5: he stops, the second step is lost
                walks.update(self._eat((first,), pellets, 0))
                continue
            for second in self.steps[first]:  # SV-A1, SV-A2: always two, also back again
                if taken >> second & 1:
                    continue
                if pellets >> second & 1:
                    walks.update(self._eat((first, second), pellets, 0))
                else:
                    walks[first, second] = second, pellets, 0
        if not walks:
            return {PASS: (start, pellets, 0)}  # SV-A4
        return dict(sorted((_text(path), walk) for path, walk in walks.items()))

    def _eat(
        self, path: tuple[int, ...], pellets: int, reached: int
    ) -> Iterator[tuple[tuple[int, ...], Walk]]:
        """Yield what a walk that has come to a pellet can become (SV-7)."""
        pellets ^= 1 << path[-1]
        if not self.exact or not pellets:  # SV-A6: the bonus may be left out, but by the switch
            yield path, (path[-1], pellets, reached)
        if pellets:  # SV-A8: the last pellet ends the game at once
            yield from self._run(path, pellets, reached, BONUS_STEPS)

    def _run(
        self, path: tuple[int, ...], pellets: int, reached: int, left: int
    ) -> Iterator[tuple[tuple[int, ...], Walk]]:
        """Yield every way to use some of the bonus steps that are left; ghosts do not stop him."""
        for square in self.steps[path[-1]]:
            further, met = (*path, square), reached | 1 << square  # SV-A9
            if pellets >> square & 1:
                yield from self._eat(further, pellets, met)  # SV-A7: a fresh bonus
                continue
            if not self.exact or left == 1:
                yield further, (square, pellets, met)
            if left > 1:
                yield from self._run(further, pellets, met, left - 1)

    # -- ghosts

    def hunts(self, ghost: int, start: int, pacman: int, stops: int) -> Mapping[Move, int]:
        """Return every move of a ghost, sorted, and where it ends.

        ``stops`` are the squares where it may not end, those of ghosts (SV-A19) and of pellets
        (SV-10); its own may be among them.
        """
        sees = self.sees[start][pacman]
        near = self.around[start] if sees else self.near[start]
        key = ghost, start, pacman if sees else EATEN, stops & near
        found = self._hunts.get(key)
        if found is None:
            if len(self._hunts) > _MOST_KEPT:
                self._hunts.clear()
            found = self._hunts[key] = self._find_hunts(ghost, start, pacman, stops)
        return found

    def _find_hunts(self, ghost: int, start: int, pacman: int, stops: int) -> dict[Move, int]:
        single = [(first,) for first in self.steps[start] if not stops >> first & 1]
        paths: list[tuple[int, ...]] = list(single)
        if self.sees[start][pacman]:  # SV-11
            double = self._double(start, pacman, stops & ~(1 << start))
            paths = [path for path in single if path[0] == pacman]  # SV-A22
            if self.up_to or not double:  # SV-A14
                paths = list(single)
            paths += double
        letter = LETTERS[ghost]
        if not paths:
            return {letter + STAY: start}  # SV-A13
        return dict(sorted((letter + _text(path), path[-1]) for path in paths))

    def _double(self, start: int, pacman: int, stops: int) -> list[tuple[int, ...]]:
        """Return the moves of two steps; the first may cross ghosts and pellets (SV-A17, A19)."""
        found: list[tuple[int, ...]] = []
        for way, first in enumerate(self.beside[start]):
            if first < 0 or first == pacman:
                continue
            # SV-A15: a turn between the steps, or, SV-A18, back again, unless the switch forbids
            seconds = (self.beside[first][way],) if self.straight else self.steps[first]
            found += [(first, n) for n in seconds if n >= 0 and not stops >> n & 1]
        return found


class Situation(Protocol):
    """What those who judge and tell of moves ask of a position; ``rules.Pacman`` explains it."""

    @property
    def ground(self) -> Ground: ...
    @property
    def pacman(self) -> int: ...
    @property
    def ghosts(self) -> tuple[int, ...]: ...
    @property
    def pellets(self) -> int: ...
    @property
    def lives(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def to_act(self) -> Seat | None: ...
    def position(self) -> Position: ...


def _text(path: Iterable[int]) -> Move:
    return "-".join([SQUARES[number] for number in path])


def union(masks: Iterable[int]) -> int:
    """Return the squares that are in any of these sets."""
    total = 0
    for mask in masks:
        total |= mask
    return total
