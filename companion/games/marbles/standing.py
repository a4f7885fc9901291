"""How a marble game stands: who is where, what lies where, what is due, which ways are open.

:mod:`companion.games.marbles.rules` plays on from here; whoever says why only looks.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from companion.board import Position, Spot, Thing
from companion.games.game import CHANCE, Actor, Seat
from companion.games.marbles.field import Field, Way

WHITE, YELLOW = "white", "yellow"
GHOST = "ghost"
PACMAN = "pac"


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same through a game: the board, who plays which colour, the switches."""

    field: Field
    seated: tuple[int, ...]
    home_counts: bool = True
    ghosts_reverse: bool = False
    ghost_after_gobble: bool = True
    missed_stay: bool = False
    no_progress: int = 0

    @property
    def seats(self) -> int:
        """Return how many play."""
        return len(self.seated)

    @property
    def colours(self) -> tuple[str, ...]:
        """Return the colour of each seat."""
        return tuple(self.field.colours[place] for place in self.seated)

    def home(self, seat: Seat) -> int:
        """Return the home of a seat."""
        return self.field.homes[self.seated[seat]]

    def pacman(self, seat: Seat) -> Thing:
        """Return the Pac-Man of a seat."""
        return PACMAN + self.field.colours[self.seated[seat]]


class Eaten(NamedTuple):
    """The marbles a Pac-Man swallowed in this turn, by the holes they lay in."""

    white: int = 0
    yellow: int = 0


NOTHING = Eaten()


