"""The deck to print: every card as often as its level has it, nine on a sheet, and their backs.

The cards are ours in words and pictures. What each does is the rules' (CG-4 to CG-14), and how many
there are is the table's, so that a printed deck has what the rules deal.
"""

from collections.abc import Iterator, Mapping

from companion.boards.paper import CUT, RULER_MM, Press, Prints
from companion.boards.pdf import BLACK, WHITE, Page, text_width, wrapped
from companion.errors import CompanionError
from companion.games.cards.kinds import (
    ALL,
    CHOOSE,
    DOT,
    FRUIT,
    GHOST,
    GIVE,
    PASS,
    POWER_RULES,
    SKIP,
    SWAP,
    Card,
    CardTable,
)
from companion.games.cards.symbols import draw_symbol

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
ACROSS, DOWN = 3, 3
MOST_CARDS = 540

#: What a card does, in short; ``points`` is filled in.
WORDS: Mapping[str, str] = {
    DOT: "Goes into your hand unseen. {points} at the end.",
    FRUIT: "Goes into your hand unseen. {points} at the end.",
    GHOST: "Goes into your hand unseen. With the third one you are knocked out.",
    SWAP: "Pick two players, yourself too if you like: each gets the other's hand.",
    SKIP: "Pick somebody else: no next turn for them.",
    PASS: "Everybody picks a card of their own and hands it on to the left, unseen.",
    GIVE: "Hand one of your ghosts to somebody else. No ghost, no effect.",
    CHOOSE: "Pick a player and a number, 1, 2 or 3: that many cards must be drawn next turn.",
    ALL: "Everybody draws a card, you begin. Power ups that come up go away unused.",
}
#: The rule that says so; docs/games/cards.md has them.
_RULES = {DOT: "CG-4", FRUIT: "CG-4", GHOST: "CG-5", **POWER_RULES}

#: Under the words of a power up; who shut down or is out is never meant.
STILL_IN = "Only players still in. Nobody there: discard."


def front_pages(cards: CardTable, press: Press) -> list[Page]:
    """Return the faces of all cards, Level 1 first."""
    return list(_fronts(cards, press))


def back_page(cards: CardTable, press: Press) -> list[Page]:
    """Return a sheet of backs, all alike."""
    page = press.page()
    for left, low in _places(page):
        _back(page, left, low)
    _frame(page, cards, f"Backs: print this sheet {_sheets(cards)} times on the other side.")
    return [page]


def both_sides(cards: CardTable, press: Press) -> list[Page]:
    """Return each sheet of faces with its backs behind it, to print on both sides of the paper."""
    return [page for front in _fronts(cards, press) for page in (front, *back_page(cards, press))]


def copies(cards: CardTable) -> list[tuple[str, Card]]:
    """Return every single card with its level, in the order of the sheets."""
    count = sum(map(sum, cards.levels.values()))
    if count > MOST_CARDS:
        raise CompanionError(f"expected at most {MOST_CARDS} cards to print, got {count}")
    return [
        (level, card)
        for level, counts in cards.levels.items()
        for card, count in zip(cards.kinds, counts, strict=True)
        for _ in range(count)
    ]


def words_of(card: Card) -> str:
    """Return what a card does, as it stands on it."""
    points = "1 point" if card.points == 1 else f"{card.points} points"
    return WORDS[card.role].format(points=points)


def index_of(card: Card) -> str:
    """Return what stands in a card's corners: what it is worth, or two letters."""
    if card.points:
        return str(card.points)
    return {GHOST: "Gh", DOT: "0", FRUIT: "0"}.get(card.role, card.title[:2].title())


