"""A position as lines of text: squares, pawns by their number, fences as heavy lines."""

from companion.board import COLUMNS, ROWS, Position, patches

_MARKS = {"pacman": "P", "blinky": "B", "pinky": "K", "inky": "I", "clyde": "C", "pellet": "o"}


def draw(position: Position) -> str:
    """Return a picture of a 9×9 board, row 9 on top."""
    shut: set[str] = set()
    for spot, thing in position.items():
        if thing == "fence":
            shut.update(patches(spot))
    lines = ["    " + "   ".join(COLUMNS), "  ┌" + "───" + "────" * 8 + "┐"]
    for row in reversed(ROWS):
        if row != ROWS[-1]:
            lines.append("  │" + _groove(row, shut) + "│")
        cells = ""
        for column in COLUMNS:
            spot = column + row
            cells += f" {_mark(position.get(spot, ''))} "
            if column != COLUMNS[-1]:
                cells += "┃" if spot + "e" in shut else " "
        lines.append(f"{row} │{cells}│ {row}")
    return "\n".join([*lines, "  └" + "───" + "────" * 8 + "┘", lines[0]])


def _groove(row: str, shut: set[str]) -> str:
    """Return the line between a row and the one above it."""
    text = ""
    for column in COLUMNS:
        text += "━━━" if f"{column}{row}n" in shut else "   "
        if column != COLUMNS[-1]:
            text += _crossing(column, row, shut)
    return text


def _crossing(column: str, row: str, shut: set[str]) -> str:
    if f"{column}{row}x" not in shut:
        return " "
    return "━" if f"{column}{row}n" in shut and _next(column) + row + "n" in shut else "┃"


def _next(column: str) -> str:
    return COLUMNS[COLUMNS.index(column) + 1]


def _mark(thing: str) -> str:
    if not thing:
        return "·"
    return _MARKS.get(thing, thing[-1])
