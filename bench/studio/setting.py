"""What stands on the board and exactly where: pieces, fences and pellets, tidy or untidy."""

import math
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from companion.board import Board, Spot, apart, column_row

#: What may be unusual in a picture; every other picture has one of these, in turn.
TROUBLES: tuple[tuple[str, ...], ...] = (
    ("hand",),
    ("hand",),
    ("offcentre",),
    ("clutter",),
    ("barrier_skew",),
    ("marker_covered",),
    ("motion_blur",),
    ("hand", "clutter"),
    ("offcentre", "clutter"),
    ("barrier_skew", "offcentre"),
    ("ambiguous",),
)
BETWEEN = (0.42, 0.58)  # of the way to the next square, where a piece is on neither
KEEP_CLEAR_MM = 40.0  # of a piece between two squares, where no fence stands
TRIES = 60


@dataclass(frozen=True)
class Stand:
    """Where a piece stands; one that lies has its head to that side."""

    x_mm: float
    y_mm: float
    lies_deg: float | None = None


@dataclass(frozen=True)
class Stave:
    """A fence in or on its slot: the middle of its upper edge and how it is turned.

    ``tip_deg`` raises one end, ``lean_deg`` lets it lean to a side.
    """

    slot: Spot
    x_mm: float
    y_mm: float
    top_mm: float
    turn_deg: float
    tip_deg: float = 0.0
    lean_deg: float = 0.0
    skewed: bool = False


@dataclass(frozen=True)
class Setting:
    """All that is on the board. A piece is in ``pieces`` or, between two squares, in
    ``ambiguous``; ``stands`` has all of them."""

    pieces: Mapping[str, Spot]
    ambiguous: Mapping[str, tuple[Spot, Spot]]
    stands: Mapping[str, Stand]
    fences: tuple[Stave, ...]
    pellets: Mapping[Spot, tuple[float, float]]


