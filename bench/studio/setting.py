"""What stands on the board and exactly where: pawns, fences and pellets, tidy or untidy."""

import math
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bench.studio.colours import Rgb, of_hex
from bench.studio.dice import Dice
from bench.studio.pawns import Pawn
from bench.studio.staves import Stave, draw_fences, lay_flat
from companion.board import Board, Spot, column_row

BETWEEN = (0.42, 0.58)  # of the way to the next square, where a piece is on neither
ASIDE = (0.15, 0.26)  # of a cell, by which a pawn is off centre
TIDY = 0.035, 0.095  # of a cell, by which pawns are off centre usually and at most
LEAN_DEG = (5.0, 18.0)
PELLETS = {"none": (0, 0), "few": (1, 4), "several": (5, 9), "many": (10, 40)}
COINS = ("#b08d3c", "#b0b0b0", "#a0623a", "#d8d4c8", "#202024", "#c02020", "#2050a0", "#30904a")
TRIES = 60

#: A round stretch of the board that is to be kept free: x, y and radius.
Disc = tuple[float, float, float]


@dataclass(frozen=True)
class Stand:
    """A pawn and where it stands; one that lies has its head to that side, one that leans is
    tipped towards it by so much. One between two squares has the ``other``."""

    pawn: Pawn
    x_mm: float
    y_mm: float
    square: Spot
    other: Spot | None = None
    lies_deg: float | None = None
    lean_deg: float = 0.0
    towards_deg: float = 0.0

    @property
    def reach_mm(self) -> float:
        """Return how far it reaches from its middle."""
        lies = self.lies_deg is not None
        return max(self.pawn.height_mm, self.pawn.width_mm) / 2 if lies else self.pawn.width_mm / 2


@dataclass(frozen=True)
class Token:
    """Something on a square that belongs to no game: a ``coin`` or a ``die``."""

    kind: str
    square: Spot
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    turn_deg: float
    colour: Rgb


@dataclass(frozen=True)
class Setting:
    """All that is on the board."""

    stands: tuple[Stand, ...]
    fences: tuple[Stave, ...]
    pellets: Mapping[Spot, tuple[float, float]]
    pellet_mm: float
    tokens: tuple[Token, ...] = ()
    clear: tuple[Disc, ...] = field(default=())


def draw_setting(
    dice: Dice,
    board: Board,
    pawns: Sequence[Pawn],
    troubles: Collection[str],
    covered: Sequence[Disc],
    colours: int,
) -> Setting:
    """Return a board with things on it, untidy in the ways that are asked for; nothing stands
    where something else covers the field."""
    rng = dice.rng
    flat = lay_flat(rng, board, covered, colours) if "flat" in troubles else ()
    covered = [*covered, *(disc for fence in flat for disc in fence.discs(board))]
    free = [s for s in board.squares if _is_free(board.at(s), covered, board.cell_mm / 2)]
    rng.shuffle(free)
    stands: list[Stand] = []
    left = list(pawns)
    if "ambiguous" in troubles and left:
        stands += _between(rng, board, left.pop(), free)
    if "lying" in troubles:
        for pawn in [pawn for pawn in left if pawn.can_fall][:2]:
            left.remove(pawn)
            stands.append(_lying(rng, board, pawn, free))
    stands += _standing(dice, board, left, free)
    tokens = _tokens(dice, board, free) if "foreign" in troubles else ()
    keep = [(s.x_mm, s.y_mm, s.reach_mm + 1) for s in stands if s.other or s.lies_deg is not None]
    fences = draw_fences(dice, board, [*covered, *keep], troubles, colours, _around(stands))
    if "offcentre" in troubles:
        stands = _aside(rng, board, stands, fences)
    pellet_mm = dice.span("pellet width") * board.cell_mm
    least, most = PELLETS[dice.word("pellets")]
    count = rng.randint(least, most)
    away = min(2.5, (board.cell_mm - pellet_mm) / 2)
    pellets = {square: scattered(rng, board.at(square), away / 2, away) for square in free[:count]}
    return Setting(tuple(stands), (*fences, *flat), pellets, pellet_mm, tokens, tuple(covered))


def stand_on(rng: random.Random, board: Board, pawn: Pawn, square: Spot) -> Stand:
    """Return a pawn on a square, as tidy as people are."""
    room = max(0.0, (board.cell_mm - pawn.width_mm) / 2)
    usual, most = (part * board.cell_mm for part in TIDY)
    at = scattered(rng, board.at(square), min(usual, room), min(most, room))
    return Stand(pawn, *at, square)


def _around(stands: Sequence[Stand]) -> frozenset[Spot]:
    return frozenset(stand.square for stand in stands)


