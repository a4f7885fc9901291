"""Quoridor for two and four players: positions, moves, the end. Rule ids (Q-…) are those of
the rules digest, RULES.md.

A position is a value on bitboards (:mod:`companion.rules.bits`). Why a move is not allowed is told
by :mod:`companion.rules.quoridor_why`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.board import FENCE, Position, Spot, is_slot
from companion.errors import IllegalMove, MalformedMove
from companion.rules.bits import (
    BIT,
    COLUMN_A,
    COLUMN_I,
    ROW_1,
    ROW_9,
    Route,
    closing_slots,
    connected,
    each_bit,
    find_route,
    free_slots,
    name_of,
    neighbours,
    step,
    ways,
)
from companion.rules.game import Move, Outcome, Refusal, Seat, choose_options

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


@dataclass(frozen=True, slots=True)
class Quoridor:
    """A game of Quoridor at one moment.

    ``at`` has the bit of each pawn's square, ``across`` and ``upright`` the fences, ``passes`` the
    passes in a row. Routes once found are handed on to the positions that follow while no fence
    cuts them and the pawn stays; they say nothing that the rest does not.
    """

    table: Table
    at: tuple[int, ...]
    fences_left: tuple[int, ...]
    across: int = 0
    upright: int = 0
    turn: Seat = 0
    passes: int = 0
    _routes: list[Route | None] = field(default_factory=list, compare=False, repr=False)

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
        return tuple(map(name_of, self.at))

    @property
    def fences(self) -> tuple[Spot, ...]:
        """Return the slots that hold a fence, sorted."""
        return tuple(sorted(_slot_names(self.across, self.upright)))

    def goal(self, seat: Seat) -> tuple[Spot, ...]:
        """Return the nine squares where a seat's pawn wins (Q-12)."""
        return tuple(map(name_of, each_bit(self.table.goals[seat])))

    def distance(self, seat: Seat) -> int:
        """Return how many steps a seat's pawn is from its goal, other pawns disregarded (Q-A5)."""
        return self._route(seat).length

    @property
    def winner(self) -> Seat | None:
        """Return the seat whose pawn has arrived (Q-12); there is no second place (Q-A15)."""
        for seat, (pawn, goal) in enumerate(zip(self.at, self.table.goals, strict=True)):
            if pawn & goal:
                return seat
        return None

    @property
    def to_act(self) -> Seat | None:
        """Return the seat to act, None when the game is over."""
        if self.winner is not None or self.passes == self.table.seats:
            return None
        return self.turn

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

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, sorted: one pawn move or one fence (Q-5), else a pass."""
        if self.to_act is None:
            return []
        moves = self.pawn_moves()
        moves += _slot_names(*self._legal_fences())
        return sorted(moves) or [PASS]

    def pawn_moves(self) -> list[Move]:
        """Return where the pawn of the seat to act may go."""
        return [] if self.to_act is None else list(map(name_of, each_bit(self._pawn_targets())))

    def fences_against(self, seat: Seat) -> list[Move]:
        """Return the legal fences that cut the shortest way known for a seat."""
        if self.to_act is None:
            return []
        across, upright = self._legal_fences()
        route = self._route(seat)
        return _slot_names(across & route.across, upright & route.upright)

    def count_legal(self) -> int:
        """Return how many legal moves there are, without writing them down."""
        if self.to_act is None:
            return 0
        across, upright = self._legal_fences()
        count = self._pawn_targets().bit_count() + across.bit_count() + upright.bit_count()
        return count or 1  # nothing else: the pass

    def successors(self) -> Iterator["Quoridor"]:
        """Yield the state after each legal move, without writing the moves down."""
        if self.to_act is None:
            return
        targets = self._pawn_targets()
        across, upright = self._legal_fences()
        for bit in each_bit(targets):
            yield self._with_pawn(bit)
        for bit in each_bit(across):
            yield self._with_fence(bit, 0)
        for bit in each_bit(upright):
            yield self._with_fence(0, bit)
        if not (targets or across or upright):
            yield self._passed()

    def play(self, move: Move) -> "Quoridor":
        """Return the state after a legal move; raise MalformedMove or IllegalMove otherwise."""
        if self.to_act is not None:
            if move in BIT:
                bit = BIT[move]
                if bit & self._pawn_targets():
                    return self._with_pawn(bit)
            elif move[:2] in BIT and is_slot(move):
                bit = BIT[move[:2]]
                fence = (bit, 0) if move[2] == "h" else (0, bit)
                if self._fits(*fence) and not self.shut_in(*fence):
                    return self._with_fence(*fence)
            elif move == PASS and self._may_pass():
                return self._passed()
        refusal = self.why_not(move)
        assert refusal is not None  # a move that is not played has a reason
        raise (MalformedMove if refusal.rule == "notation" else IllegalMove)(refusal.text)

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed, None when it is. Names stand for the seats."""
        from companion.rules.quoridor_why import explain

        return explain(self, move, names)

    # -- pawns

    def _pawn_targets(self) -> int:
        """Return the squares the pawn of the seat to act may go to (Q-7, Q-10, Q-11, Q-13)."""
        north, east = ways(self.across, self.upright)
        mine = self.at[self.turn]
        targets = neighbours(mine, north, east)
        taken = 0
        for pawn in self.at:
            taken |= pawn
        if not targets & taken:
            return targets
        for direction in range(4):
            other = step(mine, direction, north, east)  # Q-A10: a fence between shuts the way
            if not other & taken:
                continue
            behind = step(other, direction, north, east)
            if behind and not behind & taken:
                targets |= behind  # Q-10; then no side step (Q-A9)
            elif not behind or self.table.pawn_behind == "diagonal":
                # Q-11 with a fence, Q-A1 with the rim, by the switch Q-A2 with a pawn behind.
                for side in ((direction + 1) % 4, (direction + 3) % 4):
                    targets |= step(other, side, north, east)
        return targets & ~taken  # Q-A3; Q-A8: plain steps stay open beside the jump

    def _with_pawn(self, bit: int) -> "Quoridor":
        turn = self.turn
        at = (*self.at[:turn], bit, *self.at[turn + 1 :])
        routes = list(self._routes)
        if routes:
            routes[turn] = None
        following = (turn + 1) % self.table.seats
        return Quoridor(
            self.table, at, self.fences_left, self.across, self.upright, following, 0, routes
        )

    # -- fences

    def _legal_fences(self) -> tuple[int, int]:
        """Return the slots where the seat to act may put a fence (Q-6, Q-8, Q-9)."""
        if not self.fences_left[self.turn]:
            return 0, 0
        across, upright = free_slots(self.across, self.upright)
        close_across, close_upright = closing_slots(self.across, self.upright)
        close_across &= across
        close_upright &= upright
        if close_across or close_upright:
            cut_across = cut_upright = 0
            for route in self._all_routes():
                cut_across |= route.across
                cut_upright |= route.upright
            for bit in each_bit(close_across & cut_across):
                if self.shut_in(bit, 0):
                    across ^= bit
            for bit in each_bit(close_upright & cut_upright):
                if self.shut_in(0, bit):
                    upright ^= bit
        return across, upright

    def _fits(self, across: int, upright: int) -> bool:
        """Tell whether the seat to act has this fence (Q-6) and it finds room (Q-8)."""
        if not self.fences_left[self.turn]:
            return False
        free_across, free_upright = free_slots(self.across, self.upright)
        return bool(across & free_across or upright & free_upright)

    def shut_in(self, across: int, upright: int) -> tuple[Seat, ...]:
        """Return the seats that a further fence would leave without a route to their goal.

        The mover's own route counts (Q-A4), pawns are no obstacles (Q-A5), and squares nobody
        needs may be closed off (Q-A6).
        """
        north, east = ways(self.across | across, self.upright | upright)
        return tuple(
            seat
            for seat, route in enumerate(self._all_routes())
            if (across & route.across or upright & route.upright)
            and not connected(self.at[seat], self.table.goals[seat], north, east)
        )

    def _with_fence(self, across: int, upright: int) -> "Quoridor":
        turn = self.turn
        routes: list[Route | None] = [
            None if across & route.across or upright & route.upright else route
            for route in self._all_routes()
        ]
        left = self.fences_left
        return Quoridor(
            self.table,
            self.at,
            (*left[:turn], left[turn] - 1, *left[turn + 1 :]),
            self.across | across,
            self.upright | upright,
            (turn + 1) % self.table.seats,
            0,
            routes,
        )

    def _all_routes(self) -> list[Route]:
        return [self._route(seat) for seat in range(self.table.seats)]

    def _route(self, seat: Seat) -> Route:
        if not self._routes:
            self._routes.extend([None] * self.table.seats)
        route = self._routes[seat]
        if route is None:
            north, east = ways(self.across, self.upright)
            route = find_route(self.at[seat], self.table.goals[seat], north, east)
            if route is None:
                raise ValueError(f"player {seat + 1} has no route to the goal in this position")
            self._routes[seat] = route
        return route

    # -- passing

    def _may_pass(self) -> bool:
        """Tell whether the seat to act can do nothing else (Q-A12; never with two, Q-A11)."""
        return not self._pawn_targets() and not any(self._legal_fences())

    def _passed(self) -> "Quoridor":
        following = (self.turn + 1) % self.table.seats
        return Quoridor(
            self.table,
            self.at,
            self.fences_left,
            self.across,
            self.upright,
            following,
            self.passes + 1,
            self._routes,
        )


def _slot_names(across: int, upright: int) -> list[Spot]:
    return [name_of(bit) + "h" for bit in each_bit(across)] + [
        name_of(bit) + "v" for bit in each_bit(upright)
    ]


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
        """Return the first position; raise OptionError for an option or value there is not."""
        chosen = choose_options(self, options or {})
        first = int(chosen["first"])
        return Quoridor(
            Table(self.seats, GOALS[self.seats], chosen["pawnBehind"], first),
            tuple(BIT[square] for square in STARTS[self.seats]),
            (FENCES // self.seats,) * self.seats,
            turn=first - 1,
        )
