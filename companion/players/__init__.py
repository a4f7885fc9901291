"""Players for the seats nobody sits in: they choose a legal move, and that is all they do."""

from companion.players.level import HIGHEST, LOWEST, Level, level_limits
from companion.players.pacman import Hunter
from companion.players.player import Limits, Player
from companion.players.race import Racer

__all__ = [
    "HIGHEST",
    "LOWEST",
    "Hunter",
    "Level",
    "Limits",
    "Player",
    "Racer",
    "level_limits",
    "player_for",
]


def player_for(game: str, level: int = HIGHEST) -> Player | None:
    """Return our player for a game, None when there is none yet."""
    level_limits(level)
    if game == "pacman":
        return Hunter(level)
    return Racer() if game in ("quoridor", "quoridor4") else None
