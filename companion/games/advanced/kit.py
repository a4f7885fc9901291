"""Quoridor PAC-MAN, the advanced variant, as everybody else sees it."""

from companion.games.advanced.data import CHAMBERS, FOLDER, load_chambers
from companion.games.advanced.hint import reason
from companion.games.advanced.rules import Advanced, AdvancedGame
from companion.games.advanced.worth import sift, worth
from companion.games.kit import Kit
from companion.players.lookahead import Ahead

#: A move that is worse by this much still looks good to a player who errs.
SLACK = 40.0

KITS = (
    Kit(
        game=AdvancedGame(lambda: load_chambers("pacman-advanced")),
        title="Pac-Man, advanced",
        note="fences of both sides",
        rulebook="games/pacman-advanced.md",
        player=lambda level: Ahead(Advanced, worth, SLACK, level, sift),
        reason=reason,
        moves_a_turn=4,
        folder=FOLDER,
        data=(CHAMBERS,),
    ),
)
