"""The marble game of 1982 for two to four players; docs/marbles.md has the rules.

A turn is a roll, then one move of one's own Pac-Man and one of a ghost in either order, each with
one of the dice; after a gobbled ghost the yellow marble goes back and two marbles are taken.
Why a move is not allowed is told by :mod:`companion.rules.marbles_why`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from companion.board import Change, Position, Spot
from companion.errors import IllegalMove, MalformedMove
from companion.rules.game import (
    CHANCE,
    Move,
    Outcome,
    Refusal,
    Seat,
    View,
    choose_options,
    open_view,
)
from companion.rules.marbles_field import GHOSTS, MOST_PLAYERS, Field, Way, make_field
from companion.rules.marbles_why import explain, explain_changes
from companion.rules.maze import Maze, draw_maze_text

WHITE, YELLOW = "white", "yellow"
GHOST = "ghost"
PACMAN = "pac"
END: Move = "end"

#: MB-16, MB-23: what is paid for being caught, and taken for a gobbled ghost.
PAYMENT = 2
FACES = range(1, 7)
#: All that two dice can show, as moves of chance; the order of the dice is no matter.
ROLLS: dict[Move, tuple[int, int]] = {
    f"roll:{one}-{two}": (min(one, two), max(one, two)) for one in FACES for two in FACES
}
#: Which colours play, by their place around the table: two sit opposite each other.
SEATED = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same through a game: the board, who plays which colour, the switches."""

    field: Field
    seated: tuple[int, ...]
    home_counts: bool = True
    ghosts_reverse: bool = False
    ghost_after_gobble: bool = True
    missed_stay: bool = False

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


class Eaten(NamedTuple):
    """The marbles a Pac-Man swallowed in this turn, by the holes they lay in."""

    white: int = 0
    yellow: int = 0


NOTHING = Eaten()


