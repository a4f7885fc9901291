"""The Ms. Pac-Man game of 1983 for two to four: whose turn, what may be done, who has won.

docs/games/mspacman.md has the rules. A turn is two moves: chance spins or rolls, then the player
walks. What is due is told by :mod:`companion.games.mspacman.standing`, where a walk leads by
:mod:`companion.games.mspacman.walk`, why something is not allowed by
:mod:`companion.games.mspacman.why`; the maze is a :class:`Field`, given to the game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from companion.board import Spot
from companion.games.game import Effect, Move, Outcome, Refusing, Seat, View, choose_options, put
from companion.games.maze.maze import Maze, Meeting
from companion.games.mspacman.field import DOT, FLIP, GHOSTS, HER, Field, draw_field, field_of
from companion.games.mspacman.hands import Onlooker
from companion.games.mspacman.standing import (
    CHASE,
    CONTROL,
    OVER,
    PLACE,
    ROLL,
    SPIN,
    WALK,
    Standing,
)
from companion.games.mspacman.walk import (
    AWAY,
    FLIP_TURNS,
    NOBODY,
    Chase,
    Fault,
    Trip,
    follow_ghost,
    follow_her,
    ghost_walks,
    her_walks,
)
from companion.games.mspacman.why import told


class MsPacMan(Standing, Refusing):
    """A game of Ms. Pac-Man at one moment, and what moves make of it."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended (MS-17), or that it is a draw by ``noProgress``."""
        if self.phase != OVER:
            return None
        if self.winner == NOBODY:
            return Outcome((), f"no dot went for {self.quiet} moves of Ms. Pac-Man")
        return Outcome((self.winner,), "all dots of one colour are gone")

    def draw(self) -> str:
        """Return the maze as lines of text, and a line that says what is due."""
        return f"{draw_field(self.field, self.position(), self.dots)}\n{told(self)}"

    def shown(self) -> View:
        """Return what everybody sees besides position, tallies and turn."""
        ghosts = self.field.ghosts
        return {
            "phase": self.phase,
            "turn": self.turn,
            "steps": self.steps,
            "control": None if self.control == NOBODY else self.control,
            "ghosts": [ghost.name for ghost in ghosts[: self.seats]],
            "weak": {ghosts[s].name: timer for s, timer in enumerate(self.timers) if timer},
            "dots": self.field.spots(self.dots),
            "left": {ghost.colour: self.left(number) for number, ghost in enumerate(ghosts)},
        }

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return a legal move for everything that can happen next, sorted.

        Of the many walks that come to the same, one is listed; the others are legal too.
        """
        if self.phase in (CONTROL, SPIN):
            moves = [f"spin:{number}" for number in set(self.field.spinner)]
        elif self.phase == ROLL:
            moves = [f"roll:{face}" for face in set(self.field.die)]
        elif self.phase == PLACE:
            moves = [f"place:{self.where(number)}" for number in self.free_circles()]
        elif self.phase == WALK:
            moves = [self.write(path) for path in her_walks(*self.her_trip(), self.steps).values()]
        elif self.phase == CHASE:
            chases = ghost_walks(self.field, self.hunt(), self.steps)
            moves = [self.write(chase.path, chase.onward) for chase in chases]
        else:
            moves = []
        return sorted(moves)

    def weights(self) -> list[int]:
        """Return how often spinner or die has each number, in the order of the legal moves."""
        shown = self.field.die if self.phase == ROLL else tuple(map(str, self.field.spinner))
        return [shown.count(move.partition(":")[2]) for move in self.legal_moves()]

    judged_by = Onlooker

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does on the board; a ghost that moves on enters both squares.

        Ghosts pass each other (MS-A18): one only meets whom its last counted step leads to.
        """
        verb, _, value = move.partition(":")
        if verb == "place":
            return Effect(HER, (value,))
        chase = self.read(move)
        if chase is None:
            return Effect(rolled=value)
        pawn, board = self.pawn(self.turn), self.position()
        path = tuple(map(self.where, chase.path))
        things = (board.get(spot, DOT) for spot in (path if pawn == HER else path[-1:]))
        met = dict.fromkeys(thing for thing in things if thing not in (DOT, pawn))
        if chase.onward != AWAY:
            path += (self.where(chase.onward),)
        return Meeting(pawn, path, meets=list(met)[-1]) if met else Effect(pawn, path)

    def _played(self, move: Move) -> "MsPacMan | None":
        if self.phase in (WALK, CHASE):
            chase = self.read(move)
            if chase is None:
                return None
            return self._walk(chase) if self.phase == WALK else self._chase(chase)
        verb, _, value = move.partition(":")
        act = _ACTS.get((self.phase, verb))
        return act(self, value) if act else None

    # -- spinner and die

    def _number(self, value: str) -> int:
        """Return a number of the spinner (MS-A27), 0 for anything else."""
        return next((number for number in self.field.spinner if str(number) == value), 0)

    def _spin_for_control(self, value: str) -> "MsPacMan | None":
        """Note a spin; the highest has her, those who tie spin again (MS-4, MS-A1)."""
        number = self._number(value)
        if not number:
            return None
        spins = put(self.spins, self.turn, number)
        if 0 in spins:
            return replace(self, spins=spins, turn=spins.index(0))
        best = [seat for seat, spin in enumerate(spins) if spin == max(spins)]
        if len(best) > 1:
            again = tuple(0 if seat in best else -1 for seat in range(self.seats))
            return replace(self, spins=again, turn=best[0])
        (seat,) = best
        return replace(
            self,
            spins=(),
            ghosts=put(self.ghosts, seat, AWAY),
            control=seat,
            turn=seat,
            phase=PLACE,
        )

    def _spin(self, value: str) -> "MsPacMan | None":
        number = self._number(value)
        return replace(self, steps=number, phase=WALK) if number else None

    def _roll(self, face: str) -> "MsPacMan | None":
        """Note a roll. F2 turns the ghost over at once: weak, or strong again (MS-8, MS-9)."""
        if face not in self.field.die:
            return None
        timers = self.timers
        if face == FLIP:
            timers = put(timers, self.turn, 0 if timers[self.turn] else FLIP_TURNS)
        return replace(self, timers=timers, steps=self.field.steps_of(face), phase=CHASE)

    # -- pawns

    def _place(self, value: Spot) -> "MsPacMan | None":
        """Put her down; the dot stays until she moves off it (MS-A20)."""
        spot = self.field.number.get(value, AWAY)
        if spot not in self.free_circles():
            return None
        return replace(self, her=spot, phase=SPIN)

    def _walk(self, chase: Chase) -> "MsPacMan | None":
        trip = follow_her(*self.her_trip(), chase.path, self.steps)
        if isinstance(trip, Fault) or chase.onward != AWAY:
            return None
        counting = self.limit and trip.dots == self.dots
        after = replace(self._walked(trip), quiet=self.quiet + 1 if counting else 0)
        stalled = 0 < self.limit <= after.quiet
        return replace(after, phase=OVER, steps=0) if stalled else after

    def _walked(self, trip: Trip) -> "MsPacMan":
        """Return the state after a walk of hers, whatever it led to."""
        if trip.catcher != NOBODY:
            return self._taken_over(trip.catcher, trip.dots, trip.ghosts, trip.timers)
        if trip.winner == NOBODY and not trip.reward:
            return self._next_turn(trip.at, trip.dots, trip.ghosts, trip.timers)
        # MS-14, MS-A13: one more turn, and in it perhaps another; MS-A16: no ghost's turn begins
        phase = SPIN if trip.winner == NOBODY else OVER
        return replace(self.after_trip(trip), steps=0, phase=phase, winner=trip.winner)

    def _chase(self, chase: Chase) -> "MsPacMan | None":
        if follow_ghost(self.field, self.hunt(), chase, self.steps):
            return None
        seat, end, timers = self.turn, chase.end, self.timers
        if end == self.her:
            if not timers[seat]:
                return self._taken_over(seat, self.dots, self.ghosts, timers)
            end, timers = self.field.homes[seat], put(timers, seat, 0)  # MS-15, MS-A12
        return self._next_turn(self.her, self.dots, put(self.ghosts, seat, end), timers)

    def _taken_over(
        self, seat: Seat, dots: int, ghosts: tuple[int, ...], timers: tuple[int, ...]
    ) -> "MsPacMan":
        """Return the state in which a seat has caught her and puts her down anew (MS-16).

        Other ghosts keep their places and timers (MS-A31); the new player plays first (MS-A26).
        """
        former = self.control
        return replace(
            self,
            dots=dots,
            ghosts=put(put(ghosts, seat, AWAY), former, self.field.homes[former]),
            timers=put(put(timers, seat, 0), former, 0),
            control=seat,
            turn=seat,
            her=AWAY,
            steps=0,
            phase=PLACE,
        )

    def _next_turn(
        self, her: int, dots: int, ghosts: tuple[int, ...], timers: tuple[int, ...]
    ) -> "MsPacMan":
        """Return the state at the start of the turn of the player to the left (MS-5)."""
        seat = (self.turn + 1) % self.seats
        if seat != self.control and timers[seat]:
            timers = put(timers, seat, timers[seat] - 1)  # MS-A8
        phase = SPIN if seat == self.control else ROLL
        return replace(
            self,
            dots=dots,
            ghosts=ghosts,
            timers=timers,
            spins=(),
            phase=phase,
            turn=seat,
            her=her,
            steps=0,
        )


