"""Positions for tests, put up by hand instead of played."""

from collections.abc import Sequence
from dataclasses import replace

from companion.games.bits import BIT, SLOT_BIT
from companion.games.catalogue import find_game
from companion.games.game import replay
from companion.games.quoridor.rules import Quoridor


def start(game: str = "quoridor", **options: str) -> Quoridor:
    """Return the first position."""
    state = find_game(game).start(options)
    assert isinstance(state, Quoridor)
    return state


def after(moves: str, game: str = "quoridor", **options: str) -> Quoridor:
    """Return the position after some moves."""
    return replay(start(game, **options), moves.split())


def put_up(
    pawns: str, fences: str = "", left: Sequence[int] | None = None, turn: int = 0, **options: str
) -> Quoridor:
    """Return a position with pawns and fences as told, player 1 to move unless told."""
    squares = pawns.split()
    state = start("quoridor" if len(squares) == 2 else "quoridor4", **options)
    return replace(
        state,
        at=tuple(BIT[square] for square in squares),
        fences_left=tuple(left) if left is not None else state.fences_left,
        fenced=sum(SLOT_BIT[slot] for slot in fences.split()),
        turn=turn,
    )
