"""How Pac-Man walks in the advanced variant: step by step, with what every step sets off.

A walk may stand for a while where it could not end, as long as it can be brought to a legal end.
"""

from collections.abc import Iterator
from typing import TypeVar

from companion.games.advanced.ground import ground
from companion.games.advanced.setup import BLOCK, STIRRED
from companion.games.advanced.standing import Standing
from companion.games.game import Move

Walking = TypeVar("Walking", bound=Standing)


def step(state: Walking, bit: int, pellet: bool) -> Walking | None:
    """Return the state in mid-walk after one step, None if there is no such step left.

    The way must be open. Whether the walk can be brought to a legal end is not asked.
    """
    steps, boost, reserve, ghosts, memory = (
        state.steps,
        state.boost,
        state.reserve,
        state.ghosts,
        state.memory,
    )
    pellets, quiet = state.pellets, state.quiet
    began = state.began or state.pacman
    if pellet:
        if boost:
            boost -= 1
        elif reserve:
            boost, reserve = BLOCK - 1, reserve - 1
        else:
            return None
        if bit in ghosts:  # AV-17; for good: AV-A13
            out = ghosts.index(bit)
            ghosts = (*ghosts[:out], 0, *ghosts[out + 1 :])
            memory = (*memory[:out], 0, *memory[out + 1 :])
            quiet = STIRRED
    elif not steps:
        return None
    else:
        if boost and state.table.exact_bonus:
            return None
        steps, boost = steps - 1, 0  # what is left of a pellet lapses (AV-A7)
        if bit in ghosts:  # AV-15, AV-A5, AV-A6
            if bit & (began | state.previous):
                return None
            return state._replace(
                pacman=0, began=0, previous=0, lives=state.lives - 1, quiet=STIRRED, fresh=False
            )
    if bit & pellets:  # AV-16; at once in the reserve: AV-A8
        pellets ^= bit
        reserve += 1
        quiet = STIRRED
    walked = state._replace(
        pacman=bit,
        began=began,
        steps=steps,
        boost=boost,
        reserve=reserve,
        ghosts=ghosts,
        memory=memory,
        pellets=pellets,
        quiet=quiet,
        fresh=False,
    )
    return walked._replace(steps=0) if _is_stuck(walked) else walked


def _is_stuck(state: Standing) -> bool:
    """Tell whether the second step that the switch of AV-A4 asks for cannot be made: it lapses."""
    if not state.table.exact_speed or state.steps != 1 or state.is_stopped:
        return False
    bare = state._replace(reserve=0, boost=0)
    seconds = (step(bare, bit, pellet=False) for bit, _ in ground(state.fenced).near(state.pacman))
    return not any(second and (second.is_stopped or not second.is_barred) for second in seconds)


def can_finish(state: Standing) -> bool:
    """Tell whether Pac-Man can bring the walk he is on to a legal end."""
    if state.may_end or state.may_place:
        return True
    for bit, _ in ground(state.fenced).near(state.pacman):
        for pellet in (False, True):
            further = step(state, bit, pellet)
            if further and (further.is_stopped or can_finish(further)):
                return True
    return may_stay(state)


def may_stay(state: Standing) -> bool:
    """Tell whether Pac-Man has to stay: there is no move without spending a pellet (AV-A3)."""
    if not state.owes_move or state.is_barred or (state.is_early and state.may_place):
        return False
    if state.must_go_on:
        return False
    bare = state._replace(reserve=0, boost=0)
    for bit, _ in ground(state.fenced).near(state.pacman):
        first = step(bare, bit, pellet=False)
        if first is None:
            continue
        if first.is_stopped or not first.is_barred:
            return False
        for further, _ in ground(state.fenced).near(bit):
            second = step(first, further, pellet=False)
            if second and (second.is_stopped or not second.is_barred):
                return False
    return True


def runs(state: Walking, pellet: bool) -> Iterator[tuple[Move, Walking]]:
    """Yield every run of one or two steps of one kind, and where it leads."""
    near = ground(state.fenced).near
    before, between = ("+", "+") if pellet else ("", "-")
    for bit, name in near(state.pacman):
        first = step(state, bit, pellet)
        if first is None:
            continue
        yield before + name, first
        if not first.is_stopped:
            for further, last in near(bit):
                second = step(first, further, pellet)
                if second is not None:
                    yield before + name + between + last, second
