"""What a layer of light is made from: table, board and time, and the mood of the lights."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.board import Board, Place, Thing
from companion.lights.names import Lit, around, side_lights
from companion.lights.palette import USUAL, Palette
from companion.lights.strip import Colour
from companion.referee.verdict import Verdict
from companion.service.snapshot import Snapshot


@dataclass(frozen=True)
class Mood:
    """What the lights go by besides the table: taste, and how long things have been so.

    ``targets`` shows where a lifted piece may go. ``idle_seconds`` have passed since anything
    happened, ``begun_seconds`` since the game began; idle for ``attract_seconds``, the lights
    play by themselves. ``pairing`` waits for a phone; ``pointed`` are places to look at
    while something is set up. ``level`` is the share of brightness that the hour leaves.
    """

    palette: Palette = USUAL
    targets: bool = True
    idle_seconds: float = 0.0
    begun_seconds: float = math.inf
    attract_seconds: float = math.inf
    pairing: bool = False
    pointed: tuple[Place, ...] = ()
    level: float = 1.0


@dataclass(frozen=True)
class View:
    """Everything a layer may look at."""

    snapshot: Snapshot
    board: Board
    time: float
    mood: Mood = Mood()

    @property
    def verdict(self) -> Verdict:
        """Return what the referee says."""
        return self.snapshot.verdict

    @property
    def palette(self) -> Palette:
        """Return the colours that are in use."""
        return self.mood.palette

    def colour(self, thing: Thing) -> Colour:
        """Return the colour of a thing on the board."""
        return self.mood.palette.of(thing, self.board)

    def seat_colour(self, seat: int) -> Colour:
        """Return the colour of a seat, which is that of its pawn if it has one."""
        view = self.snapshot.seats[seat]
        return self.colour(view.piece) if self.snapshot.on_board else view.colour

    def side(self, seat: int) -> list[str]:
        """Return the lights along the side where a seat sits; without a board in the game, each
        seat has a part of the whole way around."""
        seats = len(self.snapshot.seats)
        if self.snapshot.on_board:
            return side_lights(self.board, seats, seat)
        lights = around(self.board)
        return lights[seat * len(lights) // seats : (seat + 1) * len(lights) // seats]


#: A layer paints over what the layers before it have lit.
Layer = Callable[[Lit, View], Lit]
