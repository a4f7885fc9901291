"""Draws a board and what stands on it, to scale: as SVG from the geometry, or as plain text."""

from collections.abc import Mapping
from html import escape

from companion.board import COLUMNS, FENCE, PELLET, ROWS, Board, Position, Spot, is_slot, square

Colour = tuple[int, int, int]

_MARGIN_MM = 15
_LABEL_MM = 7
_LIGHT_MM = 4.6
_MARKER_QUIET_MM = 5


def draw_svg(
    board: Board,
    position: Position | None = None,
    lights: Mapping[str, Colour] | None = None,
) -> str:
    """Return an SVG picture of the board, its pieces and its lights (by name), in millimetres."""
    half = board.frame_mm / 2 + _MARGIN_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-half:g} {-half:g} {2 * half:g}'
        f' {2 * half:g}" font-family="sans-serif" role="img">',
        f"<title>{escape(board.title)}</title>",
        _rect(0, 0, 2 * half, 2 * half, board.colours["table"]),
        _rect(0, 0, board.frame_mm, board.frame_mm, board.colours["frame"], 4),
        _rect(0, 0, board.board_mm, board.board_mm, board.colours["rim"], 2),
        _rect(0, 0, board.field_mm, board.field_mm, board.colours["groove"]),
    ]
    parts += [_cell(board, spot) for spot in board.squares]
    parts += [_marker(board, marker.id, marker.x_mm, marker.y_mm) for marker in board.markers]
    parts += [
        _rect(x, y, _LIGHT_MM, _LIGHT_MM, (lights or {}).get(name, (80, 80, 80)), 1, name)
        for name, (x, y) in board.lights.at_mm.items()
    ]
    parts += _labels(board)
    parts += [_thing(board, spot, thing) for spot, thing in sorted((position or {}).items())]
    return "\n".join([*parts, "</svg>"]) + "\n"


def draw_text(board: Board, position: Position | None = None) -> str:
    """Return the board as lines of text: pieces by two letters, fences as bars."""
    position = position or {}
    upright = {spot[:2] for spot in position if spot.endswith("v")}
    flat = {spot[:2] for spot in position if spot.endswith("h")}
    lines = ["    " + "   ".join(COLUMNS[: board.columns])]
    rule = "  +" + "---+" * board.columns
    lines.append(rule)
    for row in reversed(range(board.rows)):
        cells = ""
        for column in range(board.columns):
            cells += _letters(position.get(square(column, row), ""))
            below = square(column, row - 1) if row else ""
            cells += "┃" if {square(column, row), below} & upright else " "
        lines.append(f"{ROWS[row]} |{cells[:-1]}| {ROWS[row]}")
        if row:
            lines.append("  +" + _edge(board, row - 1, flat, upright))
    return "\n".join([*lines, rule, lines[0]]) + "\n"


def _edge(board: Board, row: int, flat: set[Spot], upright: set[Spot]) -> str:
    """Return the line between a row and the next one north of it."""
    text = ""
    for column in range(board.columns):
        here = square(column, row)
        west = square(column - 1, row) if column else ""
        text += "━━━" if {here, west} & flat else "   "
        text += "┃" if here in upright else "━" if here in flat else "+"
    return text


def _letters(thing: str) -> str:
    return f"{'·' if thing == PELLET else thing[:2].title():^3}"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _rect(
    x: float, y: float, width: float, height: float, fill: Colour, round: float = 0, id: str = ""
) -> str:
    name = f' id="light-{escape(id)}"' if id else ""
    return (
        f'<rect{name} x="{x - width / 2:g}" y="{-y - height / 2:g}" width="{width:g}"'
        f' height="{height:g}" rx="{round:g}" fill="{_hex(fill)}"/>'
    )


def _cell(board: Board, spot: Spot) -> str:
    return _rect(*board.at(spot), board.cell_mm, board.cell_mm, board.colours["cell"], 1.5)


def _marker(board: Board, id: int, x: float, y: float) -> str:
    size = board.marker_mm
    around = size + 2 * _MARKER_QUIET_MM
    return (
        _rect(x, y, around, around, (255, 255, 255))
        + _rect(x, y, size, size, (0, 0, 0))
        + f'<text x="{x:g}" y="{-y:g}" font-size="{size / 2:g}" fill="#fff" text-anchor="middle"'
        f' dominant-baseline="central">{id}</text>'
    )


def _labels(board: Board) -> list[str]:
    edge = board.board_mm / 2 + (board.frame_mm - board.board_mm) / 6
    spots = [square(column, 0) for column in range(board.columns)]
    labels = [(spot[0], board.at(spot)[0], -edge) for spot in spots]
    labels += [(ROWS[row], -edge, board.at(square(0, row))[1]) for row in range(board.rows)]
    return [
        f'<text x="{x:g}" y="{-y:g}" font-size="{_LABEL_MM}" fill="#888" text-anchor="middle"'
        f' dominant-baseline="central">{label}</text>'
        for label, x, y in labels
    ]


def _thing(board: Board, spot: Spot, thing: str) -> str:
    x, y = board.at(spot)
    if thing == FENCE and is_slot(spot):
        size = (board.fence.length_mm, board.fence.thickness_mm)
        width, height = size if spot[2] == "h" else size[::-1]
        return _rect(x, y, width, height, board.fence.colour, 1)
    piece = board.pellet if thing == PELLET else board.pieces.get(thing)
    radius = piece.diameter_mm / 2 if piece else board.cell_mm / 3
    fill = _hex(piece.colour) if piece else "#ffffff"
    title = escape(piece.title if piece else thing)
    if piece and piece.shape == "ghost":
        return _ghost(x, -y, radius, fill, title)
    return (
        f'<circle cx="{x:g}" cy="{-y:g}" r="{radius:g}" fill="{fill}">'
        f"<title>{title}</title></circle>"
    )


def _ghost(x: float, y: float, radius: float, fill: str, title: str) -> str:
    """Return a ghost facing the reader: a dome, a hem and two eyes."""
    left, right, hem, wave = x - radius, x + radius, y + radius, radius / 3
    hems = " ".join(f"l{-wave:g},{dy:g}" for dy in (-wave, wave) * 3)
    eyes = "".join(
        f'<circle cx="{x + side * radius * 0.4:g}" cy="{y - radius * 0.15:g}"'
        f' r="{radius * 0.26:g}" fill="#fff"/>'
        for side in (-1, 1)
    )
    dome = f"V{y:g} A{radius:g},{radius:g} 0 0 1 {right:g},{y:g} V{hem:g}"
    body = f'<path d="M{left:g},{hem:g} {dome} {hems} Z" fill="{fill}"/>'
    return f"<g><title>{title}</title>{body}{eyes}</g>"
