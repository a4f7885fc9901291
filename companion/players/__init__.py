"""Players for the seats nobody sits in: they choose a legal move, and that is all they do."""

from companion.players.player import Limits, Player
from companion.players.race import Racer

__all__ = ["Limits", "Player", "Racer", "player_for"]


def player_for(game: str) -> Player | None:
    """Return our player for a game, None when there is none yet."""
    return Racer() if game in ("quoridor", "quoridor4") else None
