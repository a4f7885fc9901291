"""Who plays: which of the board's pieces sits in which seat, and what people call them."""

from collections.abc import Sequence

from companion.board import Board
from companion.errors import CompanionError, NotAtTheTable
from companion.referee.judge import Company
from companion.rules.game import Game

#: The games the table referees. Q-3 lets everybody choose; else these play, in turn order.
DEFAULT_PIECES = {
    "quoridor": ("pacman", "blinky"),
    "quoridor4": ("pacman", "inky", "blinky", "clyde"),
}


def seat(board: Board, pieces: Sequence[str], game: Game) -> Company:
    """Return the company that plays with these pieces, in turn order; none given: the usual."""
    if game.name not in DEFAULT_PIECES:
        known = " and ".join(DEFAULT_PIECES)
        raise NotAtTheTable(
            f"the table referees {known}; {game.name} can be played by companion engine {game.name}"
        )
    seats = game.seats
    pieces = tuple(pieces) or DEFAULT_PIECES[game.name]
    if len(pieces) != seats or len(set(pieces)) != seats:
        raise CompanionError(f"expected {seats} different pieces, got {', '.join(pieces)}")
    unknown = [piece for piece in pieces if piece not in board.pieces]
    if unknown:
        known = ", ".join(board.pieces)
        raise CompanionError(f"unknown piece {unknown[0]!r}: this board has {known}")
    titles = {name: piece.title for name, piece in board.pieces.items()}
    return Company(tuple(titles[piece] for piece in pieces), pieces, titles)
