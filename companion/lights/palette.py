"""The colours of light and what they mean; a second set keeps them apart for colour-blind eyes.

Colour never stands alone: what is wrong pulses, where it belongs is steady, what must go breathes,
and each ghost is told by the line it stands on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.board import FENCE, PELLET, Board, Thing
from companion.lights.strip import Colour

WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True)
class Palette:
    """One set of colours; ``things`` are shown in other colours than the profile's."""

    name: str
    wrong: Colour
    right: Colour
    trouble: Colour
    phone: Colour
    things: Mapping[Thing, Colour] = field(default_factory=dict)

    def of(self, thing: Thing, board: Board) -> Colour:
        """Return the colour of a thing, white for one that neither palette nor profile knows."""
        if thing in self.things:
            return self.things[thing]
        if thing == FENCE:
            return board.fence.colour
        if thing == PELLET and board.pellet is not None:
            return board.pellet.colour
        return board.pieces[thing].colour if thing in board.pieces else WHITE


USUAL = Palette("usual", (255, 0, 0), (0, 255, 0), (255, 120, 0), (0, 80, 255))

#: Told apart with the usual colour vision deficiencies: never by red and green alone.
SAFE = Palette(
    "safe",
    wrong=(255, 70, 0),
    right=(0, 90, 255),
    trouble=(255, 190, 60),
    phone=(150, 210, 255),
    things=MappingProxyType(
        {
            "pacman": (255, 250, 30),
            "blinky": (155, 0, 0),
            "pinky": (240, 125, 210),
            "inky": (20, 60, 245),
            "clyde": (85, 245, 150),
        }
    ),
)

PALETTES = {palette.name: palette for palette in (USUAL, SAFE)}
