"""What the lights say: turns a snapshot into a colour for every LED.

The scene is painted in layers, each a small function over the lights by name (``N5``, ``W3`` …);
a later layer covers an earlier one. Nothing blinks faster than :data:`PULSE_HZ`: light that
flashes three times a second and more is no fun, and for some people dangerous.
"""

import colorsys
import math
from collections.abc import Callable, Iterable

from companion.board import COLUMNS, FENCE, ROWS, Board, Place, Thing, column_row
from companion.lights.strip import Colour, Colours
from companion.referee.snapshot import Snapshot
from companion.referee.verdict import Kind

#: The lights that are on, by name.
Lit = dict[str, Colour]
Layer = Callable[[Lit, Snapshot, Board, float], Lit]

PULSE_HZ = 1.0
BLACK: Colour = (0, 0, 0)
RED: Colour = (255, 0, 0)
GREEN: Colour = (0, 255, 0)
WHITE: Colour = (255, 255, 255)
AMBER: Colour = (255, 120, 0)

#: Where the seats sit, in turn order, by how many there are.
SEAT_SIDES = {2: "SN", 4: "SWNE"}

_CANDIDATE_SECONDS = 1.0
_GLOW = 0.25  # of whose turn it is
_TRACE = 0.6  # of the last move
_BACK = 0.3  # of everything behind a message


def scene(snapshot: Snapshot, board: Board, time: float) -> Colours:
    """Return the colour of every LED of the board's strip at a time in seconds."""
    lit: Lit = {}
    for layer in LAYERS:
        lit = layer(lit, snapshot, board, time)
    colours = [BLACK] * board.lights.count
    for name, colour in lit.items():
        colours[board.lights.names[name]] = colour
    return tuple(colours)


def turn(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """The side where the seat to act sits glows in its colour."""
    if snapshot.to_act is None:
        return lit
    colour = snapshot.seats[snapshot.to_act].colour
    return lit | dict.fromkeys(
        side_lights(board, len(snapshot.seats), snapshot.to_act), faded(colour, _GLOW)
    )


def last_move(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """The column and row of what moved last shine in the colour of the thing."""
    for change in snapshot.last_changes:
        if change.target is not None:
            colour = faded(thing_colour(change.thing, board), _TRACE)
            lit = lit | dict.fromkeys(facing(board, change.target), colour)
    return lit


def game_over(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """A gentle rainbow goes around for a win, a calm white for a draw."""
    if snapshot.outcome is None:
        return lit
    if not snapshot.outcome.winners:
        return lit | dict.fromkeys(board.lights.names, faded(WHITE, 0.2))
    return lit | {
        name: rainbow(number / board.lights.count - 0.1 * time)
        for name, number in board.lights.names.items()
    }


def unsure(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """The moves in question show their places in turn, softly."""
    if snapshot.verdict.kind is not Kind.UNSURE:
        return lit
    lit = dimmed(lit)
    spots = [move for move in snapshot.verdict.moves if move in board.squares + board.slots]
    if not spots:
        return lit
    turn, phase = divmod(time / _CANDIDATE_SECONDS, 1.0)
    spot = spots[int(turn) % len(spots)]
    return lit | dict.fromkeys(facing(board, spot), faded(WHITE, math.sin(math.pi * phase) ** 2))


def set_up(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """The place of the next thing pulses in its colour; one to be taken away pulses red."""
    verdict = snapshot.verdict
    if verdict.kind is not Kind.SET_UP:
        return lit
    lit = dimmed(lit)
    if not verdict.repair:
        return lit
    change = verdict.repair[0]
    share = pulse(time)
    if change.target is None:
        return lit | dict.fromkeys(faced(board, change.spots), faded(RED, share))
    colour = thing_colour(change.thing, board)
    return lit | dict.fromkeys(facing(board, change.target), faded(colour, share))


def not_allowed(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """What is wrong pulses red, where it belongs is green; they take turns on shared lights."""
    verdict = snapshot.verdict
    if verdict.kind is not Kind.NOT_ALLOWED:
        return lit
    wrong = [change.target or change.source for change in verdict.changes]
    right = [change.target for change in verdict.repair]
    red = dict.fromkeys(faced(board, (*wrong, *verdict.places)), faded(RED, pulse(time)))
    green = dict.fromkeys(faced(board, right), GREEN)
    first, second = (red, green) if time * PULSE_HZ % 1.0 < 0.5 else (green, red)
    return dimmed(lit) | first | second


def hands(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """Everything waits in the half-dark while hands are on the board."""
    return dimmed(lit) if snapshot.verdict.kind is Kind.HANDS else lit


def trouble(lit: Lit, snapshot: Snapshot, board: Board, time: float) -> Lit:
    """A device in trouble makes the lives, or without them the corners, breathe in amber."""
    if all(device.state != "trouble" for device in snapshot.devices):
        return lit
    names = board.lights.names
    lives = [name for name in names if name[0] == "L"]
    corners = [name for name in names if name[0] in "NESW" and name[1] in "19"]
    return lit | dict.fromkeys(lives or corners, faded(AMBER, pulse(time / 2)))


LAYERS: tuple[Layer, ...] = (
    turn,
    last_move,
    game_over,
    unsure,
    set_up,
    not_allowed,
    hands,
    trouble,
)


def side_lights(board: Board, seats: int, seat: int) -> list[str]:
    """Return the lights along the side where a seat sits."""
    side = SEAT_SIDES.get(seats, "SWNE")[seat % 4]
    return [name for name in board.lights.names if name[0] == side]


def facing(board: Board, place: Place) -> list[str]:
    """Return the lights in line with a place: of each square it touches the column and the row."""
    named: dict[str, None] = {}
    for spot in touched(place):
        column, row = column_row(spot)
        for name in (f"N{column + 1}", f"S{column + 1}", f"W{row + 1}", f"E{row + 1}", spot):
            if name in board.lights.names:
                named[name] = None
    return list(named)


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


def thing_colour(thing: Thing, board: Board) -> Colour:
    """Return the colour of a thing on the board, white for one that the profile does not know."""
    if thing == FENCE:
        return board.fence.colour
    return board.pieces[thing].colour if thing in board.pieces else WHITE


def faded(colour: Colour, share: float) -> Colour:
    """Return a share of a colour."""
    red, green, blue = (round(part * share) for part in colour)
    return red, green, blue


def dimmed(lit: Lit) -> Lit:
    """Return the lights as a background for something more important."""
    return {name: faded(colour, _BACK) for name, colour in lit.items()}


def pulse(time: float) -> float:
    """Return a brightness that swells and ebbs smoothly, never quite dark."""
    return 0.65 - 0.35 * math.cos(2 * math.pi * PULSE_HZ * time)


def rainbow(hue: float) -> Colour:
    """Return a pure colour; hues repeat from 0 to 1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, 1.0, 0.6)
    return round(red * 255), round(green * 255), round(blue * 255)
