"""Who plays: which of the board's pieces sits in which seat, and what people call them."""

from collections.abc import Mapping, Sequence

from companion.board import Board
from companion.errors import CompanionError, NotAtTheTable
from companion.referee.judge import Company
from companion.rules.game import Game, Seat
from companion.rules.layout import GHOSTS, PACMAN

#: The games the table referees. Q-3 lets everybody choose; else these play, in turn order.
DEFAULT_PIECES = {
    "quoridor": ("pacman", "blinky"),
    "quoridor4": ("pacman", "inky", "blinky", "clyde"),
}

#: Games in which every piece has its own part: what the seats are called, and shown by.
OWN_NAMES = {"pacman": {"Pac-Man": PACMAN, "The ghosts": GHOSTS[0]}}


PERSON = "person"
LEVELS = range(1, 11)


def levels_of(seats: Sequence[str]) -> dict[Seat, int]:
    """Return the levels of the seats the companion plays, of texts in turn order.

    ``person`` stands for somebody at the table, a number from 1 to 10 for a level.
    """
    levels: dict[Seat, int] = {}
    for number, text in enumerate(seats):
        if text == PERSON:
            continue
        if not text.isdecimal() or int(text) not in LEVELS:
            raise CompanionError(f"expected person or a level from 1 to {LEVELS[-1]}, got {text!r}")
        levels[number] = int(text)
    return levels


def check_levels(levels: Mapping[Seat, int], game: Game) -> None:
    """Raise CompanionError unless these are levels for seats of the game."""
    for number, level in levels.items():
        if not 0 <= number < game.seats:
            raise CompanionError(f"{game.name} has {game.seats} seats, there is no {number + 1}")
        if level not in LEVELS:
            raise CompanionError(f"expected a level from 1 to {LEVELS[-1]}, got {level}")


def seat(board: Board, pieces: Sequence[str], game: Game) -> Company:
    """Return the company that plays with these pieces, in turn order; none given: the usual."""
    if game.name in OWN_NAMES:
        return _own_names(board, pieces, game)
    if game.name not in DEFAULT_PIECES:
        known = f"{', '.join(DEFAULT_PIECES)} and {', '.join(OWN_NAMES)}"
        raise NotAtTheTable(
            f"the table referees {known}; {game.name} can be played by companion engine {game.name}"
        )
    seats = game.seats
    pieces = tuple(pieces) or _usual_pieces(board, game.name, seats)
    if len(pieces) != seats or len(set(pieces)) != seats:
        raise CompanionError(f"expected {seats} different pieces, got {', '.join(pieces)}")
    unknown = [piece for piece in pieces if piece not in board.pieces]
    if unknown:
        known = ", ".join(board.pieces)
        raise CompanionError(f"unknown piece {unknown[0]!r}: this board has {known}")
    titles = {name: piece.title for name, piece in board.pieces.items()}
    return Company(tuple(titles[piece] for piece in pieces), pieces, titles)


def _usual_pieces(board: Board, game: str, seats: int) -> tuple[str, ...]:
    """Return who plays unless somebody chooses: on a board without those, its first pieces."""
    usual = DEFAULT_PIECES[game]
    return usual if set(usual) <= board.pieces.keys() else tuple(board.pieces)[:seats]


def _own_names(board: Board, pieces: Sequence[str], game: Game) -> Company:
    """Return the company of a game whose pieces cannot be chosen."""
    seats = OWN_NAMES[game.name]
    if pieces and tuple(pieces) != tuple(seats.values()):
        raise CompanionError(f"the pieces of {game.name} are what they are: choose none")
    missing = [piece for piece in (PACMAN, *GHOSTS) if piece not in board.pieces]
    if missing:
        raise CompanionError(f"{game.name} needs {missing[0]}, which this board does not have")
    titles = {name: piece.title for name, piece in board.pieces.items()}
    return Company(tuple(seats), tuple(seats.values()), titles, (PACMAN, *GHOSTS))
