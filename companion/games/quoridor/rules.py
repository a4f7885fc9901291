"""Quoridor for two and four players: positions, moves, the end. See docs/games/quoridor.md.

A position is a value on bitboards (:mod:`companion.games.bits`). Why a move is not allowed is told
by :mod:`companion.games.quoridor.why`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

from companion.board import FENCE, Position, Spot
from companion.games.bits import (
    AROUND,
    BIT,
    COLUMN_A,
    COLUMN_I,
    FIT,
    ROW_1,
    ROW_9,
    SLOT_BIT,
    Room,
    Route,
    connected,
    each_bit,
    find_route,
    neighbours,
    room_beside,
    slot_names,
    square_name,
    step,
    ways,
)
from companion.games.game import Effect, Move, Outcome, Refusing, Seat, choose_options
from companion.games.quoridor.why import Judge

PASS: Move = "pass"

#: Q-3: everybody starts in the middle of a side; Q-A14: seats go clockwise. Q-A16: no three.
STARTS: dict[int, tuple[Spot, ...]] = {2: ("e1", "e9"), 4: ("e1", "a5", "e9", "i5")}
#: Q-12: the nine squares of the side opposite one's own.
GOALS: dict[int, tuple[int, ...]] = {2: (ROW_9, ROW_1), 4: (ROW_9, COLUMN_I, ROW_1, COLUMN_A)}
#: Q-1, Q-2: twenty fences, shared out evenly.
FENCES = 20


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same through a game: who sits where, and the house switches."""

    seats: int
    goals: tuple[int, ...]
    pawn_behind: str = "blocked"
    first: int = 1


