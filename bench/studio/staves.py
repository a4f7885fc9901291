"""Fences: seated in their slots, half in, askew, crossed with another, or lying on the field."""

import math
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from bench.studio.dice import Dice
from companion.board import Board, Spot, apart, patches, square

COUNTS = {"none": (0, 0), "few": (1, 5), "several": (4, 12), "many": (8, 20)}
#: How far a fence is off across its groove and along it, usually and at most, in degrees too.
ACROSS, ALONG, TURN = (0.25, 0.5), (0.9, 2.0), (0.3, 0.6)
UNSEATED = ("half", "askew")
TRIES = 40

Disc = tuple[float, float, float]


@dataclass(frozen=True)
class Stave:
    """A fence: the middle of its upper edge and how it is turned; of one that lies ``flat`` the
    middle of its body. ``tip_deg`` raises one end, ``lean_deg`` lets it lean to a side.

    ``slot`` is where it is or is meant to be, empty for one that lies anywhere. ``colour`` counts
    the colours that fences have.
    """

    slot: Spot
    x_mm: float
    y_mm: float
    top_mm: float
    turn_deg: float
    tip_deg: float = 0.0
    lean_deg: float = 0.0
    state: str = "seated"
    colour: int = 0

    def discs(self, board: Board) -> list[Disc]:
        """Return the stretch of the board that it takes when it lies on the field."""
        turn = math.radians(self.turn_deg)
        wide = (board.fence.height_mm + board.groove_depth_mm) / 2
        reach = board.fence.length_mm / 2
        parts = (-1.0, -0.5, 0.0, 0.5, 1.0)
        return [
            (self.x_mm + p * reach * math.cos(turn), self.y_mm + p * reach * math.sin(turn), wide)
            for p in parts
        ]

    def gap_to(self, board: Board, at: tuple[float, float]) -> float:
        """Return how far a point is from its side."""
        turn = math.radians(self.turn_deg)
        x, y = at[0] - self.x_mm, at[1] - self.y_mm
        along = abs(x * math.cos(turn) + y * math.sin(turn)) - board.fence.length_mm / 2
        across = abs(y * math.cos(turn) - x * math.sin(turn)) - board.fence.thickness_mm / 2
        return math.hypot(max(0.0, along), max(0.0, across))


def draw_fences(
    dice: Dice,
    board: Board,
    covered: Sequence[Disc],
    troubles: Collection[str],
    colours: int,
    taken: frozenset[Spot],
) -> tuple[Stave, ...]:
    """Return fences that keep clear of what covers the field; some are untidy if asked for."""
    rng = dice.rng
    least, most = COUNTS[dice.word("fences")]
    untidy = [name for name in (*UNSEATED, "crossed") if name in troubles]
    wanted = max(rng.randint(least, most), 2 * len(untidy))
    order = [s for s in rng.sample(board.slots, len(board.slots)) if _is_clear(board, s, covered)]
    slots = list(islice(apart(order), wanted))
    states = dict.fromkeys(slots, "seated")
    lonely = [slot for slot in slots if not taken & set(_squares(slot))]
    for state in UNSEATED:
        if state in untidy:
            chosen = lonely if state == "askew" and lonely else slots
            for slot in rng.sample(chosen, min(len(chosen), rng.randint(1, 3))):
                states[slot] = state
    fences = [put(rng, board, slot, rng.randrange(colours), states[slot]) for slot in slots]
    if "crossed" in untidy:
        fences += _crossed(rng, board, fences, covered, colours)
    return tuple(fences)


