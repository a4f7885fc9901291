"""Draws a maze and what stands in it: to scale as SVG, or with letters as its file does."""

from collections.abc import Mapping
from html import escape

from companion.board import Position, Spot
from companion.maze import Maze, MazeSpot

Colour = tuple[int, int, int]

_MARGIN_MM = 12
_NAME_MM = 4.5
_SIGNS = {
    "hole": "o",
    "ringed": "O",
    "home": "H",
    "square": "o",
    "power": "O",
    "circle": "c",
    "centre": "x",
}
#: Exits point away from the spot they belong to: across, up.
_ARROWS = {(0, 1): "↑", (1, 0): "→", (0, -1): "↓", (-1, 0): "←"}
#: What a thing on a spot is drawn with: its colour, and its share of the pitch across.
_THINGS: Mapping[str, tuple[str, float]] = {
    "white": ("#f4f4f4", 0.3),
    "yellow": ("#ffe040", 0.3),
    "dot": ("#f4f4f4", 0.2),
}


def draw_maze_svg(maze: Maze, position: Position | None = None) -> str:
    """Return an SVG picture of a maze and the things in it, in millimetres."""
    half = maze.board_mm / 2 + _MARGIN_MM
    size = maze.board_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-half:g} {-half:g} {2 * half:g}'
        f' {2 * half:g}" font-family="sans-serif" role="img">',
        f"<title>{escape(maze.title)}</title>",
        f'<rect x="{-half:g}" y="{-half:g}" width="{2 * half:g}" height="{2 * half:g}"'
        f' fill="{_hex(maze.colours["table"])}"/>',
        f'<rect x="{-size / 2:g}" y="{-size / 2:g}" width="{size:g}" height="{size:g}" rx="4"'
        f' fill="{_hex(maze.colours["board"])}"/>',
        *_paths(maze),
        *_walls(maze),
    ]
    parts += [_spot(maze, spot) for spot in maze.spots.values()]
    parts += [_thing(maze, spot, thing) for spot, thing in sorted((position or {}).items())]
    return "\n".join([*parts, "</svg>"]) + "\n"


def draw_maze_text(
    maze: Maze, position: Position | None = None, marks: Mapping[str, str] | None = None
) -> str:
    """Return a maze as lines of text: its paths, a sign for each spot or what stands there.

    ``marks`` has the sign of each thing; others show the first letter of their name.
    """
    position, marks = position or {}, marks or {}
    places = {name: _column_row(name) for name in maze.spots}
    columns = max(column for column, _ in places.values()) + 1
    rows = max(row for _, row in places.values()) + 1
    lines = [[" "] * (4 * columns - 3) for _ in range(2 * rows - 1)]
    for name, ends in maze.links.items():
        c, r = places[name]
        for tc, tr in (places[end] for end in ends):
            if r == tr and c < tc:
                lines[2 * (rows - 1 - r)][4 * c + 1 : 4 * tc] = "─" * (4 * (tc - c) - 1)
            elif c == tc and r < tr:
                for line in lines[2 * (rows - 1 - tr) + 1 : 2 * (rows - 1 - r)]:
                    line[4 * c] = "│"
    for name, (c, r) in places.items():
        spot = maze.spots[name]
        sign = _ARROWS[_outward(maze, spot)] if spot.kind == "exit" else _SIGNS[spot.kind]
        if name in position:
            sign = marks.get(position[name], position[name][0].upper())
        lines[2 * (rows - 1 - r)][4 * c] = sign
    letters = "    " + "   ".join("abcdefghijklmnopqrstuvwxyz"[:columns])
    drawn = [letters]
    for number, line in enumerate(lines):
        label = f"{rows - number // 2:>2}  " if number % 2 == 0 else "    "
        drawn.append((label + "".join(line)).rstrip())
    return "\n".join([*drawn, letters]) + "\n"


