"""The marble game of 1982 for two to four players; docs/games/marbles.md has the rules.

A turn is a roll, then one move of one's own Pac-Man and one of a ghost in either order, each with
one of the dice; after a gobbled ghost the yellow marble goes back and two marbles are taken.
Which ways are open is told by :mod:`companion.games.marbles.standing`, why a move is not allowed by
:mod:`companion.games.marbles.why`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from companion.board import Spot
from companion.games.game import CHANCE, Effect, Move, Outcome, Refusing, Seat, choose_options, put
from companion.games.marbles.field import GHOSTS, MOST_PLAYERS, Field, Way, make_field
from companion.games.marbles.hands import Onlooker
from companion.games.marbles.standing import GHOST, NOTHING, WHITE, YELLOW, Eaten, Standing, Table
from companion.games.maze.maze import Maze, Meeting, draw_maze_text

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


class Marbles(Standing, Refusing):
    """A game of marbles at one moment, and what moves make of it."""

    __slots__ = ()

    def outcome(self) -> Outcome | None:
        """Return who has most white marbles when none is left on the board (MB-24, MB-A28), or
        none was swallowed for as many turns as ``noProgress`` says."""
        if self.white and not self.stalled:
            return None
        most = max(self.counts)
        winners = tuple(seat for seat, count in enumerate(self.counts) if count == most)
        reason = f"most white marbles: {most}"
        if self.white:
            reason += f", and none was swallowed for {self.quiet} turns"
        return Outcome(winners, reason)

    def shown(self) -> dict[str, object]:
        """Return what everybody sees besides position, tallies and turn."""
        return {
            "colours": list(self.table.colours),
            "due": "return" if self.owing is not None else self.due,
            "turn": self.turn,
            "rolling": self.rolling if self.to_act is CHANCE else None,
            "dice": list(self.dice),
        }

    def draw(self) -> str:
        """Return the maze with all that stands and lies in it, as text."""
        colours = enumerate(self.table.colours)
        marks = {self.table.pacman(seat): colour[0].upper() for seat, colour in colours}
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

    judged_by = Onlooker

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does on the board; a walk also tells the die it is made with.

        Going off and on the board leads over both arrowed areas (MB-9).
        """
        verb, _, what = move.partition(":")
        if move.startswith(("P", "G")):
            return self._walk(move, verb.removesuffix("="))
        if verb == "return":
            return Effect(YELLOW, (what,))
        if verb == "missed":
            white = self.eaten.white >> self.table.field.number[what] & 1
            return Effect(WHITE if white else YELLOW, (what,))
        return Effect(WHITE) if verb == "take" else Effect(rolled=what)

    def _walk(self, move: Move, pawn: str) -> Effect:
        """Return the effect of a walk, or of staying, by a pawn and its die: ``P3``, ``G1/5``."""
        die = pawn[-1]
        if pawn.startswith("P"):
            thing, way = self.table.pacman(self.turn), self._pacman_moves((int(die),))[move]
        else:
            ghost = pawn[1:-2]
            thing, way = ghost and GHOST + ghost, self._ghost_moves((int(die),))[move]
        if way is None:
            return Effect(thing, rolled=die)
        path = self.table.field.spots(way.steps)
        if way.lands:
            return Meeting(thing, path, rolled=die, meets=self.position()[path[-1]])
        return Effect(thing, path, rolled=die)

    def _played(self, move: Move) -> "Marbles | None":
        verb, _, what = move.partition(":")
        if self.to_act is None:
            return None
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

    # -- dice

    def _rolled(self, dice: tuple[int, int]) -> "Marbles":
        if self.due == "roll":
            return replace(self, due="move", dice=dice, pacman_due=True, ghost_due=True)
        rolls = put(self.rolls, self.rolling, sum(dice))
        if 0 in rolls:
            return replace(self, rolls=rolls)
        highest = max(rolls)
        best = [seat for seat, rolled in enumerate(rolls) if rolled == highest]
        if len(best) == 1:
            return replace(self, rolls=rolls, turn=best[0], due="roll")
        again = tuple(0 if seat in best else -1 for seat in range(self.seats))  # MB-A29
        return replace(self, rolls=again)

    # -- Pac-Men

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
            pacmen=put(self.pacmen, turn, way.end),
            white=self.white ^ eaten.white,
            yellow=self.yellow ^ eaten.yellow,
            belly=self.belly + eaten.white.bit_count(),
            gold=put(self.gold, turn, self.gold[turn] + eaten.yellow.bit_count()),
            eaten=eaten,
        )
        return after._gobbled() if way.lands else after._go_on()

    def _gobbled(self) -> "Marbles":
        """Return the state with the ghost under the Pac-Man in turn gobbled (MB-20, MB-21)."""
        turn = self.turn
        ghost = self.ghosts.index(self.pacmen[turn])
        return replace(
            self,
            ghosts=put(self.ghosts, ghost, self.table.field.centre[ghost]),
            gold=put(self.gold, turn, self.gold[turn] - 1),
            owed=put(self.owed, turn, self.owed[turn] + 1),
            ghost_due=self.ghost_due and self.table.ghost_after_gobble,  # MB-A20
            due="take",
        )

    # -- ghosts

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
            pacmen = put(pacmen, caught, self.table.home(caught))  # MB-16
            trays = self._paid(caught)
        after = replace(
            self,
            dice=_without(self.dice, die),
            ghost_due=False,
            ghosts=put(self.ghosts, ghost, way.end),
            pacmen=pacmen,
            trays=trays,
        )
        return after._go_on()

    def _paid(self, giver: Seat) -> tuple[int, ...]:
        """Return the trays after a seat has paid the seat in turn (MB-17, MB-A13, MB-A14)."""
        paid = 0 if giver == self.turn else min(PAYMENT, self.trays[giver])
        trays = put(self.trays, giver, self.trays[giver] - paid)
        return put(trays, self.turn, trays[self.turn] + paid)

    # -- the rest of a turn

    def _taken(self, giver: Seat) -> "Marbles":
        return replace(self, trays=self._paid(giver), due="move")._go_on()

    def _returned(self, seat: Seat, spot: int) -> "Marbles":
        owed = put(self.owed, seat, self.owed[seat] - 1)
        return replace(self, owed=owed, yellow=self.yellow | 1 << spot)

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
        gold = put(self.gold, self.turn, self.gold[self.turn] - 1)
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
        counting = self.table.no_progress and not self.eaten.white
        return replace(
            self,
            quiet=self.quiet + 1 if counting else 0,
            trays=put(self.trays, turn, self.trays[turn] + self.belly),
            belly=0,
            eaten=NOTHING,
            turn=(turn + 1) % self.seats,
            due="roll",
            dice=(),
            pacman_due=False,
            ghost_due=False,
        )


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
        of MB-A5, ``ghostAfterGobble`` of MB-A20, ``missed`` of MB-A31; ``noProgress`` ends a game
        in which nobody swallowed a white marble for so many turns.
        """
        return {
            "players": ("2", "3", "4"),
            "homeCounts": ("yes", "no"),
            "ghostsReverse": ("no", "yes"),
            "ghostAfterGobble": ("yes", "no"),
            "missed": ("taken", "stays"),
            "noProgress": ("off", "40"),
        }

    @property
    def spots(self) -> frozenset[Spot]:
        """Return every spot where something can be."""
        return frozenset(self.field.names)

    def start(self, options: Mapping[str, str] | None = None) -> Marbles:
        """Return the first position; raise OptionError for an unknown option or value."""
        chosen = choose_options(self, options or {})
        seated = SEATED[int(chosen["players"])]
        table = Table(
            self.field,
            seated,
            home_counts=chosen["homeCounts"] == "yes",
            ghosts_reverse=chosen["ghostsReverse"] == "yes",
            ghost_after_gobble=chosen["ghostAfterGobble"] == "yes",
            missed_stay=chosen["missed"] == "stays",
            no_progress=0 if chosen["noProgress"] == "off" else int(chosen["noProgress"]),
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
