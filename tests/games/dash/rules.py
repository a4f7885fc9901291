"""Dash: two pawns race up their columns, a die says how far. Just enough of everything.

A turn is a roll (1 to 3), then either so many squares straight on, or a fence across the other's
column right before the pawn, once a game, which costs the other the next walk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.board import FENCE, Change, Position, Spot
from companion.errors import IllegalMove, MalformedMove
from companion.games.game import (
    CHANCE,
    Actor,
    Effect,
    Move,
    Outcome,
    Refusal,
    Seat,
    View,
    choose_options,
    open_view,
)

COLUMNS = ("c", "g")
TOP = 9
FACES = ("1", "2", "3")


@dataclass(frozen=True)
class Dash:
    """A race at one moment; ``rolled`` is 0 while the die is to be rolled."""

    rows: tuple[int, int] = (1, 1)
    turn: Seat = 0
    rolled: int = 0
    left: tuple[int, int] = (1, 1)
    fences: tuple[Spot, ...] = ()

    seats = 2
    chance = "die"

    @property
    def to_act(self) -> Actor | None:
        """Return who acts: the die, then the seat."""
        if TOP in self.rows:
            return None
        return self.turn if self.rolled else CHANCE

    def legal_moves(self) -> list[Move]:
        """Return the faces of the die, or the walk and the fence."""
        if self.to_act is None:
            return []
        if self.to_act is CHANCE:
            return [f"die:{face}" for face in FACES]
        return sorted([self._walk(), *self._fence()])

    def _square(self, seat: Seat, row: int) -> Spot:
        return f"{COLUMNS[seat]}{row}"

    def _walk(self) -> Move:
        ahead = f"{COLUMNS[self.turn]}{self.rows[self.turn]}h"
        steps = 0 if ahead in self.fences else self.rolled
        return self._square(self.turn, min(TOP, self.rows[self.turn] + steps))

    def _fence(self) -> tuple[Move, ...]:
        other = 1 - self.turn
        slot = f"{COLUMNS[other]}{self.rows[other]}h"
        return (slot,) if self.left[self.turn] and self.rows[other] < TOP else ()

    def play(self, move: Move) -> "Dash":
        """Return the state after a legal move."""
        refusal = self.why_not(move)
        if refusal is not None:
            raise (MalformedMove if refusal.rule == "notation" else IllegalMove)(refusal.text)
        if self.to_act is CHANCE:
            return replace(self, rolled=int(move[-1]))
        following = replace(self, turn=1 - self.turn, rolled=0)
        if move in self._fence():
            left = tuple(n - (seat == self.turn) for seat, n in enumerate(self.left))
            return replace(following, left=left, fences=(*self.fences, move))
        ahead = f"{COLUMNS[self.turn]}{self.rows[self.turn]}h"
        rows = tuple(
            int(move[1]) if seat == self.turn else row for seat, row in enumerate(self.rows)
        )
        fences = tuple(fence for fence in self.fences if fence != ahead)
        return replace(following, rows=rows, fences=fences)

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does."""
        if move.startswith("die:"):
            return Effect(rolled=move[-1])
        if move in self._fence():
            return Effect(fence=move)
        here = self._square(self.turn, self.rows[self.turn])
        return Effect(f"pawn{self.turn + 1}", () if move == here else (move,))

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed."""
        if move in self.legal_moves():
            return None
        if not move.startswith("die:") and move[:1] not in COLUMNS:
            return Refusal("notation", f"{move!r} is no move; a move is a square such as c3")
        return Refusal("D-1", "a pawn goes just as far as the die says")

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done on the board is no legal move."""
        if self.to_act is CHANCE:
            return Refusal("D-2", "first the die is rolled")
        return Refusal("D-1", "a pawn goes just as far as the die says")

    def outcome(self) -> Outcome | None:
        """Return who got to the top."""
        return (
            Outcome((self.rows.index(TOP),), "was first at the top") if TOP in self.rows else None
        )

    def position(self) -> Position:
        """Return where the pawns and fences are."""
        pawns = {self._square(seat, row): f"pawn{seat + 1}" for seat, row in enumerate(self.rows)}
        return pawns | dict.fromkeys(self.fences, FENCE)

    def tallies(self) -> Mapping[str, tuple[int, ...]]:
        """Return the fences each seat has left."""
        return {"fences": self.left}

    def view(self, seat: Seat | None) -> View:
        """Return all there is to see."""
        return open_view(self, seat)


class DashGame:
    """Dash as a kind of game."""

    name = "dash"
    seats = 2
    options: Mapping[str, Sequence[str]] = {"head": ("no", "yes")}

    def start(self, options: Mapping[str, str] | None = None) -> Dash:
        """Return the start; with a head start the second pawn stands a row ahead."""
        chosen = choose_options(self, options or {})
        return Dash(rows=(1, 2) if chosen["head"] == "yes" else (1, 1))
