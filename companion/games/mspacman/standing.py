"""How a game of Ms. Pac-Man stands: who is where, which dots are left, what is due.

:mod:`companion.games.mspacman.rules` plays on from here; whoever says why only looks.
"""

from dataclasses import dataclass, replace
from typing import Self

from companion.board import Position, Spot, Thing
from companion.games.game import CHANCE, Actor, Move, Seat
from companion.games.mspacman.field import DOT, HER, WEAK, Field
from companion.games.mspacman.walk import (
    AWAY,
    NOBODY,
    Chase,
    Fault,
    Hunt,
    Path,
    Trip,
    follow_ghost,
    follow_her,
)

#: What is due: a spin for control, her place, her spin, her walk, a ghost's roll, its walk.
CONTROL, PLACE, SPIN, WALK, ROLL, CHASE, OVER = (
    "control",
    "place",
    "spin",
    "walk",
    "roll",
    "chase",
    "over",
)


@dataclass(frozen=True)
class Standing:
    """A game of Ms. Pac-Man at one moment.

    ``turn`` is the seat that spins, rolls, places or walks; ``control`` the one that has her.
    ``ghosts`` holds the spot of each seat's ghost, ``timers`` how often its turn must begin until
    it is strong again, 0 when it is (MS-A8). ``spins`` are what the seats spun for control:
    0 not yet, -1 no longer asked. ``quiet`` counts her walks since a dot went, where as many as
    ``limit`` end the game.
    """

    field: Field
    seats: int
    dots: int
    ghosts: tuple[int, ...]
    timers: tuple[int, ...]
    spins: tuple[int, ...]
    phase: str = CONTROL
    turn: Seat = 0
    control: Seat = NOBODY
    her: int = AWAY
    steps: int = 0
    winner: Seat = NOBODY
    quiet: int = 0
    limit: int = 0

    def __repr__(self) -> str:
        things = " ".join(f"{spot}:{thing}" for spot, thing in self.position().items())
        return f"<MsPacMan: {self.phase} {self.steps} by seat {self.turn}; {things}>"

    # -- looking at it

    @property
    def chance(self) -> str:
        """Return what decides when chance is to act: the die for ghosts, else the spinner."""
        return "die" if self.phase == ROLL else "spinner"

    @property
    def to_act(self) -> Actor | None:
        """Return the seat to act, CHANCE for spinner and die, None when the game is over."""
        if self.phase == OVER:
            return None
        return CHANCE if self.phase in (CONTROL, SPIN, ROLL) else self.turn

    def where(self, number: int) -> Spot:
        """Return the name of a spot."""
        return self.field.names[number]

    def left(self, quarter: int) -> int:
        """Return how many dots a quarter still has."""
        return (self.dots & self.field.quarters[quarter]).bit_count()

    def pawn(self, seat: Seat) -> Thing:
        """Return the pawn that a seat plays: her, or its ghost with the side that is up."""
        if seat == self.control:
            return HER
        return self.field.ghosts[seat].name + (WEAK if self.timers[seat] else "")

    def position(self) -> Position:
        """Return what should be seen on the board; a pawn hides the dot under it."""
        names = self.field.names
        things: dict[Spot, Thing] = dict.fromkeys(self.field.spots(self.dots), DOT)
        for seat, spot in enumerate(self.ghosts):
            if spot != AWAY:
                things[names[spot]] = self.pawn(seat)
        if self.her != AWAY:
            things[names[self.her]] = HER
        return things

    @property
    def starts_turn(self) -> bool:
        """Return whether a turn begins: with a spin or a roll. Putting her down ends one."""
        return self.phase in (CONTROL, SPIN, ROLL)

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return the dots that are left in each seat's own colour."""
        return {"dots": tuple(self.left(seat) for seat in range(self.seats))}

    def free_circles(self) -> list[int]:
        """Return the white circles where she may be put (MS-4, MS-16, MS-A19)."""
        white = self.field.white
        return [n for n in range(len(self.field.names)) if white >> n & 1 and n not in self.ghosts]

    # -- walks as text

    def write(self, path: Path, onward: int = AWAY) -> Move:
        """Return a walk as text: the spots it enters, and the open one moved on to."""
        text = "-".join([self.field.names[number] for number in path])
        return text if onward == AWAY else f"{text}+{self.where(onward)}"

    def read(self, move: Move) -> Chase | None:
        """Return the walk that a text stands for, None when it is no walk in this maze."""
        walk, plus, onward = move.partition("+")
        number = self.field.number
        spots = walk.split("-")
        if any(spot not in number for spot in (*spots, *([onward] if plus else []))):
            return None
        return Chase(tuple([number[spot] for spot in spots]), number[onward] if plus else AWAY)

    def her_trip(self) -> tuple[Field, Trip]:
        """Return the maze and Ms. Pac-Man before her walk."""
        return self.field, Trip(self.her, self.dots, self.ghosts, self.timers)

    def after_trip(self, trip: Trip) -> Self:
        """Return the board after a trip of hers, before anybody's next turn."""
        return replace(self, her=trip.at, dots=trip.dots, ghosts=trip.ghosts, timers=trip.timers)

    def hunt(self) -> Hunt:
        """Return what the ghost whose turn it is has to look out for."""
        others = tuple(
            spot for seat, spot in enumerate(self.ghosts) if seat != self.turn and spot != AWAY
        )
        return Hunt(self.ghosts[self.turn], self.her, others)

    def fault(self, chase: Chase) -> Fault | None:
        """Return what is wrong with a walk of the pawn whose turn it is, None when it is right."""
        if self.phase == CHASE:
            return follow_ghost(self.field, self.hunt(), chase, self.steps)
        trip = follow_her(*self.her_trip(), chase.path, self.steps)
        if isinstance(trip, Fault):
            return trip
        return None if chase.onward == AWAY else Fault("hers", len(chase.path))
