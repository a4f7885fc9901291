"""What the marble game is played on, made ready for the rules, and the ways through it.

A :class:`Field` is made once from a maze. Spots are numbers in the order of their names, sets of
spots are bits. Arrowed areas and the centre are no spaces: going off and on joins two edge holes
(MB-9), and from the centre the first hole counts one (MB-A22).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from companion.board import Spot
from companion.errors import ProfileError
from companion.games.maze.maze import Maze

KINDS = ("hole", "ringed", "home", "exit", "centre")
#: MB-2: two ghosts, whoever plays.
GHOSTS = 2
#: MB-1: at most as many play as there are Pac-Men.
MOST_PLAYERS = 4
#: What a die can show at most.
MOST_STEPS = 6
#: How many answers about ghosts are remembered.
MOST_HUNTS = 20_000


class Step(NamedTuple):
    """A step to a spot; ``out`` and ``into`` are the arrowed areas of an off-and-on one, or -1."""

    to: int
    out: int = -1
    into: int = -1


class Way(NamedTuple):
    """A way through the maze, step by step, and whether it ends on a pawn.

    ``bits`` are the spots it goes over, the ``end`` among them; ``before`` those it comes to
    before the end. ``text`` is how moves write it: ``b4-b5~l7-k7``, with an x behind a pawn.
    """

    steps: tuple[Step, ...]
    lands: bool
    end: int
    before: int
    bits: int
    text: str

    def landing(self) -> "Way":
        """Return the same way with a pawn at its end."""
        return self._replace(lands=True, text=self.text + "x")


@dataclass(frozen=True, eq=False)
class Field:
    """A maze for the marble game. ``homes`` and ``colours`` stand in the order of the table."""

    maze: Maze
    names: tuple[Spot, ...]
    steps: tuple[tuple[Step, ...], ...]
    doors: tuple[Step, ...]
    white: int
    ringed: int
    homes: tuple[int, ...]
    centre: tuple[int, ...]
    colours: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Field) and self._facts == other._facts)

    def __hash__(self) -> int:
        return hash((self.names, self.white))

    @property
    def _facts(self) -> tuple[object, ...]:
        return (self.names, self.steps, self.doors, self.white, self.ringed, self.homes)

    @cached_property
    def number(self) -> Mapping[Spot, int]:
        """Return the number of each spot."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def home_bits(self) -> int:
        """Return all homes."""
        return sum(1 << home for home in self.homes)

    @cached_property
    def inner(self) -> tuple[tuple[Step, ...], ...]:
        """Return the steps a ghost may think of: on the board, into no home (MB-18)."""
        return tuple(
            self.doors
            if number in self.centre
            else tuple(s for s in steps if s.out < 0 and not self.home_bits >> s.to & 1)
            for number, steps in enumerate(self.steps)
        )

    @cached_property
    def exits(self) -> tuple[Spot, ...]:
        """Return the arrowed areas, as steps count them."""
        return self.maze.of_kind("exit")

    # -- ways

    def spots(self, steps: Iterable[Step]) -> tuple[Spot, ...]:
        """Return the spots that steps lead over, by name; arrowed areas are among them."""
        names: list[Spot] = []
        for step in steps:
            if step.out >= 0:
                names += self.exits[step.out], self.exits[step.into]
            names.append(self.names[step.to])
        return tuple(names)

    def way(self, steps: Sequence[Step], lands: bool = False) -> Way:
        """Return the way of these steps."""
        before = 0
        for step in steps[:-1]:
            before |= 1 << step.to
        end = steps[-1].to
        text = "".join(("-" if s.out < 0 else "~") + self.names[s.to] for s in steps)
        text = text.removeprefix("-") + ("x" if lands else "")
        return Way(tuple(steps), lands, end, before, before | 1 << end, text)

    def walks(self, start: int, count: int, free: bool = False) -> tuple[Way, ...]:
        """Return all ways of a Pac-Man on an empty board with this count, and remember them.

        They are found by a depth-first search. With ``free`` a home is no space (MB-A1).
        """
        key = (start, count, free)
        if key not in self._walks:
            self._walks[key] = tuple(self._find_walks(*key))
        return self._walks[key]

    def reach(self, start: int, count: int, free: bool = False) -> int:
        """Return the spots a Pac-Man may come to within a count."""
        key = (start, count, free)
        if key not in self._reach:
            nearer = self.reach(start, count - 1, free) if count > 1 else 0
            self._reach[key] = reduce(or_, (way.bits for way in self.walks(*key)), nearer)
        return self._reach[key]

    @cached_property
    def _walks(self) -> dict[tuple[int, int, bool], tuple[Way, ...]]:
        return {}

    @cached_property
    def _reach(self) -> dict[tuple[int, int, bool], int]:
        return {}

    @cached_property
    def _hunts(self) -> dict[tuple[int, int, int, int, bool], dict[int, Way]]:
        return {}

    def _find_walks(self, start: int, count: int, free: bool) -> Iterator[Way]:
        steps, uncounted = self.steps, self.home_bits if free else 0
        path: list[Step] = []

        def go(at: int, last: int, into: int, left: int) -> Iterator[Way]:
            for step in steps[at]:
                # MB-A3: never back into the hole just left, nor out by the arrow just come in by.
                if step.to == last or (step.out >= 0 and step.out == into):
                    continue
                path.append(step)
                if uncounted >> step.to & 1:
                    if len(path) < count + 2 * len(self.homes):  # no way around homes for ever
                        yield from go(step.to, at, step.into, left)
                elif left == 1:
                    yield self.way(path)
                else:
                    yield from go(step.to, at, step.into, left - 1)
                path.pop()

        yield from go(start, -1, -1, count)

    def hunts(
        self, start: int, count: int, blocked: int, prey: int, reversing: bool
    ) -> dict[int, Way]:
        """Return a way of a ghost to each spot it may end on: full count or a Pac-Man (MB-15).

        A breadth-first search over pairs of this spot and the last keeps one way to each.
        """
        near = self._near[count][start]  # pawns further away are no matter
        key = (start, count, blocked & near, prey & near, reversing)
        if key not in self._hunts:
            if len(self._hunts) >= MOST_HUNTS:
                self._hunts.clear()
            self._hunts[key] = self._find_hunts(*key)
        return self._hunts[key]

    @cached_property
    def _near(self) -> list[list[int]]:
        """Return for each count and spot the spots a ghost may come to."""
        near = [[1 << spot for spot in range(len(self.names))]]
        for _ in range(MOST_STEPS):
            last = near[-1]
            near.append(
                [
                    reduce(or_, (last[step.to] for step in self.inner[spot]), last[spot])
                    for spot in range(len(self.names))
                ]
            )
        return near

    def _find_hunts(
        self, start: int, count: int, blocked: int, prey: int, reversing: bool
    ) -> dict[int, Way]:
        found: dict[int, Way] = {}
        edge: dict[tuple[int, int], tuple[Step, ...]] = {(start, -1): ()}
        for left in range(count, 0, -1):
            further: dict[tuple[int, int], tuple[Step, ...]] = {}
            for (at, last), path in edge.items():
                for step in self.inner[at]:
                    to = step.to
                    if blocked >> to & 1 or (to == last and not reversing):
                        continue
                    lands = bool(prey >> to & 1)
                    if not lands and left > 1:
                        further.setdefault((to, at), (*path, step))
                    elif to not in found:
                        found[to] = self.way((*path, step), lands)
            edge = further
        return found


