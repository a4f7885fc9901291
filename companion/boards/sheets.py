"""Sheets to print true to scale: a board's markers, and the whole board as a template.

Every page has a ruler, for printers like to shrink what they are given.
"""

import math
from collections.abc import Mapping, Sequence

from companion.board import Board, Marker
from companion.boards.pdf import PAPERS, Page, to_pdf
from companion.errors import CompanionError

#: A marker's squares with their black border, row by row from the top; True is black.
Bits = Sequence[Sequence[bool]]

MARGIN_MM = 10.0  # what a printer leaves white
FOOT_MM = 24.0  # for the ruler and the words
QUIET_MM = 5.0  # white around a marker
RULER_MM = 100
OVERLAP_MM = 5.0
CORNERS = {
    (-1, 1): "north-west, beyond a9",
    (1, 1): "north-east, beyond i9",
    (1, -1): "south-east, beyond i1",
    (-1, -1): "south-west, beyond a1",
}


def sheets(board: Board, bits: Mapping[int, Bits], paper: str, only: str = "") -> bytes:
    """Return a PDF with the markers and the template of a board, or ``only`` one of them."""
    if paper not in PAPERS:
        raise CompanionError(f"expected paper {', '.join(map(repr, PAPERS))}, got {paper!r}")
    if only == "markers" and not board.markers:
        raise CompanionError(f"the board {board.name} has no markers in its profile")
    pages: list[Page] = []
    if only in ("", "markers") and board.markers:
        pages += marker_pages(board, bits, paper)
    if only in ("", "template"):
        pages += template_pages(board, paper)
    return to_pdf(pages, f"{board.title}: to print")


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
        _foot(
            page, "Cut along the thin lines. The small triangle points north, away from player 1."
        )
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
    step = board.marker_mm / len(bits)
    for row, line in enumerate(bits):
        top = y + QUIET_MM + board.marker_mm - row * step
        for first, count in _runs(line):
            page.fill(x + QUIET_MM + first * step, top - step, count * step, step)
    middle = x + label / 2
    for half in (1.0, 0.6, 0.2):  # a triangle of three strokes, in the outermost white
        top = y + label - 0.6 - (1.0 - half)
        page.line([(middle - (1.2 - half), top), (middle + (1.2 - half), top)], 0.3, 0.5)
    corner = CORNERS.get((_sign(marker.x_mm), _sign(marker.y_mm)), "")
    page.text(x, y - 4.5, f"{marker.id}: {corner}", 3)
    page.text(
        x, y - 8.5, f"middle at {marker.x_mm:g}, {marker.y_mm:g} mm from the board's", 2.2, 0.4
    )


def _runs(line: Sequence[bool]) -> list[tuple[int, int]]:
    """Return start and length of each run of black, so that no hairlines show between squares."""
    found: list[tuple[int, int]] = []
    for place, black in enumerate(line):
        if not black:
            continue
        if found and sum(found[-1]) == place:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((place, 1))
    return found


def template_pages(board: Board, paper: str) -> list[Page]:
    """Return the whole frame as it is seen from above, over as many pages as it takes."""
    upright = PAPERS[paper]
    sizes = (upright, upright[::-1])
    width, height = min(sizes, key=lambda size: math.prod(_pages(board, *size)))
    across, down = _pages(board, width, height)
    pages = []
    for row in range(down):
        for column in range(across):
            page = Page(width, height)
            _part(page, board, column, row, across, down)
            pages.append(page)
    return pages


def _room(width: float, height: float) -> tuple[float, float]:
    return width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - FOOT_MM


def _pages(board: Board, width: float, height: float) -> tuple[int, int]:
    """Return how many pages the frame takes across and down."""
    wanted = board.frame_mm + 2
    across, down = (
        1 if wanted <= room else math.ceil((wanted - OVERLAP_MM) / (room - OVERLAP_MM))
        for room in _room(width, height)
    )
    return across, down


def _part(page: Page, board: Board, column: int, row: int, across: int, down: int) -> None:
    """Draw one page of the template, its share of the frame centred in what can be printed."""
    room_x, room_y = _room(page.width_mm, page.height_mm)
    step_x, shown_x = _step(board.frame_mm + 2, across)
    step_y, shown_y = _step(board.frame_mm + 2, down)
    half = (board.frame_mm + 2) / 2
    left = MARGIN_MM + (room_x - shown_x) / 2
    low = MARGIN_MM + FOOT_MM + (room_y - shown_y) / 2
    middle_x = left + half - column * step_x
    middle_y = low + shown_y - half + row * step_y
    page.clip(left, low, shown_x, shown_y)
    _board(page, board, middle_x, middle_y)
    page.unclip()
    page.rectangle(left, low, shown_x, shown_y, 0.1, 0.7)
    _glue_lines(page, left, low, shown_x, shown_y, column < across - 1, row < down - 1)
    words = (
        "Template, seen from above, player 1 in the south. Crosses: middles of squares, sensors."
    )
    if across * down > 1:
        words += f" Row {row + 1} of {down}, column {column + 1} of {across}."
    _foot(page, words)


def _step(wanted: float, count: int) -> tuple[float, float]:
    """Return how far apart so many pages begin, and how much each of them shows."""
    if count == 1:
        return wanted, wanted
    step = (wanted - OVERLAP_MM) / count
    return step, step + OVERLAP_MM


def _glue_lines(
    page: Page, left: float, low: float, width: float, height: float, east: bool, south: bool
) -> None:
    """Mark where the next page's edge is to lie."""
    if east:
        x = left + width - OVERLAP_MM
        for y in (low, low + height - 8):
            page.line([(x, y), (x, y + 8)], 0.3, 0.3)
    if south:
        y = low + OVERLAP_MM
        for x in (left, left + width - 8):
            page.line([(x, y), (x + 8, y)], 0.3, 0.3)


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


def _foot(page: Page, words: str) -> None:
    """Write the ruler, and how to print."""
    x, y = MARGIN_MM, MARGIN_MM + 8
    page.line([(x, y), (x + RULER_MM, y)], 0.25)
    for mark in range(RULER_MM + 1):
        tall = 5.0 if mark % 10 == 0 else 3.5 if mark % 5 == 0 else 2.0
        page.line([(x + mark, y), (x + mark, y + tall)], 0.12 if mark % 10 else 0.25)
        if mark % 10 == 0:
            page.text(x + mark - 1.2, y + 5.6, str(mark), 2.4)
    page.text(x + RULER_MM + 6, y + 3, "Print at 100 %, not fitted to the page.", 2.8)
    page.text(x + RULER_MM + 6, y - 1, "The ruler must be 100 mm long: measure it.", 2.8)
    page.text(x, MARGIN_MM, words, 2.8, 0.3)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
