"""Trying a strip with somebody who looks at it: what to show, what to ask, what to do on a no.

The :func:`sweep` asks nothing: every colour by itself, every light by itself, and some squares.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.board import Board
from companion.lights.names import Lit, facing, side_lights
from companion.lights.palette import WHITE
from companion.lights.strip import Colour

STEP_SECONDS = 0.25  # for which the walking light stays on each LED
MAP_IT = "Run `companion lights map`: it asks for each light and writes the section of the profile."

FRONT_SEATS, FRONT_SEAT = 2, 0  # the side of the first of two players

PLAIN: dict[str, Colour] = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}
_SQUARES = ("a1", "i1", "e5", "a9", "i9")


def sweep(board: Board) -> Iterator[tuple[str, Lit]]:
    """Yield the steps of the test: what people should see now, and its lights."""
    names = board.lights.names
    for name, colour in PLAIN.items():
        yield f"all lights are {name}", dict.fromkeys(names, colour)
    for name in sorted(names, key=names.__getitem__):
        yield f"LED {names[name]} is {name}, {meaning(name)}", {name: WHITE}
    for square in _SQUARES:
        yield f"this is {square}", dict.fromkeys(facing(board, square), WHITE)
    yield "all lights are off", {}


def meaning(name: str) -> str:
    """Return in words what a light is there for."""
    number = name[1:]
    match name[0]:
        case "N" | "S":
            side = "north" if name[0] == "N" else "south"
            return f"on the {side} side, at column {'abcdefghi'[int(number) - 1]}"
        case "W" | "E":
            return f"on the {'west' if name[0] == 'W' else 'east'} side, at row {number}"
        case "L":
            return f"life {number}"
    return f"under {name}"


@dataclass(frozen=True)
class Trial:
    """One look at the strip; ``paint`` has the lights at a time since its beginning."""

    name: str
    question: str
    remedy: str
    paint: Callable[[float], Lit]


def trials(board: Board) -> tuple[Trial, ...]:
    """Return the trials for the strip of a board, none when it has no lights."""
    names = sorted(board.lights.names, key=board.lights.names.__getitem__)
    if not names:
        return ()
    found = [_plain(name, colour, names) for name, colour in PLAIN.items()]
    front = side_lights(board, FRONT_SEATS, FRONT_SEAT)
    if front:
        found.append(_front(front))
    return (*found, _walk(names), _ends(board, names))


def _plain(name: str, colour: Colour, names: list[str]) -> Trial:
    return Trial(
        name,
        f"Is every light {name}?",
        "If they are dark, check the strip's 5 V, ground and data wire. If they have another"
        f" colour, the strip takes its colours in another order. {MAP_IT}",
        lambda seconds: dict.fromkeys(names, colour),
    )


def _front(front: list[str]) -> Trial:
    return Trial(
        "front",
        "Do you see red along the front, where row 1 is, and nowhere else?",
        f"The strip begins elsewhere than the profile has it, or runs the other way. {MAP_IT}",
        lambda seconds: dict.fromkeys(front, PLAIN["red"]),
    )


def _walk(names: list[str]) -> Trial:
    first, last = meaning(names[0]), meaning(names[-1])
    return Trial(
        "walk",
        f"Does one white light walk past all {len(names)}, from the one {_at(first)} to the one"
        f" {_at(last)}?",
        "If it stops on its way, the wire is broken behind the last light that glows. If it walks"
        f" otherwise, the profile has another order. {MAP_IT}",
        lambda seconds: {names[int(seconds / STEP_SECONDS) % len(names)]: WHITE},
    )


def _ends(board: Board, names: list[str]) -> Trial:
    count = board.lights.count
    return Trial(
        "ends",
        f"Is the first light of the strip green and the last one, number {count}, red?",
        f"Without a red one, the strip has fewer than {count} lights; with dark ones behind it, it"
        f" has more. {MAP_IT}",
        lambda seconds: {names[0]: PLAIN["green"], names[-1]: PLAIN["red"]},
    )


def _at(said: str) -> str:
    place = said.replace(",", "")
    return place if place.startswith(("on ", "under ")) else f"for {place}"
