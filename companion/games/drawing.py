"""A game as lines of text: squares, pawns by their number, fences as heavy lines.

Games on the 9×9 board are drawn from their position. Others draw themselves, or are told spot by
spot.
"""

from companion.board import COLUMNS, ROWS, Position, is_slot, patches
from companion.games.game import Drawn, State

#: Ghosts by the letters of their moves, Pac-Man by the sign that puts him on the board (``@e1``).
_MARKS = {"pacman": "@", "blinky": "B", "inky": "I", "pinky": "P", "clyde": "C", "pellet": "o"}


def picture(state: State) -> str:
    """Return a picture of any game: its own, the 9×9 board, or what lies on which spot."""
    if isinstance(state, Drawn):
        return state.draw()
    position = state.position()
    if not position:
        return "nothing lies on the board"
    if all(_on_grid(spot) for spot in position):
        return draw(position)
    return "\n".join(f"{spot}: {thing}" for spot, thing in sorted(position.items()))


def _on_grid(spot: str) -> bool:
    square = spot[:2] if is_slot(spot) else spot
    return len(square) == 2 and square[0] in COLUMNS and square[1] in ROWS


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
