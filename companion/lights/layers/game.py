"""How the game stands: whose turn it is, what moved last, and what everybody has left."""

import math

from companion.board import FENCE, PELLET
from companion.games.game import CHANCE
from companion.games.kit import Meter
from companion.games.layout import PACMAN
from companion.lights.names import Lit, around, facing, faded, life_lights
from companion.lights.palette import WHITE
from companion.lights.strip import Colour
from companion.lights.view import View

_GLOW = 0.25  # of whose turn it is
_SPENT = 0.08  # of the part of that side that stands for what is used up
_GAUGE = 0.1  # of what the others have left
_TRACE = 0.6  # of the last move
_LIFE = 0.5
_PELLET = 0.15
_WANDER_SECONDS = 3.0


def gauge(view: View, seat: int) -> Meter | None:
    """Return what is counted for a seat along its side; None if the game counts nothing there."""
    return next((m for m in view.snapshot.seats[seat].meters if m.gauge and m.tokens), None)


def counters(lit: Lit, view: View) -> Lit:
    """What each seat has left is a row of dim lights along its side, counted from its left."""
    for seat in range(len(view.snapshot.seats)):
        meter = gauge(view, seat)
        if meter is None:
            continue
        thing = meter.tokens[0][0]
        colour = view.seat_colour(seat) if thing == FENCE else view.colour(thing)
        lights = view.side(seat)
        lit = lit | dict.fromkeys(_part(lights, meter.share), faded(colour, _GAUGE))
    return lit


def pellets(lit: Lit, view: View) -> Lit:
    """Under the squares, every pellet that is left has a little light of its own."""
    names = view.board.lights.names
    spots = [s for s, thing in view.snapshot.position.items() if thing == PELLET and s in names]
    return lit | dict.fromkeys(spots, faded(view.colour(PELLET), _PELLET))


def lives(lit: Lit, view: View) -> Lit:
    """As many lights as Pac-Man has lives."""
    count = max(view.snapshot.tallies.get("lives", (0,)), default=0)
    colour = faded(view.colour(PACMAN), _LIFE)
    return lit | dict.fromkeys(life_lights(view.board)[:count], colour)


def turn(lit: Lit, view: View) -> Lit:
    """The side of the seat to act glows in its colour, brighter where it has something left."""
    seat = view.snapshot.seat_to_act
    if seat is None:
        return lit
    colour = view.seat_colour(seat)
    lights = view.side(seat)
    meter = gauge(view, seat)
    bright = _part(lights, meter.share if meter else 1.0)
    return (
        lit
        | dict.fromkeys(lights, faded(colour, _SPENT))
        | dict.fromkeys(bright, faded(colour, _GLOW))
    )


def hands(lit: Lit, view: View) -> Lit:
    """In a game of hidden hands every seat in play has a dim part of the way around. Every other
    light of one that skips its next turn is dark; who has shut down has one light left in the
    middle, and who is knocked out a red one at either end."""
    if view.snapshot.on_board:
        return lit
    for number, seat in enumerate(view.snapshot.seats):
        lights, colour = view.side(number), view.seat_colour(number)
        if not lights or view.snapshot.seat_to_act == number:
            continue
        if seat.lamp == "out":
            lit = lit | dict.fromkeys((lights[0], lights[-1]), faded(view.palette.wrong, _GLOW))
        elif seat.lamp == "down":
            lit = lit | {lights[len(lights) // 2]: faded(colour, _GLOW)}
        else:
            some = lights[::2] if seat.lamp == "skips" else lights
            lit = lit | dict.fromkeys(some, faded(colour, _GAUGE))
    return lit


def thinking(lit: Lit, view: View) -> Lit:
    """While the companion looks for its move, a light wanders along its side; a white one all
    around while dice, spinner or deck are to act."""
    snapshot, seat = view.snapshot, view.snapshot.seat_to_act
    if snapshot.to_act is CHANCE:
        return lit | _wandering(around(view.board), WHITE, view.time)
    if not snapshot.thinking or seat is None:
        return lit
    lights = view.side(seat)
    return lit | _wandering(lights, view.seat_colour(seat), view.time)


def _wandering(lights: list[str], colour: Colour, time: float) -> Lit:
    swing = 0.5 - 0.5 * math.cos(2 * math.pi * time / _WANDER_SECONDS)
    at = swing * (len(lights) - 1)
    near = {name: 1.0 - abs(number - at) for number, name in enumerate(lights)}
    return {name: faded(colour, max(_GLOW, share)) for name, share in near.items() if share > 0}


def last_move(lit: Lit, view: View) -> Lit:
    """The column and row of what moved last shine in the colour of the thing."""
    for change in view.snapshot.last_changes:
        if change.target is not None:
            colour = faded(view.colour(change.thing), _TRACE)
            lit = lit | dict.fromkeys(facing(view.board, change.target), colour)
    return lit


def _part(lights: list[str], share: float) -> list[str]:
    """Return as many of the first lights as stand for a share; at least one for any of it."""
    return lights[: math.ceil(share * len(lights) - 1e-9)]
