"""Why a move of the advanced variant is good: what it eats, whom it catches, what it bars."""

from collections.abc import Sequence

from companion.games.advanced.ground import ground
from companion.games.advanced.rules import Advanced
from companion.games.advanced.setup import NAMES, PACMAN
from companion.games.advanced.worth import steps_from, steps_to
from companion.games.bits import SLOT_BIT, each_bit
from companion.games.game import Move, State
from companion.text import counted


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what a move of the advanced variant gains."""
    assert isinstance(state, Advanced)
    after = state.play(move)
    if not after.pellets:
        return "eats the last pellet and wins"
    if after.lives < state.lives:
        return "catches Pac-Man" if state.turn != PACMAN else "no way is left but to be caught"
    gained = after.collected - state.collected
    eaten = [
        name.title()
        for name, old, new in zip(NAMES, state.ghosts, after.ghosts, strict=True)
        if old and not new
    ]
    if gained or eaten:
        things = [counted(gained, "pellet")] if gained else []
        return f"eats {' and '.join([*things, *eaten])}"
    if not (state.pacman and after.pacman):
        return "enters where the ghosts are far" if state.turn == PACMAN else "opens the chamber"
    before, then = _to_pellet(state), _to_pellet(after)
    slot = move.rpartition(">")[2]
    if slot in SLOT_BIT:
        if then > before:
            way = f"Pac-Man's way to the next pellet becomes {counted(then, 'step')}"
            return f"{way} instead of {before}"
        near, nearer = _to_ghost(state), _to_ghost(after)
        if nearer > near:
            return f"the nearest ghost has {counted(nearer, 'step')} to Pac-Man instead of {near}"
        return "puts a fence where it will be in the way"
    if state.turn == PACMAN:
        away = counted(_to_ghost(after), "step")
        return f"the next pellet is then {counted(then, 'step')} off, the nearest ghost {away}"
    return f"the nearest ghost is then {counted(_to_ghost(after), 'step')} from Pac-Man"


def _to_pellet(state: Advanced) -> int:
    layers = steps_from(ground(state.fenced), state.pacman)
    return min(steps_to(layers, bit) for bit in each_bit(state.pellets))


def _to_ghost(state: Advanced) -> int:
    layers = steps_from(ground(state.fenced), state.pacman)
    return min((steps_to(layers, bit) for bit in state.ghosts if bit), default=0)
