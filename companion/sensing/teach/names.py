"""What the spots of a taught board are called, and where they lie seen from the camera's side."""

from dataclasses import dataclass
from string import ascii_lowercase

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.teach.holes import Holes
from companion.sensing.teach.lattice import through
from companion.sensing.teach.things import Lying

SPOT, THING, INK, PAPER = (60, 220, 60), (60, 90, 255), (255, 255, 255), (0, 0, 0)


@dataclass(frozen=True)
class Named:
    """The name of each hole, and where it is: in spacings from the middle of the board, x to the
    right of the picture and y up."""

    names: tuple[str, ...]
    at: Array


def named(holes: Holes) -> Named:
    """Return names for holes: rows are numbered from the bottom of the picture, and lettered from
    the left; on squares a letter is a column, on triangles it counts in its row."""
    upright = holes.plane @ _upright(holes).T
    middle = (upright.max(0) + upright.min(0)) / 2
    at = (upright - middle) * (1, -1)
    height = 1.0 if holes.rows == "squares" else np.sqrt(0.75)
    rows = np.rint((at[:, 1] - at[:, 1].min()) / height).astype(int)
    if holes.rows == "squares":
        columns = np.rint(at[:, 0] - at[:, 0].min()).astype(int)
    else:
        columns = np.array(
            [
                np.sum((rows == row) & (at[:, 0] < x - 0.1))
                for row, (x, _) in zip(rows, at, strict=True)
            ]
        )
    names = tuple(f"{_letters(int(c))}{int(r) + 1}" for c, r in zip(columns, rows, strict=True))
    return Named(names, at)


def _upright(holes: Holes) -> Array:
    """Return the turn or mirror of the plane after which x points to the right of the picture, as
    nearly as rows do, and y down."""
    middle = holes.plane.mean(0)
    half = np.eye(2) / 2
    steps = np.array(
        [through(holes.way, middle + h) - through(holes.way, middle - h) for h in half]
    )
    local = steps[:, 0].T
    order = 4 if holes.rows == "squares" else 6
    flip = np.diag([1.0, -1.0]) if np.linalg.det(local) < 0 else np.eye(2)
    best, most = flip, -np.inf
    for number in range(order):
        angle = number * 2 * np.pi / order
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ flip
        seen = local @ np.linalg.inv(turn)
        right = seen[0, 0] / np.linalg.norm(seen[:, 0])
        if right > most:
            best, most = turn, right
    return np.asarray(best)


def _letters(number: int) -> str:
    if number < 26:
        return ascii_lowercase[number]
    return ascii_lowercase[number // 26 - 1] + ascii_lowercase[number % 26]


def draw(
    picture: Picture, holes: Holes, pixels: Array, named: Named, lying: list[Lying]
) -> Picture:
    """Return a copy of a picture with rings on the spots, their names, and what lies in them."""
    drawn = picture.copy()
    scale = max(picture.shape[:2]) / 1600
    for (x, y), pitch, name in zip(pixels, holes.pitch_px, named.names, strict=True):
        radius = max(int(holes.radius * pitch), 2)
        cv2.circle(drawn, (int(x), int(y)), radius, SPOT, max(1, int(2 * scale)), cv2.LINE_AA)
        _write(drawn, name, (int(x - 0.25 * pitch), int(y + 0.5 * pitch)), 0.4 * scale)
    for thing in lying:
        x, y = pixels[thing.spot]
        radius = int(1.4 * holes.radius * float(holes.pitch_px[thing.spot]))
        cv2.circle(drawn, (int(x), int(y)), radius, THING, max(1, int(3 * scale)), cv2.LINE_AA)
        _write(drawn, thing.colour, (int(x) - radius, int(y) - radius - 3), 0.5 * scale)
    return drawn


def _write(drawn: Picture, text: str, at: tuple[int, int], size: float) -> None:
    for ink, width in ((PAPER, 3), (INK, 1)):
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
