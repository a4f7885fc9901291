"""Which player of ours plays which game."""

from companion.players import chamber, marbles, mspacman
from companion.players.ahead import Ahead
from companion.players.cards import Gambler
from companion.players.level import HIGHEST
from companion.players.pacman import Hunter
from companion.players.player import Player
from companion.players.race import Racer
from companion.rules.advanced import Advanced
from companion.rules.marbles import Marbles
from companion.rules.mspacman import MsPacMan


def player_for(game: str, level: int = HIGHEST) -> Player:
    """Return our player for a game, at a level from 1 to 10; it may remember what it planned.

    Keep it for the whole game. ValueError for a game we do not play or a level there is not.
    """
    if game in ("quoridor", "quoridor4"):
        return Racer(level)
    if game == "pacman":
        return Hunter(level)
    if game == "pacman-advanced":
        return Ahead(Advanced, chamber.worth, 40.0, level, chamber.sift)
    if game == "marbles":
        return Ahead(Marbles, marbles.worth, 1.5, level)
    if game == "mspacman":
        return Ahead(MsPacMan, mspacman.worth, 1.5, level)
    if game == "cards":
        return Gambler(level)
    raise ValueError(f"expected a game that we play, not {game!r}")
