"""A strip as lines of text: where its lights lie around and under the board, and how they shine."""

from collections.abc import Mapping

from companion.board import COLUMNS, ROWS, Board
from companion.lights.strip import Colour

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