@dataclass(frozen=True, slots=True, repr=False)
class Marbles:
    """A game of marbles at one moment.

    ``white`` and ``yellow`` are the holes with marbles, ``belly`` the white ones inside the
    Pac-Man of the seat in turn (MB-10). ``gold`` are the yellow marbles each seat may still use,
    ``owed`` those it must put back (MB-22). ``due`` says what the turn waits for: ``start`` and
    ``roll`` the dice, ``move`` a Pac-Man or a ghost, ``take`` the reward, ``end`` the end.
    """

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
    def to_act(self) -> Seat | None:
        """Return who acts: chance rolls, a seat moves, and who owes a yellow marble comes first."""
        if not self.white:
            return None
        owing = self.owing
        if owing is not None:
            return owing
        return CHANCE if self.due in ("start", "roll") else self.turn

    @property
    def starts_turn(self) -> bool:
        """Return whether the next move opens a turn; rolling for the start counts as one."""
        if self.owing is not None:
            return False
        return self.due == "roll" or (self.due == "start" and max(self.rolls) <= 0)

    @property
    def owing(self) -> Seat | None:
        """Return the seat that must put a yellow marble back now (MB-22, MB-A25)."""
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

    def outcome(self) -> Outcome | None:
        """Return who has most white marbles when none is left on the board (MB-24, MB-A28)."""
        if self.white:
            return None
        counts = self._counted()
        most = max(counts)
        winners = tuple(seat for seat, count in enumerate(counts) if count == most)
        return Outcome(winners, f"most white marbles: {most}")

    def position(self) -> Position:
        """Return what is to be seen on the board; a ghost hides the marble under it (MB-A32)."""
        names = self.table.field.names
        things: dict[Spot, str] = {}
        for number, name in enumerate(names):
            if self.white >> number & 1:
                things[name] = WHITE
            elif self.yellow >> number & 1:
                things[name] = YELLOW
        for colour, spot in zip(self.table.colours, self.pacmen, strict=True):
            things[names[spot]] = PACMAN + colour
        for number, spot in enumerate(self.ghosts, 1):
            things[names[spot]] = f"{GHOST}{number}"
        return things

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return the white marbles in trays and Pac-Men, the yellow ones held and owed."""
        belly = tuple(self.belly if seat == self.turn else 0 for seat in range(self.seats))
        return {"tray": self.trays, "belly": belly, "yellow": self.gold, "owed": self.owed}

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may see: everything, for nothing is hidden here."""
        more = {
            "colours": list(self.table.colours),
            "due": "return" if self.owing is not None else self.due,
            "turn": self.turn,
            "rolling": self.rolling if self.to_act == CHANCE else None,
            "dice": list(self.dice),
        }
        return {**open_view(self, seat), **more}

    def draw(self) -> str:
        """Return the maze with all that stands and lies in it, as text."""
        marks = {PACMAN + colour: colour[0].upper() for colour in self.table.colours}
        marks |= {f"{GHOST}{number}": str(number) for number in range(1, GHOSTS + 1)}
        marks |= {WHITE: "●", YELLOW: "◎"}
        return draw_maze_text(self.table.field.maze, self.position(), marks).rstrip()

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, sorted."""
        if self.to_act is None:
            return []
        if self.owing is not None:
            return sorted(self._named("return", self.free_rings))
        if self.due in ("start", "roll"):
            return sorted(ROLLS)
        if self.due == "take":
            return sorted(f"take:{colour}" for colour in self._others())
        if self.due == "end":
            return sorted([END, *self._named("missed", self.may_miss())])
        return sorted([*self._pacman_moves(self.dice), *self._ghost_moves(self.dice)])

    def play(self, move: Move) -> "Marbles":
        """Return the state after a legal move; raise MalformedMove or IllegalMove otherwise."""
        if self.to_act is not None:
            after = self._played(move)
            if after is not None:
                return after
        refusal = self.why_not(move)
        assert refusal is not None  # a move that is not played has a reason
        raise (MalformedMove if refusal.rule == "notation" else IllegalMove)(refusal.text)

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed, None when it is. Names stand for the seats."""
        return explain(self, move, names)

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done on the board is no legal move."""
        return explain_changes(self, changes, names)

    def _played(self, move: Move) -> "Marbles | None":
        verb, _, what = move.partition(":")
        if self.owing is not None:
            spot = self.table.field.number.get(what, -1)
            fits = verb == "return" and spot >= 0 and self.free_rings >> spot & 1
            return self._returned(self.owing, spot) if fits else None
        if self.due in ("start", "roll"):
            return self._rolled(ROLLS[move]) if move in ROLLS else None
        if self.due == "take":
            fits = verb == "take" and what in self._others()
            return self._taken(self.table.colours.index(what)) if fits else None
        if self.due == "end":
            return self._ended(move, verb, what)
        dice = tuple(die for die in self.dice if str(die) in move[1:4])  # no need to try the others
        if move.startswith("P"):
            pacman = self._pacman_moves(dice)
            return self._with_pacman(int(move[1]), pacman[move]) if move in pacman else None
        ghosts = self._ghost_moves(dice) if move.startswith("G") else {}
        return self._with_ghost(move, ghosts[move]) if move in ghosts else None

    def _named(self, verb: str, bits: int) -> list[Move]:
        names = self.table.field.names
        return [f"{verb}:{name}" for number, name in enumerate(names) if bits >> number & 1]

    def _others(self) -> list[str]:
        """Return the colours one may take marbles from: anybody's but one's own (MB-23, MB-A15)."""
        return [colour for seat, colour in enumerate(self.table.colours) if seat != self.turn]

    def _counted(self) -> tuple[int, ...]:
        return tuple(
            tray + (self.belly if seat == self.turn else 0) for seat, tray in enumerate(self.trays)
        )

    # -- dice

    def _rolled(self, dice: tuple[int, int]) -> "Marbles":
        if self.due == "roll":
            return replace(self, due="move", dice=dice, pacman_due=True, ghost_due=True)
        rolls = _with(self.rolls, self.rolling, sum(dice))
        if 0 in rolls:
            return replace(self, rolls=rolls)
        highest = max(rolls)
        best = [seat for seat, rolled in enumerate(rolls) if rolled == highest]
        if len(best) == 1:
            return replace(self, rolls=rolls, turn=best[0], due="roll")
        again = tuple(0 if seat in best else -1 for seat in range(self.seats))  # MB-A29
        return replace(self, rolls=again)

    # -- Pac-Men

    def pacman_ways(self, die: int) -> tuple[list[Way], bool]:
        """Return the ways the Pac-Man in turn may go with a die, each effect once.

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

    def _pacman_moves(self, dice: tuple[int, ...]) -> dict[Move, Way | None]:
        """Return the moves of the Pac-Man in turn with some dice; None stands for staying."""
        moves: dict[Move, Way | None] = {}
        for die in dict.fromkeys(dice if self.pacman_due else ()):
            ways, full = self.pacman_ways(die)
            moves.update((f"P{die}:{way.text}", way) for way in ways)
            if not full:
                moves[f"P{die}="] = None
        return moves

    def _with_pacman(self, die: int, way: Way | None) -> "Marbles":
        dice = _without(self.dice, die)
        if way is None:
            return replace(self, dice=dice, pacman_due=False)._go_on()
        turn, bits = self.turn, way.bits
        eaten = Eaten(bits & self.white, bits & self.yellow)
        after = replace(
            self,
            dice=dice,
            pacman_due=False,
            pacmen=_with(self.pacmen, turn, way.end),
            white=self.white ^ eaten.white,
            yellow=self.yellow ^ eaten.yellow,
            belly=self.belly + eaten.white.bit_count(),
            gold=_with(self.gold, turn, self.gold[turn] + eaten.yellow.bit_count()),
            eaten=eaten,
        )
        return after._gobbled() if way.lands else after._go_on()

    def _gobbled(self) -> "Marbles":
        """Return the state with the ghost under the Pac-Man in turn gobbled (MB-20, MB-21)."""
        turn = self.turn
        ghost = self.ghosts.index(self.pacmen[turn])
        return replace(
            self,
            ghosts=_with(self.ghosts, ghost, self.table.field.centre[ghost]),
            gold=_with(self.gold, turn, self.gold[turn] - 1),
            owed=_with(self.owed, turn, self.owed[turn] + 1),
            ghost_due=self.ghost_due and self.table.ghost_after_gobble,  # MB-A20
            due="take",
        )

    # -- ghosts

    def ghost_ways(self, ghost: int, die: int) -> dict[int, Way]:
        """Return a way of a ghost to each spot where it may end with a die (MB-15, MB-18)."""
        others = sum(1 << spot for number, spot in enumerate(self.ghosts) if number != ghost)
        prey = sum(1 << spot for spot in self.pacmen)
        table = self.table
        return table.field.hunts(self.ghosts[ghost], die, others, prey, table.ghosts_reverse)

    def _ghost_moves(self, dice: tuple[int, ...]) -> dict[Move, Way | None]:
        """Return the moves of the ghosts with some dice; None: neither can move (MB-A8)."""
        moves: dict[Move, Way | None] = {}
        for die in dict.fromkeys(dice if self.ghost_due else ()):
            before = len(moves)
            for ghost in range(GHOSTS):
                for way in self.ghost_ways(ghost, die).values():
                    moves[f"G{ghost + 1}/{die}:{way.text}"] = way
            if len(moves) == before:
                moves[f"G/{die}="] = None
        return moves

    def _with_ghost(self, move: Move, way: Way | None) -> "Marbles":
        if way is None:
            return replace(self, dice=_without(self.dice, int(move[2])), ghost_due=False)._go_on()
        ghost, die = int(move[1]) - 1, int(move[3])
        pacmen, trays = self.pacmen, self.trays
        if way.lands:
            caught = pacmen.index(way.end)
            pacmen = _with(pacmen, caught, self.table.home(caught))  # MB-16
            trays = self._paid(caught)
        after = replace(
            self,
            dice=_without(self.dice, die),
            ghost_due=False,
            ghosts=_with(self.ghosts, ghost, way.end),
            pacmen=pacmen,
            trays=trays,
        )
        return after._go_on()

    def _paid(self, giver: Seat) -> tuple[int, ...]:
        """Return the trays after a seat has paid the seat in turn (MB-17, MB-A13, MB-A14)."""
        paid = 0 if giver == self.turn else min(PAYMENT, self.trays[giver])
        trays = _with(self.trays, giver, self.trays[giver] - paid)
        return _with(trays, self.turn, trays[self.turn] + paid)

    # -- the rest of a turn

    def _taken(self, giver: Seat) -> "Marbles":
        return replace(self, trays=self._paid(giver), due="move")._go_on()

    def _returned(self, seat: Seat, spot: int) -> "Marbles":
        owed = _with(self.owed, seat, self.owed[seat] - 1)
        return replace(self, owed=owed, yellow=self.yellow | 1 << spot)

    def may_miss(self) -> int:
        """Return the holes whose marble may have been left behind in this turn (MB-A31)."""
        yellow = self.eaten.yellow & ~self.yellow if self.gold[self.turn] else 0
        return self.eaten.white | yellow

    def _ended(self, move: Move, verb: str, what: str) -> "Marbles | None":
        if move == END:
            return self._next_turn()
        bit = 1 << self.table.field.number.get(what, 0)
        if verb != "missed" or what not in self.table.field.number or not bit & self.may_miss():
            return None
        white, yellow = self.eaten
        if bit & white:
            eaten = Eaten(white ^ bit, yellow)
            return replace(self, white=self.white | bit, belly=self.belly - 1, eaten=eaten)
        gold = _with(self.gold, self.turn, self.gold[self.turn] - 1)
        return replace(self, yellow=self.yellow | bit, gold=gold, eaten=Eaten(white, yellow ^ bit))

    def _go_on(self) -> "Marbles":
        """Return the state with whatever follows a move: more moves, the end of the turn."""
        if not self.white or self.pacman_due or self.ghost_due:
            return self
        if self.table.missed_stay and self.may_miss():
            return replace(self, due=END, dice=())
        return self._next_turn()

    def _next_turn(self) -> "Marbles":
        """Return the state with the Pac-Man shaken out into the tray, the next seat in turn."""
        turn = self.turn
        return replace(
            self,
            trays=_with(self.trays, turn, self.trays[turn] + self.belly),
            belly=0,
            eaten=NOTHING,
            turn=(turn + 1) % self.seats,
            due="roll",
            dice=(),
            pacman_due=False,
            ghost_due=False,
        )


