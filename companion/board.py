"""The words all parts share: places on a board, the board itself, and what sensors say of it.

A *spot* is where a thing can be: a square (``e5``) or a fence slot (``e3h``). A fence is read from
three independent *patches*, its two halves and its middle; a *place* is anything a sensor can
judge on its own: a square or a patch. Patches are named after a square and the side of it they
lie on: ``e3n`` is the groove north of e3, ``e3e`` the groove east of it, ``e3x`` the crossing of
grooves at its north-east corner. So ``e3h`` covers e3n, e3x, f3n and ``e3v`` covers e3e, e3x, e4e.

Millimetres count from the middle of the board: x to the east (a to i), y to the north (1 to 9),
z up from the board's top.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import hypot
from types import MappingProxyType
from typing import Literal

Spot = str
Place = str
Thing = str

EMPTY: Thing = ""
FENCE: Thing = "fence"
PELLET: Thing = "pellet"

#: Squares within so many pitches are around a thing.
AROUND = 1.25

COLUMNS = "abcdefghi"
ROWS = "123456789"

#: What should physically be on the board. Spots that are not named are empty.
Position = Mapping[Spot, Thing]

#: For each place and thing the log-likelihood ratio to "nothing is there". Zero, or no entry at
#: all, means the sensor cannot tell. Evidence of independent sensors adds up (naive Bayes).
Evidence = Mapping[Place, Mapping[Thing, float]]


def square(column: int, row: int) -> Spot:
    """Return the name of a square, counting columns and rows from 0 at a1."""
    return COLUMNS[column] + ROWS[row]


def column_row(place: Place) -> tuple[int, int]:
    """Return column and row, from 0 at a1, of the square that a spot or place is named after."""
    return COLUMNS.index(place[0]), ROWS.index(place[1])


def is_slot(spot: Spot) -> bool:
    """Tell whether a spot is a fence slot rather than a square."""
    return len(spot) == 3 and spot[2] in "hv"


@cache
def patches(slot: Spot) -> tuple[Place, Place, Place]:
    """Return the patches a fence in this slot covers: one half, the middle, the other half."""
    column, row = column_row(slot)
    near = square(column, row)
    if slot[2] == "h":
        return near + "n", near + "x", square(column + 1, row) + "n"
    return near + "e", near + "x", square(column, row + 1) + "e"


def places_at(spot: Spot) -> tuple[Place, ...]:
    """Return the places that a thing at a spot covers: the patches of a slot, or the square."""
    return patches(spot) if is_slot(spot) else (spot,)


def apart(slots: Iterable[Spot]) -> Iterator[Spot]:
    """Yield the slots whose fences do not overlap one that was yielded before."""
    taken: set[Place] = set()
    for slot in slots:
        if taken.isdisjoint(patches(slot)):
            taken.update(patches(slot))
            yield slot


def places_of(position: Position) -> dict[Place, Thing]:
    """Return what each place of a board in this position should show; fences become patches."""
    shown: dict[Place, Thing] = {}
    for spot, thing in position.items():
        shown.update(dict.fromkeys(places_at(spot), thing))
    return shown


@dataclass(frozen=True)
class Change:
    """One thing that moves from one spot to another; None stands for off the board."""

    thing: Thing
    source: Spot | None
    target: Spot | None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Return the spots it touches."""
        return tuple(spot for spot in (self.source, self.target) if spot)


@dataclass(frozen=True)
class Sighting:
    """A thing that is seen, wherever it is: on a spot, between spots, or lying loose.

    ``near`` are the squares around its middle, the nearest first, each with its distance in
    pitches of the board. ``sure`` weighs like evidence. ``angle`` is the line along which a fence
    lies, in degrees from east towards north.
    """

    thing: Thing
    x_mm: float
    y_mm: float
    sure: float
    near: tuple[tuple[Spot, float], ...]
    angle: float = 0.0

    @property
    def spot(self) -> Spot:
        """Return the nearest square."""
        return self.near[0][0]

    @property
    def off(self) -> float:
        """Return how far from the middle of the nearest square it is, in pitches."""
        return self.near[0][1]


@dataclass(frozen=True)
class Reading:
    """What the sensors make of the board at one moment.

    ``covered`` are the places under a hand or something else that does not belong there: unseen,
    never empty. ``moving`` says that something on or above the board is in motion. ``trails`` are
    the squares on which pieces were felt on their way, from where they stood, where that is known.
    What was only felt and not ``seen`` may still be in a hand. ``sightings`` tell where things
    are that a sensor can locate more closely than by spots: the evidence includes that already.
    ``half_in`` are slots with a new fence in them that may not be pushed all the way in.
    """

    time: float
    evidence: Evidence
    covered: frozenset[Place] = frozenset()
    moving: bool = False
    trails: Mapping[Thing, tuple[Spot, ...]] = field(default_factory=dict)
    seen: bool = True
    sightings: tuple[Sighting, ...] = ()
    half_in: frozenset[Spot] = frozenset()


def add_evidence(parts: Iterable[Evidence]) -> Evidence:
    """Return the sum of what independent sensors say."""
    total: dict[Place, Mapping[Thing, float]] = {}
    for part in parts:
        for place, things in part.items():
            before = total.get(place)
            total[place] = _added(before, things) if before else things
    return total


def _added(one: Mapping[Thing, float], other: Mapping[Thing, float]) -> Mapping[Thing, float]:
    return {t: one.get(t, 0.0) + other.get(t, 0.0) for t in one.keys() | other.keys()}


