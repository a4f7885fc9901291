"""Players for the seats nobody sits in: they choose a legal move, and that is all they do.

Whoever asks gets a hint from them, with a reason.
"""

from companion.players.ahead import Ahead
from companion.players.cards import Gambler
from companion.players.hint import Hint, hint, why
from companion.players.level import HIGHEST, LOWEST, Level, level_limits
from companion.players.ours import player_for
from companion.players.pacman import Hunter
from companion.players.player import Limits, Player
from companion.players.race import Racer

__all__ = [
    "HIGHEST",
    "LOWEST",
    "Ahead",
    "Gambler",
    "Hint",
    "Hunter",
    "Level",
    "Limits",
    "Player",
    "Racer",
    "hint",
    "level_limits",
    "player_for",
    "why",
]
