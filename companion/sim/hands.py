"""A scripted person at the simulated table who makes whole moves, hand and all.

Every method is a generator: each step has already happened on the table when it is yielded, with
the seconds it takes. The caller advances its clock by them; nothing here waits.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.board import FENCE, Board, Change, Spot
from companion.sim.body import line_of
from companion.sim.table import SIDES, SimTable

REACH_SECONDS = 0.3
GRIP_SECONDS = 0.2
CARRY_SECONDS = 0.45
CARRY_STEPS = 4
WITHDRAW_SECONDS = 0.2
NOTICE_SECONDS = 1.0


@dataclass(frozen=True)
class Step:
    """What the person just did and how long it takes: ``reach``, ``lift``, ``carry``, ``put`` …"""

    seconds: float
    what: str


class Person:
    """Somebody at one side of the board, quick or slow, who moves one thing at a time.

    Example::

        for step in Person(table, board).move_pawn("pacman", "e1", "e2"):
            now += step.seconds
    """

    def __init__(
        self, table: SimTable, board: Board, side: str = "south", pace: float = 1.0
    ) -> None:
        if side not in SIDES:
            raise ValueError(f"expected one of {', '.join(SIDES)}, got {side!r}")
        self._table, self._board = table, board
        self._side, self._pace = side, pace

    def do(self, changes: Iterable[Change]) -> Iterator[Step]:
        """Carry out changes one by one, as somebody does who is told what to move where."""
        for change in changes:
            yield from self.change(change)

    def change(self, change: Change) -> Iterator[Step]:
        """Carry out one change, of a pawn, a pellet or a fence."""
        source, target = change.source, change.target
        if change.thing == FENCE and source is not None and target is not None:
            yield from self.move_fence(source, target)
            return
        if change.thing == FENCE:
            if source is not None:
                yield from self.remove_fence(source)
            if target is not None:
                yield from self.place_fence(target)
            return
        id = self._table.at(source) if source is not None else self._table.spare(change.thing)
        if id is None:
            where = source or "beside the board"
            raise ValueError(f"expected {change.thing} {where}, but there is none")
        yield from self.move_pawn(id, source, target)

    def move_pawn(self, piece: str, start: Spot | None, end: Spot | None) -> Iterator[Step]:
        """Take a pawn from one square to another; None stands for beside the board."""
        target = self._beside() if end is None else self._board.at(end)
        yield from self._bring(piece, target, start=self._board.at(start) if start else None)

    def place_fence(self, slot: Spot) -> Iterator[Step]:
        """Take a fence from the supply and put it into a slot; one left half in, push home."""
        id = self._table.spare_fence("west" if self._side in ("south", "west") else "east")
        if id is None:
            raise ValueError(f"expected a fence in the supply for {slot}, but there is none left")
        yield from self._bring(id, self._board.at(slot), line_of(slot))
        yield from self._push_home(id, slot)

    def move_fence(self, start: Spot, end: Spot) -> Iterator[Step]:
        """Take the fence out of a slot and put it into another."""
        id = self._table.fence_at(start)
        if id is None:
            raise ValueError(f"expected a fence in {start}, but there is none")
        yield from self._bring(id, self._board.at(end), line_of(end), start=self._board.at(start))
        yield from self._push_home(id, end)

    def _push_home(self, id: str, slot: Spot) -> Iterator[Step]:
        if self._table.body(id).tilt and self._table.body(id).z < 0:
            yield self._step(NOTICE_SECONDS, "notice")
            yield from self._push(id, slot)

    def put_crooked(self, piece: str, x: float, y: float) -> Iterator[Step]:
        """Take a pawn to a place in millimetres and leave it just there."""
        yield from self._bring(piece, (x, y), let_go=lambda: self._table.place(piece, x, y))

    def lay_fence(self, x: float, y: float, angle: float) -> Iterator[Step]:
        """Take a fence from the supply and drop it here, at this angle, on whatever is there."""
        id = self._table.spare_fence()
        if id is None:
            raise ValueError("expected a fence in the supply, but there is none left")
        yield from self._bring(id, (x, y), angle, lambda: self._table.lay(id, x, y, angle))

    def clear_away(self, id: str) -> Iterator[Step]:
        """Take a thing to where it waits beside the board, wherever it lies."""
        yield from self._bring(id, self._beside())

    def remove_fence(self, slot: Spot) -> Iterator[Step]:
        """Take the fence out of a slot and back to the supply."""
        id = self._table.fence_at(slot)
        if id is None:
            raise ValueError(f"expected a fence in {slot}, but there is none")
        yield from self._bring(id, self._beside(), start=self._board.at(slot))

    def hover(self, spot: Spot, seconds: float = 1.0) -> Iterator[Step]:
        """Hold a hand over a spot without touching anything, and take it away again."""
        x, y = self._board.at(spot)
        yield from self._reach(x, y)
        yield self._step(seconds, "hover")
        yield from self._withdraw(x, y)

    def _bring(
        self,
        id: str,
        end: Sequence[float],
        angle: float | None = None,
        let_go: Callable[[], None] | None = None,
        start: Sequence[float] | None = None,
    ) -> Iterator[Step]:
        """Take a body to a place; without a ``start``, from where it lies."""
        body = self._table.body(id)
        start = (body.x, body.y) if start is None else start
        yield from self._reach(start[0], start[1])
        self._table.no_hand()
        self._table.lift(id, self._side)
        yield self._step(GRIP_SECONDS, "lift")
        for number in range(1, CARRY_STEPS + 1):
            share = number / CARRY_STEPS
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self._table.carry(id, x, y, angle)
            yield self._step(CARRY_SECONDS / CARRY_STEPS, "carry")
        if let_go is None:
            self._table.put(id, end[0], end[1], angle)
        else:
            let_go()
        self._table.hand(end[0], end[1], SIDES[self._side])
        yield self._step(GRIP_SECONDS, "put")
        yield from self._withdraw(end[0], end[1])

    def _push(self, id: str, slot: Spot) -> Iterator[Step]:
        x, y = self._board.at(slot)
        yield from self._reach(x, y)
        self._table.push_home(id)
        yield self._step(GRIP_SECONDS, "push")
        yield from self._withdraw(x, y)

    def _reach(self, x: float, y: float) -> Iterator[Step]:
        for away in (150.0, 60.0, 0.0):
            self._table.hand(*self._back_from(x, y, away), SIDES[self._side])
            yield self._step(REACH_SECONDS / 3, "reach")

    def _withdraw(self, x: float, y: float) -> Iterator[Step]:
        for away in (70.0, 180.0):
            self._table.hand(*self._back_from(x, y, away), SIDES[self._side])
            yield self._step(WITHDRAW_SECONDS / 2, "withdraw")
        self._table.no_hand()
        yield self._step(0.0, "done")

    def _back_from(self, x: float, y: float, away: float) -> tuple[float, float]:
        points = math.radians(SIDES[self._side])
        return x - away * math.cos(points), y - away * math.sin(points)

    def _beside(self) -> tuple[float, float]:
        return -(self._board.frame_mm / 2 + 30), 0.0

    def _step(self, seconds: float, what: str) -> Step:
        return Step(seconds * self._pace, what)