def _sheets(cards: CardTable) -> int:
    return -(-len(copies(cards)) // (ACROSS * DOWN))


def _fronts(cards: CardTable, press: Press) -> Iterator[Page]:
    all_cards, count = copies(cards), ACROSS * DOWN
    for start in range(0, len(all_cards), count):
        page = press.page()
        for (level, card), (left, low) in zip(all_cards[start:], _places(page), strict=False):
            _front(page, level, card, left, low)
        number = start // count + 1
        _frame(page, cards, f"Sheet {number} of {_sheets(cards)}.")
        yield page


def _places(page: Page) -> list[tuple[float, float]]:
    """Return the lower left corners of the cards, the first in the north-west."""
    left, top = (page.width_mm - ACROSS * WIDTH_MM) / 2, (page.height_mm + DOWN * HEIGHT_MM) / 2
    return [
        (left + column * WIDTH_MM, top - (row + 1) * HEIGHT_MM)
        for row in range(DOWN)
        for column in range(ACROSS)
    ]


def _front(page: Page, level: str, card: Card, left: float, low: float) -> None:
    middle, top = left + WIDTH_MM / 2, low + HEIGHT_MM
    index = index_of(card)
    page.text(left + 5, top - 13, index, 8)
    draw_symbol(page, card, left + 9, top - 20, 3.6)
    with page.turned(left + WIDTH_MM - 5, low + 9.5, 180):
        page.text(0, 0, index, 5)
    _level(page, level, left + WIDTH_MM - 10, top - 10)
    draw_symbol(page, card, middle, low + 57, 13)
    fitting = 5 * min(1.0, (WIDTH_MM - 8) / text_width(card.title, 5))
    page.text(middle, low + 36.5, card.title, fitting, middle=True)
    y = low + 30.5
    for line in wrapped(words_of(card), 2.8, WIDTH_MM - 12):
        page.text(middle, y, line, 2.8, middle=True)
        y -= 4.4
    if card.is_power:
        for line in wrapped(STILL_IN, 2.1, WIDTH_MM - 28):
            page.text(middle, y + 0.5, line, 2.1, 0.25, middle=True)
            y -= 3.2
    page.text(left + 5, low + 4, f"{_RULES[card.role]}  level {level}", 1.9, 0.35)


def _level(page: Page, level: str, x: float, y: float) -> None:
    """Draw a level's mark: a black square for the first, a blue disc with a ring for others."""
    if level == "1":
        page.fill(x - 4.5, y - 4.5, 9, 9, BLACK)
    else:
        page.circle(x, y, 5, (32, 80, 208), 0)
        page.circle(x, y, 4.2, None, 0.5, WHITE)
    page.text(x, y - 2.2, level, 4.6, WHITE, middle=True)


def _back(page: Page, left: float, low: float) -> None:
    """Draw a back that is the same from both ends and saves ink: frames and dots."""
    blue = (60, 90, 200)
    for inset, wide in ((4.0, 1.6), (7.5, 0.5), (19.5, 0.5)):
        size = WIDTH_MM - 2 * inset, HEIGHT_MM - 2 * inset
        page.rectangle(left + inset, low + inset, *size, wide, blue)
    x, y = left + WIDTH_MM / 2, low + HEIGHT_MM / 2
    for across in range(-4, 5):
        for up in range(-6, 7):
            at = (across * 6.0, up * 6.0)
            in_band = abs(at[0]) > 12.1 or abs(at[1]) > 24.6
            if in_band and abs(at[0]) < 23.5 and abs(at[1]) < 36.1:
                page.circle(x + at[0], y + at[1], 0.9, blue, 0)
    for radius in (10.0, 6.5, 3.0):
        page.circle(x, y, radius, None, 1.0, blue)


def _frame(page: Page, cards: CardTable, words: str) -> None:
    """Draw the lines to cut along, the ruler on the right, and what this is on the left."""
    left, low = (page.width_mm - ACROSS * WIDTH_MM) / 2, (page.height_mm - DOWN * HEIGHT_MM) / 2
    right, top = page.width_mm - left, page.height_mm - low
    for column in range(ACROSS + 1):
        x = left + column * WIDTH_MM
        page.line([(x, low), (x, top)], 0.15, CUT)
        for y in (low, top):
            page.line([(x, y), (x, y + (-3 if y == low else 3))], 0.15, 0.3)
    for row in range(DOWN + 1):
        y = low + row * HEIGHT_MM
        page.line([(left, y), (right, y)], 0.15, CUT)
        for x in (left, right):
            page.line([(x, y), (x + (-3 if x == left else 3), y)], 0.15, 0.3)
    _upright_ruler(page, right + 1.6, low + 20)
    stand_in = cards.provenance.get("cards", "").startswith("stand-in")
    sure = " Stand-in counts and points: those of a box may differ." if stand_in else ""
    told = f"{cards.title}: deck {cards.name}, 63 × 88 mm. {words}{sure}"
    with page.turned(left - 4, low + 6, 90):
        page.text(0, 0, told, 2.1, 0.3)
    how = "Print at 100 %, both sides flipped on the long edge. The ruler must be 100 mm long."
    with page.turned(right + 5.6, top - 6 - text_width(how, 2.1), 90):
        page.text(0, 0, how, 2.1, 0.3)


def _upright_ruler(page: Page, x: float, y: float) -> None:
    page.line([(x, y), (x, y + RULER_MM)], 0.25)
    for mark in range(0, RULER_MM + 1):
        wide = 2.4 if mark % 10 == 0 else 1.7 if mark % 5 == 0 else 1.0
        page.line([(x, y + mark), (x + wide, y + mark)], 0.12)


PRINTS = Prints(
    "the cards of the card game, nine on a sheet, with backs for both sides of the paper",
    {"fronts": front_pages, "backs": back_page},
    both_sides,
)
