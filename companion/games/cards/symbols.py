"""The pictures on printed cards, drawn by us: each has a shape of its own, whatever its colour.

Each is drawn around a point, ``size`` is half of its height.
"""

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from companion.boards.nets import draw_arrow, draw_ghost
from companion.boards.pdf import BLACK, WHITE, Page
from companion.games.cards.kinds import ALL, CHOOSE, DOT, FRUIT, GHOST, GIVE, PASS, SKIP, SWAP, Card

Symbol = Callable[[Page, float, float, float], None]

RED, ORANGE, GREEN, YELLOW = (224, 32, 48), (255, 144, 32), (32, 144, 64), (255, 216, 0)
BLUE, VIOLET, SKY = (32, 80, 208), (120, 64, 200), (140, 200, 248)


def draw_symbol(page: Page, card: Card, x: float, y: float, size: float) -> None:
    """Draw what a card shows: its own picture, or that of its role where we have none."""
    _SYMBOLS.get(card.name, _ROLES[card.role])(page, x, y, size)


def _dot(page: Page, x: float, y: float, size: float) -> None:
    page.circle(x, y, size * 0.45, YELLOW, size / 18)


def _fruit(page: Page, x: float, y: float, size: float) -> None:
    """Draw some fruit, for tables with others than ours."""
    page.circle(x, y - size * 0.15, size * 0.8, SKY, size / 18)
    _leaf(page, x, y + size * 0.65, size)


def _leaf(page: Page, x: float, y: float, size: float) -> None:
    page.line([(x, y - size * 0.15), (x, y + size * 0.3)], size / 10)
    page.polygon(
        [
            (x, y + size * 0.05),
            (x + size * 0.3, y + size * 0.35),
            (x + size * 0.65, y + size * 0.2),
        ],
        GREEN,
        size / 24,
    )


def _cherry(page: Page, x: float, y: float, size: float) -> None:
    top = (x + size * 0.3, y + size)
    for side, low in ((-0.5, -0.45), (0.5, -0.6)):
        page.line([top, (x + size * side, y + size * low)], size / 14)
        page.circle(x + size * side, y + size * low, size * 0.4, RED, size / 18)


def _strawberry(page: Page, x: float, y: float, size: float) -> None:
    side = [(0.0, -1.0), (0.55, -0.35), (0.75, 0.2), (0.55, 0.5), (0.0, 0.55)]
    outline = [*side, *((-across, up) for across, up in reversed(side))]
    page.polygon([(x + size * a, y + size * b) for a, b in outline], RED, size / 18)
    for a, b in ((0.0, 0.2), (0.35, 0.15), (-0.35, 0.15), (0.18, -0.2), (-0.18, -0.2), (0.0, -0.6)):
        page.circle(x + size * a, y + size * b, size * 0.06, WHITE, 0)
    crown = [(-0.5, 0.5), (-0.6, 0.85), (-0.2, 0.7), (0, 1.0), (0.2, 0.7), (0.6, 0.85), (0.5, 0.5)]
    page.polygon([(x + size * a, y + size * b) for a, b in crown], GREEN, size / 24)


def _orange(page: Page, x: float, y: float, size: float) -> None:
    middle = y - size * 0.15
    page.circle(x, middle, size * 0.8, ORANGE, size / 18)
    page.circle(x, middle, size * 0.62, WHITE, size / 30)
    for n in range(8):  # cut open, for its shape to tell
        way = (cos(pi * n / 4), sin(pi * n / 4))
        ends = [(x, middle), (x + size * 0.62 * way[0], middle + size * 0.62 * way[1])]
        page.line(ends, size / 24, ORANGE)
    _leaf(page, x, y + size * 0.65, size)


def _apple(page: Page, x: float, y: float, size: float) -> None:
    for side in (-0.32, 0.32):
        page.circle(x + size * side, y - size * 0.15, size * 0.58, None, size / 9)
    for side in (-0.32, 0.32):
        page.circle(x + size * side, y - size * 0.15, size * 0.58, RED, 0)
    page.circle(x - size * 0.5, y + size * 0.05, size * 0.12, WHITE, 0)
    _leaf(page, x, y + size * 0.5, size)


def _melon(page: Page, x: float, y: float, size: float) -> None:
    """Draw a slice: half a disc with seeds."""
    top = y + size * 0.35
    for radius, ink in ((1.0, GREEN), (0.86, WHITE), (0.76, RED)):
        arc = [
            (x + size * radius * cos(pi + pi * n / 24), top + size * radius * sin(pi + pi * n / 24))
            for n in range(25)
        ]
        page.polygon(arc, ink, size / 24)
    for a, b in ((-0.4, -0.2), (0.0, -0.25), (0.4, -0.2), (-0.2, -0.5), (0.2, -0.5)):
        page.circle(x + size * a, top + size * b, size * 0.06, BLACK, 0)


def _ghost(page: Page, x: float, y: float, size: float) -> None:
    draw_ghost(page, x, y, size, VIOLET)


def _swap(page: Page, x: float, y: float, size: float) -> None:
    draw_arrow(page, (x - size, y + size * 0.4), (x + size, y + size * 0.4), size / 4, BLUE)
    draw_arrow(page, (x + size, y - size * 0.4), (x - size, y - size * 0.4), size / 4, BLUE)


def _skip(page: Page, x: float, y: float, size: float) -> None:
    page.circle(x, y, size * 0.8, WHITE, size / 5, RED)
    page.line(
        [(x - size * 0.55, y - size * 0.55), (x + size * 0.55, y + size * 0.55)], size / 5, RED
    )


def _pass(page: Page, x: float, y: float, size: float) -> None:
    _back(page, x + size * 0.45, y, size * 0.75)
    draw_arrow(page, (x, y), (x - size, y), size / 4, BLUE)


def _give(page: Page, x: float, y: float, size: float) -> None:
    draw_ghost(page, x - size * 0.45, y, size * 0.6, VIOLET)
    draw_arrow(page, (x + size * 0.2, y), (x + size, y), size / 4, BLUE)


def _choose(page: Page, x: float, y: float, size: float) -> None:
    for n in range(3):
        _back(page, x + size * 0.65 * (n - 1), y - size * 0.2, size * 0.5)
    page.text(x, y + size * 0.5, "1  2  3", size * 0.42, middle=True)


def _all(page: Page, x: float, y: float, size: float) -> None:
    _back(page, x, y, size * 0.42)
    for n in range(4):
        way = (cos(pi / 4 + pi * n / 2), sin(pi / 4 + pi * n / 2))
        start = (x + size * 0.5 * way[0], y + size * 0.5 * way[1])
        draw_arrow(page, start, (x + size * 1.1 * way[0], y + size * 1.1 * way[1]), size / 6, BLUE)


def _back(page: Page, x: float, y: float, size: float) -> None:
    """Draw a small card from behind."""
    wide = size * 0.7
    page.fill(x - wide / 2, y - size / 2, wide, size, SKY)
    page.rectangle(x - wide / 2, y - size / 2, wide, size, size / 16)


_SYMBOLS: Mapping[str, Symbol] = {
    "cherry": _cherry,
    "strawberry": _strawberry,
    "orange": _orange,
    "apple": _apple,
    "melon": _melon,
}
_ROLES: Mapping[str, Symbol] = {
    DOT: _dot,
    FRUIT: _fruit,
    GHOST: _ghost,
    SWAP: _swap,
    SKIP: _skip,
    PASS: _pass,
    GIVE: _give,
    CHOOSE: _choose,
    ALL: _all,
}
