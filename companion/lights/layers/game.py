"""How the game stands: whose turn it is, what moved last, and what everybody has left."""

import math

from companion.board import PELLET
from companion.lights.paint import (
    Lit,
    facing,
    faded,
    life_lights,
    side_lights,
)
from companion.lights.view import View
from companion.rules.layout import PACMAN

_GLOW = 0.25  # of whose turn it is
_SPENT = 0.08  # of the part of that side that stands for what is used up
_GAUGE = 0.1  # of what the others have left
_TRACE = 0.6  # of the last move
_LIFE = 0.5
_PELLET = 0.15
_WANDER_SECONDS = 3.0


def left(view: View, seat: int) -> float | None:
    """Return the share that a seat still has of what its game counts; None if it counts nothing.

    For Pac-Man it is that of the pellets, for all others that of their fences.
    """
    snapshot = view.snapshot
    if _counts_pellets(view, seat):
        remain = sum(thing == PELLET for thing in snapshot.position.values())
        whole = remain + snapshot.tallies["pellets"][seat]
        return remain / whole if whole else None
    if "fences" in snapshot.tallies:
        whole = view.board.fence.count // max(1, len(snapshot.seats))
        return min(1.0, snapshot.tallies["fences"][seat] / whole) if whole else None
    return None


def _counts_pellets(view: View, seat: int) -> bool:
    return "pellets" in view.snapshot.tallies and view.snapshot.seats[seat].piece == PACMAN


def counters(lit: Lit, view: View) -> Lit:
    """What each seat has left is a row of dim lights along its side, counted from its left."""
    for seat in range(len(view.snapshot.seats)):
        share = left(view, seat)
        if share is None:
            continue
        pellets = _counts_pellets(view, seat)
        colour = view.colour(PELLET) if pellets else view.seat_colour(seat)
        lights = side_lights(view.board, len(view.snapshot.seats), seat)
        lit = lit | dict.fromkeys(_part(lights, share), faded(colour, _GAUGE))
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
    seat = view.snapshot.to_act
    if seat is None:
        return lit
    colour = view.seat_colour(seat)
    lights = side_lights(view.board, len(view.snapshot.seats), seat)
    share = left(view, seat)
    bright = _part(lights, 1.0 if share is None else share)
    return (
        lit
        | dict.fromkeys(lights, faded(colour, _SPENT))
        | dict.fromkeys(bright, faded(colour, _GLOW))
    )


def thinking(lit: Lit, view: View) -> Lit:
    """While the companion looks for its move, a light wanders along its side."""
    snapshot = view.snapshot
    if not snapshot.thinking or snapshot.to_act is None:
        return lit
    lights = side_lights(view.board, len(snapshot.seats), snapshot.to_act)
    if not lights:
        return lit
    swing = 0.5 - 0.5 * math.cos(2 * math.pi * view.time / _WANDER_SECONDS)
    at = swing * (len(lights) - 1)
    colour = view.seat_colour(snapshot.to_act)
    near = {name: 1.0 - abs(number - at) for number, name in enumerate(lights)}
    return lit | {
        name: faded(colour, max(_GLOW, share)) for name, share in near.items() if share > 0
    }


def last_move(lit: Lit, view: View) -> Lit:
    """The column and row of what moved last shine in the colour of the thing."""
    for change in view.snapshot.last_changes:
        if change.target is not None:
            colour = faded(view.colour(change.thing), _TRACE)
            lit = lit | dict.fromkeys(facing(view.board, change.target), colour)
    return lit


def _part(lights: list[str], share: float) -> list[str]:
    """Return the first lights, as many as stand for a share; for a little of it still one."""
    return lights[: math.ceil(share * len(lights) - 1e-9)]