def troubles_of(seed: int, number: int) -> tuple[str, ...]:
    """Return what is unusual in a picture: nothing in every other one."""
    return TROUBLES[(number // 2 + seed) % len(TROUBLES)] if number % 2 else ()


def draw_setting(rng: random.Random, board: Board, troubles: Collection[str]) -> Setting:
    """Return a board with things on it, untidy in the ways that are asked for."""
    free = list(board.squares)
    rng.shuffle(free)
    pieces = _pieces(rng, board, free)
    ambiguous: dict[str, tuple[Spot, Spot]] = {}
    stands: dict[str, Stand] = {}
    if "ambiguous" in troubles:
        name, pair = rng.choice(_ways_between(pieces, free))
        free.remove(pair[1])
        del pieces[name]
        ambiguous[name] = pair
        stands[name] = _between(rng, board, name, pair)
    fences = _fences(rng, board, tuple(stands.values()), "barrier_skew" in troubles)
    stands |= {name: _near(rng, board, square) for name, square in pieces.items()}
    if "offcentre" in troubles:
        stands |= _aside(rng, board, pieces, stands, fences)
    count = rng.choice((0, 1, 2, 3, 4, 4, rng.randint(5, 9)))
    pellets = {square: _scattered(rng, board.at(square), 1.0, 2.5) for square in free[:count]}
    return Setting(pieces, ambiguous, stands, fences, pellets)


def _pieces(rng: random.Random, board: Board, free: list[Spot]) -> dict[str, Spot]:
    """Put some pieces on free squares, now and then two side by side as in a close game."""
    names = rng.sample(list(board.pieces), rng.randint(2, len(board.pieces)))
    pieces = {name: free.pop() for name in names}
    beside = [square for square in free if _are_beside(square, pieces[names[0]])]
    if rng.random() < 0.2 and len(names) > 2 and beside:
        free.append(pieces[names[1]])
        pieces[names[1]] = beside[0]
        free.remove(beside[0])
    return pieces


def _are_beside(one: Spot, other: Spot) -> bool:
    return math.dist(column_row(one), column_row(other)) == 1


def _ways_between(
    pieces: Mapping[str, Spot], free: Sequence[Spot]
) -> list[tuple[str, tuple[Spot, Spot]]]:
    return [
        (name, (square, other))
        for name, square in pieces.items()
        for other in free
        if _are_beside(square, other)
    ]


def _between(rng: random.Random, board: Board, name: str, pair: tuple[Spot, Spot]) -> Stand:
    (x, y), (to_x, to_y) = board.at(pair[0]), board.at(pair[1])
    part = rng.uniform(*BETWEEN)
    lies = None
    if board.pieces[name].shape == "ghost" and rng.random() < 0.3:
        along = math.degrees(math.atan2(to_y - y, to_x - x))
        lies = along + rng.choice((0, 180)) + rng.uniform(-20, 20)
    return Stand(x + part * (to_x - x), y + part * (to_y - y), lies)


def _fences(
    rng: random.Random, board: Board, keep_clear: Sequence[Stand], untidy: bool
) -> tuple[Stave, ...]:
    wanted = rng.choice(
        (rng.randint(0, 5), rng.randint(4, 12), rng.randint(6, 14), rng.randint(8, 20))
    )
    wanted = min(board.fence.count, max(wanted, 5) if untidy else wanted)

    def is_clear(slot: Spot) -> bool:
        away = (math.dist(board.at(slot), (stand.x_mm, stand.y_mm)) for stand in keep_clear)
        return all(distance >= KEEP_CLEAR_MM for distance in away)

    order = rng.sample(board.slots, len(board.slots))
    slots = list(islice(apart(filter(is_clear, order)), wanted))
    skewed = rng.sample(slots, rng.randint(1, 2)) if untidy else []
    return tuple(_stave(rng, board, slot, slot in skewed) for slot in slots)


def _stave(rng: random.Random, board: Board, slot: Spot, skewed: bool) -> Stave:
    x, y = board.at(slot)
    along, across = _clipped(rng, 0.9, 2.0), _clipped(rng, 0.25, 0.5)
    turn, top = _clipped(rng, 0.3, 0.6), board.fence.height_mm
    tip = lean = 0.0
    if skewed:
        kind, side = rng.choice(("on top", "one end", "leaning")), rng.choice((-1, 1))
        if kind == "on top":
            turn, top = side * rng.uniform(3, 6), top + board.groove_depth_mm
        elif kind == "one end":
            tip, top = side * rng.uniform(3, 6), top + 0.6 * board.groove_depth_mm
        else:
            lean, top = side * rng.uniform(5, 9), top + 0.25 * board.groove_depth_mm
    if slot[2] == "h":
        return Stave(slot, x + along, y + across, top, turn, tip, lean, skewed)
    return Stave(slot, x - across, y + along, top, 90 + turn, tip, lean, skewed)


def _aside(
    rng: random.Random,
    board: Board,
    pieces: Mapping[str, Spot],
    stands: Mapping[str, Stand],
    fences: Iterable[Stave],
) -> dict[str, Stand]:
    """Return one or two pieces that stand 3.5 to 6 mm aside without running into anything."""
    moved: dict[str, Stand] = {}
    wanted = rng.randint(1, 2)
    for name in rng.sample(list(pieces), len(pieces)):
        if len(moved) == wanted:
            break
        others = [stand for other, stand in {**stands, **moved}.items() if other != name]
        x, y = board.at(pieces[name])
        radius = board.pieces[name].diameter_mm / 2
        for _ in range(TRIES):
            angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(3.5, 6)
            stand = Stand(x + away * math.cos(angle), y + away * math.sin(angle))
            if _is_clear(board, stand, radius, others, fences):
                moved[name] = stand
                break
    return moved


def _is_clear(
    board: Board,
    stand: Stand,
    radius: float,
    others: Iterable[Stand],
    fences: Iterable[Stave],
) -> bool:
    here = stand.x_mm, stand.y_mm
    if any(math.dist(here, (other.x_mm, other.y_mm)) < 2 * radius for other in others):
        return False
    for fence in fences:
        half = board.fence.length_mm / 2, board.fence.thickness_mm / 2
        across, up = half if fence.slot[2] == "h" else half[::-1]
        gap_x = max(0.0, abs(here[0] - fence.x_mm) - across)
        gap_y = max(0.0, abs(here[1] - fence.y_mm) - up)
        if math.hypot(gap_x, gap_y) < radius:
            return False
    return True


def _near(rng: random.Random, board: Board, square: Spot) -> Stand:
    return Stand(*_scattered(rng, board.at(square), 0.8, 2.2))


def _scattered(
    rng: random.Random, at: tuple[float, float], usual: float, most: float
) -> tuple[float, float]:
    return at[0] + _clipped(rng, usual, most), at[1] + _clipped(rng, usual, most)


def _clipped(rng: random.Random, usual: float, most: float) -> float:
    return max(-most, min(most, rng.gauss(0, usual)))
