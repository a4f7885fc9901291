"""What every sheet to print shares: the ruler, the words at the foot, and how what is larger than a
sheet is laid over several of them.

Every page has a ruler, for printers like to shrink what they are given.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.boards.pdf import PAPERS, Ink, Page, to_pdf, wrapped
from companion.errors import CompanionError, OptionError

#: A marker's squares with their black border, row by row from the top; True is black.
Bits = Sequence[Sequence[bool]]

MARGIN_MM = 10.0  # what a printer leaves white
FOOT_MM = 24.0  # for the ruler and the words
QUIET_MM = 5.0  # white around a marker
RULER_MM = 100
OVERLAP_MM = 5.0
MOST_SHEETS = 64
CUT, FOLD = 0.6, (1.5, 1.0)  # the grey of lines to cut along, the dashes of lines to fold along
_TICK_MM = 4.0
_WORDS_MM = 2.4
_LINE_MM = 3.0

#: Draws something on a page, its middle at a point there.
Draw = Callable[[Page, float, float], None]


@dataclass(frozen=True)
class Press:
    """What sheets are made with: the paper, and a marker's squares by dictionary and number."""

    paper: str
    bits: Callable[[str, int], Bits]

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            known = ", ".join(map(repr, PAPERS))
            raise CompanionError(f"expected paper {known}, got {self.paper!r}")

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height of the paper, upright."""
        return PAPERS[self.paper]

    def page(self) -> Page:
        """Return an empty page, upright."""
        return Page(*self.size)


#: Makes the pages of one part of what can be printed of a file.
MakePages = Callable[[Any, Press], list[Page]]


@dataclass(frozen=True)
class Prints:
    """What can be printed of a kind of file: its parts by name, all unless one is asked for.

    ``whole`` makes the pages when no part is asked for and they are not simply all parts in turn.
    ``about`` says in a few words what comes out.
    """

    about: str
    parts: Mapping[str, MakePages] = field(default_factory=dict)
    whole: MakePages | None = None

    def pdf(self, value: Any, press: Press, only: str = "") -> bytes:
        """Return the file to print; OptionError for a part that there is not."""
        if only and only not in self.parts:
            expected = ", ".join(map(repr, self.parts))
            raise OptionError(f"--only: {value.name} has {expected} to print, got {only!r}")
        if only:
            pages = self.parts[only](value, press)
        elif self.whole:
            pages = self.whole(value, press)
        else:
            pages = [page for make in self.parts.values() for page in make(value, press)]
        return to_pdf(pages, f"{value.title}: to print")


def foot(page: Page, *lines: str) -> None:
    """Write the ruler, how to print, and below it up to four lines of words."""
    x, y = MARGIN_MM, MARGIN_MM + 8
    page.line([(x, y), (x + RULER_MM, y)], 0.25)
    for mark in range(RULER_MM + 1):
        tall = 5.0 if mark % 10 == 0 else 3.5 if mark % 5 == 0 else 2.0
        page.line([(x + mark, y), (x + mark, y + tall)], 0.12 if mark % 10 else 0.25)
        if mark % 10 == 0:
            page.text(x + mark - 1.2, y + 5.6, str(mark), 2.4)
    page.text(x + RULER_MM + 6, y + 3.8, "Print at 100 %, not fitted to the page.", 2.8)
    page.text(x + RULER_MM + 6, y + 0.2, "The ruler must be 100 mm long: measure it.", 2.8)
    width = page.width_mm - 2 * MARGIN_MM
    told = [line for words in lines for line in wrapped(words, _WORDS_MM, width)]
    for number, line in enumerate(told[:4]):
        page.text(x, MARGIN_MM + 4.4 - number * _LINE_MM, line, _WORDS_MM, 0.3)


def room(width: float, height: float) -> tuple[float, float]:
    """Return what a page of this size has room for above its foot."""
    return width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - FOOT_MM


def heading(page: Page, words: str, lines: Sequence[str] = ()) -> float:
    """Write what a page is at its top, and how it is used; return how far down they reach."""
    y = page.height_mm - MARGIN_MM - 5
    page.text(MARGIN_MM, y, words, 4.5)
    y -= 2.5
    for line in lines:
        for part in wrapped(line, 2.9, page.width_mm - 2 * MARGIN_MM):
            y -= 4.6
            page.text(MARGIN_MM, y, part, 2.9, 0.2)
    return y - 3


def tiles(
    paper: str,
    width_mm: float,
    height_mm: float,
    draw: Draw,
    words: Sequence[str],
    overlap_mm: float = OVERLAP_MM,
) -> list[Page]:
    """Return a drawing of this size over as few pages as it takes, the first in the north-west.

    Each page shows its share, and an overlap with the next ones in the east and in the south.
    """
    upright = PAPERS[paper]
    if 2 * overlap_mm > min(room(*upright)):
        raise CompanionError(f"expected parts that fit on {paper}: take larger paper")

    def counts(size: tuple[float, float]) -> tuple[int, int]:
        across, down = (
            1 if wanted <= space else math.ceil((wanted - overlap_mm) / (space - overlap_mm))
            for wanted, space in zip((width_mm, height_mm), room(*size), strict=True)
        )
        return across, down

    size = min((upright, upright[::-1]), key=lambda each: math.prod(counts(each)))
    across, down = counts(size)
    if across * down > MOST_SHEETS:
        wanted = f"{width_mm:g} by {height_mm:g} mm on {across * down}"
        raise CompanionError(f"expected at most {MOST_SHEETS} sheets of {paper}, got {wanted}")
    pages = []
    for row in range(down):
        for column in range(across):
            page = Page(*size)
            part = _Part(page, column, row, across, down, overlap_mm)
            part.show(width_mm, height_mm, draw)
            foot(page, *words, *part.told())
            pages.append(page)
    return pages


@dataclass(frozen=True)
class _Part:
    """One page of a drawing that is laid over several."""

    page: Page
    column: int
    row: int
    across: int
    down: int
    overlap_mm: float

    def told(self) -> list[str]:
        """Return which page this is, in words; nothing where there is only one."""
        if self.across * self.down == 1:
            return []
        here = f"Row {self.row + 1} of {self.down}, column {self.column + 1} of {self.across}."
        how = "Cut along the frame; glue the next sheets over the strips beyond the dashes."
        return [f"{here} {how}"]

    def show(self, width_mm: float, height_mm: float, draw: Draw) -> None:
        """Draw this page's share, in the middle of what can be printed."""
        page = self.page
        room_x, room_y = room(page.width_mm, page.height_mm)
        step_x, shown_x = _step(width_mm, self.across, self.overlap_mm)
        step_y, shown_y = _step(height_mm, self.down, self.overlap_mm)
        left = MARGIN_MM + (room_x - shown_x) / 2
        low = MARGIN_MM + FOOT_MM + (room_y - shown_y) / 2
        page.clip(left, low, shown_x, shown_y)
        x = left + width_mm / 2 - self.column * step_x
        draw(page, x, low + shown_y - height_mm / 2 + self.row * step_y)
        page.unclip()
        page.rectangle(left, low, shown_x, shown_y, 0.1, 0.7)
        cut_marks(page, left, low, shown_x, shown_y)
        self._glue_lines(left, low, shown_x, shown_y)

    def _glue_lines(self, left: float, low: float, width: float, height: float) -> None:
        """Mark where the next page's edge is to lie."""
        if self.column < self.across - 1:
            x = left + width - self.overlap_mm
            for y in (low, low + height - 8):
                self.page.line([(x, y), (x, y + 8)], 0.3, 0.3, (2, 1))
        if self.row < self.down - 1:
            y = low + self.overlap_mm
            for x in (left, left + width - 8):
                self.page.line([(x, y), (x + 8, y)], 0.3, 0.3, (2, 1))


