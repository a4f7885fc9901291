"""Trying a strip with somebody who looks at it: what to show, what to ask, what to do on a no."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.board import Board
from companion.lights.paint import Lit, side_lights
from companion.lights.palette import WHITE
from companion.lights.strip import Colour
from companion.lights.sweep import PLAIN, meaning

STEP_SECONDS = 0.25  # for which the walking light stays on each LED
MAP_IT = "Run `companion lights map`: it asks for each light and writes the section of the profile."

FRONT_SEATS, FRONT_SEAT = 2, 0  # the side of the first of two players


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
