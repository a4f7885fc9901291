"""What is printed beside a maze board: pawns to fold, dice, a spinner, discs to lay on it."""

from collections.abc import Mapping, Sequence

from companion.boards.nets import (
    Face,
    box,
    box_size,
    die,
    discs,
    draw_ghost,
    pointer,
    spinner,
)
from companion.boards.paper import FOOT_MM, MARGIN_MM, Press, foot, heading
from companion.boards.pdf import WHITE, Ink, Page, text_width
from companion.errors import CompanionError
from companion.games.maze.maze import Maze
from companion.games.maze.sheets import told

#: Of the room that a pawn has: a box that is a square must not stick out of a round spot.
BOX_SHARE, BOX_HEIGHT_SHARE = 0.8, 0.4
DIE_MM = 18.0
SPINNER_MM = 45.0
DISC_SHARE = 1 / 3  # of the pitch
GAP_MM = 4.0
#: Dice have this many sides; what shows another number of things is made a spinner.
SIDES = 6

CUT_AND_FOLD = (
    "Cut along the whole lines, fold along the dashed ones, glue the grey tabs. Thicker paper is "
    "better; a coin inside keeps a pawn where it is."
)


def ghost_face(ink: tuple[int, int, int], words: str, weak: bool = False) -> Face:
    """Return a ghost with words below: of one colour, or weak, which is white and wavy."""
    fill: Ink = WHITE if weak else ink

    def draw(page: Page, x: float, y: float, side: float) -> None:
        draw_ghost(page, x, y + side * 0.12, side * 0.3, fill, weak)
        page.text(x, y - side * 0.4, words, side / 9, middle=True)

    return draw


def disc_face(ink: tuple[int, int, int], words: str, bow: bool = False) -> Face:
    """Return a disc of one colour with words on it, and a bow if it has one."""

    def draw(page: Page, x: float, y: float, side: float) -> None:
        page.circle(x, y, side * 0.42, ink, side / 30)
        page.text(x, y - side * 0.14, words, side * min(0.3, 1.4 / len(words)), middle=True)
        for way in (-1, 1) if bow else ():
            tips = [(x + way * side * 0.22, y + side * at) for at in (0.2, 0.42)]
            page.polygon([(x, y + side * 0.31), *tips], (224, 32, 48), side / 40)

    return draw


def wall_face(words: str) -> Face:
    """Return words that fit on a low wall."""

    def draw(page: Page, x: float, y: float, side: float) -> None:
        size = min(side / 5, 0.17 * side * side / text_width(words, side / 5))
        page.text(x, y - size / 2, words, size, middle=True)

    return draw


def pawn_pages(
    maze: Maze, press: Press, game: str, pawns: Sequence[tuple[str, Face, Face]]
) -> list[Page]:
    """Return the nets of pawns: each with its name, its upper and its lower side."""
    side, height = BOX_SHARE * maze.pawn_mm, BOX_HEIGHT_SHARE * maze.pawn_mm
    wide, high = (size + GAP_MM for size in box_size(side, height))
    if wide > press.size[0] - 2 * MARGIN_MM or high > press.size[1] - 2 * MARGIN_MM - FOOT_MM - 40:
        raise CompanionError(
            f"expected pawns that fit on {press.paper}, got {maze.pawn_mm:g} mm: take larger paper"
        )
    pages: list[Page] = []
    left = list(pawns)
    while left:
        page, top = _page(press, f"{game}: pawns", maze, game, CUT_AND_FOLD)
        across = max(1, int((page.width_mm - 2 * MARGIN_MM) // wide))
        down = max(1, int((top - MARGIN_MM - FOOT_MM) // high))
        for number, (name, upper, lower) in enumerate(left[: across * down]):
            row, column = divmod(number, across)
            faces: Mapping[str, Face] = {"top": upper, "bottom": lower}
            walls = dict.fromkeys(("north", "south"), wall_face(name))
            at = (MARGIN_MM + column * wide, top - (row + 1) * high + GAP_MM)
            box(page, *at, side, height, {**faces, **walls})
        left = left[across * down :]
        pages.append(page)
    return pages


def chance_page(
    maze: Maze, press: Press, game: str, dice: Sequence[Sequence[str]], spun: Sequence[str] = ()
) -> list[Page]:
    """Return a page with dice, each by its faces, and a spinner if something is spun."""
    how = "The spinner turns around a pin, or a pencil through a bent paper clip. " if spun else ""
    page, top = _page(press, f"{game}: {'dice and spinner' if spun else 'dice'}", maze, game, how)
    wheels = [tuple(spun)] if spun else []
    x = MARGIN_MM
    wide, high = box_size(DIE_MM, DIE_MM)
    low = top - high
    for faces in dice:
        if len(faces) != SIDES:
            wheels.append(tuple(faces))
            continue
        die(page, x, low, DIE_MM, faces)
        x += wide + GAP_MM
    for number, values in enumerate(wheels):
        across = MARGIN_MM + SPINNER_MM + number * (2 * SPINNER_MM + GAP_MM)
        spinner(page, across, low - GAP_MM - SPINNER_MM, SPINNER_MM, values)
    if wheels:
        pointer(page, x + 15, low + 10, SPINNER_MM * 0.8)
    return [page]


def disc_page(
    maze: Maze, press: Press, game: str, what: str, counts: Sequence[tuple[int, Face]]
) -> list[Page]:
    """Return a page of discs to cut out."""
    page, top = _page(press, f"{game}: {what}", maze, game, "Beads or buttons do as well.")
    width = page.width_mm - 2 * MARGIN_MM
    low = discs(page, (MARGIN_MM, top), width, counts, DISC_SHARE * maze.pitch_mm)
    if low < MARGIN_MM + FOOT_MM:
        raise CompanionError(
            f"expected {what} that fit on one sheet of {press.paper}, got "
            f"{sum(count for count, _ in counts)} of them: take larger paper"
        )
    return [page]


def blank(page: Page, x: float, y: float, side: float) -> None:
    """Leave a disc as it is."""


def ring(ink: tuple[int, int, int]) -> Face:
    """Return a filled disc with a ring in it, to be told from a blank one without its colour."""

    def draw(page: Page, x: float, y: float, side: float) -> None:
        page.circle(x, y, side / 2, ink, 0.3)
        page.circle(x, y, side / 3, None, 0.6)

    return draw


def _page(press: Press, words: str, maze: Maze, game: str, how: str) -> tuple[Page, float]:
    """Return a page with its heading and foot, and how far up there is room."""
    page = press.page()
    top = heading(page, words, [how] if how else [])
    what = words.rpartition(": ")[2]
    foot(page, *told(maze, game, what))
    return page, top - GAP_MM
