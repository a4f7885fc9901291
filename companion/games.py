"""The games the companion knows, by the name they go by on the command line and in records.

The rules themselves read no files; a game that is played on data, a maze or a deck of cards, is
given them here.
"""

from companion.boards.chambers import load_chambers
from companion.boards.deck import load_deck
from companion.boards.layout import load_layout
from companion.boards.maze import load_maze
from companion.errors import UnknownGame
from companion.rules.advanced import AdvancedGame
from companion.rules.cards import CardsGame
from companion.rules.game import Game
from companion.rules.marbles import MarblesGame
from companion.rules.mspacman import MsPacManGame
from companion.rules.pacman import PacmanGame
from companion.rules.quoridor import QuoridorGame

GAMES: dict[str, Game] = {
    "quoridor": QuoridorGame("quoridor", 2),
    "quoridor4": QuoridorGame("quoridor4", 4),
    "pacman": PacmanGame(("pacman", "pacman-short", "pacman-even", "pacman-flank"), load_layout),
    "pacman-advanced": AdvancedGame(lambda: load_chambers("pacman-advanced")),
    "marbles": MarblesGame(lambda: load_maze("marbles")),
    "mspacman": MsPacManGame(lambda: load_maze("mspacman")),
    "cards": CardsGame(load_deck),
}


def find_game(name: str) -> Game:
    """Return the game of this name; raise UnknownGame with the nearest name otherwise."""
    if name in GAMES:
        return GAMES[name]
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), GAMES, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(GAMES)}{hint}")
