"""What lies around on frame and table: dice, coins, mugs, spares, or something on a marker."""

import math
import random
from dataclasses import dataclass

from bench.studio.colours import Rgb, of_hex
from bench.studio.themes import PAINTS
from companion.board import Board

TABLE_MM = -12.0  # the table's top, below the top of the board
BRIGHT = ("#c02020", "#eeeeea", "#2040a0", "#e0b020", "#303030", "#208040", "#b0508a")
COLOURS = {
    "die": BRIGHT,
    "coin": ("#b08d3c", "#b0b0b0", "#a0623a"),
    "pen": BRIGHT,
    "mug": (*BRIGHT, "#5070a0", "#eeeeee"),
    "phone": ("#101012", "#e0e0e4", "#203050"),
    "card": ("#f0ece0", "#e8d060", "#d04040", "#304a80"),
}
#: How much room a thing needs, from its middle. Spares have the colours of those on the board.
ROOM_MM = {
    "die": 12.0,
    "coin": 14.0,
    "pen": 70.0,
    "fence": 32.0,
    "mug": 48.0,
    "phone": 82.0,
    "card": 50.0,
    "ghost": 12.0,
    "pellet": 7.0,
}
OFTEN = ("die", "coin", "fence")  # these come twice as often
ON_FRAME = ("die", "coin", "fence", "pellet")
COVERING = ("card", "card", "phone", "mug")
TRIES = 60


@dataclass(frozen=True)
class Item:
    """A thing beside the field: what it is, where its foot is, and how it is turned.

    ``size_mm`` is that of a card; ``piece`` is whose spare a ghost is.
    """

    kind: str
    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float
    colour: Rgb
    size_mm: tuple[float, float] = (0.0, 0.0)
    piece: str = ""


def scatter(rng: random.Random, board: Board, on_frame: bool) -> tuple[Item, ...]:
    """Return four to nine things that do not touch, all on the table or some on the frame."""
    items: list[Item] = []
    taken: list[tuple[float, float, float]] = []
    for _ in range(rng.randint(4, 9)):
        kind = rng.choice((*ROOM_MM, *OFTEN))
        room = ROOM_MM[kind]
        frame = on_frame and kind in ON_FRAME and rng.random() < 0.45
        for _ in range(TRIES):
            x, y = _spot(rng, board, room, frame)
            corner = min(abs(x), abs(y)) > board.lights.at_mm["N1"][1] - 2
            if frame and corner:  # there is a marker
                continue
            if all(math.hypot(x - a, y - b) >= room + other for a, b, other in taken):
                taken.append((x, y, room))
                items.append(_item(rng, kind, x, y, 0.0 if frame else TABLE_MM))
                break
    return tuple(items)


def cover(rng: random.Random, board: Board) -> tuple[Item, ...]:
    """Return something that somebody put onto a marker."""
    marker = rng.choice(board.markers)
    x = marker.x_mm + math.copysign(rng.uniform(4, 22), marker.x_mm)
    y = marker.y_mm + math.copysign(rng.uniform(4, 22), marker.y_mm)
    return (_item(rng, rng.choice(COVERING), x, y, 0.0),)


def _spot(rng: random.Random, board: Board, room: float, frame: bool) -> tuple[float, float]:
    edge = board.frame_mm / 2
    side, along = rng.choice("NESW"), rng.uniform(15 - edge, edge - 15)
    out = rng.uniform(edge - 33, edge - 7) if frame else edge + room + rng.uniform(5, 75)
    return {"N": (along, out), "S": (along, -out), "E": (out, along), "W": (-out, along)}[side]


def _item(rng: random.Random, kind: str, x: float, y: float, z: float) -> Item:
    return Item(
        kind=kind,
        x_mm=x,
        y_mm=y,
        z_mm=z,
        turn_deg=rng.uniform(0, 180),
        colour=of_hex(rng.choice(COLOURS.get(kind, BRIGHT))),
        size_mm=(rng.uniform(45, 65), rng.uniform(60, 90)),
        piece=rng.choice([name for name in PAINTS if name != "pacman"]),
    )
