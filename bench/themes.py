"""Boards, fences and paints of colours that no profile names, each read cold in one picture.

The eyes go by the reference profile; the table in front of the simulated camera does not look like
it. Aims: nothing is claimed that is not there, and little is left open.
"""

import colorsys
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from bench.games import LIGHTS
from bench.photos import to_position
from bench.report import Row
from companion.board import FENCE, PELLET, Board, Spot, Thing, apart
from companion.boards import profile
from companion.commands.progress import progress, say
from companion.sensing.vision.decode import read_board
from companion.sensing.vision.eyes import Eyes
from companion.sim.picture.camera import SimCamera
from companion.sim.table import SimTable

THEMES = 24
FENCES, PELLETS = 10, 4
AIM_RIGHT = 0.95
CONTRAST = 1.0  # of log colour, by which fences differ from the cells: else nobody sees them
GROOVE = 0.55  # of the grey level of the cells

Rgb = tuple[int, int, int]

CELLS: dict[str, Rgb] = {
    "black": (20, 20, 24),
    "brown": (150, 100, 60),
    "dark wood": (80, 50, 30),
    "grey": (200, 200, 205),
    "beige": (210, 190, 150),
    "green": (30, 70, 45),
    "navy": (25, 30, 70),
    "white": (235, 235, 230),
}
STAVES: dict[str, Rgb] = {
    "white": (240, 240, 235),
    "wood": (225, 190, 130),
    "brown": (70, 40, 20),
    "navy": (30, 35, 90),
    "blue": (32, 64, 224),
    "green": (40, 140, 60),
    "black": (25, 25, 25),
    "grey": (128, 128, 128),
    "purple": (110, 40, 140),
}


@dataclass(frozen=True)
class Theme:
    """What a table looks like: cells and fences by name; paint is less deep and less bright by
    these factors, its hue stays."""

    cells: str
    fences: str
    light: str
    depth: float = 1.0
    brightness: float = 1.0

    def dress(self, board: Board) -> Board:
        """Return a board in these colours."""
        cell = CELLS[self.cells]
        groove = (int(GROOVE * cell[0]), int(GROOVE * cell[1]), int(GROOVE * cell[2]))
        pieces = {
            name: replace(piece, colour=self._paint(piece.colour))
            for name, piece in board.pieces.items()
        }
        return replace(
            board,
            colours={**board.colours, "cell": cell, "groove": groove},
            fence=replace(board.fence, colour=STAVES[self.fences]),
            pieces=pieces,
        )

    def _paint(self, colour: Rgb) -> Rgb:
        hue, depth, brightness = colorsys.rgb_to_hsv(*(part / 255 for part in colour))
        painted = colorsys.hsv_to_rgb(
            hue, min(1.0, self.depth * depth), min(1.0, self.brightness * brightness)
        )
        red, green, blue = (round(255 * part) for part in painted)
        return red, green, blue


def themes(count: int, rng: random.Random) -> Iterator[Theme]:
    """Yield some themes in which fences can be told from cells."""
    pairs = [(c, f) for c in CELLS for f in STAVES if _contrast(CELLS[c], STAVES[f]) > CONTRAST]
    for cells, fences in rng.sample(pairs, count):
        depth, brightness = rng.uniform(0.6, 1.1), rng.uniform(0.6, 1.05)
        yield Theme(cells, fences, rng.choice(LIGHTS), depth, brightness)


def _contrast(one: Rgb, other: Rgb) -> float:
    lights = (np.log((np.array(colour) / 255) ** 2.2 + 0.01) for colour in (one, other))
    return float(np.linalg.norm(np.subtract(*lights)))


def read(theme: Theme, seed: int) -> tuple[Counter[str], list[str]]:
    """Set a table up, photograph it once, and compare what the eyes say with what is there."""
    known = profile.load("reference")
    board, rng = theme.dress(known), random.Random(seed)
    table = SimTable(board, rng)
    position = scattered(known, rng, FENCES, PELLETS)
    table.set_up(position)
    dark = [(0, 0, 0)] * board.lights.count
    camera = SimCamera(table, board, lambda: 1.0, seed=seed, light=theme.light, leds=lambda: dark)
    frame = camera.read()
    assert frame is not None
    sight = Eyes(known).look(frame)
    told = read_board(known, sight.evidence, sight.covered)
    claims = to_position(told)
    wrong = [f"{s}:{claims[s]}" for s in claims if claims[s] != position.get(s)]
    absent = [s for s in position if s not in claims]
    open_to_doubt = {*told.unsure, *told.covered}
    missed = [f"{s}:{position[s]} missed" for s in absent if s not in open_to_doubt]
    counts = Counter(
        things=len(position),
        wrong=len(wrong),
        missed=len(missed),
        doubted=len(absent) - len(missed),
    )
    return counts, wrong + missed


def scattered(board: Board, rng: random.Random, fences: int, pellets: int = 0) -> dict[Spot, Thing]:
    """Return a position with every piece, and some pellets and fences that do not overlap."""
    things: list[Thing] = [*board.pieces, *[PELLET] * pellets]
    position: dict[Spot, Thing] = dict(
        zip(rng.sample(board.squares, len(things)), things, strict=True)
    )
    slots = apart(rng.sample(board.slots, len(board.slots)))
    return position | dict.fromkeys(islice(slots, fences), FENCE)


def run(count: int = THEMES, seed: int = 1) -> list[Row]:
    """Return the figures."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    try:
        chosen = progress(themes(count, random.Random(seed)), "boards", lambda: count)
        for number, theme in enumerate(chosen):
            counts, faults = read(theme, seed + number)
            total += counts
            if faults:
                say(f"  {theme}: {' '.join(faults)}")
    finally:
        cv2.setNumThreads(threads)
    things = total["things"]
    right = things - total["missed"] - total["doubted"]
    return [
        Row("things on boards never seen", f"{things:,} on {count} boards"),
        Row("claimed wrong", f"{total['wrong']}", "aim 0", slow=total["wrong"] > 0),
        Row(
            "told right",
            f"{right:,} ({100 * right / things:.1f} %); {total['doubted']} doubted,"
            f" {total['missed']} missed",
            f"aim {100 * AIM_RIGHT:.0f} %",
            slow=right < AIM_RIGHT * things,
        ),
    ]
