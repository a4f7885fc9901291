"""What the Ms. Pac-Man game is played on, made ready for the rules: spots by number, sets as bits.

A :class:`Field` is built once, from a maze or from plain lists of spots, and checked against what
the rules need of it. Where the maze comes from is not its business. It can be drawn as lines of
text: corridors, dots, and the pawns by their first letter.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from companion.board import Position, Spot
from companion.errors import ProfileError
from companion.games.maze.maze import Maze, draw_lattice, is_beside

#: The face of the die that flips a ghost and moves it two squares (MS-8, MS-9).
FLIP = "F2"
FLIP_STEPS = 2

#: What things are called in a position; a ghost that lies weak side up looks like another thing.
HER = "mspacman"
DOT = "dot"
WEAK = "-weak"

#: MS-1: as many play as there are colours.
GHOSTS = 4
#: When she is put down, two other ghosts may stand in the maze (MS-16, MS-A19): one spot stays.
LEAST_WHITE = 3
#: The most that a spinner or a die may show; no square is further away.
MOST_STEPS = 12


#: Kinds of spots in a maze that hold a dot at the start (MS-2).
DOTTED = ("square", "power", "circle")
KINDS = (*DOTTED, "exit", "centre")

#: What a dot and a power dot look like, and a spot with nothing on it.
_DOT, _POWER, _BARE = "•", "◉", "·"


@dataclass(frozen=True)
class Ghost:
    """A ghost pawn: its name on the board, what people call it, its colour, its own space."""

    name: str
    title: str
    colour: str
    home: Spot


@dataclass(frozen=True, eq=False)
class Field:
    """A maze for Ms. Pac-Man. Spots are numbers in the order of their names; sets are bits.

    ``near`` holds where one step leads from each spot: along the corridors, between any two exits
    (MS-12, MS-A21), out of the centre and never into it (MS-A23).
    """

    names: tuple[Spot, ...]
    near: tuple[tuple[int, ...], ...]
    quarters: tuple[int, ...]
    power: int
    white: int
    exits: int
    ghosts: tuple[Ghost, ...]
    homes: tuple[int, ...]
    spinner: tuple[int, ...]
    die: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Field) and self._facts == other._facts)

    def __hash__(self) -> int:
        return hash(self.names)

    @property
    def _facts(self) -> tuple[object, ...]:
        sets = (self.quarters, self.power, self.white, self.exits)
        return self.names, self.near, sets, self.ghosts, self.spinner, self.die

    @cached_property
    def number(self) -> dict[Spot, int]:
        """Return the number of each spot."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def dots(self) -> int:
        """Return the squares that start with a dot: all of them, no exits (MS-2)."""
        return sum(self.quarters)

    @cached_property
    def quarter_of(self) -> tuple[int, ...]:
        """Return the colour, by its number, that each spot belongs to; -1 for exits and centre."""
        return tuple(
            next((q for q, bits in enumerate(self.quarters) if bits >> number & 1), -1)
            for number in range(len(self.names))
        )

    def steps_of(self, face: str) -> int:
        """Return how far a face of the die takes a ghost (MS-7, MS-8)."""
        return FLIP_STEPS if face == FLIP else int(face)

    def spots(self, bits: int) -> list[Spot]:
        """Return the names of the spots in a set."""
        return [name for number, name in enumerate(self.names) if bits >> number & 1]


def field_of(maze: Maze) -> Field:
    """Return the field that a maze makes; raise ProfileError with what the rules lack in it."""
    spots = maze.spots
    for name, spot in spots.items():
        if spot.kind not in KINDS:
            raise ProfileError(f"{name}: expected a kind that Ms. Pac-Man knows, got {spot.kind!r}")
        if spot.kind in (*DOTTED, "centre") and spot.owner not in maze.owners:
            raise ProfileError(f"{name}: expected a colour for every square and ghost space (MS-1)")
        if spot.kind == "centre" and len(spot.marks) != 1:
            raise ProfileError(
                f"{name}: expected the name of its ghost as a mark, got {spot.marks}"
            )
    kinds = {kind: [n for n, spot in spots.items() if spot.kind == kind] for kind in KINDS}
    quarters = {
        owner: [n for n, spot in spots.items() if spot.kind in DOTTED and spot.owner == owner]
        for owner in maze.owners
    }
    sizes = {owner: len(squares) for owner, squares in quarters.items()}
    if len(set(sizes.values())) > 1:
        raise ProfileError(f"expected as many squares of each colour (MS-1), got {sizes}")
    homes = sorted(kinds["centre"], key=lambda name: list(maze.owners).index(spots[name].owner))
    ghosts = [
        Ghost(spots[home].marks[0], spots[home].marks[0].title(), spots[home].owner, home)
        for home in homes
    ]
    spinner = maze.chance.get("spinner", ())
    for value in spinner:
        if not value.isdecimal():
            raise ProfileError(f"chance.spinner: expected whole numbers, got {value!r}")
    return build_field(
        quarters,
        kinds["exit"],
        ghosts,
        [(one, other) for one, others in maze.links.items() for other in others],
        kinds["power"],
        kinds["circle"],
        [int(value) for value in spinner],
        maze.chance.get("die", ()),
    )