class Routes(NamedTuple):
    """Routes to their goals that seats are known to have, each as the slots that would cut it.

    ``any`` are the slots that cut at least one of them, ``last`` those that leave some seat with
    none of its own: only there a search has to tell whether a fence is allowed.
    """

    each: tuple[tuple[int, ...], ...]
    any: int
    last: int


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Quoridor(Refusing):
    """A game of Quoridor at one moment.

    ``at`` has the bit of each pawn's square, ``fenced`` those of the fences on the board;
    ``passes`` counts the passes in a row. What is known of room and routes is handed on to the
    positions that follow; it says nothing that the rest does not.
    """

    table: Table
    at: tuple[int, ...]
    fences_left: tuple[int, ...]
    fenced: int = 0
    turn: Seat = 0
    passes: int = 0
    _room: Room | None = field(default=None, compare=False)
    _routes: Routes | None = field(default=None, compare=False)

    def __init__(
        self,
        table: Table,
        at: tuple[int, ...],
        fences_left: tuple[int, ...],
        fenced: int = 0,
        turn: Seat = 0,
        passes: int = 0,
        _room: Room | None = None,
        _routes: Routes | None = None,
    ) -> None:
        # What a frozen dataclass would do, in half the time: a search makes positions by the
        # million, and most of the making is setting these.
        set_table, set_at, set_left, set_fenced, set_turn, set_passes, set_room, set_routes = _SET
        set_table(self, table)
        set_at(self, at)
        set_left(self, fences_left)
        set_fenced(self, fenced)
        set_turn(self, turn)
        set_passes(self, passes)
        set_room(self, _room)
        set_routes(self, _routes)

    def __repr__(self) -> str:
        pawns, fences = " ".join(self.pawns), " ".join(self.fences) or "no fences"
        return f"<Quoridor: {pawns}; {fences}; {self.fences_left} left; seat {self.turn} to act>"

    # -- looking at it

    @property
    def seats(self) -> int:
        """Return how many play."""
        return self.table.seats

    @property
    def options(self) -> dict[str, str]:
        """Return the options this game is played with."""
        return {"pawnBehind": self.table.pawn_behind, "first": str(self.table.first)}

    @property
    def pawns(self) -> tuple[Spot, ...]:
        """Return the square of each seat's pawn."""
        return tuple(map(square_name, self.at))

    @property
    def fences(self) -> tuple[Spot, ...]:
        """Return the slots that hold a fence, sorted."""
        return tuple(sorted(slot_names(self.fenced)))

    def goal(self, seat: Seat) -> tuple[Spot, ...]:
        """Return the nine squares where a seat's pawn wins (Q-12)."""
        return tuple(map(square_name, each_bit(self.table.goals[seat])))

    def distance(self, seat: Seat) -> int:
        """Return how many steps a seat's pawn is from its goal, other pawns disregarded (Q-A5)."""
        return self._shortest(seat, self.fenced).length

    @property
    def winner(self) -> Seat | None:
        """Return the seat whose pawn has arrived (Q-12); there is no second place (Q-A15)."""
        last = self.turn - 1  # nobody else can have: an arrival ends the game at once
        arrived = self.at[last] & self.table.goals[last]
        return last % self.table.seats if arrived else None

    @property
    def to_act(self) -> Seat | None:
        """Return the seat to act, None when the game is over."""
        table, turn = self.table, self.turn
        arrived = self.at[turn - 1] & table.goals[turn - 1]
        return None if arrived or self.passes == table.seats else turn

    def outcome(self) -> Outcome | None:
        """Return how the game ended; draws by agreement are the table's business (Q-A13)."""
        winner = self.winner
        if winner is not None:
            return Outcome((winner,), "reached the far side")
        if self.passes == self.table.seats:
            return Outcome((), "nobody can move")  # Q-A12
        return None

    def position(self) -> Position:
        """Return what should physically be on the board."""
        things = {square: f"pawn{seat + 1}" for seat, square in enumerate(self.pawns)}
        return things | dict.fromkeys(self.fences, FENCE)

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return the fences each seat still has."""
        return {"fences": self.fences_left}

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, sorted: one pawn move or one fence (Q-5), else a pass."""
        if self.to_act is None:
            return []
        moves = self.pawn_moves()
        moves += slot_names(self._legal_fences())
        return sorted(moves) or [PASS]

    def pawn_moves(self) -> list[Move]:
        """Return where the pawn of the seat to act may go."""
        return [] if self.to_act is None else list(map(square_name, each_bit(self._pawn_targets())))

    def count_legal(self) -> int:
        """Return how many legal moves there are, without writing them down."""
        if self.to_act is None:
            return 0
        count = self._pawn_targets().bit_count() + self._legal_fences().bit_count()
        return count or 1  # nothing else: the pass

    def successors(self) -> Iterator["Quoridor"]:
        """Yield the state after each legal move, without writing the moves down."""
        if self.to_act is None:
            return
        targets = self._pawn_targets()
        fences = self._legal_fences()
        self._look_for_routes()  # two for everybody: then hardly a fence needs a search
        for bit in each_bit(targets):
            yield self._with_pawn(bit)
        yield from self._with_fences(fences)
        if not (targets or fences):
            yield self._passed()

    judged_by = Judge

    def _played(self, move: Move) -> "Quoridor | None":
        if self.to_act is None:
            return None
        if bit := BIT.get(move):
            return self._with_pawn(bit) if bit & self._pawn_targets() else None
        if bit := SLOT_BIT.get(move):
            fits = self._fits(bit) and not self.shut_in(bit)
            return next(self._with_fences(bit)) if fits else None
        return self._passed() if move == PASS and self._may_pass() else None

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does: the square of the pawn to move, or the fence's slot."""
        if move in SLOT_BIT:
            return Effect(fence=move)
        return Effect(f"pawn{self.turn + 1}", () if move == PASS else (move,))

    # -- pawns

    def _pawn_targets(self) -> int:
        """Return the squares the pawn of the seat to act may go to (Q-7, Q-10, Q-11, Q-13)."""
        mine = self.at[self.turn]
        taken = sum(self.at)
        around, parting = AROUND[mine]
        if not (self.fenced & parting or taken & around):
            return around  # nothing near: no need to look closer
        north, east = ways(self.fenced)
        return pawn_targets(mine, taken, north, east, self.table.pawn_behind == "diagonal")

    def _with_pawn(self, bit: int) -> "Quoridor":
        turn, table = self.turn, self.table
        at = (*self.at[:turn], bit, *self.at[turn + 1 :])
        following = (turn + 1) % table.seats
        routes = self._routes
        if routes:  # the others stay where they are, and so do their routes
            each = (*routes.each[:turn], (self._shortest(turn, self.fenced, bit).cut,))
            routes = _join((*each, *routes.each[turn + 1 :]))
        return Quoridor(table, at, self.fences_left, self.fenced, following, 0, self._room, routes)

    # -- fences

    def _legal_fences(self) -> int:
        """Return the slots where the seat to act may put a fence (Q-6, Q-8, Q-9)."""
        if not self.fences_left[self.turn]:
            return 0
        free, _, twice = self._room or self._look_for_room()
        closing = free & twice
        if closing:
            closing &= (self._routes or self._look_for_routes()).last
            if closing:
                free ^= sum(bit for bit in each_bit(closing) if self.shut_in(bit))
        return free

    def _fits(self, fence: int) -> bool:
        """Tell whether the seat to act has a fence (Q-6) and there is room for it (Q-8)."""
        free, _, _ = self._room or self._look_for_room()
        return bool(self.fences_left[self.turn] and fence & free)

    def shut_in(self, fence: int) -> tuple[Seat, ...]:
        """Return the seats that a further fence would leave without a route to their goal.

        The mover's own route counts (Q-A4), pawns are no obstacles (Q-A5), and squares nobody
        needs may be closed off (Q-A6).
        """
        routes = self._routes or self._look_for_routes()
        north, east = ways(self.fenced | fence)
        return tuple(
            seat
            for seat, cuts in enumerate(routes.each)
            if all(fence & cut for cut in cuts)
            and not connected(self.at[seat], self.table.goals[seat], north, east)
        )

    def _with_fences(self, fences: int) -> Iterator["Quoridor"]:
        """Yield the state after each of these legal fences. Fences stay for good (Q-A7)."""
        table, at, turn, left = self.table, self.at, self.turn, self.fences_left
        left = (*left[:turn], left[turn] - 1, *left[turn + 1 :])
        following = (turn + 1) % table.seats
        free, once, twice = self._room or self._look_for_room()
        known = self._routes or self._look_for_routes()
        shared: dict[tuple[bool, ...], Routes] = {}
        for bit in each_bit(fences):
            keeps, touches = FIT[bit]
            room = free & keeps, once | touches, twice | once & touches
            routes = known
            if bit & known.last:
                routes = self._routes_around(bit)
            elif bit & known.any:  # what is left depends only on which routes are cut
                standing = tuple([not bit & cut for cuts in known.each for cut in cuts])
                if standing not in shared:
                    shared[standing] = self._routes_around(bit)
                routes = shared[standing]
            yield Quoridor(table, at, left, self.fenced | bit, following, 0, room, routes)

    def _look_for_room(self) -> Room:
        room = room_beside(self.fenced)
        object.__setattr__(self, "_room", room)
        return room

    # -- routes

    def _shortest(self, seat: Seat, fenced: int, pawn: int = 0) -> Route:
        route = find_route(pawn or self.at[seat], self.table.goals[seat], *ways(fenced))
        if route is None:
            raise ValueError(f"player {seat + 1} has no route to the goal in this position")
        return route

    def _two_routes(self, seat: Seat) -> tuple[int, ...]:
        """Return what cuts a shortest route and, if there is one, a route no such fence cuts."""
        first = self._shortest(seat, self.fenced).cut
        second = find_route(self.at[seat], self.table.goals[seat], *ways(self.fenced | first))
        return (first, second.cut) if second else (first,)

    def _look_for_routes(self) -> Routes:
        """Return routes for every seat, two where there are two, and remember them."""
        known = self._routes.each if self._routes else ((),) * self.table.seats
        routes = _join(
            tuple(
                cuts if len(cuts) == 2 else self._two_routes(seat)
                for seat, cuts in enumerate(known)
            )
        )
        object.__setattr__(self, "_routes", routes)
        return routes

    def _routes_around(self, fence: int) -> Routes:
        """Return the routes that one more fence leaves, and a new one where it cuts them all."""
        known = self._routes or self._look_for_routes()
        return _join(
            tuple(
                tuple([cut for cut in cuts if not fence & cut])
                or (self._shortest(seat, self.fenced | fence).cut,)
                for seat, cuts in enumerate(known.each)
            )
        )

    # -- passing

    def _may_pass(self) -> bool:
        """Tell whether the seat to act can do nothing else (Q-A12; never with two, Q-A11)."""
        return not self._pawn_targets() and not self._legal_fences()

    def _passed(self) -> "Quoridor":
        following = (self.turn + 1) % self.table.seats
        return replace(self, turn=following, passes=self.passes + 1)