def _step(wanted: float, count: int, overlap_mm: float) -> tuple[float, float]:
    """Return how far apart so many pages begin, and how much each of them shows."""
    if count == 1:
        return wanted, wanted
    step = (wanted - overlap_mm) / count
    return step, step + overlap_mm


def cut_marks(page: Page, left: float, low: float, width: float, height: float) -> None:
    """Draw short lines outside of a rectangle's corners, for ruler and knife."""
    for x, away in ((left, -1), (left + width, 1)):
        for y, off in ((low, -1), (low + height, 1)):
            page.line([(x + away, y), (x + away * _TICK_MM, y)], 0.15, 0.3)
            page.line([(x, y + off), (x, y + off * _TICK_MM)], 0.15, 0.3)


def draw_marker(page: Page, x: float, y: float, size_mm: float, bits: Bits) -> None:
    """Draw a marker with its middle at a point."""
    step = size_mm / len(bits)
    for row, line in enumerate(bits):
        top = y + size_mm / 2 - row * step
        for first, count in _runs(line):
            page.fill(x - size_mm / 2 + first * step, top - step, count * step, step)


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


def tinted(ink: tuple[int, int, int], share: float) -> Ink:
    """Return a colour thinned with white, to save ink and to let words be read on it."""
    red, green, blue = (round(255 - (255 - value) * share) for value in ink)
    return red, green, blue
