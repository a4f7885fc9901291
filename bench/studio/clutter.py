"""What lies around on table, frame and field: dice, coins, mugs, phones, spares, cards."""

import math
from dataclasses import dataclass, replace

from bench.studio.builds import Build
from bench.studio.colours import Rgb, of_hex
from bench.studio.dice import Dice
from bench.studio.pawns import Pawn, known_pawn
from bench.studio.setting import Disc
from bench.studio.themes import PAINTS, Theme
from companion.board import Board

BRIGHT = ("#c02020", "#eeeeea", "#2040a0", "#e0b020", "#303030", "#208040", "#b0508a", "#5070a0")
COLOURS = {
    "coin": ("#b08d3c", "#b0b0b0", "#a0623a"),
    "phone": ("#101012", "#e0e0e4", "#203050"),
    "card": ("#f0ece0", "#e8d060", "#d04040", "#304a80"),
}
#: How much room a thing needs, from its middle.
ROOM_MM = {
    "die": 12.0,
    "coin": 14.0,
    "pen": 70.0,
    "fence": 32.0,
    "mug": 48.0,
    "phone": 82.0,
    "card": 55.0,
    "pawn": 14.0,
    "pellet": 7.0,
}
ON_FRAME = ("die", "coin", "fence", "pellet", "pawn")
PHONE_MM, PEN_MM = (72.0, 150.0), 140.0
TRIES = 60


@dataclass(frozen=True)
class Item:
    """A thing that lies around: what it is, where its foot is, and how it is turned.

    ``size_mm`` is that of a card; ``pawn`` is a spare one.
    """

    kind: str
    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float
    colour: Rgb
    size_mm: tuple[float, float] = (0.0, 0.0)
    pawn: Pawn | None = None

    @property
    def discs(self) -> tuple[Disc, ...]:
        """Return the stretch of the board that it takes."""
        long, wide = {
            "phone": (PHONE_MM[1], PHONE_MM[0]),
            "pen": (PEN_MM, 9.0),
            "card": (self.size_mm[1], self.size_mm[0]),
        }.get(self.kind, (0.0, 2 * ROOM_MM[self.kind]))
        if not long:
            return ((self.x_mm, self.y_mm, wide / 2),)
        turn = math.radians(self.turn_deg + 90)
        reach, radius = (long - wide) / 2, wide / 2 * 1.25 + 1
        return tuple(
            (
                self.x_mm + part * reach * math.cos(turn),
                self.y_mm + part * reach * math.sin(turn),
                radius,
            )
            for part in (-1.0, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0)
        )


def scatter(
    dice: Dice, board: Board, build: Build, theme: Theme, on_frame: bool
) -> tuple[Item, ...]:
    """Return some things that do not touch, all on the table or some on the frame."""
    rng = dice.rng
    items: list[Item] = []
    taken: list[Disc] = []
    half = build.frame_half_mm
    for _ in range(rng.randint(3, 8)):
        kind = dice.word("thing")
        room = ROOM_MM[kind] * (board.cell_mm / 23 if kind in ("pawn", "fence", "pellet") else 1)
        frame = on_frame and kind in ON_FRAME and build.kind != "bare" and rng.random() < 0.5
        for _ in range(TRIES):
            side, sign = rng.choice((0, 1)), rng.choice((-1, 1))
            along = rng.uniform(15 - half[1 - side], half[1 - side] - 15)
            if frame:
                inner = board.board_mm / 2 + room
                if half[side] - room < inner:
                    continue
                out = rng.uniform(inner, half[side] - room)
            else:
                out = half[side] + room + rng.uniform(5, 75)
            x, y = (sign * out, along) if side == 0 else (along, sign * out)
            clear = _clear_of_markers(board, x, y, room) and (not frame or not build.rack)
            if clear and all(math.hypot(x - a, y - b) >= room + c for a, b, c in taken):
                taken.append((x, y, room))
                z = build.plane_mm if frame else build.table_mm
                items.append(_item(dice, board, theme, kind, x, y, z))
                break
    return tuple(items)


def cover(dice: Dice, board: Board, build: Build, theme: Theme) -> tuple[Item, ...]:
    """Return something that somebody put onto a marker."""
    if not board.markers:
        return ()
    marker, rng = dice.rng.choice(board.markers), dice.rng
    kind = dice.word("thing put")
    away = {"card": 8, "phone": 35, "mug": 16, "pen": 3}[kind]
    x = marker.x_mm + math.copysign(away + rng.uniform(0, 8), marker.x_mm)
    y = marker.y_mm + math.copysign(away + rng.uniform(0, 8), marker.y_mm)
    item = _item(dice, board, theme, kind, x, y, build.marker_plane_mm)
    edge = board.board_mm / 2  # what reaches over the board lies on it
    if any(abs(a) < edge + r and abs(b) < edge + r for a, b, r in item.discs):
        item = replace(item, z_mm=0.0)
    return (item,)


def put_on_field(dice: Dice, board: Board, theme: Theme) -> tuple[Item, ...]:
    """Return something that stands or lies on the field itself."""
    reach = board.field_mm / 2
    x, y = dice.rng.uniform(-reach, reach), dice.rng.uniform(-reach, reach)
    return (_item(dice, board, theme, dice.word("thing put"), x, y, 0.0),)


def _clear_of_markers(board: Board, x: float, y: float, room: float) -> bool:
    near = room + board.marker_mm
    return all(math.hypot(m.x_mm - x, m.y_mm - y) > near for m in board.markers)


def _item(dice: Dice, board: Board, theme: Theme, kind: str, x: float, y: float, z: float) -> Item:
    rng = dice.rng
    ghosts = [name for name in PAINTS if name != "pacman"]
    return Item(
        kind=kind,
        x_mm=x,
        y_mm=y,
        z_mm=z,
        turn_deg=rng.uniform(0, 180),
        colour=of_hex(rng.choice(COLOURS.get(kind, BRIGHT))),
        size_mm=(rng.uniform(45, 65), rng.uniform(60, 90)),
        pawn=known_pawn(dice, board, theme, rng.choice(ghosts)) if kind == "pawn" else None,
    )
