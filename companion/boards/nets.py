"""Things to cut out, fold and spin: boxes for pawns, dice, discs and a spinner, in millimetres.

Lines to cut along are whole, lines to fold along are dashed.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, cos, pi, radians, sin

from companion.boards.paper import FOLD
from companion.boards.pdf import BLACK, WHITE, Ink, Page

#: Draws one side of a box around its middle; the last number is the side's width.
Face = Callable[[Page, float, float, float], None]

#: The sides of a box by where they lie in its net; the bottom is beyond the north wall.
SIDES = ("top", "bottom", "north", "south", "west", "east")
TAB_MM = 5.0
_SLOPE = 0.25  # of a tab's ends


def draw_ghost(page: Page, x: float, y: float, size: float, fill: Ink, weak: bool = False) -> None:
    """Draw a ghost: a dome and a hem; a weak one looks down and has a wavy mouth."""
    wide, hem = size * 0.85, size * 0.3
    dome = [(x + wide * cos(pi * n / 24), y + wide * sin(pi * n / 24)) for n in range(25)]
    low = [(x - wide + wide * n / 3, y - size + (n % 2) * hem) for n in range(7)]
    page.polygon([*dome, *low], fill, size / 18)
    for side in (-1, 1):
        at = x + side * wide * 0.4
        page.circle(at, y + size * 0.2, size * 0.22, WHITE, size / 30)
        page.circle(at, y + size * (0.1 if weak else 0.24), size * 0.1, BLACK, 0)
    if weak:
        mouth = [(x + wide * (n - 3) / 5, y - size * (0.35 + 0.12 * (n % 2))) for n in range(7)]
        page.line(mouth, size / 12, round=True)


def draw_arrow(
    page: Page, start: tuple[float, float], end: tuple[float, float], wide: float, ink: Ink = BLACK
) -> None:
    """Draw an arrow from one point to another."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = (across**2 + up**2) ** 0.5
    across, up = across / length, up / length
    neck = (end[0] - across * wide * 2, end[1] - up * wide * 2)
    page.line([start, neck], wide, ink)
    side = wide * 1.4
    page.polygon(
        [
            end,
            (neck[0] - up * side, neck[1] + across * side),
            (neck[0] + up * side, neck[1] - across * side),
        ],
        ink,
    )


def box_size(side: float, height: float) -> tuple[float, float]:
    """Return how wide and how high the net of a box is, its tabs included."""
    return side + 2 * max(height, TAB_MM), 2 * side + 2 * height + TAB_MM


def box(
    page: Page, x: float, y: float, side: float, height: float, faces: Mapping[str, Face]
) -> None:
    """Draw the net of a box with a square top, its lower left corner at a point."""
    left, low = x + max(height, TAB_MM), y + height
    up = low + side + height  # where the bottom begins
    _tabs(page, left, low, up, side, height)
    outline = [(left, y), (left + side, y), (left + side, low), (left + side + height, low)]
    outline += [(left + side + height, low + side), (left + side, low + side)]
    outline += [(left + side, up + side), (left, up + side), (left, low + side)]
    outline += [(left - height, low + side), (left - height, low), (left, low)]
    page.polygon(outline, WHITE, 0.3)
    for height_of in (low, low + side, up, up + side):
        page.line([(left, height_of), (left + side, height_of)], 0.2, 0.3, FOLD)
    for at in (left, left + side):
        for foot in (low, up):
            page.line([(at, foot), (at, foot + side)], 0.2, 0.3, FOLD)
        for foot in (y, low + side):
            page.line([(at, foot), (at, foot + height)], 0.2, 0.3, FOLD)
    middle = left + side / 2
    places = {
        "top": (middle, low + side / 2),
        "bottom": (middle, up + side / 2),
        "north": (middle, low + side + height / 2),
        "south": (middle, y + height / 2),
        "west": (left - height / 2, low + side / 2),
        "east": (left + side + height / 2, low + side / 2),
    }
    for name, face in faces.items():
        face(page, *places[name], side if name in ("top", "bottom") else min(side, height))


def _tabs(page: Page, left: float, low: float, up: float, side: float, height: float) -> None:
    """Draw the tabs to glue: three at the bottom, one at each end of the north and south walls."""
    right, slope = left + side, TAB_MM * _SLOPE
    wide = min(TAB_MM, height)
    end = up + side
    top = [(left, end), (left + slope, end + TAB_MM), (right - slope, end + TAB_MM), (right, end)]
    page.polygon(top, 0.93, 0.2)
    for at, away in ((left, -1), (right, 1)):
        for foot, tall, reach in (
            (up, side, TAB_MM),
            (low - height, height, wide),
            (low + side, height, wide),
        ):
            corners = [(at, foot), (at + away * reach, foot + slope)]
            corners += [(at + away * reach, foot + tall - slope), (at, foot + tall)]
            page.polygon(corners, 0.93, 0.2)


def die(page: Page, x: float, y: float, side: float, faces: Sequence[str]) -> None:
    """Draw the net of a die, opposite faces as far apart in the list as can be."""
    first, second, third, fourth, fifth, sixth = faces
    order = (first, sixth, second, fifth, third, fourth)
    shown = {place: _die_face(face) for place, face in zip(SIDES, order, strict=True)}
    box(page, x, y, side, side, shown)


def _die_face(face: str) -> Face:
    def pips(page: Page, x: float, y: float, side: float) -> None:
        for across, up in _PIPS[int(face)]:
            page.circle(x + across * side / 4, y + up * side / 4, side / 11, BLACK, 0)

    def words(page: Page, x: float, y: float, side: float) -> None:
        page.text(x, y - side / 5, face, side / 2.6, middle=True)
        page.line([(x - side / 3, y - side / 3), (x + side / 3, y - side / 3)], side / 24)

    return pips if face.isdigit() and int(face) in _PIPS else words


_CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_PIPS = {
    1: ((0, 0),),
    2: _CORNERS[:2],
    3: (*_CORNERS[:2], (0, 0)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}


def spinner(page: Page, x: float, y: float, radius: float, values: Sequence[str]) -> None:
    """Draw a disc with a field for each value, and a pin's place in its middle."""
    page.circle(x, y, radius, WHITE, 0.5)
    each = 360 / len(values)
    for number, value in enumerate(values):
        edge = radians(90 - number * each)
        page.line([(x, y), (x + radius * cos(edge), y + radius * sin(edge))], 0.4)
        with page.turned(x, y, -(number + 0.5) * each):
            page.text(0, radius * 0.62, value, radius / 4.5, middle=True)
    page.circle(x, y, 1.0, WHITE, 0.3)


def pointer(page: Page, x: float, y: float, length: float) -> None:
    """Draw the spinner's hand, upright, with a place for the pin."""
    wide = length / 9
    points = [(x, y + length), (x + wide, y), (x + wide, y - wide * 2), (x - wide, y - wide * 2)]
    page.polygon([*points, (x - wide, y)], 0.9, 0.3)
    page.circle(x, y, 1.0, WHITE, 0.3)


def discs(
    page: Page,
    at: tuple[float, float],
    width: float,
    counts: Sequence[tuple[int, Face]],
    size: float,
) -> float:
    """Draw so many discs of each kind in rows, from their upper left corner; return where they
    end."""
    left, top = at
    step = size + 2
    across = max(1, int(width // step))
    for count, face in counts:
        for number in range(count):
            row, column = divmod(number, across)
            x, y = left + (column + 0.5) * step, top - (row + 0.5) * step
            page.circle(x, y, size / 2, WHITE, 0.3)
            face(page, x, y, size)
        top -= ceil(count / across) * step + 4
    return top