_ACTS: dict[tuple[str, str], Callable[[MsPacMan, str], MsPacMan | None]] = {
    (CONTROL, "spin"): MsPacMan._spin_for_control,
    (SPIN, "spin"): MsPacMan._spin,
    (ROLL, "roll"): MsPacMan._roll,
    (PLACE, "place"): MsPacMan._place,
}


@dataclass(frozen=True)
class MsPacManGame:
    """Ms. Pac-Man as a kind of game; ``load`` brings the maze when it is first needed."""

    load: Callable[[], Maze]
    name: str = "mspacman"
    seats: int = GHOSTS

    @cached_property
    def field(self) -> Field:
        """Return the maze it is played in."""
        return field_of(self.load())

    @property
    def spots(self) -> frozenset[Spot]:
        """Return every spot of its board."""
        return frozenset(self.field.names)

    @property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options and their values, the default first.

        ``players`` is how many play (MS-1); ``noProgress`` ends a game in which no
        dot went for so many of Ms. Pac-Man's moves.
        """
        return {"players": ("4", "3", "2"), "noProgress": ("off", "40")}

    def start(self, options: Mapping[str, str] | None = None) -> MsPacMan:
        """Return the first state."""
        chosen = choose_options(self, options or {})
        limit = 0 if chosen["noProgress"] == "off" else int(chosen["noProgress"])
        return start_in(self.field, int(chosen["players"]), limit)


def start_in(field: Field, seats: int, limit: int = 0) -> MsPacMan:
    """Return the first state in a maze: dots everywhere, ghosts strong in the centre.

    MS-2, MS-3; the quarters that nobody plays have their dots too (MS-A24).
    """
    return MsPacMan(
        field,
        seats,
        dots=field.dots,
        ghosts=field.homes[:seats],
        timers=(0,) * seats,
        spins=(0,) * seats,
        limit=limit,
    )
