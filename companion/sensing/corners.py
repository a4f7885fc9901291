"""Where a board lies in a camera's picture, as people can say it: the corners of its field."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import CornersError

Point = tuple[float, float]

NAMES = ("a1", "i1", "i9", "a9")

#: The shortest side of a field that can be read, of the picture's shorter side.
LEAST_SIDE = 0.15
#: How far the shape of a picture may differ from that of the one the corners were found in.
SAME_SHAPE = 0.01
LARGEST_PX = 20_000


@dataclass(frozen=True)
class Corners:
    """The outer corners of the squares a1, i1, i9 and a9, in pixels of a picture of this size."""

    points: tuple[Point, Point, Point, Point]
    width: int
    height: int

    @classmethod
    def checked(cls, points: Any, width: Any, height: Any) -> "Corners":
        """Return corners from unchecked values; CornersError says in a sentence what is wrong."""
        for side in (width, height):
            if type(side) is not int or not 1 <= side <= LARGEST_PX:
                raise CornersError(f"expected the picture's size in whole pixels, got {side!r:.40}")
        if not isinstance(points, Sequence) or isinstance(points, str) or len(points) != 4:
            raise CornersError(f"expected the four corners {', '.join(NAMES)}, got {points!r:.60}")
        pairs = [_pair(name, point) for name, point in zip(NAMES, points, strict=True)]
        corners = cls((pairs[0], pairs[1], pairs[2], pairs[3]), width, height)
        corners._check()
        return corners

    @classmethod
    def parse(cls, text: str, width: int, height: int) -> "Corners":
        """Return the corners of a text like ``"342,780 884,804 896,273 377,251"``."""
        try:
            points = [[float(part) for part in pair.split(",")] for pair in text.split()]
        except ValueError:
            points = []
        if len(points) != 4 or any(len(point) != 2 for point in points):
            raise CornersError(
                f"expected four corners like '342,780 884,804 896,273 377,251' for"
                f" {', '.join(NAMES)}, got {text!r:.80}"
            )
        return cls.checked(points, width, height)

    def scaled(self, width: int, height: int) -> "Corners | None":
        """Return the same corners in a picture of another size, None if its shape differs."""
        across, down = width / self.width, height / self.height
        if abs(across / down - 1) > SAME_SHAPE:
            return None
        a1, i1, i9, a9 = (
            ((x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5) for x, y in self.points
        )
        return Corners((a1, i1, i9, a9), width, height)

    def _check(self) -> None:
        for name, (x, y) in zip(NAMES, self.points, strict=True):
            if not (0 <= x <= self.width - 1 and 0 <= y <= self.height - 1):
                raise CornersError(
                    f"expected corner {name} inside the picture of {self.width}×{self.height}"
                    f" pixels, got {x:.0f},{y:.0f}"
                )
        ring = [*self.points, *self.points]
        least = LEAST_SIDE * min(self.width, self.height)
        for number, name in enumerate(NAMES):
            if math.dist(ring[number], ring[number + 1]) < least:
                raise CornersError(
                    f"expected corners at least {least:.0f} pixels apart, those at {name} and"
                    f" {NAMES[(number + 1) % 4]} are closer"
                )
        turns = [_turn(*ring[number : number + 3]) for number in range(4)]
        if all(turn < 0 for turn in turns):
            raise CornersError("the corners go the wrong way round: expected a1, i1, i9, a9")
        # With a corner of 10 degrees or less, or a dent, it is no board seen from above.
        if any(turn < math.sin(math.radians(10)) for turn in turns):
            raise CornersError(
                "expected the corners of a board seen from above, no dent among them"
            )


def _pair(name: str, point: Any) -> Point:
    good = isinstance(point, Sequence) and not isinstance(point, str) and len(point) == 2
    if not good or not all(_is_number(part) for part in point):
        raise CornersError(f"expected two numbers for corner {name}, got {point!r:.40}")
    return float(point[0]), float(point[1])


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= LARGEST_PX  # neither infinite nor NaN
    )


def _turn(before: Point, at: Point, after: Point) -> float:
    """Return the sine of the turn at a corner, positive for the way a1, i1, i9 go."""
    ax, ay = at[0] - before[0], at[1] - before[1]
    bx, by = after[0] - at[0], after[1] - at[1]
    return (ay * bx - ax * by) / (math.hypot(ax, ay) * math.hypot(bx, by))
