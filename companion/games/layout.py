"""A layout: where pieces, pellets and fences stand when a PAC-MAN game on the 9×9 board begins.

Layouts are data. :mod:`companion.games.pacman.data` reads and checks them; the rules only use them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.board import FENCE, PELLET, Position, Spot

PACMAN = "pacman"

#: In the order in which they move when nobody chooses (SV-A12).
GHOSTS = ("blinky", "inky", "pinky", "clyde")


@dataclass(frozen=True)
class Layout:
    """A set-up (SV-2): the start squares, the pellets, the fences, and where each fact is from."""

    name: str
    title: str
    pacman: Spot
    ghosts: Mapping[str, Spot]
    pellets: tuple[Spot, ...]
    fences: tuple[Spot, ...]
    provenance: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}), compare=False
    )

    def position(self) -> Position:
        """Return what stands on the board at the start."""
        things = {self.pacman: PACMAN}
        things |= {spot: ghost for ghost, spot in self.ghosts.items()}
        things |= dict.fromkeys(self.pellets, PELLET)
        return things | dict.fromkeys(self.fences, FENCE)
