"""Who plays: which of the board's pieces sits in which seat, and what people call them."""

from collections.abc import Mapping, Sequence

from companion.board import Board
from companion.errors import CompanionError, NotAtTheTable
from companion.games.catalogue import KITS
from companion.games.game import Game, Seat
from companion.games.kit import Kit
from companion.players.player import HIGHEST, LOWEST
from companion.referee.judge import Company
from companion.text import listed

PERSON = "person"
#: The lowest and the highest level of a seat that nobody sits in.
LEVEL_SPAN = (LOWEST, HIGHEST)


def levels_of(seats: Sequence[str]) -> dict[Seat, int]:
    """Return the levels of the seats the companion plays, from texts in turn order.

    ``person`` stands for somebody at the table, a number from 1 to 10 for a level.
    """
    levels: dict[Seat, int] = {}
    for number, text in enumerate(seats):
        if text == PERSON:
            continue
        if not text.isdecimal() or not LOWEST <= int(text) <= HIGHEST:
            raise CompanionError(
                f"expected person or a level from {LOWEST} to {HIGHEST}, got {text!r}"
            )
        levels[number] = int(text)
    return levels


def check_levels(levels: Mapping[Seat, int], game: Game) -> None:
    """Raise CompanionError unless these are levels for seats of the game."""
    for number, level in levels.items():
        if not 0 <= number < game.seats:
            raise CompanionError(f"{game.name} has {game.seats} seats, there is no {number + 1}")
        if not LOWEST <= level <= HIGHEST:
            raise CompanionError(f"expected a level from {LOWEST} to {HIGHEST}, got {level}")


def seat(
    board: Board, pieces: Sequence[str], kit: Kit, options: Mapping[str, str] | None = None
) -> Company:
    """Return the company that plays with these pieces, in turn order; none given: the usual.

    With ``options`` it is as many as these say, where a game takes more or fewer.
    """
    if not kit.at_table:
        raise NotAtTheTable(
            f"the table referees {listed([k.name for k in table_kits()])};"
            f" {kit.name} can be played by companion engine {kit.name}"
        )
    titles = {name: piece.title for name, piece in board.pieces.items()}
    if kit.hands is not None:
        if pieces and tuple(pieces) != tuple(p.piece for p in kit.parts[: len(pieces)]):
            raise CompanionError(f"{kit.name} is played without pieces: choose none")
        parts = kit.parts if options is None else kit.parts[: kit.game.start(options).seats]
        return Company(tuple(p.name for p in parts), tuple(p.piece for p in parts), titles)
    missing = [piece for piece in kit.others if piece not in board.pieces]
    if missing:
        raise CompanionError(f"{kit.name} needs {missing[0]}, which this board does not have")
    if kit.parts:
        own = tuple(part.piece for part in kit.parts)
        if pieces and tuple(pieces) != own:
            raise CompanionError(f"the pieces of {kit.name} are what they are: choose none")
        return Company(tuple(part.name for part in kit.parts), own, titles, kit.others)
    chosen = tuple(pieces) or _usual_pieces(board, kit)
    seats = kit.game.seats
    if len(chosen) != seats or len(set(chosen)) != seats:
        raise CompanionError(f"expected {seats} different pieces, got {', '.join(chosen)}")
    unknown = [piece for piece in chosen if piece not in board.pieces]
    if unknown:
        known = ", ".join(board.pieces)
        raise CompanionError(f"unknown piece {unknown[0]!r}: this board has {known}")
    return Company(tuple(titles[piece] for piece in chosen), chosen, titles, kit.others)


def table_kits() -> list[Kit]:
    """Return the games that the table referees, on the board or on phones."""
    return [kit for kit in KITS.values() if kit.at_table]


def board_kits() -> list[Kit]:
    """Return the games that can be watched: those played on the board."""
    return [kit for kit in table_kits() if kit.on_board]


def _usual_pieces(board: Board, kit: Kit) -> tuple[str, ...]:
    """Return who plays unless somebody chooses: on a board without those, its first pieces."""
    if set(kit.usual) <= board.pieces.keys():
        return kit.usual
    return tuple(board.pieces)[: kit.game.seats]
