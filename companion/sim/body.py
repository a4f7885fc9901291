"""Things on the simulated table: pawns and fences, their places, and how they touch."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from companion.board import FENCE, PELLET, Board, Fence, Piece, Spot, Thing

#: The table top lies this far below the board's top.
TABLE_TOP_MM = -12.0

#: A fence that lies across another so near its middle stays level.
BALANCED_MM = 2.0
PELLETS = 4  # on a table
LEAST_CROSS = 0.3  # sine of the angle below which two fences lie along each other

Point = tuple[float, float]
Kind = Literal["pawn", "pellet", "fence", "clutter"]

#: Where a body is: upright on its place on the board, lying or standing askew there, in a hand, or
#: waiting beside the board.
State = Literal["board", "skewed", "held", "supply"]


@dataclass(frozen=True)
class Body:
    """A pawn, a pellet or a fence.

    ``x`` and ``y`` are its middle, ``z`` its lowest point. ``angle`` counts in degrees from east
    towards north: where a pawn looks, along which line a fence lies. A fence that does not stand
    straight has one end up by ``tilt`` degrees or is rolled about its length by ``lean``.
    """

    id: str
    kind: Kind
    thing: Thing
    x: float
    y: float
    angle: float
    state: State
    z: float = 0.0
    tilt: float = 0.0
    lean: float = 0.0

    @property
    def is_seated(self) -> bool:
        """Tell whether it is a fence that stands in its groove."""
        return self.kind == "fence" and self.state == "board"


@dataclass(frozen=True)
class Hand:
    """A hand above the table: where its finger tips are and where they point."""

    x: float
    y: float
    angle: float
    z: float = 38.0
    holds: bool = False


@dataclass(frozen=True)
class Habits:
    """How people put things down.

    Pawns come to stand ``off_centre_mm`` from where they are put, 0 for the usual scatter. A
    share of the fences is left half in, with one end up by an angle between ``half_in_tilts``.
    """

    off_centre_mm: float = 0.0
    half_in_share: float = 0.0
    half_in_tilts: tuple[float, float] = (6.0, 11.0)


@dataclass(frozen=True)
class Scene:
    """Everything that can move, at one moment."""

    revision: int
    bodies: tuple[Body, ...]
    hands: tuple[Hand, ...]


class Stage(Protocol):
    """What camera and hall grid look at: the simulated table, or one made busier."""

    def scene(self) -> Scene:
        """Return all bodies and hands of one moment."""


def line_of(slot: Spot) -> float:
    """Return the angle of a fence in this slot: 0 along a row, 90 along a column."""
    return 0.0 if slot[2] == "h" else 90.0


def turn_between(one: float, other: float) -> float:
    """Return by how many degrees two lines differ, 0 to 90; lines have no front."""
    difference = abs(one - other) % 180.0
    return min(difference, 180.0 - difference)


def corners(body: Body, fence: Fence) -> list[Point]:
    """Return the four corners of a fence as seen from above, for one that stands."""
    turn = math.radians(body.angle)
    along = (math.cos(turn) * fence.length_mm / 2, math.sin(turn) * fence.length_mm / 2)
    across = (-math.sin(turn) * fence.thickness_mm / 2, math.cos(turn) * fence.thickness_mm / 2)
    return [
        (body.x + a * along[0] + b * across[0], body.y + a * along[1] + b * across[1])
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def fences_touch(one: Body, other: Body, fence: Fence) -> bool:
    """Tell whether two standing fences would be in the same place (separating axis theorem)."""
    first, second = corners(one, fence), corners(other, fence)
    for angle in (one.angle, one.angle + 90, other.angle, other.angle + 90):
        x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        spans = [[px * x + py * y for px, py in shape] for shape in (first, second)]
        if max(spans[0]) <= min(spans[1]) or max(spans[1]) <= min(spans[0]):
            return False
    return True


def fallen(body: Body, others: tuple[Body, ...], board: Board) -> Body:
    """Return a fence that has fallen flat: on the tiles, or with one end up on what it lies
    across. Across two fences, or one under its middle, it lies level on top of them."""
    half = board.fence.length_mm / 2
    flat = replace(body, state="skewed", z=0.0, tilt=0.0, lean=90.0)
    under = [
        _along(flat, other)
        for other in others
        if other.is_seated and fences_touch(flat, other, board.fence)
    ]
    if not under:
        return flat
    if min(under) <= BALANCED_MM and max(under) >= -BALANCED_MM:
        return replace(flat, z=board.fence.height_mm)
    at = min(under, key=abs)
    rise = math.degrees(math.asin(board.fence.height_mm / (half + min(abs(at), half))))
    return replace(flat, tilt=-math.copysign(rise, at))


def _along(body: Body, other: Body) -> float:
    """Return how far along a fence, from its middle, another one crosses its line."""
    turn, cross = math.radians(body.angle), math.radians(other.angle - body.angle)
    dx, dy = other.x - body.x, other.y - body.y
    along = dx * math.cos(turn) + dy * math.sin(turn)
    across = -dx * math.sin(turn) + dy * math.cos(turn)
    if abs(math.sin(cross)) < LEAST_CROSS:
        return along
    return along - across * math.cos(cross) / math.sin(cross)


def push_from_fence(pawn: Body, radius: float, other: Body, fence: Fence) -> Body:
    """Return the pawn moved aside, just as far as a standing fence needs its place."""
    turn = math.radians(other.angle)
    ux, uy = math.cos(turn), math.sin(turn)
    dx, dy = pawn.x - other.x, pawn.y - other.y
    along, across = dx * ux + dy * uy, -dx * uy + dy * ux
    near_along = max(-fence.length_mm / 2, min(fence.length_mm / 2, along))
    near_across = max(-fence.thickness_mm / 2, min(fence.thickness_mm / 2, across))
    gap_along, gap_across = along - near_along, across - near_across
    gap = math.hypot(gap_along, gap_across)
    if gap >= radius:
        return pawn
    if gap == 0.0:
        gap_along, gap_across, gap = 0.0, math.copysign(1.0, across), 1.0
        push = radius + fence.thickness_mm / 2 - abs(across)
    else:
        push = radius - gap
    push_along, push_across = push * gap_along / gap, push * gap_across / gap
    return replace(
        pawn,
        x=pawn.x + push_along * ux - push_across * uy,
        y=pawn.y + push_along * uy + push_across * ux,
    )


def push_from_pawn(pawn: Body, other: Body, reach: float) -> Body:
    """Return the pawn moved aside until it only touches the other one, ``reach`` away."""
    dx, dy = pawn.x - other.x, pawn.y - other.y
    gap = math.hypot(dx, dy)
    if gap >= reach:
        return pawn
    if gap < 0.01:
        dx, dy, gap = 0.0, -1.0, 1.0
    return replace(pawn, x=other.x + dx / gap * reach, y=other.y + dy / gap * reach)


def make(thing: Thing, board: Board) -> Piece:
    """Return how a pawn or a pellet is made."""
    if thing == PELLET:
        assert board.pellet is not None
        return board.pellet
    return board.pieces[thing]


def make_room(pawn: Body, others: tuple[Body, ...], board: Board) -> Body:
    """Return the pawn pushed clear of seated fences and of the other pawns on the board."""
    radius = make(pawn.thing, board).diameter_mm / 2
    for _ in range(4):
        before = pawn
        for other in others:
            if other.id == pawn.id or other.state not in ("board", "skewed"):
                continue
            if other.kind != "fence":
                reach = radius + make(other.thing, board).diameter_mm / 2
                pawn = push_from_pawn(pawn, other, reach)
            elif other.state == "board":
                pawn = push_from_fence(pawn, radius, other, board.fence)
        if pawn == before:
            break
    return pawn


def supply(board: Board) -> Iterator[Body]:
    """Yield every body where it waits: fences flat beside the frame, pawns at its corners, the
    pellets before it."""
    edge = board.frame_mm / 2
    for number, name in enumerate(board.pieces):
        side = -1 if number % 2 == 0 else 1
        x = side * (edge + 22 + 26 * (number // 2 % 2))
        y = edge * 0.78 if number < 4 else -edge * 0.78
        yield Body(name, "pawn", name, x, y, -90.0, "supply", z=TABLE_TOP_MM)
    if board.pellet is not None:
        for number in range(PELLETS):
            x = edge * 0.3 + 16.0 * number
            id = f"{PELLET}{number + 1}"
            yield Body(id, "pellet", PELLET, x, -edge - 16.0, 0.0, "supply", z=TABLE_TOP_MM)
    half = (board.fence.count + 1) // 2
    step = board.fence.height_mm + board.groove_depth_mm + 3
    for number in range(board.fence.count):
        side, rank = (-1, number) if number < half else (1, number - half)
        x = side * (edge + 10 + board.fence.length_mm / 2)
        y = (rank - (half - 1) / 2) * step
        id = f"{FENCE}{number + 1}"
        yield Body(id, "fence", FENCE, x, y, 0.0, "supply", z=TABLE_TOP_MM, lean=90.0)