def put(
    rng: random.Random, board: Board, slot: Spot, colour: int = 0, state: str = "seated"
) -> Stave:
    """Return a fence in a slot, as tidy as people are, or not all the way in."""
    x, y = board.at(slot)
    room = (board.groove_mm - board.fence.thickness_mm) / 2
    along, across = _clipped(rng, *ALONG), _clipped(rng, *(min(part, room) for part in ACROSS))
    turn, top = _clipped(rng, *TURN), board.fence.height_mm
    tip = lean = 0.0
    depth, side = board.groove_depth_mm, rng.choice((-1, 1))
    steepest = math.degrees(math.atan2(depth, board.fence.length_mm / 2))
    if state == "half":
        if rng.random() < 0.7:  # one end is in, the other on top
            tip = side * rng.uniform(0.45, 1.0) * steepest
            top += board.fence.length_mm / 2 * math.sin(math.radians(abs(tip)))
        else:
            top += rng.uniform(0.45, 1.0) * depth
            lean = side * rng.uniform(0, 4)
    elif state == "askew":
        kind = rng.choice(("on top", "on top", "leaning"))
        top += depth
        if kind == "on top":
            turn = side * rng.uniform(4, 14)
        else:
            lean, turn = side * rng.uniform(6, 16), side * rng.uniform(0, 5)
    if slot[2] == "h":
        return Stave(slot, x + along, y + across, top, turn, tip, lean, state, colour)
    return Stave(slot, x - across, y + along, top, 90 + turn, tip, lean, state, colour)


def lay_flat(
    rng: random.Random, board: Board, covered: Sequence[Disc], colours: int
) -> tuple[Stave, ...]:
    """Return one or two fences that lie on the field, anywhere."""
    found: list[Stave] = []
    half = board.field_mm / 2
    for _ in range(rng.randint(1, 2)):
        for _ in range(TRIES):
            x, y = rng.uniform(-half, half), rng.uniform(-half, half)
            turn = rng.choice((0.0, 90.0, rng.uniform(0, 180)))
            colour, thick = rng.randrange(colours), board.fence.thickness_mm
            fence = Stave("", x, y, thick, turn, state="flat", colour=colour)
            others = [*covered, *(disc for each in found for disc in each.discs(board))]
            if all(
                math.hypot(a - x, b - y) > radius + other
                for a, b, radius in fence.discs(board)
                for x, y, other in others
            ):
                found.append(fence)
                break
    return tuple(found)


def _crossed(
    rng: random.Random,
    board: Board,
    fences: Sequence[Stave],
    covered: Sequence[Disc],
    colours: int,
) -> list[Stave]:
    """Return a fence that lies across another one: its middle on that, one end on the board."""
    taken = {patch for fence in fences for patch in patches(fence.slot)}
    for under in rng.sample(fences, len(fences)):
        slot = under.slot[:2] + ("v" if under.slot[2] == "h" else "h")
        first, _, second = patches(slot)
        if under.state != "seated" or {first, second} & taken:
            continue
        if not _is_clear(board, slot, covered):
            continue
        x, y = board.at(slot)
        high, reach = board.fence.height_mm, board.fence.length_mm / 2
        tip = rng.choice((-1, 1)) * math.degrees(math.asin(min(0.9, high / reach)))
        whole = high + board.groove_depth_mm
        lift = whole * math.cos(math.radians(tip)) + high + 0.6
        turn = (0.0 if slot[2] == "h" else 90.0) + rng.uniform(-6, 6)
        return [Stave(slot, x, y, lift, turn, tip, 0.0, "crossed", rng.randrange(colours))]
    return []


def _squares(slot: Spot) -> tuple[Spot, ...]:
    column, row = ord(slot[0]) - ord("a"), int(slot[1]) - 1
    return tuple(square(column + right, row + up) for right in (0, 1) for up in (0, 1))


def _is_clear(board: Board, slot: Spot, covered: Sequence[Disc]) -> bool:
    x, y = board.at(slot)
    reach = board.fence.length_mm / 2
    right, up = (reach, 0.0) if slot[2] == "h" else (0.0, reach)
    room = board.fence.thickness_mm / 2 + 0.5
    return all(
        math.hypot(x + part * right - a, y + part * up - b) > radius + room
        for part in (-1.0, -0.5, 0.0, 0.5, 1.0)
        for a, b, radius in covered
    )


def _clipped(rng: random.Random, usual: float, most: float) -> float:
    return max(-most, min(most, rng.gauss(0, usual)))
