"""The compiled core of the search for Quoridor's moves, where the machine could build it.

Alpha-beta in C on bitboards of 128 bits: iterative deepening, null windows (principal variation
search), a transposition table under Zobrist keys, killer moves, history heuristic, late move
reductions, and tables of the race without fences by retrograde analysis.

It is a plain library beside this module, made from ``quoridor.c`` when the companion is installed
and a C compiler is there. Without it nothing is missing but speed: :func:`load` returns None, and
the players search in Python.
"""

import ctypes
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

#: Size of the transposition table: two to the power of this, 16 bytes an entry.
REMEMBERED = 20
#: More moves than there are: 81 squares, and as many places for fences across and upright.
NO_MOVE = 3 * 81
MOST_SEEN = 250

_Stop = ctypes.CFUNCTYPE(ctypes.c_int)


class _Answer(ctypes.Structure):
    _fields_ = (
        ("move", ctypes.c_int),
        ("value", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("nodes", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Board:
    """A position for two: squares of the pawns, fences in hand, whose turn, fences on the board.

    Squares count from 0 (a1), 1 (b1) to 80 (i9). A fence is 81 plus the number of its square when
    it lies across, 162 plus that when it stands upright; so is the move that places it.
    """

    at: tuple[int, int]
    left: tuple[int, int]
    turn: int
    fences: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """What a search found: a move, its value to the mover, its depth and its nodes."""

    move: int
    value: int
    depth: int
    nodes: int


class Library:
    """The library and how its functions are called."""

    def __init__(self, path: Path) -> None:
        self._calls = calls = ctypes.CDLL(str(path))
        numbers = ctypes.POINTER(ctypes.c_int)
        board: list[Any] = [numbers, numbers, ctypes.c_int, numbers, ctypes.c_int]
        calls.core_new.argtypes = [ctypes.c_int]
        calls.core_new.restype = ctypes.c_void_p
        calls.core_free.argtypes = [ctypes.c_void_p]
        calls.core_free.restype = None
        calls.core_search.argtypes = [
            ctypes.c_void_p,
            *board,
            *(numbers, ctypes.c_int),
            *(ctypes.c_uint64, ctypes.c_int, ctypes.c_uint64),
            *(_Stop, ctypes.POINTER(_Answer)),
        ]
        calls.core_search.restype = None
        for call in (calls.core_moves, calls.core_distances, calls.core_race):
            call.argtypes, call.restype = [*board, numbers], ctypes.c_int

    def moves(self, board: Board) -> list[int]:
        """Return every legal move; none when somebody is shut in."""
        moves = (ctypes.c_int * NO_MOVE)()
        return moves[: self._calls.core_moves(*_given(board), moves)]

    def distances(self, board: Board) -> tuple[int, int] | None:
        """Return how many steps each pawn is from its goal, None when one of them is shut in."""
        steps = (ctypes.c_int * 2)()
        return (steps[0], steps[1]) if self._calls.core_distances(*_given(board), steps) else None

    def race(self, board: Board) -> int | None:
        """Return the plies to the end of a race without fences, None when nobody can force it.

        The number is odd when the mover wins.
        """
        plies = (ctypes.c_int * 1)()
        return plies[0] if self._calls.core_race(*_given(board), plies) else None

    def core(self) -> "Core":
        """Return a new core, which keeps its table from one search to the next."""
        return Core(self._calls)


class Core:
    """Searches, and keeps its table for the next search. One thread at a time may use it."""

    def __init__(self, calls: ctypes.CDLL) -> None:
        self._calls = calls
        self._core = calls.core_new(REMEMBERED)
        if not self._core:
            raise MemoryError("there is no memory for the positions a search remembers")
        self._close = weakref.finalize(self, calls.core_free, self._core)

    def search(
        self,
        board: Board,
        seed: int,
        depth: int,
        nodes: int,
        stop: Callable[[], bool],
        seen: Sequence[tuple[int, int]] = (),
    ) -> Found:
        """Return the best move found; the seed decides between equal ones.

        ``stop`` is asked now and then, ``seen`` are pawns of positions not to come back to.
        """
        answer = _Answer()
        pairs = [square for pair in seen[-MOST_SEEN:] for square in pair]
        self._calls.core_search(
            self._core,
            *_given(board),
            *(_numbers(pairs), len(pairs) // 2),
            *(seed, depth, nodes),
            *(_Stop(lambda: int(stop())), ctypes.byref(answer)),
        )
        return Found(answer.move, answer.value, answer.depth, answer.nodes)


def _numbers(values: Sequence[int]) -> "ctypes.Array[ctypes.c_int]":
    return (ctypes.c_int * max(1, len(values)))(*values)


def _given(
    board: Board,
) -> tuple["ctypes.Array[ctypes.c_int]", "ctypes.Array[ctypes.c_int]", int, object, int]:
    fences = _numbers(board.fences)
    return _numbers(board.at), _numbers(board.left), board.turn, fences, len(board.fences)


@cache
def load() -> Library | None:
    """Return the library, None where it was not built or does not fit the machine."""
    for path in sorted(Path(__file__).parent.glob("_quoridor*.so")):
        try:
            return Library(path)
        except (OSError, AttributeError):  # of another machine, or of another version
            continue
    return None
