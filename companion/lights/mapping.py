"""Finds out what an unknown strip is: in which order its colours go, and which LED faces what.

The LEDs are lit one after the other, and somebody who sees them says which each is. The answers
become the ``[lights]`` section of a profile. A strip can also be drawn as lines of text: where its
lights lie around and under the board, and how they shine.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from companion.board import COLUMNS, ROWS, Board
from companion.errors import CompanionError
from companion.lights.strip import Colour
from companion.text import counted

Point = tuple[float, float]
Ask = Callable[[str], str]
Tell = Callable[[str], None]

UNUSED = "-"
_NAME = re.compile("[NESWa-i][1-9]|L[1-9]")
_SEEN = {"r": "R", "g": "G", "b": "B"}
_ENDS = ("N", "E", "S", "W")

#: The map is asked for with the colours of this order: the first byte is called red.
PLAIN_ORDER = "RGB"

#: The nearest of these names a colour; a light that is off is a dot.
_LETTERS = {
    "r": (255, 0, 0),
    "g": (0, 255, 0),
    "b": (0, 0, 255),
    "y": (255, 255, 0),
    "c": (0, 255, 255),
    "m": (255, 0, 255),
    "o": (255, 128, 0),
    "w": (255, 255, 255),
}


class MappingError(CompanionError):
    """An answer that cannot be understood; its sentence says what was expected."""


def find_order(light: Callable[[Colour], None], ask: Ask) -> str:
    """Return the order in which the bytes of this strip stand for red, green and blue."""
    order = ""
    for colour in ((255, 0, 0), (0, 255, 0)):
        light(colour)
        while True:
            seen = _SEEN.get(ask("All lights have one colour: red, green or blue? ")[:1].lower())
            if seen is not None and seen not in order:
                break
        order += seen
    return order + next(letter for letter in PLAIN_ORDER if letter not in order)


def find_wire(count: int, light: Callable[[int], None], ask: Ask, tell: Tell) -> list[str]:
    """Return the names of the LEDs in the order of the wire, as somebody sees and says.

    ``light`` lights one LED alone. An answer may name several that follow (``S1..S9``); ``-`` is
    an LED that faces nothing, ``back`` takes the last answer back.
    """
    wire: list[str] = []
    answers: list[int] = []
    while len(wire) < count:
        light(len(wire))
        text = ask(f"LED {len(wire)} (0 to {count - 1}): which light is it? ").strip()
        if text == "back":
            del wire[len(wire) - (answers.pop() if answers else 0) :]
            continue
        try:
            found = expand(text)
            _check(found, wire, count)
        except MappingError as error:
            tell(str(error))
            continue
        wire += found
        answers.append(len(found))
    return wire


def expand(text: str) -> list[str]:
    """Return the names that an answer stands for: ``S1``, ``S1..S9``, ``a3..i3``, ``-``, …"""
    if text == UNUSED:
        return [UNUSED]
    first, dots, last = text.partition("..")
    for name in (first, last if dots else first):
        if not _NAME.fullmatch(name):
            raise MappingError(
                f"expected N1 to N9, E…, S…, W…, a square, L1 …, - or a run as S1..S9, got {text!r}"
            )
    if not dots:
        return [first]
    if first[0] == last[0]:
        return [first[0] + number for number in _run(ROWS, first[1], last[1])]
    if first[1] == last[1] and {first[0], last[0]} <= set(COLUMNS):
        return [column + first[1] for column in _run(COLUMNS, first[0], last[0])]
    raise MappingError(f"expected a run along one side, row or column, got {text!r}")


def _run(letters: str, first: str, last: str) -> str:
    start, end = letters.index(first), letters.index(last)
    return letters[start : end + 1] if start <= end else letters[end : start + 1][::-1]


def _check(found: Sequence[str], wire: Sequence[str], count: int) -> None:
    again = [name for name in found if name in wire and name != UNUSED]
    if again:
        raise MappingError(f"expected every light once, got {again[0]} again")
    if len(wire) + len(found) > count:
        raise MappingError(
            f"expected {counted(count - len(wire), 'light')} or fewer to come, got {len(found)}"
        )


def to_toml(
    order: str,
    milliamps: int,
    wire: Sequence[str],
    side_mm: float,
    at_mm: Mapping[str, Point],
) -> str:
    """Return the section of a profile for this strip; the wire has a line for each run."""
    lines = ["[lights]", f'order = "{order}"', f"milliamps = {milliamps}"]
    if any(name[0] in _ENDS for name in wire):
        lines.append(f"side_mm = {side_mm:g}")
    lines.append("wire = [")
    for _, names in groupby(wire, key=lambda name: name[0] if name[0] in _ENDS else name[1:]):
        lines.append(f'  "{" ".join(names)}",')
    lines.append("]")
    if at_mm:
        lines += ["", "[lights.at_mm]"]
        lines += [f"{name} = [{x:g}, {y:g}]" for name, (x, y) in at_mm.items()]
    return "\n".join(lines) + "\n"


def draw_lights(board: Board, lit: Mapping[str, Colour]) -> str:
    """Return the lights of a board: a letter for the colour of each, a dot for one that is off."""

    def shown(name: str) -> str:
        return letter(lit.get(name, (0, 0, 0))) if name in board.lights.names else " "

    columns, rows = range(1, board.columns + 1), range(board.rows, 0, -1)
    lines = ["    " + " ".join(shown(f"N{n}") for n in columns)]
    for row in rows:
        squares = " ".join(shown(f"{column}{row}") for column in COLUMNS[: board.columns])
        lines.append(f"{ROWS[row - 1]} {shown(f'W{row}')} {squares} {shown(f'E{row}')}")
    lines.append("    " + " ".join(shown(f"S{n}") for n in columns))
    lines.append("    " + " ".join(COLUMNS[: board.columns]))
    others = [name for name in board.lights.names if not _has_place(name)]
    if others:
        lines.append("    " + "  ".join(f"{name} {shown(name)}" for name in others))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def letter(colour: Colour) -> str:
    """Return the letter of a colour by its hue, whatever its brightness."""
    most = max(colour)
    if most == 0:
        return "·"
    full = [part / most * 255 for part in colour]
    return min(
        _LETTERS,
        key=lambda name: sum((a - b) ** 2 for a, b in zip(full, _LETTERS[name], strict=True)),
    )


def _has_place(name: str) -> bool:
    return len(name) == 2 and name[0] in "NESW" + COLUMNS and name[1] in ROWS
