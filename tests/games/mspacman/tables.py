"""Positions of the Ms. Pac-Man game for tests, put up by hand instead of played."""

from dataclasses import replace

from companion.games.catalogue import find_game
from companion.games.mspacman.field import Field
from companion.games.mspacman.rules import MsPacMan, MsPacManGame
from companion.games.mspacman.walk import AWAY

NAMES = ("inky", "blinky", "pinky", "sue")
ALL = "all"


def game() -> MsPacManGame:
    """Return the game as the companion knows it."""
    found = find_game("mspacman")
    assert isinstance(found, MsPacManGame)
    return found


def start(players: int = 4) -> MsPacMan:
    """Return the first position."""
    return game().start({"players": str(players)})


def after(state: MsPacMan, moves: str) -> MsPacMan:
    """Return the position after some moves."""
    for move in moves.split():
        state = state.play(move)
    return state


def bits(field: Field, spots: str) -> int:
    """Return some squares as a set; ``all`` for every square with a dot at the start."""
    return field.dots if spots == ALL else sum(1 << field.number[spot] for spot in spots.split())


def put_up(
    her: str = "e7",
    ghosts: str = "",
    weak: str = "",
    dots: str = ALL,
    steps: int = 0,
    turn: int = 0,
    control: int = 0,
    players: int = 4,
) -> MsPacMan:
    """Return a position in which a seat is to walk, or to spin or roll when no steps are told.

    ``ghosts`` are written ``blinky:e8``, those not named are in the centre; ``weak`` are written
    ``blinky:2``, with their count. Seat 0 has Ms. Pac-Man and is to act unless told.
    """
    state = start(players)
    field = state.field
    places = {name: field.number[spot] for name, spot in _pairs(ghosts)}
    timers = {name: int(count) for name, count in _pairs(weak)}
    hers = turn == control
    return replace(
        state,
        her=field.number[her],
        ghosts=tuple(
            AWAY if seat == control else places.get(NAMES[seat], field.homes[seat])
            for seat in range(players)
        ),
        timers=tuple(timers.get(NAMES[seat], 0) for seat in range(players)),
        dots=bits(field, dots),
        spins=(),
        phase=("walk" if hers else "chase") if steps else ("spin" if hers else "roll"),
        steps=steps,
        turn=turn,
        control=control,
    )


def _pairs(text: str) -> list[list[str]]:
    return [word.split(":") for word in text.split()]


def where(state: MsPacMan, name: str) -> str | None:
    """Return the spot of a ghost, strong or weak, or of her; None off the board."""
    for spot, thing in state.position().items():
        if thing in (name, f"{name}-weak"):
            return spot
    return None


def taken(before: MsPacMan, later: MsPacMan) -> list[str]:
    """Return the squares whose dots went from one position to a later one."""
    return before.field.spots(before.dots & ~later.dots)


def reason(state: MsPacMan, move: str) -> tuple[str, str]:
    """Return rule and text of a refusal."""
    refusal = state.why_not(move, ("Ann", "Ben", "Cleo", "Dan")[: state.seats])
    assert refusal is not None, f"{move} is allowed"
    return refusal.rule, refusal.text