def build_field(
    quarters: Mapping[str, Sequence[Spot]],
    exits: Sequence[Spot],
    ghosts: Sequence[Ghost],
    links: Iterable[tuple[Spot, Spot]],
    power: Sequence[Spot],
    white: Sequence[Spot],
    spinner: Sequence[int],
    die: Sequence[str],
) -> Field:
    """Return the field of these spots and links; raise ProfileError with what the rules lack.

    ``quarters`` lists the squares of each colour. A link goes both ways, but the centre is only
    ever left; exits need no links between them.
    """
    homes = [ghost.home for ghost in ghosts]
    squares = [spot for spots in quarters.values() for spot in spots]
    names = tuple(sorted([*squares, *exits, *homes]))
    for before, name in pairwise(names):
        if before == name:
            raise ProfileError(f"each spot has one kind and one colour, but {name} is named twice")
    number = {name: index for index, name in enumerate(names)}
    _check_names("power square", power, squares)
    _check_names("white circle", white, squares)
    colours = [ghost.colour for ghost in ghosts]
    if sorted(colours) != sorted(quarters) or len(ghosts) != GHOSTS:
        raise ProfileError(
            f"expected {GHOSTS} ghosts of {GHOSTS} colours and a quarter for each (MS-1), "
            f"got ghosts of {', '.join(colours)} and quarters of {', '.join(quarters)}"
        )
    for colour, spots in quarters.items():
        if not spots:
            raise ProfileError(f"expected squares in every colour (MS-1), the {colour} has none")
    field = Field(
        names,
        _near(number, links, exits, homes),
        tuple(_bits(number, quarters[colour]) for colour in colours),
        _bits(number, power),
        _bits(number, white),
        _bits(number, exits),
        tuple(ghosts),
        tuple(number[home] for home in homes),
        tuple(spinner),
        tuple(die),
    )
    _check_chance(field)
    _check_ways(field)
    return field


def _bits(number: Mapping[Spot, int], spots: Iterable[Spot]) -> int:
    return sum({1 << number[spot] for spot in spots})


def _near(
    number: Mapping[Spot, int],
    links: Iterable[tuple[Spot, Spot]],
    exits: Sequence[Spot],
    homes: Sequence[Spot],
) -> tuple[tuple[int, ...], ...]:
    near: list[set[int]] = [set() for _ in number]
    ways = [pair for one, other in links for pair in ((one, other), (other, one))]
    ways += [(one, other) for one in exits for other in exits if one != other]
    for source, target in ways:
        for spot in (source, target):
            if spot not in number:
                raise ProfileError(f"a link leads to {spot}, and there is no such spot")
        if target not in homes:  # MS-A23
            near[number[source]].add(number[target])
    return tuple(tuple(sorted(targets)) for targets in near)


def _check_names(what: str, spots: Iterable[Spot], squares: Sequence[Spot]) -> None:
    for spot in spots:
        if spot not in squares:
            raise ProfileError(f"a {what} is a square with a dot (MS-2), and {spot} is none")


def _check_chance(field: Field) -> None:
    """Check that spinner and die show what the rules can follow (MS-A27)."""
    for value in field.spinner:
        if not 1 <= value <= MOST_STEPS:
            raise ProfileError(f"the spinner shows numbers from 1 to {MOST_STEPS}, not {value}")
    for face in field.die:
        if face != FLIP and not (face.isdigit() and 1 <= int(face) <= MOST_STEPS):
            raise ProfileError(
                f"the die shows numbers from 1 to {MOST_STEPS} and {FLIP}, not {face!r}"
            )
    if len(set(field.spinner)) < 2 or not field.die:
        raise ProfileError(
            "expected two numbers or more on the spinner, so that somebody spins the highest "
            f"(MS-4), and a face or more on the die, got {list(field.spinner)}, {list(field.die)}"
        )


def _check_ways(field: Field) -> None:
    """Check that everybody can get everywhere, and that she always finds a white circle."""
    if field.white.bit_count() < LEAST_WHITE:
        raise ProfileError(
            f"expected {LEAST_WHITE} white circles or more, so that one is free when two ghosts "
            f"stand on others (MS-A19), got {', '.join(field.spots(field.white)) or 'none'}"
        )
    for start in (*field.homes, *range(len(field.names))):
        reached = reach(field, start) | sum(1 << home for home in field.homes)
        for number, name in enumerate(field.names):
            if not reached >> number & 1:
                raise ProfileError(f"{name} cannot be reached from {field.names[start]}")


def reach(field: Field, start: int) -> int:
    """Return every spot that steps from a spot lead to, itself included (flood fill)."""
    reached, edge = 1 << start, [start]
    while edge:
        for target in field.near[edge.pop()]:
            if not reached >> target & 1:
                reached |= 1 << target
                edge.append(target)
    return reached


def draw_field(field: Field, position: Position, dots: int) -> str:
    """Return a picture of the maze; a ghost that is weak has a small letter."""
    bare = dict.fromkeys(field.names, "")
    power = field.spots(field.power & dots)
    signs = {name: _sign(thing, name in power) for name, thing in (bare | dict(position)).items()}
    corridors = [
        (name, field.names[other])
        for number, name in enumerate(field.names)
        for other in field.near[number]
        if is_beside(name, field.names[other])  # exits are joined, but no corridor is there
    ]
    drawn, letters = draw_lattice(signs, corridors)
    return "\n".join([*drawn, letters])


def _sign(thing: str, power: bool) -> str:
    if not thing:
        return _BARE
    if thing == DOT:
        return _POWER if power else _DOT
    return thing[0] if thing.endswith(WEAK) else thing[0].upper()