@dataclass(frozen=True, slots=True, repr=False)
class Standing:
    """A game of marbles at one moment.

    ``white`` and ``yellow`` are the holes with marbles, ``belly`` the white ones inside the
    Pac-Man of the seat in turn (MB-10). ``gold`` are the yellow marbles each seat may still use,
    ``owed`` those it must put back (MB-22). ``due`` says what the turn waits for: ``start`` and
    ``roll`` the dice, ``move`` a Pac-Man or a ghost, ``take`` the reward, ``end`` the end.
    ``quiet`` counts the turns since a white marble was swallowed, where that may end the game.
    """

    chance: ClassVar[str] = "dice"  # what decides when chance is to act
    table: Table
    pacmen: tuple[int, ...]
    ghosts: tuple[int, ...]
    white: int
    yellow: int
    trays: tuple[int, ...]
    gold: tuple[int, ...]
    owed: tuple[int, ...]
    rolls: tuple[int, ...]
    turn: Seat = 0
    due: str = "start"
    dice: tuple[int, ...] = ()
    pacman_due: bool = False
    ghost_due: bool = False
    belly: int = 0
    eaten: Eaten = NOTHING
    quiet: int = 0

    def __repr__(self) -> str:
        names = self.table.field.names
        pacmen = " ".join(names[spot] for spot in self.pacmen)
        ghosts = " ".join(names[spot] for spot in self.ghosts)
        return (
            f"<Marbles: Pac-Men {pacmen}; ghosts {ghosts}; {self.white.bit_count()} white; trays "
            f"{self.trays}; seat {self.turn} in turn, {self.due} due, dice {self.dice}>"
        )

    # -- looking at it

    @property
    def seats(self) -> int:
        """Return how many play (MB-1)."""
        return self.table.seats

    @property
    def to_act(self) -> Actor | None:
        """Return who acts: chance rolls, a seat moves, and who owes a yellow marble comes first."""
        if not self.white or self.stalled:
            return None
        owing = self.owing
        if owing is not None:
            return owing
        return CHANCE if self.due in ("start", "roll") else self.turn

    @property
    def stalled(self) -> bool:
        """Return whether too many turns went by without a white marble."""
        return 0 < self.table.no_progress <= self.quiet

    @property
    def starts_turn(self) -> bool:
        """Return whether the next move opens a turn; rolling for the start counts as one."""
        if self.owing is not None:
            return False
        return self.due == "roll" or (self.due == "start" and max(self.rolls) <= 0)

    @property
    def owing(self) -> Seat | None:
        """Return the seat that must put a yellow marble back now (MB-22).

        Of several it is the one in turn, else the next to the left (MB-A25).
        """
        if not any(self.owed) or not self.free_rings:
            return None
        order = [(self.turn + after) % self.seats for after in range(self.seats)]
        return next(seat for seat in order if self.owed[seat])

    @property
    def free_rings(self) -> int:
        """Return the ringed holes that hold neither marble nor pawn (MB-A24)."""
        return self.table.field.ringed & ~self.yellow & ~self.pawns

    @property
    def pawns(self) -> int:
        """Return the spots where a Pac-Man or a ghost stands."""
        bits = 0
        for spot in (*self.pacmen, *self.ghosts):
            bits |= 1 << spot
        return bits

    @property
    def rolling(self) -> Seat:
        """Return the seat that the dice are rolled for."""
        return self.rolls.index(0) if self.due == "start" else self.turn

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the white marbles that each seat has won, in the tray or inside the Pac-Man."""
        trays, turn = self.trays, self.turn
        return (*trays[:turn], trays[turn] + self.belly, *trays[turn + 1 :])

    def position(self) -> Position:
        """Return what is to be seen on the board; a ghost hides the marble under it (MB-A32)."""
        names = self.table.field.names
        things: dict[Spot, Thing] = {}
        for number, name in enumerate(names):
            if self.white >> number & 1:
                things[name] = WHITE
            elif self.yellow >> number & 1:
                things[name] = YELLOW
        for seat, spot in enumerate(self.pacmen):
            things[names[spot]] = self.table.pacman(seat)
        for number, spot in enumerate(self.ghosts, 1):
            things[names[spot]] = f"{GHOST}{number}"
        return things

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return the white marbles in trays and Pac-Men, the yellow ones held and owed."""
        belly = tuple(self.belly if seat == self.turn else 0 for seat in range(self.seats))
        return {"tray": self.trays, "belly": belly, "yellow": self.gold, "owed": self.owed}

    # -- ways of Pac-Men and ghosts

    def pacman_ways(self, die: int) -> tuple[list[Way], bool]:
        """Return the ways the Pac-Man in turn may go with a die, one for each result.

        The flag tells whether one of them makes the full count: without, he may stay (MB-12).
        """
        table, turn = self.table, self.turn
        start, field, free = self.pacmen[turn], table.field, not table.home_counts
        pawns = self.pawns & ~(1 << start)
        strange = field.home_bits & ~(1 << table.home(turn))  # MB-13, MB-A30
        open_ways = [
            way
            for way in field.walks(start, die, free)
            if not way.bits & pawns and not strange >> way.end & 1
        ]
        found: dict[tuple[int, int, bool], Way] = {}
        marbles = self.white | self.yellow
        for way in [*open_ways, *self._gobbling_ways(start, die, free, pawns)]:
            cut = self.cut_short(way)
            found.setdefault((cut.end, cut.bits & marbles, cut.lands), cut)
        return list(found.values()), bool(open_ways)

    def _gobbling_ways(self, start: int, die: int, free: bool, pawns: int) -> list[Way]:
        """Return the ways that end on a ghost, after all of the count or some (MB-20)."""
        field = self.table.field
        ghosts = 0
        for spot in self.ghosts:
            ghosts |= 1 << spot
        if not ghosts & field.reach(start, die, free):
            return []
        return [
            way.landing()
            for count in range(1, die + 1)
            for way in field.walks(start, count, free)
            if ghosts >> way.end & 1 and not way.before & pawns and self.may_gobble(way)
        ]

    def may_gobble(self, way: Way) -> bool:
        """Tell whether a yellow marble is held or swallowed before the end (MB-19, MB-A16)."""
        return bool(self.gold[self.turn] or way.before & self.yellow)

    def cut_short(self, way: Way) -> Way:
        """Return a way up to the last white marble of all: there the game ends (MB-A26)."""
        left = self.white & ~way.before
        if left:
            return way
        left = self.white
        for number, step in enumerate(way.steps, 1):
            left &= ~(1 << step.to)
            if not left:
                return self.table.field.way(way.steps[:number])
        return way

    def ghost_ways(self, ghost: int, die: int) -> dict[int, Way]:
        """Return a way of a ghost to each spot where it may end with a die (MB-15, MB-18)."""
        others = sum(1 << spot for number, spot in enumerate(self.ghosts) if number != ghost)
        prey = sum(1 << spot for spot in self.pacmen)
        table = self.table
        return table.field.hunts(self.ghosts[ghost], die, others, prey, table.ghosts_reverse)

    def may_miss(self) -> int:
        """Return the holes whose marble may have been left behind in this turn (MB-A31)."""
        yellow = self.eaten.yellow & ~self.yellow if self.gold[self.turn] else 0
        return self.eaten.white | yellow
