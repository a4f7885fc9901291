"""What happens around the game: its start and end, nobody there, a phone, a device in trouble."""

from companion.games.layout import GHOSTS, PACMAN
from companion.lights.names import (
    Lit,
    all_faded,
    around,
    breath,
    corner_lights,
    dimmed,
    faced,
    faded,
    life_lights,
    pulse,
    rainbow,
)
from companion.lights.palette import WHITE
from companion.lights.strip import Colour
from companion.lights.view import View
from companion.referee.verdict import Kind

START_SECONDS = 3.0
_CALM: Colour = (0, 0, 110)  # of a game that the people have lost
_DRAWN = 0.2
_ROUND_SECONDS = 12.0  # once around the frame, when the lights play by themselves
_APART = 0.1  # of the way around, between one of the parade and the next
_PHONE_SECONDS = 3.0
_ATTRACT = 0.35


def start(lit: Lit, view: View) -> Lit:
    """When a game begins, every seat's side fills with its colour, from the middle outwards."""
    share = view.mood.begun_seconds / START_SECONDS
    if not 0 <= share < 1 or view.snapshot.moves:
        return lit
    for seat in range(len(view.snapshot.seats)):
        lights = view.side(seat)
        middle = (len(lights) - 1) / 2
        reached = [name for n, name in enumerate(lights) if abs(n - middle) <= share * (middle + 1)]
        lit = lit | dict.fromkeys(reached, faded(view.seat_colour(seat), 0.8))
    return lit


def game_over(lit: Lit, view: View) -> Lit:
    """A rainbow goes around for a win and the winner's side is his; a game that the companion has
    won from people ends in calm blue, a draw in calm white."""
    outcome, seats = view.snapshot.outcome, view.snapshot.seats
    if outcome is None:
        return lit
    every = list(view.board.lights.names)
    if not outcome.winners:
        return lit | dict.fromkeys(every, faded(WHITE, _DRAWN))
    people = [n for n, seat in enumerate(seats) if seat.level is None]
    if people and not set(people) & set(outcome.winners):
        lit = lit | dict.fromkeys(every, faded(_CALM, pulse(view.time / 4)))
    else:
        count = max(1, view.board.lights.count)
        lit = lit | {
            name: rainbow(number / count - 0.1 * view.time)
            for name, number in view.board.lights.names.items()
        }
    for winner in outcome.winners:
        lights = view.side(winner)
        lit = lit | dict.fromkeys(lights, faded(view.seat_colour(winner), pulse(view.time / 2)))
    return lit


def hands(lit: Lit, view: View) -> Lit:
    """Everything waits in the half-dark while hands are on the board."""
    return dimmed(lit) if view.verdict.kind is Kind.HANDS else lit


def attract(lit: Lit, view: View) -> Lit:
    """When nothing has happened for long, Pac-Man goes around with four ghosts behind him."""
    lights = around(view.board)
    if view.mood.idle_seconds < view.mood.attract_seconds or not lights:
        return lit
    parade = (PACMAN, *GHOSTS)
    shown: Lit = {}
    for number, thing in enumerate(parade):
        at = (view.time / _ROUND_SECONDS - number * _APART) % 1.0 * len(lights)
        colour = faded(view.colour(thing), _ATTRACT)
        for offset in (0, 1):  # from one light to the next without a jump
            share = at % 1.0 if offset else 1.0 - at % 1.0
            shown[lights[(int(at) + offset) % len(lights)]] = faded(colour, share)
    return shown


def phone(lit: Lit, view: View) -> Lit:
    """While a phone may be paired, a light circles with a tail."""
    lights = around(view.board)
    if not view.mood.pairing or not lights:
        return lit
    at = view.time / _PHONE_SECONDS
    tail = {name: ((number / len(lights) - at) % 1.0) ** 3 for number, name in enumerate(lights)}
    return dimmed(lit) | {name: faded(view.palette.phone, share) for name, share in tail.items()}


def trouble(lit: Lit, view: View) -> Lit:
    """A device in trouble breathes in amber: in the lives, or in the corners if those are used."""
    snapshot = view.snapshot
    if all(device.state != "trouble" for device in snapshot.devices):
        return lit
    free = [] if "lives" in snapshot.tallies else life_lights(view.board)
    colour = faded(view.palette.trouble, pulse(view.time / 2))
    return lit | dict.fromkeys(free or corner_lights(view.board), colour)


def pointing(lit: Lit, view: View) -> Lit:
    """While something is set up, everything is dark but the places to look at."""
    if not view.mood.pointed:
        return lit
    places = faced(view.board, view.mood.pointed)
    return dict.fromkeys(places, faded(WHITE, breath(view.time) + 0.3))


def night(lit: Lit, view: View) -> Lit:
    """At night everything is as dim as the settings say."""
    return lit if view.mood.level >= 1.0 else all_faded(lit, view.mood.level)
