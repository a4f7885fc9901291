"""What can be printed for a set-up of Quoridor PAC-MAN: a card that shows it, pellets and lives."""

from companion.board import FENCE, PELLET, ROWS, Board, square
from companion.boards import profile
from companion.boards.nets import discs, draw_ghost
from companion.boards.paper import MARGIN_MM, Press, Prints, foot, heading
from companion.boards.pdf import WHITE, Page
from companion.games.layout import PACMAN, Layout

LIVES = 3  # SV-3
TOKEN_MM = 18.0
CARD_MM = 150.0
GAME = "Quoridor PAC-MAN, special variant"


def card(layout: Layout, press: Press) -> list[Page]:
    """Return a card with the squares, where everything starts, and the fences."""
    page = press.page()
    how = (
        "Seen by player 1, who sits in the south. To set the board up: Pac-Man, the ghosts by "
        "their letters, a dot for each pellet, a thick line for each fence."
    )
    top = heading(page, layout.title, [how]) - 4
    x, y = page.width_mm / 2, top - CARD_MM / 2
    board = profile.load("reference")
    page.rectangle(x - CARD_MM / 2, y - CARD_MM / 2, CARD_MM, CARD_MM, 0.4)
    _grid(page, board, layout, x, y, (CARD_MM - 18) / board.field_mm)
    foot(page, *_told(layout, "set-up, drawn smaller than the board"))
    return [page]


def tokens(layout: Layout, press: Press) -> list[Page]:
    """Return a disc for each pellet, as wide as the reference build's, and the lives."""
    page = press.page()
    how = "Small discs: pellets, to lay on their squares. Large ones: Pac-Man's lives."
    top = heading(page, f"{GAME}: pellets and lives", [how]) - 4
    board = profile.load("reference")
    size = board.pellet.diameter_mm if board.pellet else board.cell_mm / 2
    width = page.width_mm - 2 * MARGIN_MM
    low = discs(page, (MARGIN_MM, top), width, [(len(layout.pellets), _pellet)], size)
    discs(page, (MARGIN_MM, low), width, [(LIVES, _life)], TOKEN_MM)
    foot(page, *_told(layout, f"pellets of {size:g} mm, lives, scale 1:1"))
    return [page]


def _told(layout: Layout, what: str) -> list[str]:
    lines = [f"{GAME}: {what}. Layout {layout.name}, for boards of 9 by 9 squares."]
    unsure = [part for part, told in layout.provenance.items() if told.startswith("stand-in")]
    if unsure:
        lines.append(f"Stand-in, not known from the game's own picture: {', '.join(unsure)}.")
    return lines


def _grid(page: Page, board: Board, layout: Layout, x: float, y: float, scale: float) -> None:
    cell = board.cell_mm * scale
    for spot in board.squares:
        at_x, at_y = (x + board.at(spot)[0] * scale, y + board.at(spot)[1] * scale)
        page.rectangle(at_x - cell / 2, at_y - cell / 2, cell, cell, 0.2, 0.5)
    edge = board.field_mm / 2 * scale + 3
    for number, row in enumerate(ROWS):
        along = board.at(square(number, number))[0] * scale
        page.text(x + along, y - edge - 2.5, "abcdefghi"[number], 2.6, 0.3, middle=True)
        page.text(x - edge, y + along - 1, row, 2.6, 0.3, middle=True)
    for spot, thing in layout.position().items():
        at_x, at_y = (x + board.at(spot)[0] * scale, y + board.at(spot)[1] * scale)
        if thing == FENCE:
            size = board.fence.length_mm * scale, board.groove_mm * scale
            wide, high = size if spot[2] == "h" else size[::-1]
            page.fill(at_x - wide / 2, at_y - high / 2, wide, high)
        elif thing == PELLET:
            page.circle(at_x, at_y, cell * 0.2, (248, 234, 172), 0.4)
        elif thing == PACMAN:
            page.circle(at_x, at_y, cell * 0.4, board.pieces[thing].colour, 0.4)
            page.text(at_x, at_y - 1.2, "Pac", cell / 5, middle=True)
        else:
            draw_ghost(page, at_x, at_y + cell * 0.1, cell * 0.32, board.pieces[thing].colour)
            page.text(at_x, at_y - cell * 0.45, thing.title(), cell / 6.5, middle=True)


def _pellet(page: Page, x: float, y: float, side: float) -> None:
    page.circle(x, y, side / 2, (248, 234, 172), 0.3)


def _life(page: Page, x: float, y: float, side: float) -> None:
    page.circle(x, y, side * 0.42, WHITE, 0.8)
    page.text(x, y - side / 14, "life", side / 5, middle=True)


PRINTS = Prints(
    "a card with the set-up of Quoridor PAC-MAN, pellets and lives",
    {"card": card, "tokens": tokens},
)
