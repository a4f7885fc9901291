"""The static evaluation of the Ms. Pac-Man game: dots left, who has her, who can catch her."""

from functools import lru_cache

from companion.games.game import Seat, State
from companion.games.mspacman.field import Field
from companion.games.mspacman.rules import MsPacMan
from companion.games.mspacman.standing import OVER
from companion.games.mspacman.walk import AWAY
from companion.players.lookahead import steps_between

WON = 200.0
HAS_HER = 8.0
OTHERS_DOT = 0.45  # a dot that the nearest rival has left
DOT_STEP = 0.15  # a step from her to the nearest dot of one's own
HUNT_STEP = 0.3  # a step from one's own ghost to her
WEAK_STEP = 0.1
MEAL = 0.8  # a weak ghost she may reach


@lru_cache(maxsize=4)
def steps_of(field: Field) -> tuple[tuple[int, ...], ...]:
    """Return how many steps it is from spot to spot (graph distances by breadth-first search)."""
    return steps_between(field.near)


@lru_cache(maxsize=64)
def _chance(field: Field, steps: int) -> float:
    """Return how likely the die takes a ghost this far or further."""
    return sum(field.steps_of(face) >= steps for face in field.die) / len(field.die)


def worth(state: State, seat: Seat) -> float:
    """Return what a state is worth to a seat, in dots."""
    assert isinstance(state, MsPacMan)
    if state.winner >= 0:
        return WON if state.winner == seat else -WON
    if state.phase == OVER:
        return 0.0
    rivals = min(state.left(other) for other in range(state.seats) if other != seat)
    value = OTHERS_DOT * rivals - state.left(seat)
    if state.her == AWAY:
        return value + (HAS_HER if state.control == seat else 0)
    steps = steps_of(state.field)
    if state.control == seat:
        return value + HAS_HER + _in_control(state, seat, steps)
    ghost = state.ghosts[seat]
    if ghost == AWAY:
        return value
    far = steps[ghost][state.her]
    return value + (WEAK_STEP * min(far, 8) if state.timers[seat] else -HUNT_STEP * far)


def _in_control(state: MsPacMan, seat: Seat, steps: tuple[tuple[int, ...], ...]) -> float:
    value = 0.0
    for other, ghost in enumerate(state.ghosts):
        if ghost == AWAY:
            continue
        if state.timers[other] > 1:
            value += MEAL / (1 + steps[state.her][ghost])
        else:
            value -= HAS_HER * _chance(state.field, steps[ghost][state.her])
    own = state.dots & state.field.quarters[seat]
    row = steps[state.her]
    return value - DOT_STEP * min((row[n] for n in range(len(row)) if own >> n & 1), default=0)