@dataclass(frozen=True)
class Piece:
    """A kind of piece: how it looks to the camera and how its magnet feels to the hall grid.

    ``shape`` is ``ball`` or ``ghost`` (a cylinder with a domed top). ``magnet`` is the field at
    the sensor under the middle of its cell, in counts of the converter, signed by polarity.
    Where the profile names no colour it is ``learned`` from the board, and the one here is a
    stand-in for lights and drawings.
    """

    name: str
    title: str
    colour: tuple[int, int, int]
    shape: str
    diameter_mm: float
    height_mm: float
    magnet: int = 0
    learned: bool = False


_NONE: Mapping[str, tuple[int, int, int]] = MappingProxyType({})


@dataclass(frozen=True)
class Fence:
    """The barriers of a board; ``height_mm`` is what stands above the board when seated.

    Where they have several ``colours``, those go by the piece whose fences they are, or by any
    other name if they are nobody's; ``colour`` then is the first of them. Where the profile names
    none it is ``learned`` from the board, and the one here is a stand-in.
    """

    colour: tuple[int, int, int]
    length_mm: float
    thickness_mm: float
    height_mm: float
    count: int
    colours: Mapping[str, tuple[int, int, int]] = field(default_factory=lambda: _NONE)
    learned: bool = False

    def colour_of(self, owner: str) -> tuple[int, int, int]:
        """Return the colour of the fences of a piece, or of all."""
        return self.colours.get(owner, self.colour)


@dataclass(frozen=True)
class Marker:
    """An ArUco marker on the frame: its number and the place of its middle.

    ``z_mm`` is its height relative to the tops of the cells, negative where they stand above it.
    """

    id: int
    x_mm: float
    y_mm: float
    z_mm: float = 0.0


@dataclass(frozen=True)
class Lights:
    """A strip: how many LEDs, in which order their bytes go out, and which LED faces what.

    ``names`` maps the name of a light (``N1``–``N9``, ``E…``, ``S…``, ``W…`` along the frame, from
    west to east and from south to north; ``L1``–``L3`` the lives) to its number on the strip.
    ``at_mm`` says where each of them lies.
    """

    count: int
    order: str
    milliamps: int
    names: Mapping[str, int]
    at_mm: Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Hall:
    """The sensor grid: which channel lies under which square, and the span of its converter."""

    channels: Mapping[Spot, int]
    rest: int
    full_scale: int
    noise: float


@dataclass(frozen=True)
class Board:
    """A physical board, read from a profile by :mod:`companion.boards.profile`."""

    name: str
    title: str
    columns: int
    rows: int
    cell_mm: float
    groove_mm: float
    groove_depth_mm: float
    board_mm: float
    frame_mm: float
    colours: Mapping[str, tuple[int, int, int]]  # cell, groove, rim, frame, table
    fence: Fence
    pieces: Mapping[str, Piece]
    marker_dictionary: str
    marker_mm: float
    markers: tuple[Marker, ...]
    lights: Lights
    hall: Hall
    pellet: Piece | None = None
    provenance: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def pitch_mm(self) -> float:
        """Return the distance from one cell's middle to the next."""
        return self.cell_mm + self.groove_mm

    @property
    def field_mm(self) -> float:
        """Return the side of the playing field, outer cell edge to outer cell edge."""
        return self.columns * self.pitch_mm - self.groove_mm

    @property
    def field_corners(self) -> tuple[tuple[float, float, float], ...]:
        """Return the outer corners of a1, i1, i9 and a9, on the board's top."""
        half = self.field_mm / 2
        return (-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)

    @cached_property
    def squares(self) -> tuple[Spot, ...]:
        """Return all squares, a1 b1 … i9."""
        return tuple(square(c, r) for r in range(self.rows) for c in range(self.columns))

    @cached_property
    def slots(self) -> tuple[Spot, ...]:
        """Return all fence slots, the horizontal ones first."""
        corners = [square(c, r) for r in range(self.rows - 1) for c in range(self.columns - 1)]
        return tuple(s + "h" for s in corners) + tuple(s + "v" for s in corners)

    @cached_property
    def patches(self) -> tuple[Place, ...]:
        """Return every patch of every slot, each once."""
        return tuple(dict.fromkeys(patch for slot in self.slots for patch in patches(slot)))

    def sighting(
        self, thing: Thing, x_mm: float, y_mm: float, sure: float, angle: float = 0.0
    ) -> Sighting:
        """Return what is seen at a place in millimetres, with the squares around it."""
        away = sorted(
            (hypot(x - x_mm, y - y_mm) / self.pitch_mm, spot)
            for spot in self.squares
            for x, y in (self.at(spot),)
        )
        near = tuple((spot, off) for off, spot in away if off <= max(AROUND, away[0][0]))
        return Sighting(thing, x_mm, y_mm, sure, near, angle)

    def at(self, place: Spot | Place) -> tuple[float, float]:
        """Return the middle of a square, a slot or a patch in millimetres."""
        column, row = column_row(place)
        x = (column - (self.columns - 1) / 2) * self.pitch_mm
        y = (row - (self.rows - 1) / 2) * self.pitch_mm
        half = self.pitch_mm / 2
        side = place[2:]
        return x + half * (side in ("e", "x", "h", "v")), y + half * (side in ("n", "x", "h", "v"))


#: The health of a device: in order, could be better, broken, or not configured.
Health = Literal["ok", "advice", "trouble", "off"]


@dataclass(frozen=True)
class DeviceView:
    """How a device is doing, in words that a person at the table can act on.

    The text says how it is, ``todo`` what to do about it where the text does not. One that is in
    trouble only ``partly`` still works otherwise.
    """

    name: str
    state: Health
    text: str
    todo: str = ""
    partly: bool = False
