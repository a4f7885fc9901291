"""The simulated table: pawns and fences that are lifted, carried and put down in millimetres.

It knows what is physically possible and nothing of the rules: a fence drops into a groove or lies
skewed on the tiles, a pawn stands where it is put. Several threads may use a table at once.
"""

import math
import random
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

from companion.board import FENCE, PELLET, Board, Position, Spot, Thing, is_slot, patches, square
from companion.errors import CompanionError
from companion.sim.body import (
    Body,
    Habits,
    Hand,
    Scene,
    fallen,
    fences_touch,
    line_of,
    make,
    make_room,
    supply,
    turn_between,
)

PAWN_SCATTER_MM = 1.0
PAWN_SCATTER_MOST_MM = 2.2
ACROSS_MOST_MM, ALONG_MOST_MM, TURN_MOST = 0.45, 2.0, 0.6
SEAT_WITHIN_MM, SEAT_WITHIN_TURN = 6.0, 15.0
DEFINITE_MM = 8.0
CARRY_MM = 30.0
STEADY_HANDS = Habits()

#: Where the fingers point when the arm comes from a side of the board.
SIDES = {"south": 90.0, "north": -90.0, "west": 0.0, "east": 180.0}


class NoSuchBody(CompanionError, LookupError):
    """A body that is not on this table."""


