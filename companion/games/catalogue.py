"""The games the companion knows, by the name they go by on the command line and in records.

A game is a folder with a ``kit`` whose ``KITS`` say all that the rest of the companion needs of it.
"""

from difflib import get_close_matches
from importlib import import_module

from companion.errors import UnknownGame
from companion.games.game import Game
from companion.games.kit import Kit

#: The games that come along: one folder each.
FOLDERS = ("quoridor", "pacman", "advanced", "marbles", "mspacman", "cards")

KITS: dict[str, Kit] = {}


def register(*kits: Kit) -> None:
    """Make games known under their names."""
    KITS.update({kit.name: kit for kit in kits})


def find_kit(name: str) -> Kit:
    """Return the kit of the game of this name; raise UnknownGame with the nearest one otherwise."""
    if name in KITS:
        return KITS[name]
    near = get_close_matches(name.lower(), KITS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(KITS)}{hint}")


def find_game(name: str) -> Game:
    """Return the game of this name; raise UnknownGame with the nearest one otherwise."""
    return find_kit(name).game


for _folder in FOLDERS:
    register(*import_module(f"companion.games.{_folder}.kit").KITS)