def _column_row(name: Spot) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _paths(maze: Maze) -> list[str]:
    """Return the dotted paths between the spots."""
    drawn = []
    for name, ends in maze.links.items():
        one = maze.spots[name]
        for other in (maze.spots[end] for end in ends if name < end):
            drawn.append(
                f'<path d="M{one.x_mm:g},{-one.y_mm:g} L{other.x_mm:g},{-other.y_mm:g}"'
                f' stroke="{_hex(maze.colours["dot"])}" stroke-width="2" stroke-linecap="round"'
                f' stroke-dasharray="0 {maze.pitch_mm / 4:g}"/>'
            )
    return drawn


def _walls(maze: Maze) -> list[str]:
    colour, width = _hex(maze.colours["wall"]), maze.pitch_mm / 9
    return [
        f'<path d="M{x1:g},{-y1:g} L{x2:g},{-y2:g}" stroke="{colour}" stroke-width="{width:g}"'
        ' stroke-linecap="round"/>'
        for x1, y1, x2, y2 in maze.walls
    ]


def _spot(maze: Maze, spot: MazeSpot) -> str:
    radius = maze.pitch_mm * 0.2
    ground = _hex(maze.colours["board"])
    line = "#888888"
    if spot.owner:
        line = _hex(maze.owners[spot.owner])
    if spot.kind in ("ringed", "power"):
        line = _hex(maze.colours["ring"])
    if spot.kind in ("home", "ringed", "power", "circle"):
        radius = maze.pitch_mm * 0.3
    if spot.kind in ("home", "square", "power", "circle"):
        ground = _hex(maze.owners.get(spot.owner, maze.colours["board"]))
    if spot.kind == "circle":
        line = _hex(maze.colours["arrow"])
    dashes = f' stroke-dasharray="{maze.pitch_mm / 12:g}"' if spot.kind == "centre" else ""
    shape = (
        f'<circle cx="{spot.x_mm:g}" cy="{-spot.y_mm:g}" r="{radius:g}" fill="{ground}"'
        f' stroke="{line}" stroke-width="{maze.pitch_mm / 20:g}"{dashes}/>'
    )
    return (
        f'<g id="spot-{spot.name}"><title>{escape(_told(spot))}</title>'
        f"{_arrow(maze, spot) if spot.kind == 'exit' else shape}"
        f'<text x="{spot.x_mm:g}" y="{-spot.y_mm - maze.pitch_mm * 0.32:g}" fill="#aaaaaa"'
        f' font-size="{_NAME_MM:g}" text-anchor="middle">{spot.name}</text></g>'
    )


def _outward(maze: Maze, spot: MazeSpot) -> tuple[int, int]:
    """Return which way an exit points: away from the first spot beside it, else north."""
    for other in (maze.spots[name] for name in maze.links.get(spot.name, ())):
        across, up = spot.x_mm - other.x_mm, spot.y_mm - other.y_mm
        if abs(across) > abs(up):
            return (1 if across > 0 else -1), 0
        return 0, (1 if up >= 0 else -1)
    return 0, 1


def _arrow(maze: Maze, spot: MazeSpot) -> str:
    """Return an arrow head that points off the board."""
    across, up = _outward(maze, spot)
    size = maze.pitch_mm * 0.25
    corners = (
        (across, up),
        (-up - across / 2, across - up / 2),
        (up - across / 2, -across - up / 2),
    )
    points = " ".join(f"{spot.x_mm + x * size:g},{-spot.y_mm - y * size:g}" for x, y in corners)
    return f'<polygon points="{points}" fill="{_hex(maze.colours["arrow"])}"/>'


def _told(spot: MazeSpot) -> str:
    return " ".join(part for part in (spot.name, spot.kind, spot.owner, *spot.marks) if part)


def _thing(maze: Maze, name: Spot, thing: str) -> str:
    spot = maze.spots[name]
    owner = next((colour for owner, colour in maze.owners.items() if thing.endswith(owner)), None)
    fill, share = _THINGS.get(thing, (_hex(owner) if owner else "#ff9ecb", 0.6))
    return (
        f'<circle cx="{spot.x_mm:g}" cy="{-spot.y_mm:g}" r="{maze.pitch_mm * share / 2:g}"'
        f' fill="{fill}"><title>{escape(thing)}</title></circle>'
    )