def pawn_targets(mine: int, taken: int, north: int, east: int, diagonal: bool = False) -> int:
    """Return the squares a pawn may go to where these ways are open and these squares taken.

    ``diagonal`` is the switch of Q-A2.
    """
    targets = neighbours(mine, north, east)
    for direction in range(4):
        other = step(mine, direction, north, east)  # Q-A10: a fence between shuts the way
        if not other & taken:
            continue
        behind = step(other, direction, north, east)
        if behind and not behind & taken:
            targets |= behind  # Q-10; then no side step (Q-A9)
        elif not behind or diagonal:
            # Q-11 with a fence, Q-A1 with the rim, by the switch Q-A2 with a pawn behind.
            for side in ((direction + 1) % 4, (direction + 3) % 4):
                targets |= step(other, side, north, east)
    return targets & ~taken  # Q-A3; Q-A8: plain steps stay open beside the jump


_SET = tuple(getattr(Quoridor, each.name).__set__ for each in fields(Quoridor))


def _join(each: tuple[tuple[int, ...], ...]) -> Routes:
    some = last = 0
    for cuts in each:
        every = cuts[0]
        for cut in cuts:
            some |= cut
            every &= cut
        last |= every
    return Routes(each, some, last)


@dataclass(frozen=True)
class QuoridorGame:
    """Quoridor as a kind of game, for two or for four."""

    name: str
    seats: int

    @property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options and their values, the default first.

        ``pawnBehind`` is the switch of Q-A2, ``first`` the seat that was drawn to start (Q-4).
        """
        first = tuple(str(seat + 1) for seat in range(self.seats))
        return {"pawnBehind": ("blocked", "diagonal"), "first": first}

    def start(self, options: Mapping[str, str] | None = None) -> Quoridor:
        """Return the first position; raise OptionError for an unknown option or value."""
        chosen = choose_options(self, options or {})
        first = int(chosen["first"])
        return Quoridor(
            Table(self.seats, GOALS[self.seats], chosen["pawnBehind"], first),
            tuple(BIT[square] for square in STARTS[self.seats]),
            (FENCES // self.seats,) * self.seats,
            turn=first - 1,
        )
