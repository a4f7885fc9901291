"""How the strip is laid: in which pieces, and which LED of a ready-made strip faces what."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from companion.board import Board

JOIN_SLACK_MM = 30.0  # so that a wire between two pieces is not pulled tight


@dataclass(frozen=True)
class Piece:
    """A straight piece of strip: its lights in the order of the wire, and where it lies."""

    side: str
    names: tuple[str, ...]
    first: int
    pitch_mm: float
    wire_before_mm: float

    @property
    def length_mm(self) -> float:
        """Return the length from the first LED to the last."""
        return (len(self.names) - 1) * self.pitch_mm


@dataclass(frozen=True)
class Ready:
    """A ready-made strip on the pieces of a board: the words of its wire, and how far off it is."""

    per_metre: int
    wire: tuple[str, ...]
    counts: tuple[int, ...]
    worst_mm: float


def pieces(board: Board) -> list[Piece]:
    """Return the straight pieces of a board's strip, in the order of the wire."""
    lights = board.lights
    names = sorted(lights.names, key=lambda name: lights.names[name])
    found: list[Piece] = []
    end: tuple[float, float] | None = None
    for side, group in groupby(names, key=lambda name: name[0] if name[0] in "NESWL" else name[1]):
        run = tuple(group)
        at = [lights.at_mm[name] for name in run]
        wire = 0.0 if end is None else math.dist(end, at[0]) + JOIN_SLACK_MM
        pitch = math.dist(at[0], at[1]) if len(at) > 1 else 0.0
        found.append(Piece(side, run, lights.names[run[0]], pitch, wire))
        end = at[-1]
    return found


def ready(board: Board, per_metre: int) -> Ready:
    """Return how an uncut strip serves: one piece a side, LEDs that face nothing between."""
    wire: list[str] = []
    counts, worst = [], 0.0
    for piece in pieces(board):
        words, off = _fit(piece, 1000 / per_metre)
        wire += words
        counts.append(len(words))
        worst = max(worst, off)
    return Ready(per_metre, tuple(wire), tuple(counts), worst)


def profile_section(board: Board, strip: Ready) -> str:
    """Return the ``[lights]`` section of a profile for such a strip."""
    lights = board.lights
    side = max(abs(y) for name, (_, y) in lights.at_mm.items() if name[0] == "S")
    return "\n".join(
        [
            f"# For a ready-made strip of {strip.per_metre} LEDs a metre, for your profile.",
            "[lights]",
            f'order = "{lights.order}"',
            f"milliamps = {lights.milliamps}",
            f"side_mm = {side:g}",
            "wire = [",
            *(f'  "{line}",' for line in words(strip)),
            "]",
            "",
            "[lights.at_mm]",
            *(
                f"{name} = [{lights.at_mm[name][0]:g}, {lights.at_mm[name][1]:g}]"
                for name in strip.wire
                if name[0] == "L"
            ),
            "",
        ]
    )


def _fit(piece: Piece, pitch_mm: float) -> tuple[list[str], float]:
    """Return a piece's words on a strip of this pitch, and how far the worst light is off."""
    places = [number * piece.pitch_mm for number in range(len(piece.names))]
    shifts = [step / 100 * pitch_mm for step in range(100)]
    shift = min(shifts, key=lambda shift: round(_worst(places, pitch_mm, shift), 6))
    numbers = [round((place + shift) / pitch_mm) for place in places]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"expected LEDs closer than {piece.pitch_mm:g} mm, got {pitch_mm:.1f} mm")
    first = numbers[0]
    words = ["-"] * (numbers[-1] - first + 1)
    for number, name in zip(numbers, piece.names, strict=True):
        words[number - first] = name
    return words, _worst(places, pitch_mm, shift)


def _worst(places: list[float], pitch_mm: float, shift: float) -> float:
    return max(_off(place + shift, pitch_mm) for place in places)


def _off(place: float, pitch_mm: float) -> float:
    return abs(place - round(place / pitch_mm) * pitch_mm)


def words(strip: Ready) -> Iterator[str]:
    """Yield the words of a strip, a line for each piece."""
    start = 0
    for count in strip.counts:
        yield " ".join(strip.wire[start : start + count])
        start += count
