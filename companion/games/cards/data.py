"""Card tables as data: which cards there are, what they do, how many of each a level has.

``docs/boards.md`` explains the format (``kind = "deck"``). The rules get a
:class:`~companion.games.cards.kinds.CardTable`; what a box really holds, an edition may change.
"""

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.boards.files import described, load_file, read_file, read_provenance
from companion.games.cards.kinds import DOT, FRUIT, GHOST, ROLES, Card, CardTable
from companion.games.cards.sheets import PRINTS
from companion.games.kit import DataKind
from companion.toml_table import Table

#: The files that come along.
FOLDER = Path(__file__).parent

SECTIONS = ("deck", "cards")
CONFIDENCES = ("measured", "rulebook", "reference design", "stand-in")
LEVELS = ("1", "2")


def load_deck(name_or_path: str | Path) -> CardTable:
    """Return the cards of a file, given by name or path; ProfileError if it is wrong."""
    return load_file(name_or_path, "deck", read_deck, FOLDER)


def read_deck(path: Path) -> tuple[CardTable | None, list[str]]:
    """Return the cards in a file and everything that is wrong with it, a sentence each."""
    return read_file(path, _read)


def draw_deck(cards: CardTable) -> str:
    """Return the table of cards as lines of text, with the sums below."""
    lines = [f"{'card':<12}{'role':<8}{'points':>6}{'level 1':>9}{'level 2':>9}"]
    for number, card in enumerate(cards.kinds):
        counts = "".join(f"{cards.levels[level][number]:>9}" for level in LEVELS)
        lines.append(f"{card.name:<12}{card.role:<8}{card.points or '':>6}{counts}")
    sums = "".join(f"{sum(cards.levels[level]):>9}" for level in LEVELS)
    return "\n".join([*lines, f"{'in all':<26}{sums}"]) + "\n"


def _size(cards: CardTable) -> str:
    counts = ", ".join(f"{sum(cards.levels[level])} in level {level}" for level in LEVELS)
    return f"deck of {len(cards.kinds)} kinds of cards; {counts}"


def _facts(cards: CardTable) -> dict[str, Any]:
    return described(
        cards,
        cards={
            card.name: {
                "title": card.title,
                "role": card.role,
                "points": card.points,
                "levels": [cards.levels[level][number] for level in LEVELS],
            }
            for number, card in enumerate(cards.kinds)
        },
    )


DECKS = DataKind(
    "deck",
    load_deck,
    lambda path: read_deck(path)[1],
    _facts,
    _size,
    draw_deck,
    prints=PRINTS,
)


def _read(name: str, top: Table) -> CardTable:
    top.text("kind", choices=("deck",))
    sizes, listed = top.table("deck"), top.table("cards")
    size = {level: sizes.whole(f"level{level}", low=1) for level in LEVELS}
    sizes.known()
    kinds = []
    counts: dict[str, list[int]] = {level: [] for level in LEVELS}
    for key in listed:
        entry = listed.table(key)
        kinds.append(_card(key, entry))
        for level in LEVELS:
            counts[level].append(entry.whole(f"level{level}", 0))
        entry.known()
        if not re.fullmatch("[a-z][a-z0-9]*", key):
            listed.note(key, "a name of lower-case letters and digits", key)
    for level in LEVELS:
        if sum(counts[level]) != size[level] and not top.problems:
            listed.note(f"*.level{level}", f"{size[level]} cards in all", f"{sum(counts[level])}")
    ghosts = [card.name for card in kinds if card.role == GHOST]
    if len(ghosts) != 1:
        listed.note("*.role", f"exactly one card with the role {GHOST!r}", ", ".join(ghosts))
    table = CardTable(
        name=name,
        title=top.text("title"),
        kinds=tuple(kinds),
        levels=MappingProxyType({level: tuple(counts[level]) for level in LEVELS}),
        provenance=read_provenance(top, SECTIONS, CONFIDENCES),
    )
    top.known(*SECTIONS, "provenance")
    return table


def _card(name: str, entry: Table) -> Card:
    role = entry.text("role", choices=ROLES)
    points = entry.whole("points", 0, high=10_000)
    if points and role in ROLES and role not in (DOT, FRUIT):
        entry.note("points", f"none on a card with the role {role!r}", points)
    return Card(name, entry.text("title"), role, points)