def _with(numbers: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return (*numbers[:at], number, *numbers[at + 1 :])


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return (*dice[:at], *dice[at + 1 :])


class MarblesGame:
    """The marble game as a kind of game, on a maze that is asked for when it is needed."""

    name = "marbles"
    seats = MOST_PLAYERS

    def __init__(self, maze: Callable[[], Maze]) -> None:
        self._maze = maze

    @cached_property
    def field(self) -> Field:
        """Return the maze, made ready for the rules."""
        return make_field(self._maze())

    @property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options and their values, the default first.

        Beside the number of ``players``: ``homeCounts`` is the switch of MB-A1, ``ghostsReverse``
        of MB-A5, ``ghostAfterGobble`` of MB-A20, ``missed`` of MB-A31.
        """
        return {
            "players": ("2", "3", "4"),
            "homeCounts": ("yes", "no"),
            "ghostsReverse": ("no", "yes"),
            "ghostAfterGobble": ("yes", "no"),
            "missed": ("taken", "stays"),
        }

    @property
    def spots(self) -> frozenset[Spot]:
        """Return every spot where something can be."""
        return frozenset(self.field.names)

    def start(self, options: Mapping[str, str] | None = None) -> Marbles:
        """Return the first position; raise OptionError for an option or value there is not."""
        chosen = choose_options(self, options or {})
        seated = SEATED[int(chosen["players"])]
        table = Table(
            self.field,
            seated,
            home_counts=chosen["homeCounts"] == "yes",
            ghosts_reverse=chosen["ghostsReverse"] == "yes",
            ghost_after_gobble=chosen["ghostAfterGobble"] == "yes",
            missed_stay=chosen["missed"] == "stays",
        )
        none = (0,) * table.seats
        return Marbles(
            table,
            pacmen=tuple(map(table.home, range(table.seats))),  # MB-2
            ghosts=self.field.centre,
            white=self.field.white,  # MB-3
            yellow=self.field.ringed,
            trays=none,
            gold=none,
            owed=none,
            rolls=none,
        )
