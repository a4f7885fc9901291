"""Why a move of Quoridor is good: how long the ways become."""

from collections.abc import Sequence

from companion.games.bits import SLOT_BIT
from companion.games.game import Move, State
from companion.games.quoridor.rules import Quoridor
from companion.text import counted, name_of


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return how long the ways are before and after."""
    assert isinstance(state, Quoridor)
    me = state.turn
    after = state.play(move)
    if after.winner == me:
        return "reaches the far side"
    if move == "pass":
        return "there is nothing else you can do"
    mine, now = state.distance(me), after.distance(me)
    others = [seat for seat in range(state.seats) if seat != me]
    rival = min(others, key=lambda seat: (state.distance(seat), seat))
    theirs, then = state.distance(rival), after.distance(rival)
    them = name_of(names, rival)
    if move in SLOT_BIT:
        if then > theirs:
            said = f"{them}'s way becomes {counted(then, 'step')} instead of {theirs}"
        else:
            said = f"{them}'s way stays {counted(then, 'step')}, but has fewer ways round"
        own = f"yours stays {now}" if now == mine else f"yours becomes {now}"
        return f"{said}, {own}"
    own = f"your way is then {counted(now, 'step')}"
    if state.seats == 2 and not any(state.fences_left) and now < then:
        return f"{own}, {them}'s {then}, and no fence is left to stop you"
    return f"{own}, {them}'s {then}"
