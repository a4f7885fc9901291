"""Scenes of the games that are played around the frame: marbles, Ms. Pac-Man and the cards.

Their boards have no columns and rows to point at, so the frame speaks of the people around it:
each has a part of it. The scenes are pure functions of what a game's state lets everybody see.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board import Board
from companion.lights.paint import Lit, around, faded, pulse, rainbow, side_lights
from companion.lights.palette import WHITE
from companion.lights.strip import Colour

_GLOW = 0.5  # of whose turn it is
_OTHERS = 0.15
_CHANCE_SECONDS = 3.0
_WEAK: Colour = (0, 60, 255)

#: The colours that pieces of these games are called by.
NAMED: dict[str, Colour] = {
    "yellow": (255, 216, 0),
    "green": (0, 200, 40),
    "red": (224, 24, 24),
    "blue": (20, 80, 255),
    "pink": (255, 120, 190),
    "purple": (150, 40, 220),
    "orange": (255, 130, 20),
}


@dataclass(frozen=True)
class Person:
    """Somebody at the table: ``share`` of the part of the frame is lit, by what the game counts.

    ``holds`` says that a privilege is theirs, ``weak`` that their ghost is weak, ``gone`` that they
    are out of the round.
    """

    colour: Colour
    share: float = 1.0
    holds: bool = False
    weak: bool = False
    gone: bool = False


def scene_of(game: str, view: Mapping[str, Any], board: Board, time: float) -> Lit:
    """Return the lights for what everybody may see of a game: ``marbles``, ``mspacman``, ``cards``.

    ValueError for a game that has another scene.
    """
    if game not in _PEOPLE:
        raise ValueError(f"expected one of {', '.join(_PEOPLE)}, got {game!r}")
    people = _PEOPLE[game](view)
    turn = None if view["to_act"] is None else int(view["turn"])
    by_chance = view["to_act"] == -1
    return sit(people, turn, by_chance, board, time)


def sit(
    people: Sequence[Person],
    turn: int | None,
    by_chance: bool,
    board: Board,
    time: float,
) -> Lit:
    """Return the lights of people around the frame; ``by_chance`` waits for a die or a card.

    The part of whose turn it is glows, and a white light wanders along it while chance is to
    decide. The middle of the part of who holds a privilege is white; weak ghosts pulse
    blue, as they do in every game of this name.
    """
    lit: Lit = {}
    for number, person in enumerate(people):
        lights = part(board, len(people), number)
        level = 0.0 if person.gone else _GLOW if number == turn else _OTHERS
        count = max(1, math.ceil(person.share * len(lights) - 1e-9))  # a turn is never unseen
        lit |= dict.fromkeys(lights[:count], faded(person.colour, level))
        if person.weak:
            lit |= dict.fromkeys(lights, faded(_WEAK, pulse(time) * level))
        if person.holds and lights:
            lit[lights[len(lights) // 2]] = WHITE
    if by_chance and turn is not None:
        lit |= _wandering(part(board, len(people), turn), time)
    return lit


def part(board: Board, people: int, number: int) -> list[str]:
    """Return the lights in front of somebody: a side for two or four, else an equal share."""
    if people in (2, 4):
        return side_lights(board, people, number)
    lights = around(board)
    return lights[number * len(lights) // people : (number + 1) * len(lights) // people]


def _wandering(lights: Sequence[str], time: float) -> Lit:
    if not lights:
        return {}
    swing = 0.5 - 0.5 * math.cos(2 * math.pi * time / _CHANCE_SECONDS)
    at = swing * (len(lights) - 1)
    near = {name: 1.0 - abs(n - at) for n, name in enumerate(lights)}
    return {name: faded(WHITE, share) for name, share in near.items() if share > 0}


def _marbles(view: Mapping[str, Any]) -> list[Person]:
    """Each has the colour of his Pac-Man and light as he has marbles; a yellow one is a privilege
    over the ghosts (MB-19)."""
    trays, gold = view["tallies"]["tray"], view["tallies"]["yellow"]
    most = max(1, *trays)
    return [
        Person(NAMED[colour], trays[seat] / most, holds=gold[seat] > 0)
        for seat, colour in enumerate(view["colours"])
    ]


def _mspacman(view: Mapping[str, Any]) -> list[Person]:
    """Each has the colour of his dots and as much light as dots are left; one controls
    Ms. Pac-Man, some ghosts are weak."""
    left = view["left"]
    most = max(1, *left.values())
    return [
        Person(
            NAMED[colour],
            dots / most,
            holds=seat == view["control"],
            weak=ghost in view["weak"],
        )
        for seat, (ghost, (colour, dots)) in enumerate(
            zip(view["ghosts"], left.items(), strict=False)
        )
    ]


def _cards(view: Mapping[str, Any]) -> list[Person]:
    """Each has a colour of his own; who has laid down or is out has none."""
    players = view["players"]
    return [
        Person(rainbow(seat / len(players)), gone=player["status"] != "active")
        for seat, player in enumerate(players)
    ]


_PEOPLE = {"marbles": _marbles, "mspacman": _mspacman, "cards": _cards}
