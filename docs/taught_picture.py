"""Draws what ``companion teach`` finds on a rendered board: ``pictures/taught.png``."""

from pathlib import Path

import cv2

from bench.drilled import shoot
from companion.sensing.teach.holes import find_holes
from companion.sensing.teach.lattice import through
from companion.sensing.teach.names import draw, named
from companion.sensing.teach.things import moved, things

SEED = 1007
MARGIN_PX = 60


def make(folder: Path) -> None:
    """Write the picture into a folder."""
    shot = shoot(SEED)
    holes = find_holes(shot.empty)
    shift = None if holes is None else moved(holes, shot.empty, shot.set_up)
    if holes is None or shift is None:
        raise SystemExit("expected a board in the rendered picture, found none")
    lying = things(holes, shot.empty, shot.set_up, shift)
    pixels = through(shift, holes.pixels)
    drawn = draw(shot.set_up, holes, pixels, named(holes), lying)
    x0, y0 = (int(max(low - MARGIN_PX, 0)) for low in pixels.min(0))
    x1, y1 = (int(high + MARGIN_PX) for high in pixels.max(0))
    cv2.imwrite(str(folder / "taught.png"), drawn[y0:y1, x0:x1])
