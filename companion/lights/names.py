"""Painting by the name of a light: which lights face a place, and how a colour swells and fades.

Every wave here is slow. Light that flashes three times a second or more is unpleasant, and can
trigger seizures (photosensitive epilepsy): :data:`PULSE_HZ` is the highest frequency used.
"""

import colorsys
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion.board import COLUMNS, ROWS, Board, Place, column_row
from companion.lights.strip import Colour, Colours

#: The lights that are on, by name (``N5``, ``W3``, ``L1``, ``e5`` …).
Lit = dict[str, Colour]

PULSE_HZ = 1.0
TURN_SECONDS = 1.0  # of several that want the same light, each has it this long
BLACK: Colour = (0, 0, 0)

#: Where the seats sit, in turn order, by how many there are.
SEAT_SIDES = {2: "SN", 4: "SWNE"}

_BACK = 0.3  # of everything behind a message


def frame_of(board: Board, lit: Lit) -> Colours:
    """Return the colour of every LED of the board's strip, dark where nothing is lit."""
    colours = [BLACK] * board.lights.count
    for name, colour in lit.items():
        colours[board.lights.names[name]] = colour
    return tuple(colours)


def side_lights(board: Board, seats: int, seat: int) -> list[str]:
    """Return the lights along the side where a seat sits, from its left to its right.

    Where the frame has none, the squares along that edge stand in for them.
    """
    side = SEAT_SIDES.get(seats, "SWNE")[seat % 4]
    names = [f"{side}{number}" for number in range(1, 10)]
    if not any(name in board.lights.names for name in names):
        names = _edge(board, side)
    if side in "NW":
        names.reverse()
    return [name for name in names if name in board.lights.names]


def _edge(board: Board, side: str) -> list[str]:
    columns, rows = COLUMNS[: board.columns], ROWS[: board.rows]
    if side in "NS":
        return [column + rows[-1 if side == "N" else 0] for column in columns]
    return [columns[-1 if side == "E" else 0] + row for row in rows]


def corner_lights(board: Board) -> list[str]:
    """Return the lights at the corners of the frame; without a frame those of the field."""
    names = board.lights.names
    frame = [name for name in names if name[0] in "NESW" and name[1:] in ("1", "9")]
    return frame or [name for name in ("a1", "i1", "a9", "i9") if name in names]


def life_lights(board: Board) -> list[str]:
    """Return the lights of the lives, in order."""
    return sorted(name for name in board.lights.names if name[0] == "L")


def facing(board: Board, place: Place) -> list[str]:
    """Return the lights in line with a place: of each square it touches the column and the row."""
    names = board.lights.names
    return [name for name in _in_line(place) if name in names]


@lru_cache(maxsize=1024)
def _in_line(place: Place) -> tuple[str, ...]:
    """Return the names of all lights that any strip may have in line with a place."""
    named: dict[str, None] = {}
    for spot in touched(place):
        column, row = column_row(spot)
        ends = (f"N{column + 1}", f"S{column + 1}", f"W{row + 1}", f"E{row + 1}", spot)
        named |= dict.fromkeys(ends)
    return tuple(named)


def faced(board: Board, places: Iterable[Place | None]) -> list[str]:
    """Return the lights in line with any of these places."""
    return [name for place in places if place is not None for name in facing(board, place)]


def touched(place: Place) -> list[Place]:
    """Return the squares a place touches: itself, or the two or four around a fence or patch."""
    if place[:1] not in COLUMNS or place[1:2] not in ROWS or len(place) < 2:
        return []  # beside the board
    column, row = column_row(place)
    side = place[2:]
    columns = COLUMNS[column : column + (2 if side in ("e", "x", "h", "v") else 1)]
    rows = ROWS[row : row + (2 if side in ("n", "x", "h", "v") else 1)]
    return [c + r for r in rows for c in columns]


def faded(colour: Colour, share: float) -> Colour:
    """Return a share of a colour."""
    red, green, blue = colour
    return round(red * share), round(green * share), round(blue * share)


def all_faded(lit: Lit, share: float) -> Lit:
    """Return the lights at a share of their brightness."""
    return {name: faded(colour, share) for name, colour in lit.items()}


def dimmed(lit: Lit) -> Lit:
    """Return the lights as a background for something more important."""
    return all_faded(lit, _BACK)


def pulse(time: float) -> float:
    """Return a brightness that swells and ebbs smoothly, never quite dark; low at full seconds."""
    return 0.65 - 0.35 * math.cos(2 * math.pi * PULSE_HZ * time)


def breath(time: float) -> float:
    """Return a brightness that is low and changes at half the pace of a pulse."""
    return 0.22 - 0.14 * math.cos(math.pi * PULSE_HZ * time)


def wave(time: float) -> float:
    """Return a brightness that rises from dark and falls back within each turn."""
    return math.sin(math.pi * (time / TURN_SECONDS % 1.0)) ** 2


def whose_turn(count: int, time: float) -> int:
    """Return which of several has its turn now."""
    return int(time // TURN_SECONDS) % count


def by_turns(layers: Sequence[Lit], time: float) -> Lit:
    """Return lights on top of each other; those that several want go to each of them in turn."""
    claims: dict[str, list[Colour]] = {}
    for layer in layers:
        for name, colour in layer.items():
            claims.setdefault(name, []).append(colour)
    return {name: colours[whose_turn(len(colours), time)] for name, colours in claims.items()}


def around(board: Board) -> list[str]:
    """Return the lights in the order of the wire, without the lives."""
    names = board.lights.names
    return sorted((name for name in names if name[0] != "L"), key=names.__getitem__)


def rainbow(hue: float) -> Colour:
    """Return a pure colour; hues repeat from 0 to 1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, 1.0, 0.6)
    return round(red * 255), round(green * 255), round(blue * 255)