class SimTable:
    """Every pawn of the board's profile and all its fences, as bodies on and beside the board.

    Example::

        table = SimTable(profile.load("reference"), random.Random(1))
        table.set_up({"e1": "pacman", "e9": "blinky"})
        table.lift("pacman")
        table.carry("pacman", 0, -90)
        table.put("pacman", *board.at("e2"))
    """

    def __init__(self, board: Board, rng: random.Random, habits: Habits = STEADY_HANDS) -> None:
        self.board, self.habits = board, habits
        self._rng = rng
        self._lock = threading.RLock()
        self._revision = 0
        self._bodies: dict[str, Body] = {}
        self._hands: dict[str, Hand] = {}
        self._homes = {body.id: body for body in supply(board)}
        self._bodies.update(self._homes)

    @property
    def revision(self) -> int:
        """Return a number that grows with every change."""
        return self._revision

    def scene(self) -> Scene:
        """Return all bodies and hands of one moment."""
        with self._lock:
            return Scene(self._revision, tuple(self._bodies.values()), tuple(self._hands.values()))

    def body(self, id: str) -> Body:
        """Return one body as it is now."""
        with self._lock:
            try:
                return self._bodies[id]
            except KeyError:
                known = ", ".join(self._bodies)
                raise NoSuchBody(f"expected one of {known}, got {id!r}") from None

    def view(self) -> dict[str, Any]:
        """Return the table as plain data for a page."""
        scene = self.scene()
        bodies = [
            {
                "id": body.id,
                "kind": body.kind,
                "thing": body.thing,
                "x": round(body.x, 2),
                "y": round(body.y, 2),
                "angle": round(body.angle, 2),
                "state": body.state,
                "flat": body.lean > 45,
            }
            for body in scene.bodies
        ]
        hands = [
            {"x": round(hand.x, 2), "y": round(hand.y, 2), "angle": round(hand.angle, 2)}
            for hand in scene.hands
        ]
        return {"revision": scene.revision, "bodies": bodies, "hands": hands}

    def set_up(self, position: Position) -> None:
        """Put everything where the position says and the rest into the supply."""
        with self._lock:
            bodies = dict(self._homes)
            fences = [id for id, body in self._homes.items() if body.kind == "fence"]
            half = (len(fences) + 1) // 2  # taken in turn from the two sides
            spare = {
                FENCE: iter(sorted(fences, key=lambda id: fences.index(id) % half)),
                PELLET: iter([id for id, body in self._homes.items() if body.kind == "pellet"]),
            }
            for spot, thing in sorted(position.items(), key=lambda item: not is_slot(item[0])):
                id = self._body_for(thing, spot, spare)
                if bodies[id].state == "board":
                    raise ValueError(f"expected each piece once, got {thing!r} again on {spot}")
                x, y = self.board.at(spot)
                if is_slot(spot):
                    self._seat(bodies, bodies[id], spot)
                else:
                    placed = replace(bodies[id], x=x, y=y, z=0.0, state="board")
                    placed = replace(placed, angle=self._rng.uniform(-130, -50))
                    bodies[id] = make_room(
                        self._scattered(placed), tuple(bodies.values()), self.board
                    )
            self._bodies = bodies
            self._hands = {}
            self._revision += 1

    def lift(self, id: str, side: str = "south") -> None:
        """Take a body up; a hand whose arm comes from this side of the board holds it."""
        with self._changing(id) as body:
            self._hold(body, SIDES[side])

    def carry(self, id: str, x: float, y: float, angle: float | None = None) -> None:
        """Move a held body, and the hand with it; one that is not held is lifted first."""
        with self._changing(id) as body:
            points = self._hands[id].angle if id in self._hands else SIDES["south"]
            self._hold(_moved(body, x, y, angle), points)

    def put(self, id: str, x: float, y: float, angle: float | None = None) -> None:
        """Put a body down and let it come to rest as a real one would; the hand leaves."""
        with self._changing(id) as body:
            self._hands.pop(id, None)
            self._rest(_moved(body, x, y, angle))
            self._settle_pawns()

    def place(self, id: str, x: float, y: float) -> None:
        """Put a pawn or a pellet down just here, as crooked as that is; the hand leaves."""
        with self._changing(id) as body:
            self._hands.pop(id, None)
            stands = replace(body, x=x, y=y, z=0.0, state="board")
            self._bodies[id] = make_room(stands, self._others(id), self.board)
            self._settle_pawns()

    def lay(self, id: str, x: float, y: float, angle: float) -> None:
        """Let a fence fall flat, on the tiles or across what stands there; the hand leaves."""
        with self._changing(id) as body:
            if body.kind != "fence":
                raise ValueError(f"expected a fence to lay down, got {id!r}")
            self._hands.pop(id, None)
            self._bodies[id] = fallen(_moved(body, x, y, angle), self._others(id), self.board)

    def hand(self, x: float, y: float, angle: float = SIDES["south"]) -> None:
        """Hold an empty hand over the table, its finger tips at this place."""
        with self._lock:
            self._hands[""] = Hand(x, y, angle)
            self._revision += 1

    def no_hand(self) -> None:
        """Take the empty hand away."""
        with self._lock:
            if self._hands.pop("", None):
                self._revision += 1

    def nudge(self, id: str, dx: float, dy: float) -> None:
        """Knock against a body so that it slides; a fence pushed out of its groove lies skewed."""
        with self._changing(id) as body:
            moved = _moved(body, body.x + dx, body.y + dy)
            if body.is_seated:
                slot = self._slot_of(body)
                x, y = self.board.at(slot)
                off = (moved.x - x, moved.y - y)
                along, across = off if line_of(slot) == 0.0 else off[::-1]
                if abs(across) > 1.0 or abs(along) > 3.0:
                    moved = replace(moved, state="skewed", z=0.0, lean=12.0)
            self._bodies[id] = moved
            self._settle_pawns()

    def half_seat(self, id: str) -> None:
        """Leave one end of a fence up, as when it was not pushed home."""
        with self._changing(id) as body:
            if body.kind != "fence" or body.state not in ("board", "skewed"):
                raise ValueError(f"expected a fence on the board, got {id!r} in {body.state}")
            self._bodies[id] = self._half_in(body)

    def push_home(self, id: str) -> None:
        """Push a fence that stands half in its groove all the way in."""
        with self._changing(id) as body:
            slot = self._slot_near(body) if body.tilt else None
            if slot is None:
                raise ValueError(f"expected a fence half in its groove, got {id!r} in {body.state}")
            self._seat(self._bodies, body, slot)
            self._settle_pawns()

    def truth(self) -> Position:
        """Return what stands on a definite spot; what lies skewed or between spots is left out."""
        position: dict[Spot, str] = {}
        for body in self.scene().bodies:
            if body.state != "board":
                continue
            spot = self._spot_of(body)
            x, y = self.board.at(spot)
            if body.is_seated or max(abs(body.x - x), abs(body.y - y)) <= DEFINITE_MM:
                position[spot] = body.thing
        return position

    def at(self, spot: Spot) -> str | None:
        """Return the id of the body that stands on a square or in a slot, None when it is free."""
        standing = (body for body in self.scene().bodies if body.state == "board")
        return next((body.id for body in standing if self._spot_of(body) == spot), None)

    def spare(self, thing: Thing) -> str | None:
        """Return the id of a body of this thing that waits beside the board."""
        spare = (b.id for b in self.scene().bodies if b.thing == thing and b.state == "supply")
        return next(spare, None)

    def fence_at(self, slot: Spot) -> str | None:
        """Return the id of the fence seated in a slot, None when it is empty."""
        return self.at(slot)

    def spare_fence(self, side: str = "west") -> str | None:
        """Return the id of a fence in the supply, of this side if there is one."""
        spare = [b for b in self.scene().bodies if b.kind == "fence" and b.state == "supply"]
        spare.sort(key=lambda body: (body.x < 0) != (side == "west"))
        return spare[0].id if spare else None

    @contextmanager
    def _changing(self, id: str) -> Iterator[Body]:
        """Yield a body while nobody else may change the table, which is another one afterwards."""
        with self._lock:
            yield self.body(id)
            self._revision += 1

    def _hold(self, body: Body, points: float) -> None:
        self._bodies[body.id] = replace(body, state="held", z=CARRY_MM, tilt=0.0, lean=0.0)
        made = self.board.fence if body.kind == "fence" else make(body.thing, self.board)
        height = CARRY_MM + made.height_mm * 0.8
        self._hands[body.id] = Hand(body.x, body.y, points, z=height, holds=True)

    def _rest(self, body: Body) -> None:
        """Let a body that was let go come to rest."""
        reach = (self.board.field_mm if body.kind == "fence" else self.board.board_mm) / 2
        others = self._others(body.id)
        if max(abs(body.x), abs(body.y)) > reach:
            self._bodies[body.id] = self._homes[body.id]
        elif body.kind != "fence":
            stands = replace(self._scattered(body), state="board", z=0.0)
            self._bodies[body.id] = make_room(stands, others, self.board)
        else:
            self._rest_fence(replace(body, z=0.0, tilt=0.0, lean=0.0), others)

    def _rest_fence(self, body: Body, others: tuple[Body, ...]) -> None:
        slot = self._slot_near(body)
        if slot is None:
            self._bodies[body.id] = fallen(body, others, self.board)
        elif self._blocked(slot, others):  # it comes to lie on top of the one that is there
            self._bodies[body.id] = replace(
                body,
                state="skewed",
                tilt=self._rng.choice((-1, 1)) * self._rng.uniform(9.0, 14.0),
                angle=body.angle + self._rng.choice((-1, 1)) * self._rng.uniform(3.0, 7.0),
                z=4.0,
                lean=14.0,
            )
        elif turn_between(body.angle, line_of(slot)) > SEAT_WITHIN_TURN:
            self._bodies[body.id] = replace(body, state="skewed", lean=10.0)
        else:
            self._seat(self._bodies, body, slot)
            share = self.habits.half_in_share
            if share and self._rng.random() < share:
                self._bodies[body.id] = self._half_in(self._bodies[body.id])

    def _others(self, id: str) -> tuple[Body, ...]:
        return tuple(other for other in self._bodies.values() if other.id != id)

    def _half_in(self, body: Body) -> Body:
        tilt = self._rng.uniform(*self.habits.half_in_tilts) * self._rng.choice((-1, 1))
        return replace(body, state="skewed", tilt=tilt, lean=0.0, z=-self.board.groove_depth_mm)

    def _seat(self, bodies: dict[str, Body], body: Body, slot: Spot) -> None:
        """Drop a fence into its groove; neighbours whose ends are in its way slide back."""
        x, y = self.board.at(slot)
        line = line_of(slot)
        turn = _within(self._rng.gauss(0, 0.3), TURN_MOST)
        play = ACROSS_MOST_MM - self.board.fence.length_mm / 2 * math.sin(math.radians(abs(turn)))
        across = _within(self._rng.gauss(0, 0.25), play)
        along = _within(self._rng.gauss(0, 0.9), ALONG_MOST_MM)
        dx, dy = (across, along) if line else (along, across)
        body = replace(body, state="board", z=-self.board.groove_depth_mm, tilt=0.0, lean=0.0)
        others = [b for b in bodies.values() if b.is_seated and b.id != body.id]
        touched: list[Body] = []
        for loose in (1.0, 0.5, 0.2, 0.0):
            body = replace(body, x=x + dx * loose, y=y + dy * loose, angle=line + turn * loose)
            touched = [other for other in others if fences_touch(body, other, self.board.fence)]
            if not touched:
                break
        for other in touched:
            middle = self.board.at(self._slot_of(other))
            lies = turn_between(other.angle, 0.0) < 45
            bodies[other.id] = replace(other, x=middle[0]) if lies else replace(other, y=middle[1])
        bodies[body.id] = body

    def _blocked(self, slot: Spot, others: tuple[Body, ...]) -> bool:
        fences = [patches(self._slot_of(other)) for other in others if other.is_seated]
        return not set(patches(slot)).isdisjoint(chain(*fences))

    def _slot_near(self, body: Body) -> Spot | None:
        """Return the slot this fence would drop into or lie over, None when none is near."""
        near: list[tuple[float, Spot]] = []
        for slot in self.board.slots:
            x, y = self.board.at(slot)
            away = math.hypot(body.x - x, body.y - y)
            if away <= SEAT_WITHIN_MM and turn_between(body.angle, line_of(slot)) <= 45.0:
                near.append((away, slot))
        return min(near)[1] if near else None

    def _spot_of(self, body: Body) -> Spot:
        return self._slot_of(body) if body.kind == "fence" else self._nearest_square(body)

    def _slot_of(self, body: Body) -> Spot:
        direction = "h" if turn_between(body.angle, 0.0) < 45 else "v"
        pitch = self.board.pitch_mm
        column = round(body.x / pitch + (self.board.columns - 2) / 2)
        row = round(body.y / pitch + (self.board.rows - 2) / 2)
        return square(column, row) + direction

    def _nearest_square(self, body: Body) -> Spot:
        pitch = self.board.pitch_mm
        column = round(body.x / pitch + (self.board.columns - 1) / 2)
        row = round(body.y / pitch + (self.board.rows - 1) / 2)
        return square(
            min(max(column, 0), self.board.columns - 1), min(max(row, 0), self.board.rows - 1)
        )

    def _scattered(self, pawn: Body) -> Body:
        if self.habits.off_centre_mm:
            away = self.habits.off_centre_mm * self._rng.uniform(0.75, 1.0)
            turn = self._rng.uniform(0, 2 * math.pi)
            return replace(pawn, x=pawn.x + away * math.cos(turn), y=pawn.y + away * math.sin(turn))
        dx, dy = (
            _within(self._rng.gauss(0, PAWN_SCATTER_MM * 0.8), PAWN_SCATTER_MOST_MM)
            for _ in range(2)
        )
        return replace(pawn, x=pawn.x + dx, y=pawn.y + dy)

    def _settle_pawns(self) -> None:
        for body in tuple(self._bodies.values()):
            if body.kind != "fence" and body.state == "board":
                others = tuple(self._bodies.values())
                self._bodies[body.id] = make_room(body, others, self.board)

    def _body_for(self, thing: str, spot: Spot, spare: Mapping[str, Iterator[str]]) -> str:
        places = self.board.slots if thing == FENCE else self.board.squares
        if spot not in places:
            raise ValueError(f"expected a place for {thing!r} on the board, got {spot!r}")
        if thing in spare:
            id = next(spare[thing], None)
            if id is None:
                most = sum(body.thing == thing for body in self._homes.values())
                raise ValueError(f"expected at most {most} of {thing}")
            return id
        if thing not in self.board.pieces:
            raise ValueError(f"expected a piece of this board at {spot}, got {thing!r}")
        return thing


def _moved(body: Body, x: float, y: float, angle: float | None = None) -> Body:
    return replace(body, x=x, y=y, angle=body.angle if angle is None else angle)


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))
