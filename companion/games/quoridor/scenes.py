"""What somebody may try in Quoridor that is refused, to be shown on the simulated table."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from companion.board import Spot, column_row, square
from companion.errors import CompanionError
from companion.games.bits import SLOT_BIT
from companion.games.game import Effect, Move, State, replay
from companion.games.kit import Trial
from companion.games.quoridor.rules import Quoridor


def jump(state: State) -> Trial:
    """Return a jump of the pawn to move over nothing."""
    assert isinstance(state, Quoridor)
    start = state.pawns[state.turn]
    free = (spot for spot in _two_ahead(start) if spot not in state.pawns)
    target = next((spot for spot in free if state.why_not(spot) is not None), None)
    if target is None:
        raise CompanionError("every jump is allowed just now; make a move first")
    return Trial(Effect(f"pawn{state.turn + 1}", (target,)))


def shut_in(state: State) -> Trial:
    """Return a fence that would shut somebody in, after two others where it takes them."""
    assert isinstance(state, Quoridor)
    slot = next(shutting_in(state, SLOT_BIT), None)
    if slot is not None:
        return Trial(Effect(fence=slot))
    for rival in state.pawns:
        near = [slot for slot in SLOT_BIT if _is_near(slot, rival)]
        for pair in permutations(near, 2):
            moves = _with_replies(state, pair)
            slot = next(shutting_in(replay(state, moves), near), None) if moves else None
            if slot is not None:
                return Trial(Effect(fence=slot), tuple(moves))
    raise CompanionError("no fence can shut anybody in just now; play on a little")


def shutting_in(state: Quoridor, slots: Iterable[Spot]) -> Iterator[Spot]:
    """Yield the slots where a fence would shut somebody in (Q-9, Q-A4)."""
    for slot in slots:
        why = state.why_not(slot)
        if why is not None and why.rule in ("Q-9", "Q-A4"):
            yield slot


def _with_replies(state: Quoridor, fences: Sequence[Move]) -> list[Move]:
    """Return these fences by the seat to act with quiet pawn steps of the others in between."""
    mover, moves = state.to_act, list[Move]()
    for fence in fences:
        if state.why_not(fence) is not None:
            return []
        state = state.play(fence)
        moves.append(fence)
        while state.to_act is not None and state.to_act != mover:
            step = next(iter(state.pawn_moves()), None)
            if step is None:
                return []
            state = state.play(step)
            moves.append(step)
    return moves if state.to_act == mover else []


def _is_near(slot: Spot, spot: Spot) -> bool:
    (c, r), (pc, pr) = column_row(slot), column_row(spot)
    return -2 <= c - pc <= 1 and -2 <= r - pr <= 1


def _two_ahead(start: Spot) -> Iterator[Spot]:
    """Yield the squares two steps away in a straight line."""
    column, row = column_row(start)
    for dc, dr in ((0, 2), (0, -2), (2, 0), (-2, 0)):
        if 0 <= column + dc < 9 and 0 <= row + dr < 9:
            yield square(column + dc, row + dr)
