"""The pawns of a picture: who they are, what they are shaped like, how large and in what colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.studio.colours import Rgb
from bench.studio.dice import Dice
from bench.studio.themes import PAINTS, Theme, own_colour
from companion.board import Board

#: How high a pawn of each shape usually is, of its width.
HEIGHTS = {
    "peg": 1.75,
    "turned": 1.9,
    "cone": 1.5,
    "cylinder": 1.2,
    "disc": 0.38,
    "ball": 1.0,
    "cube": 1.0,
    "ghost": 1.75,
    "pacman": 1.0,
}
LEAST_DISC_MM = 4.0
SQUAT = 0.62
FALLS = 1.15  # of its width, from which height on a pawn can fall over


@dataclass(frozen=True)
class Pawn:
    """A pawn: its name, which of the five paints it has if any, its shape, size and colour.

    ``shape`` is a key of ``HEIGHTS``, for ghosts and Pac-Men ``ghost sheet``, ``pacman disc`` …
    """

    name: str
    paint: str | None
    shape: str
    width_mm: float
    height_mm: float
    colour: Rgb
    roughness: float

    @property
    def can_fall(self) -> bool:
        """Tell whether it looks different when it lies."""
        return self.height_mm > FALLS * self.width_mm


def draw_pawns(dice: Dice, board: Board, theme: Theme) -> tuple[Pawn, ...]:
    """Return the pawns of a picture: the five of the game, plain ones, or a mixture."""
    which, wanted = dice.word("pawn set"), int(dice.word("pawns"))
    paints = dice.rng.sample(list(PAINTS), len(PAINTS))
    if which == "known":
        return tuple(known_pawn(dice, board, theme, name) for name in paints[:wanted])
    shape = dice.word("pawn shape")
    width, high = dice.span("pawn width"), dice.span("pawn height")
    pawns: list[Pawn] = []
    for number in range(1, wanted + 1):
        if which == "mixed" and number > 1:
            shape = dice.word("pawn shape")
            width, high = dice.span("pawn width"), dice.span("pawn height")
        if which == "mixed" and paints and dice.rng.random() < 0.3:
            pawns.append(known_pawn(dice, board, theme, paints.pop()))
            continue
        named = dice.word("pawn paint") == "known" and bool(paints)
        paint = paints.pop() if named else None
        others = [pawn.colour for pawn in pawns]
        colour = theme.paint[paint] if paint else own_colour(dice, "pawn family", others)
        name = paint or f"pawn{number}"
        pawns.append(_pawn(board, theme, name, paint, shape, width, high, colour))
    return tuple(pawns)


def known_pawn(dice: Dice, board: Board, theme: Theme, name: str) -> Pawn:
    """Return Pac-Man or a ghost, in the paint that everybody knows."""
    piece = board.pieces[name]
    grown = board.cell_mm / 23 * dice.rng.uniform(0.92, 1.08)
    width = piece.diameter_mm * grown
    spread = dice.rng.uniform(-2, 2)
    if name == "pacman":
        high = max(LEAST_DISC_MM, 8 * grown) if theme.pacman == "disc" else width
        shape = f"pacman {theme.pacman}"
    else:
        high = (piece.height_mm + spread) * grown * (SQUAT if theme.ghost == "squat" else 1.0)
        shape = f"ghost {theme.ghost}"
    return Pawn(name, name, shape, width, high, theme.paint[name], theme.paint_roughness)


def plain_pawns(dice: Dice, board: Board, theme: Theme, names: Sequence[str]) -> tuple[Pawn, ...]:
    """Return pawns of one plain shape in the paints of these names."""
    shape = dice.word("pawn shape")
    width, high = dice.span("pawn width"), dice.span("pawn height")
    return tuple(
        _pawn(board, theme, name, name, shape, width, high, theme.paint[name]) for name in names
    )


def _pawn(
    board: Board,
    theme: Theme,
    name: str,
    paint: str | None,
    shape: str,
    width: float,
    high: float,
    colour: Rgb,
) -> Pawn:
    wide = width * board.cell_mm
    height = max(LEAST_DISC_MM, wide * HEIGHTS[shape] * high)
    if shape in ("ball", "cube"):
        height = wide
    if shape == "ghost":
        shape = f"ghost {theme.ghost}"
    return Pawn(name, paint, shape, wide, height, colour, theme.paint_roughness)
