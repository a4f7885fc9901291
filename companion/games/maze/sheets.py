"""A maze board to print true to scale, on white paper, over as many sheets as it takes.

Spots, paths, walls and markers are those of the maze that the rules are given, so that the printed
board cannot disagree with them. No kind of spot is told by its colour alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import dist

from companion.boards.paper import (
    Press,
    draw_marker,
    foot,
    heading,
    tiles,
    tinted,
)
from companion.boards.pdf import BLACK, WHITE, Page, wrapped
from companion.games.maze.maze import Maze, MazeSpot, outward

#: Shares of the pitch: half of a spot, of a hole in it, from one dot of a path to the next.
SPOT, HOLE, DOTS = 0.31, 0.2, 1 / 6
#: Wide enough that each spot is whole on one sheet.
GLUE = 2 * SPOT
EDGE_MM = 0.5  # shown beyond the board's edge, to cut along it
WALL_MM, WALL_INSIDE_MM = 2.4, 1.2
PATH = 0.6


@dataclass(frozen=True)
class About:
    """What the sheets of a game say: what it is called, what lies on each kind of spot, and what
    else is needed."""

    game: str
    kinds: Mapping[str, str]
    lines: tuple[str, ...]


def board_pages(maze: Maze, press: Press, about: About) -> list[Page]:
    """Return a page that says what is what, then the board."""
    bits = {m.id: press.bits(maze.marker_dictionary, m.id) for m in maze.markers}

    def draw(page: Page, x: float, y: float) -> None:
        _board(page, maze, x, y)
        for marker in maze.markers:
            at = (x + marker.x_mm, y + marker.y_mm)
            around = maze.marker_mm + 6
            page.fill(at[0] - around / 2, at[1] - around / 2, around, around, WHITE)
            draw_marker(page, *at, maze.marker_mm, bits[marker.id])

    side = maze.board_mm + 2 * EDGE_MM
    overlap = GLUE * maze.pitch_mm + 1
    sheets = tiles(press.paper, side, side, draw, told(maze, about.game, "board"), overlap)
    return [_guide(maze, press, about, len(sheets)), *sheets]


def told(maze: Maze, game: str, what: str) -> list[str]:
    """Return what stands below every sheet: what it is, for which game, and how sure it is."""
    lines = [f"{game}: {what}. Profile {maze.name}, scale 1:1, board {maze.board_mm:g} mm wide."]
    confidence, _, source = maze.provenance.get("maze", "").partition(": ")
    if confidence == "stand-in":
        lines.append(f"Stand-in layout, not that of the game's own board: {source}.")
    return lines


def owner_number(maze: Maze, owner: str) -> str:
    """Return what stands for an owner beside the colour: the number of the place at the table."""
    return str(list(maze.owners).index(owner) + 1) if owner in maze.owners else ""


def _guide(maze: Maze, press: Press, about: About, sheets: int) -> Page:
    """Return the page with the legend."""
    page = press.page()
    own = ", ".join(f"{number} {owner}" for number, owner in enumerate(maze.owners, 1))
    first = [
        f"{sheets} sheets make the board. Cut each along its frame and glue them row by row, each "
        "over the strip of the one before, so that the drawings lie on each other; then cut along "
        "the edge of the board. Cardboard below it keeps it flat.",
        *(
            ["A camera above finds the board by the black squares in its corners."]
            * bool(maze.markers)
        ),
        f"Numbers are the places at the table: {own}.",
        *about.lines,
    ]
    y = heading(page, f"{maze.title}: to print", first) - 8
    shown = {kind: maze.of_kind(kind) for kind in about.kinds}
    wide = SPOT * maze.pitch_mm
    for kind, names in shown.items():
        if not names:
            continue
        _spot(page, maze, maze.spots[names[0]], 14 + wide, y - wide)
        words = f"{len(names)} of them: {about.kinds[kind]}"
        for number, line in enumerate(wrapped(words, 3, press.size[0] - 60)):
            page.text(26 + 2 * wide, y - wide + 1 - number * 4.8, line, 3, 0.1)
        y -= 2 * wide + 4
    foot(page, *told(maze, about.game, "legend"))
    return page


def _board(page: Page, maze: Maze, x: float, y: float) -> None:
    half = maze.board_mm / 2
    page.rectangle(x - half, y - half, maze.board_mm, maze.board_mm, 0.3)
    for name, ends in maze.links.items():
        for other in (maze.spots[end] for end in ends if name < end):
            _path(page, maze, maze.spots[name], other, x, y)
    for wide, ink in ((WALL_MM, BLACK), (WALL_INSIDE_MM, maze.colours["wall"])):
        for x1, y1, x2, y2 in maze.walls:
            page.line([(x + x1, y + y1), (x + x2, y + y2)], wide, ink, round=True)
    for spot in maze.spots.values():
        _spot(page, maze, spot, x + spot.x_mm, y + spot.y_mm)
        at = SPOT * maze.pitch_mm
        page.text(x + spot.x_mm + at * 0.72, y + spot.y_mm + at + 0.6, spot.name, 1.9, 0.25)


def _path(page: Page, maze: Maze, one: MazeSpot, other: MazeSpot, x: float, y: float) -> None:
    """Draw the dots of a path between two spots."""
    ends = (one.x_mm, one.y_mm), (other.x_mm, other.y_mm)
    dots = max(2, round(dist(*ends) / (DOTS * maze.pitch_mm)))
    for number in range(1, dots):
        share = number / dots
        at_x, at_y = (a + share * (b - a) for a, b in zip(*ends, strict=True))
        page.circle(x + at_x, y + at_y, maze.pitch_mm / 36, PATH, 0)


def _spot(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    """Draw a spot with its middle at a point."""
    owner = maze.owners.get(spot.owner)
    around = SPOT * maze.pitch_mm
    if spot.kind in ("square", "power", "circle"):
        fill = tinted(owner, 0.35) if owner else WHITE
        page.fill(x - around, y - around, 2 * around, 2 * around, fill)
        page.rectangle(x - around, y - around, 2 * around, 2 * around, 0.4)
        page.text(x - around + 1, y - around + 1, owner_number(maze, spot.owner), 2.6)
    _DRAWN[spot.kind](page, maze, spot, x, y)


def _hole(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    page.circle(x, y, HOLE * maze.pitch_mm, WHITE, 0.5)


def _ringed(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    page.circle(x, y, SPOT * maze.pitch_mm - 1, maze.colours["ring"], 0.4)
    page.circle(x, y, (SPOT - 0.05) * maze.pitch_mm - 1, WHITE, 0.4)
    _hole(page, maze, spot, x, y)


def _home(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    colour = maze.owners.get(spot.owner, (136, 136, 136))
    page.circle(x, y, SPOT * maze.pitch_mm - 1, tinted(colour, 0.5), 0.8)
    page.text(x, y, owner_number(maze, spot.owner), maze.pitch_mm / 6, middle=True)
    page.text(x, y - maze.pitch_mm / 7, spot.owner, maze.pitch_mm / 16, middle=True)


def _square(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    page.circle(x, y, maze.pitch_mm / 14, WHITE, 0.3)


def _power(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    page.circle(x, y, HOLE * maze.pitch_mm, maze.colours["ring"], 0.4)
    page.circle(x, y, (HOLE - 0.06) * maze.pitch_mm, WHITE, 0.4)
    _square(page, maze, spot, x, y)


def _circle(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    page.circle(x, y, HOLE * maze.pitch_mm, WHITE, 0.8)
    _square(page, maze, spot, x, y)


def _centre(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    colour = maze.owners.get(spot.owner)
    fill = tinted(colour, 0.5) if colour else WHITE
    page.circle(x, y, SPOT * maze.pitch_mm - 1, fill, 0.4)
    page.circle(x, y, SPOT * maze.pitch_mm - 2, None, 0.3, 0.3, (1.5, 1.5))
    for number, mark in enumerate(spot.marks):
        page.text(x, y - 1 - 3 * number, mark.title(), maze.pitch_mm / 15, middle=True)
    page.text(x, y + 2.5, owner_number(maze, spot.owner), maze.pitch_mm / 12, middle=True)


def _exit(page: Page, maze: Maze, spot: MazeSpot, x: float, y: float) -> None:
    """Draw an arrow that points off the board, in a ring."""
    page.circle(x, y, SPOT * maze.pitch_mm - 1, WHITE, 0.4)
    size, (across, up) = maze.pitch_mm * 0.22, outward(maze, spot)
    corners = (
        (across, up),
        (-0.6 * across - 0.8 * up, -0.6 * up + 0.8 * across),
        (-0.6 * across + 0.8 * up, -0.6 * up - 0.8 * across),
    )
    page.polygon([(x + dx * size, y + dy * size) for dx, dy in corners])


_DRAWN: Mapping[str, Callable[[Page, Maze, MazeSpot, float, float], None]] = {
    "hole": _hole,
    "ringed": _ringed,
    "home": _home,
    "square": _square,
    "power": _power,
    "circle": _circle,
    "centre": _centre,
    "exit": _exit,
}


def board_part(about: About) -> Callable[[Maze, Press], list[Page]]:
    """Return what makes the pages of a game's board."""
    return partial(board_pages, about=about)
