"""The static evaluation of the marble game: marbles won, marbles near, ghosts near."""

from functools import lru_cache

from companion.games.game import Seat, State
from companion.games.marbles.field import MOST_STEPS, Field
from companion.games.marbles.rules import Marbles
from companion.players.lookahead import steps_between

WON = 100.0
GOLD = 0.8
CAUGHT = 0.9  # a ghost within a throw of one's own Pac-Man
HUNTED = 0.25  # a ghost within a throw of somebody else's
NEAR = 0.06  # a white marble within a throw
FAR = 0.04  # a step to the nearest one


@lru_cache(maxsize=4)
def steps_of(field: Field) -> tuple[tuple[int, ...], ...]:
    """Return how many steps it is from spot to spot (graph distances by breadth-first search)."""
    return steps_between([[step.to for step in steps or field.doors] for steps in field.steps])


def worth(state: State, seat: Seat) -> float:
    """Return what a state is worth to a seat, in marbles."""
    assert isinstance(state, Marbles)
    others = [count for other, count in enumerate(state.counts) if other != seat]
    value = state.counts[seat] - 0.6 * max(others) - 0.4 * sum(others) / len(others)
    outcome = state.outcome()
    if outcome is not None:
        return value + (WON if seat in outcome.winners else -WON)
    value += GOLD * (state.gold[seat] - max(g for s, g in enumerate(state.gold) if s != seat) / 2)
    steps = steps_of(state.table.field)
    for other, pacman in enumerate(state.pacmen):
        if pacman == state.table.home(other):  # MB-18: no ghost comes there
            continue
        near = sum(steps[ghost][pacman] <= MOST_STEPS for ghost in state.ghosts)
        if other == seat:
            value -= near * (CAUGHT if not state.gold[seat] else CAUGHT / 2)
        else:
            value += near * HUNTED
    row = steps[state.pacmen[seat]]
    away = [row[n] for n in range(len(row)) if state.white >> n & 1]
    value += NEAR * sum(far <= MOST_STEPS for far in away) - FAR * min(away)
    return value
