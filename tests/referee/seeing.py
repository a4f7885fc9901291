"""Evidence as a sensor with good eyes would give it, for positions made up in tests."""

from collections.abc import Mapping

from companion.board import (
    EMPTY,
    FENCE,
    PELLET,
    Evidence,
    Place,
    Position,
    Reading,
    Thing,
    places_of,
)
from companion.boards import profile
from companion.games.catalogue import find_game
from companion.games.game import State, replay
from companion.referee.judge import Company

BOARD = profile.load("reference")
PIECES = (*BOARD.pieces, PELLET)
TITLES = {name: piece.title for name, piece in BOARD.pieces.items()}
SQUARE, PATCH = 8.0, 4.0


def company(*pieces: str) -> Company:
    return Company(tuple(TITLES[piece] for piece in pieces), pieces, TITLES)


TWO = company("pacman", "blinky")
FOUR = company("pacman", "inky", "blinky", "clyde")


def after(game: str, moves: str, **options: str) -> State:
    return replay(find_game(game).start(options), moves.split())


def evidence_of(position: Position) -> dict[Place, dict[Thing, float]]:
    """Return what is seen of a position in perfect light."""
    shown = places_of(position)
    seen: dict[Place, dict[Thing, float]] = {}
    for place in BOARD.squares:
        seen[place] = {
            thing: SQUARE if shown.get(place, EMPTY) == thing else -SQUARE for thing in PIECES
        }
    for place in BOARD.patches:
        seen[place] = {FENCE: PATCH if shown.get(place) == FENCE else -PATCH}
    return seen


def reading_of(
    position: Position,
    time: float = 0.0,
    changed: Mapping[Place, Mapping[Thing, float]] | None = None,
) -> Reading:
    evidence: Evidence = evidence_of(position) | dict(changed or {})
    return Reading(time, evidence)
