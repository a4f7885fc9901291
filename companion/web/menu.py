"""The games a visitor can choose from: seats, options and their values, in words for the page."""

import re
from collections.abc import Sequence
from typing import Any

from companion.board import Board
from companion.errors import CompanionError
from companion.games.game import Seat
from companion.games.kit import Kit, Words
from companion.service.seating import LEVEL_SPAN, seat, table_kits
from companion.text import capital

Json = dict[str, Any]

#: What the levels are like, from the first to the last.
LEVEL_WORDS = (
    *("gentle", "easy-going", "relaxed", "fair", "watchful"),
    *("keen", "clever", "strong", "fierce", "merciless"),
)


def menu_json(board: Board) -> list[Json]:
    """Return the games that the table referees on this board, as the page offers them."""
    # Where everybody has a part there is least to choose: those come first, of those on the board.
    kits = sorted(table_kits(), key=lambda kit: (not kit.on_board, kit.chooses_pieces))
    entries = (_entry(kit, board) for kit in kits)
    return [entry for entry in entries if entry is not None]


def _entry(kit: Kit, board: Board) -> Json | None:
    try:
        company = seat(board, (), kit)
    except CompanionError:
        return None  # a piece that it needs is not there
    return {
        "name": kit.name,
        "title": kit.title,
        "note": kit.note,
        "seats": [
            {"name": name, "piece": piece, **_colour(kit, number)}
            for number, (name, piece) in enumerate(zip(company.names, company.pieces, strict=True))
        ],
        "choose": kit.chooses_pieces,
        "on_board": kit.on_board,
        "count": "players" if "players" in kit.game.options else "",
        "lots": "first" in kit.game.options,
        "levels": list(LEVEL_SPAN),
        "level_words": list(LEVEL_WORDS),
        "options": [
            _option(name, values, kit)
            for name, values in kit.game.options.items()
            if len(values) > 1 and (name not in kit.words or kit.words[name].asked)
        ],
    }


def _colour(kit: Kit, seat: Seat) -> Json:
    """Return the colour of a seat that no piece of the board stands for."""
    if kit.hands is None:
        return {}
    return {"colour": "#{:02x}{:02x}{:02x}".format(*kit.hands.colours[seat])}


def _option(name: str, values: Sequence[str], kit: Kit) -> Json:
    in_words = kit.words.get(name, Words())
    return {
        "name": name,
        "label": in_words.label or words(name),
        "house": in_words.house,
        "usual": kit.house.get(name, values[0]),
        "values": [{"value": v, "label": in_words.values.get(v, words(v))} for v in values],
    }


def words(name: str) -> str:
    """Return a name such as ``pacman-advanced`` or ``frenzyUpTo`` as words."""
    apart = re.sub("([a-z])([A-Z])", lambda at: f"{at[1]} {at[2].lower()}", name)
    return capital(apart.replace("-", " "))
