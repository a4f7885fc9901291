"""The Ms. Pac-Man maze as lines of text: corridors, dots, and the pawns by their first letter."""

from companion.board import Position, Spot
from companion.rules.mspacman_field import DOT, WEAK, Field

#: What a dot and a power dot look like, and a spot with nothing on it.
_DOT, _POWER, _BARE = "•", "◉", "·"


def draw_field(field: Field, position: Position, dots: int) -> str:
    """Return a picture of the maze; a ghost that is weak has a small letter."""
    cells = {name: _cell(name) for name in field.names}
    columns, rows = (max(numbers) + 1 for numbers in zip(*cells.values(), strict=True))
    lines = [[" "] * (4 * columns - 3) for _ in range(2 * rows - 1)]

    def at(column: int, row: int) -> tuple[int, int]:
        return 2 * (rows - 1 - row), 4 * column

    for number, name in enumerate(field.names):
        y, x = at(*cells[name])
        power = bool(field.power & dots & 1 << number)
        lines[y][x] = _sign(position.get(name, ""), power)
        for other in field.near[number]:
            v, u = at(*cells[field.names[other]])
            if v == y and u == x + 4:
                lines[y][x + 1 : u] = "───"
            elif u == x and abs(v - y) == 2:
                lines[(v + y) // 2][x] = "│"
    names = ["    " + "".join(f"{chr(ord('a') + column):<4}" for column in range(columns))]
    sides = [f"{rows - y // 2:>2}" if y % 2 == 0 else "  " for y in range(len(lines))]
    drawn = [f"{side}  {''.join(line)}" for side, line in zip(sides, lines, strict=True)]
    return "\n".join(line.rstrip() for line in [*drawn, *names])


def _cell(spot: Spot) -> tuple[int, int]:
    """Return column and row of a spot, counted from 0 at the bottom left."""
    return ord(spot[0]) - ord("a"), int(spot[1:]) - 1


def _sign(thing: str, power: bool) -> str:
    if not thing:
        return _BARE
    if thing == DOT:
        return _POWER if power else _DOT
    return thing[0] if thing.endswith(WEAK) else thing[0].upper()
