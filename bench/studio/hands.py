"""Hands over the board: what they do, from where, in what skin, glove and sleeve."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.studio.colours import Rgb, of_hex, times
from bench.studio.dice import Dice
from bench.studio.pawns import Pawn
from companion.board import Board

SKINS = ("#f6dccb", "#f0c8a8", "#e0ac86", "#c68a5e", "#9a6440", "#6e4428", "#462a1a", "#2e1a10")


@dataclass(frozen=True)
class Hand:
    """A hand over the board: what it does, from which side, and where it reaches to.

    ``skin`` is the colour of a glove if it wears one, which is ``gloved``. ``holds`` is a pawn, or
    the colour of a fence by its number.
    """

    pose: str
    side: str
    left: bool
    x_mm: float
    y_mm: float
    skin: Rgb
    gloved: bool
    sleeve: Rgb | None
    holds: Pawn | int | None = None
    turn_deg: float = 0.0  # of what it holds


def draw_hands(dice: Dice, board: Board, colours: int, pawns: Sequence[Pawn]) -> tuple[Hand, ...]:
    """Return one or two hands, from different sides."""
    hands: list[Hand] = []
    for _ in range(2 if dice.word("hands") == "two" else 1):
        hand = draw_hand(dice, board, colours, pawns)
        if all(hand.side != other.side for other in hands):
            hands.append(hand)
    return tuple(hands)


def draw_hand(dice: Dice, board: Board, colours: int, pawns: Sequence[Pawn]) -> Hand:
    """Return a hand."""
    rng = dice.rng
    wears = dice.word("hand wears")
    gloved = wears in ("glove", "both")
    skin = dice.family("worn") if gloved else _skin(dice)
    sleeve = dice.family("worn") if wears in ("sleeve", "both") else None
    holds: Pawn | int | None = None
    what, pose = dice.word("hand holds"), dice.word("hand pose")
    if what == "fence":
        holds, pose = rng.randrange(colours), "grab"
    elif what == "pawn" and pawns:
        holds, pose = rng.choice(pawns), "grab"
    reach = 0.38 * board.field_mm
    return Hand(
        pose=pose,
        side=dice.word("hand side"),
        left=rng.random() < 0.4,
        x_mm=rng.uniform(-reach, reach),
        y_mm=rng.uniform(-reach, reach),
        skin=skin,
        gloved=gloved,
        sleeve=sleeve,
        holds=holds,
        turn_deg=rng.choice((0.0, 90.0)) + rng.uniform(-15, 15),
    )


def _skin(dice: Dice) -> Rgb:
    rng, place = dice.rng, dice.span("skin") * (len(SKINS) - 1)
    low = min(int(place), len(SKINS) - 2)
    pale, dark, part = of_hex(SKINS[low]), of_hex(SKINS[low + 1]), place - low
    red, green, blue = (a + part * (b - a) for a, b in zip(pale, dark, strict=True))
    tints = rng.uniform(0.92, 1.08), rng.uniform(0.92, 1.08), rng.uniform(0.92, 1.08)
    return times((red, green, blue), tints)