def _is_free(at: tuple[float, float], covered: Iterable[Disc], room: float) -> bool:
    return all(math.hypot(at[0] - x, at[1] - y) > radius + room for x, y, radius in covered)


def _standing(dice: Dice, board: Board, pawns: Sequence[Pawn], free: list[Spot]) -> list[Stand]:
    """Put pawns on free squares, now and then two side by side as in a close game."""
    stands: list[Stand] = []
    rng = dice.rng
    for pawn in pawns:
        if not free:
            break
        beside = [s for s in free if stands and _are_beside(s, stands[-1].square)]
        square = beside[0] if beside and rng.random() < 0.15 else free[-1]
        free.remove(square)
        stand = stand_on(rng, board, pawn, square)
        if dice.word("pawn leans") == "yes":
            lean, towards = rng.uniform(*LEAN_DEG), rng.uniform(0, 360)
            stand = replace(stand, lean_deg=lean, towards_deg=towards)
        stands.append(stand)
    return stands


def _are_beside(one: Spot, other: Spot) -> bool:
    return math.dist(column_row(one), column_row(other)) == 1


def _between(rng: random.Random, board: Board, pawn: Pawn, free: list[Spot]) -> list[Stand]:
    pairs = [(a, b) for a in free[:20] for b in free if _are_beside(a, b)]
    if not pairs:
        return []
    square, other = rng.choice(pairs)
    free.remove(square)
    free.remove(other)
    (x, y), (to_x, to_y) = board.at(square), board.at(other)
    part = rng.uniform(*BETWEEN)
    at = x + part * (to_x - x), y + part * (to_y - y)
    return [Stand(pawn, *at, square, other)]


def _lying(rng: random.Random, board: Board, pawn: Pawn, free: list[Spot]) -> Stand:
    """Return a pawn that fell over, somewhere on the field."""
    square = next(s for s in [*free, *board.squares])
    x, y = board.at(square)
    lies = rng.uniform(0, 360)
    reach = max(pawn.height_mm, pawn.width_mm) / 2
    taken = [s for s in free if math.dist(board.at(s), (x, y)) < reach + board.cell_mm * 0.75]
    for each in taken:
        free.remove(each)
    shift = 0.3 * board.pitch_mm
    at = x + rng.uniform(-shift, shift), y + rng.uniform(-shift, shift)
    near = sorted(board.squares, key=lambda s: math.dist(board.at(s), at))
    return Stand(pawn, *at, near[0], near[1], lies)


def _tokens(dice: Dice, board: Board, free: list[Spot]) -> tuple[Token, ...]:
    rng, tokens = dice.rng, []
    for _ in range(rng.randint(1, 3)):
        if not free:
            break
        square, kind = free.pop(), dice.word("thing on square")
        x, y = scattered(rng, board.at(square), 1.0, 2.0)
        width = min(0.9 * board.cell_mm, rng.uniform(15, 25) if kind == "coin" else 12.0)
        high = rng.uniform(1.2, 2.6) if kind == "coin" else width
        colour = of_hex(rng.choice(COINS))
        tokens.append(Token(kind, square, x, y, width, high, rng.uniform(0, 90), colour))
    return tuple(tokens)


def _aside(
    rng: random.Random, board: Board, stands: Sequence[Stand], fences: Sequence[Stave]
) -> list[Stand]:
    """Return the pawns, one or two of them well off centre without running into anything."""
    result = list(stands)
    wanted = rng.randint(1, 2)
    for number in rng.sample(range(len(result)), len(result)):
        stand = result[number]
        if stand.other or not wanted:
            continue
        x, y = board.at(stand.square)
        others = [each for each in result if each is not stand]
        for _ in range(TRIES):
            angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(*ASIDE) * board.cell_mm
            tried = replace(stand, x_mm=x + away * math.cos(angle), y_mm=y + away * math.sin(angle))
            if _has_room(board, tried, others, fences):
                result[number] = tried
                wanted -= 1
                break
    return result


def _has_room(board: Board, stand: Stand, others: Iterable[Stand], fences: Iterable[Stave]) -> bool:
    here = stand.x_mm, stand.y_mm
    if any(
        math.dist(here, (other.x_mm, other.y_mm)) < stand.reach_mm + other.reach_mm
        for other in others
    ):
        return False
    return all(fence.gap_to(board, here) >= stand.reach_mm for fence in fences)


def scattered(
    rng: random.Random, at: tuple[float, float], usual: float, most: float
) -> tuple[float, float]:
    """Return a point near another one, as people put things."""
    return at[0] + clipped(rng, usual, most), at[1] + clipped(rng, usual, most)


def clipped(rng: random.Random, usual: float, most: float) -> float:
    """Return how far something is off, by chance."""
    return max(-most, min(most, rng.gauss(0, usual)))
