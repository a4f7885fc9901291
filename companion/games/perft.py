"""Perft: how many games of a given length there are, the classic check of a rules module."""

from collections.abc import Iterable
from typing import Protocol, Self, runtime_checkable

from companion.games.game import State


@runtime_checkable
class Countable(Protocol):
    """A state that can count its moves and list what follows without writing moves down."""

    def count_legal(self) -> int:
        """Return the number of legal moves."""

    def successors(self) -> Iterable[Self]:
        """Return the states after each legal move."""


def perft(state: State, depth: int) -> int:
    """Return the number of leaves at a depth; a finished game is a leaf wherever it stands.

    The last ply is counted in bulk: the moves of its positions are counted, not played.
    """
    if depth == 0 or state.to_act is None:
        return 1
    if isinstance(state, Countable):
        return _count(state, depth)
    if depth == 1:
        return len(state.legal_moves())
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


def _count(state: Countable, depth: int) -> int:
    if depth == 1:
        return state.count_legal() or 1  # no moves: the game is over
    total = 0
    for after in state.successors():
        total += _count(after, depth - 1)
    return total or 1
