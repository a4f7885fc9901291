"""The games a visitor can choose from: seats, options and their values, in words for the page."""

import re
from collections.abc import Mapping
from typing import Any

from companion.board import Board
from companion.errors import CompanionError
from companion.games import find_game
from companion.rules.game import Game
from companion.rules.pacman import PacmanGame
from companion.service.seating import DEFAULT_PIECES, LEVELS, OWN_NAMES, seat

Json = dict[str, Any]

TITLES = {
    "quoridor": ("Quoridor", "2 players"),
    "quoridor4": ("Quoridor", "4 players"),
    "pacman": ("Pac-Man", "4 ghosts"),
}

#: What an option is called; one with ``no`` and ``yes`` is a sentence to agree to.
LABELS = {
    "layout": "Set-up",
    "frenzyUpTo": "A ghost that sees Pac-Man may also move a single square",
    "frenzyStraight": "A ghost that sees Pac-Man moves both squares in one direction",
    "ghostOrder": "The ghosts move",
    "noProgress": "When all is the same for the third time",
    "lives": "Pac-Man's lives",
    "pawnBehind": "With a pawn behind the one you face",
    "players": "Players",
}
VALUES = {
    "layout": {"pacman": "the usual one", "pacman-short": "a short game, pellets in pairs"},
    "ghostOrder": {"free": "in any order", "fixed": "Blinky, Inky, Pinky, Clyde"},
    "noProgress": {"off": "the game goes on", "3": "it is a draw"},
    "lives": {
        "3": "three, as usual",
        "1": "one: a handicap for him",
        "2": "two",
        "4": "four",
        "5": "five: a handicap for the ghosts",
    },
    "pawnBehind": {"blocked": "you cannot jump", "diagonal": "step aside diagonally"},
}

#: What only people with rules of their own care for.
HOUSE = ("frenzyUpTo", "frenzyStraight", "ghostOrder", "noProgress", "pawnBehind")

#: What the page asks in its own way, or what makes no difference in a game.
UNASKED = {"quoridor": ("first", "pawnBehind"), "quoridor4": ("first",)}


def menu_json(board: Board) -> list[Json]:
    """Return the games that the table referees on this board, as the page offers them."""
    entries = (_entry(find_game(name), board) for name in (*OWN_NAMES, *DEFAULT_PIECES))
    return [entry for entry in entries if entry is not None]


def _entry(game: Game, board: Board) -> Json | None:
    try:
        company = seat(board, (), game)
    except CompanionError:
        return None  # a piece that it needs is not there
    title, note = TITLES.get(game.name, (words(game.name), ""))
    return {
        "name": game.name,
        "title": title,
        "note": note,
        "seats": [
            {"name": name, "piece": piece}
            for name, piece in zip(company.names, company.pieces, strict=True)
        ],
        "choose": game.name in DEFAULT_PIECES,
        "lots": "first" in game.options,
        "levels": [LEVELS[0], LEVELS[-1]],
        "options": [
            {
                "name": name,
                "label": LABELS.get(name, words(name)),
                "house": name in HOUSE,
                "values": _values(game, name),
            }
            for name, values in game.options.items()
            if len(values) > 1 and name not in UNASKED.get(game.name, ())
        ],
    }


def _values(game: Game, option: str) -> list[Json]:
    known: Mapping[str, str] = VALUES.get(option, {})
    if option == "layout" and isinstance(game, PacmanGame):
        known = {**_layouts(game), **known}
    return [
        {"value": value, "label": known.get(value, words(value))} for value in game.options[option]
    ]


def _layouts(game: PacmanGame) -> Mapping[str, str]:
    """Return what the layouts are called, without what they have in common."""
    titles = {name: game.load(name).title for name in game.layouts}
    return {name: sentence(_tail(title)) for name, title in titles.items()}


def _tail(title: str) -> str:
    first, comma, rest = title.partition(", ")
    return rest if comma and first.startswith("Quoridor") else title


def words(name: str) -> str:
    """Return a name such as ``pacman-advanced`` or ``frenzyUpTo`` as words."""
    apart = re.sub("([a-z])([A-Z])", lambda at: f"{at[1]} {at[2].lower()}", name)
    return sentence(apart.replace("-", " "))


def sentence(text: str) -> str:
    """Return a text with a capital at its start."""
    return text[:1].upper() + text[1:]
