"""What else lies on a table where people play: a pencil, a rubber, a note of the score."""

import math
from collections.abc import Iterator

from companion.board import Board
from companion.sim.body import TABLE_TOP_MM, Body
from companion.sim.shapes import Artist, Points, block_corners
from companion.sim.stamp import Stamp

Colour = tuple[int, int, int]

#: Colour, length, width and height of a block, where it lies from the corner of the frame that
#: ``side`` names (east and north positive), and how it is turned.
Block = tuple[Colour, tuple[float, float, float], tuple[int, int], float, float, float]

PAPER, YELLOW, WOOD, LEAD = (232, 230, 222), (222, 160, 30), (214, 178, 130), (40, 40, 44)
PENCIL = (66.0, 32.0)
AHEAD = (math.cos(math.radians(38)), math.sin(math.radians(38)))
BLOCKS: tuple[Block, ...] = (
    (PAPER, (86, 62, 0.4), (1, -1), 62, 12, -14),
    (YELLOW, (84, 6.5, 6.5), (1, -1), PENCIL[0], PENCIL[1], 38),
    (WOOD, (9, 4.5, 4.5), (1, -1), PENCIL[0] - 46.5 * AHEAD[0], PENCIL[1] - 46.5 * AHEAD[1], 38),
    (LEAD, (3, 2, 2), (1, -1), PENCIL[0] - 52.5 * AHEAD[0], PENCIL[1] - 52.5 * AHEAD[1], 38),
    ((196, 92, 92), (34, 17, 10), (-1, 1), -60, -8, 20),
    ((70, 96, 150), (13, 17.2, 10.2), (-1, 1), -70, -11.6, 20),
)


def clutter(artist: Artist, board: Board) -> Iterator[Stamp]:
    """Yield shadows and bodies of what lies beside the frame, in the order they are drawn."""
    edge = board.frame_mm / 2
    for colour, size, (east, north), x, y, angle in BLOCKS:
        spot = Body("", "clutter", "", east * edge + x, north * edge + y, angle, "", TABLE_TOP_MM)
        corners: Points = block_corners(spot, size)
        yield artist.shadow_of(corners, TABLE_TOP_MM)
        yield artist.block(corners, colour)