def make_field(maze: Maze) -> Field:
    """Return the field of a maze; ProfileError when the marble game cannot be played on it."""
    names = tuple(name for name in maze.spots if maze.spots[name].kind != "exit")
    number = {name: each for each, name in enumerate(names)}
    exits = maze.of_kind("exit")
    colours = tuple(maze.owners)
    _check(maze, colours)
    steps = []
    for name in names:
        kind = maze.spots[name].kind
        plain = [
            Step(number[other])
            for other in maze.links[name]
            if maze.spots[other].kind not in ("exit", "centre")
        ]
        steps.append(
            tuple(plain + _transfers(maze, name, exits, number)) if kind != "centre" else ()
        )
    doors = {
        number[other]
        for name in maze.of_kind("centre")
        for other in maze.links[name]
        if maze.spots[other].kind in ("hole", "ringed")
    }

    def bits(kind: str) -> int:
        return sum(1 << number[name] for name in maze.of_kind(kind))

    return Field(
        maze,
        names,
        tuple(steps),
        tuple(map(Step, sorted(doors))),
        bits("hole"),
        bits("ringed"),
        tuple(number[maze.owned("home", colour)[0]] for colour in colours),
        tuple(number[name] for name in maze.of_kind("centre")[:GHOSTS]),
        colours,
    )


def _transfers(
    maze: Maze, name: Spot, exits: tuple[Spot, ...], number: Mapping[Spot, int]
) -> list[Step]:
    """Return the steps off the board at a hole and on again by any other arrow (MB-9, MB-A4)."""
    return [
        Step(number[edge], exits.index(out), exits.index(into))
        for out in maze.links[name]
        if out in exits
        for into in exits
        if into != out
        for edge in maze.links[into]
        if edge in number and edge != name
    ]


def _check(maze: Maze, colours: tuple[str, ...]) -> None:
    """Raise ProfileError for what the marble game needs and a maze has not, naming the spot."""

    def need(good: bool, where: str, expected: str, got: object) -> None:
        if not good:
            raise ProfileError(f"{maze.name}: {where}: expected {expected}, got {got}")

    need(len(colours) == MOST_PLAYERS, "owners", f"{MOST_PLAYERS} colours", len(colours))
    for colour in colours:
        homes = len(maze.owned("home", colour))
        need(homes == 1, colour, "one home", homes)
    centre = len(maze.of_kind("centre"))
    need(centre == GHOSTS, "centre", f"a spot for each of {GHOSTS} ghosts", centre)
    need(bool(maze.of_kind("hole")), "hole", "holes for white marbles", 0)
    for name, spot in maze.spots.items():
        need(spot.kind in KINDS, name, f"one of {', '.join(KINDS)}", spot.kind)
    _check_ways(maze, need)


def _check_ways(maze: Maze, need: Callable[[bool, str, str, object], None]) -> None:
    """Raise ProfileError for a spot that Pac-Men or ghosts cannot come to or away from."""
    holes = set(maze.of_kind("hole", "ringed"))
    for name, spot in maze.spots.items():
        beside = [other for other in maze.links[name] if maze.spots[other].kind != "centre"]
        if spot.kind == "exit":
            need(bool(beside) and set(beside) <= holes, name, "an exit beside a hole", beside)
        elif spot.kind == "home":
            need(len(beside) > 0, name, "a way out of this home", "none")
    doors = [o for n in maze.of_kind("centre") for o in maze.links[n] if o in holes]
    need(bool(doors), "centre", "a way out of the centre", "none")
    walkable = holes | set(maze.of_kind("home"))
    reached, edge = {doors[0]}, [doors[0]]
    while edge:
        fresh = [o for o in maze.links[edge.pop()] if o in walkable and o not in reached]
        reached.update(fresh)
        edge += fresh
    for name in sorted(walkable - reached):
        need(False, name, f"a path from {doors[0]} that crosses no centre", "none")
