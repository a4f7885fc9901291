"""Positions of the marble game for tests, put up by hand instead of played."""

from collections.abc import Sequence
from dataclasses import replace

from companion.games.catalogue import find_game
from companion.games.marbles.rules import Marbles, MarblesGame


def game() -> MarblesGame:
    """Return the marble game on the maze that comes along."""
    found = find_game("marbles")
    assert isinstance(found, MarblesGame)
    return found


def bits(spots: str) -> int:
    """Return some spots as bits."""
    number = game().field.number
    return sum(1 << number[spot] for spot in spots.split())


def put_up(
    pacmen: str = "b2 l12",
    ghosts: str = "f6 h8",
    dice: Sequence[int] = (3, 5),
    white: str | None = None,
    yellow: str | None = None,
    trays: Sequence[int] | None = None,
    gold: Sequence[int] | None = None,
    owed: Sequence[int] | None = None,
    turn: int = 0,
    **options: str,
) -> Marbles:
    """Return a position with player 1 to move with the dice, unless told otherwise."""
    spots = pacmen.split()
    options = {"players": str(len(spots)), **options}
    start = game().start(options)
    number = game().field.number
    none = (0,) * len(spots)
    return replace(
        start,
        pacmen=tuple(number[spot] for spot in spots),
        ghosts=tuple(number[spot] for spot in ghosts.split()),
        white=start.white if white is None else bits(white),
        yellow=start.yellow if yellow is None else bits(yellow),
        trays=tuple(trays) if trays else none,
        gold=tuple(gold) if gold else none,
        owed=tuple(owed) if owed else none,
        rolls=(2,) * len(spots),
        turn=turn,
        due="move" if dice else "roll",
        dice=tuple(sorted(dice)),
        pacman_due=bool(dice),
        ghost_due=bool(dice),
    )


def play(state: Marbles, moves: str) -> Marbles:
    """Return the state after some moves."""
    for move in moves.split():
        state = state.play(move)
    return state


def after(moves: str, **options: str) -> Marbles:
    """Return the state after some moves from the start."""
    return play(game().start(options), moves)
