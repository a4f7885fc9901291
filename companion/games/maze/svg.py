"""Draws a maze and what stands in it: to scale as SVG, or with letters as its file does."""

from collections.abc import Mapping
from html import escape

from companion.board import Marker, Position, Spot
from companion.games.maze.maze import Maze, MazeSpot, outward

Colour = tuple[int, int, int]

_MARGIN_MM = 12
_NAME_MM = 4.5
_QUIET_MM = 5
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
        *(_marker(maze, marker) for marker in maze.markers),
    ]
    parts += [_spot(maze, spot) for spot in maze.spots.values()]
    parts += [_thing(maze, spot, thing) for spot, thing in sorted((position or {}).items())]
    return "\n".join([*parts, "</svg>"]) + "\n"


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


def _marker(maze: Maze, marker: Marker) -> str:
    """Return a marker by its number, on the white that it needs."""
    size, around = maze.marker_mm, maze.marker_mm + 2 * _QUIET_MM
    x, y = marker.x_mm, -marker.y_mm
    return (
        f'<rect x="{x - around / 2:g}" y="{y - around / 2:g}" width="{around:g}"'
        f' height="{around:g}" fill="#ffffff"/>'
        f'<rect x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"'
        f' fill="#000000"/><text x="{x:g}" y="{y:g}" font-size="{size / 2:g}" fill="#ffffff"'
        f' text-anchor="middle" dominant-baseline="central">{marker.id}</text>'
    )


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


def _arrow(maze: Maze, spot: MazeSpot) -> str:
    """Return an arrow head that points off the board."""
    across, up = outward(maze, spot)
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
