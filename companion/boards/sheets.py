"""Sheets to print true to scale: a board's markers, and the whole board as a template."""

from collections.abc import Mapping

from companion.board import Board, Marker
from companion.boards.paper import (
    FOOT_MM,
    MARGIN_MM,
    QUIET_MM,
    RULER_MM,
    Bits,
    Press,
    Prints,
    draw_marker,
    foot,
    tiles,
)
from companion.boards.pdf import PAPERS, Page
from companion.errors import CompanionError

__all__ = ["RULER_MM", "TEMPLATE", "sheets"]

CORNERS = {
    (-1, 1): "north-west, beyond a9",
    (1, 1): "north-east, beyond i9",
    (1, -1): "south-east, beyond i1",
    (-1, -1): "south-west, beyond a1",
}


def sheets(board: Board, bits: Mapping[int, Bits], paper: str, only: str = "") -> bytes:
    """Return a PDF with the markers and the template of a board, or ``only`` one of them."""
    return TEMPLATE.pdf(board, Press(paper, lambda dictionary, number: bits[number]), only)


def _markers(board: Board, press: Press) -> list[Page]:
    if not board.markers:
        raise CompanionError(f"the board {board.name} has no markers in its profile")
    bits = {m.id: press.bits(board.marker_dictionary, m.id) for m in board.markers}
    return marker_pages(board, bits, press.paper)


def _template(board: Board, press: Press) -> list[Page]:
    return template_pages(board, press.paper)


def _whole(board: Board, press: Press) -> list[Page]:
    return [*(_markers(board, press) if board.markers else ()), *_template(board, press)]


TEMPLATE = Prints(
    "its markers, and a template of the whole board",
    {"markers": _markers, "template": _template},
    _whole,
)


def marker_pages(board: Board, bits: Mapping[int, Bits], paper: str) -> list[Page]:
    """Return the markers with their white border, to be cut out along the thin lines."""
    width, height = PAPERS[paper]
    label = board.marker_mm + 2 * QUIET_MM
    room_x, room_y = width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - FOOT_MM - 14
    cell_x, cell_y = max(label + 10, 62.0), label + 18
    across, down = int(room_x // cell_x), int(room_y // cell_y)
    if not across or not down:
        raise CompanionError(
            f"expected markers that fit on {paper}, got {board.marker_mm:g} mm: take larger paper"
        )
    pages = []
    markers = list(board.markers)
    for start in range(0, len(markers), across * down):
        page = Page(width, height)
        page.text(MARGIN_MM, height - MARGIN_MM - 5, f"Markers: {board.title}", 5)
        foot(page, "Cut along the thin lines. The small triangle points north, away from player 1.")
        for place, marker in enumerate(markers[start : start + across * down]):
            row, column = divmod(place, across)
            x = MARGIN_MM + column * cell_x
            y = height - MARGIN_MM - 14 - (row + 1) * cell_y + 12
            _label(page, x, y, board, marker, bits[marker.id])
        pages.append(page)
    return pages


def _label(page: Page, x: float, y: float, board: Board, marker: Marker, bits: Bits) -> None:
    label = board.marker_mm + 2 * QUIET_MM
    page.rectangle(x, y, label, label, 0.1, 0.6)
    draw_marker(page, x + label / 2, y + label / 2, board.marker_mm, bits)
    middle = x + label / 2
    for half in (1.0, 0.6, 0.2):  # a triangle of three strokes, in the outermost white
        top = y + label - 0.6 - (1.0 - half)
        page.line([(middle - (1.2 - half), top), (middle + (1.2 - half), top)], 0.3, 0.5)
    corner = CORNERS.get((_sign(marker.x_mm), _sign(marker.y_mm)), "")
    page.text(x, y - 4.5, f"{marker.id}: {corner}", 3)
    page.text(
        x, y - 8.5, f"middle at {marker.x_mm:g}, {marker.y_mm:g} mm from the board's", 2.2, 0.4
    )


def template_pages(board: Board, paper: str) -> list[Page]:
    """Return the whole frame as it is seen from above, over as many pages as it takes."""
    wanted = board.frame_mm + 2
    words = (
        "Template, seen from above, player 1 in the south. Crosses: middles of squares, sensors."
    )
    return tiles(paper, wanted, wanted, lambda page, x, y: _board(page, board, x, y), (words,))


def _board(page: Page, board: Board, x: float, y: float) -> None:
    for side, wide in ((board.frame_mm, 0.4), (board.board_mm, 0.4), (board.field_mm, 0.15)):
        page.rectangle(x - side / 2, y - side / 2, side, side, wide)
    cell = board.cell_mm
    for spot in board.squares:
        at_x, at_y = (x + board.at(spot)[0], y + board.at(spot)[1])
        page.rectangle(at_x - cell / 2, at_y - cell / 2, cell, cell, 0.2)
        page.line([(at_x - 2, at_y), (at_x + 2, at_y)], 0.15)
        page.line([(at_x, at_y - 2), (at_x, at_y + 2)], 0.15)
        page.text(at_x - cell / 2 + 1.5, at_y - cell / 2 + 1.5, spot, 3, 0.5)
    for light, (light_x, light_y) in board.lights.at_mm.items():
        page.rectangle(x + light_x - 2.5, y + light_y - 2.5, 5, 5, 0.15, 0.3)
        page.text(x + light_x - 2.2, y + light_y - 5.6, light, 2.2, 0.5)
    for marker in board.markers:
        size = board.marker_mm
        for side, wide in ((size, 0.2), (size + 2 * QUIET_MM, 0.1)):
            page.rectangle(x + marker.x_mm - side / 2, y + marker.y_mm - side / 2, side, side, wide)
        page.text(x + marker.x_mm - 9, y + marker.y_mm - 1, f"marker {marker.id}", 3.2, 0.4)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
