"""Why a move of Quoridor PAC-MAN is good: what it eats, whom it keeps off, what it leaves."""

from collections.abc import Sequence

from companion.games.bits import SQUARES
from companion.games.game import Move, State
from companion.games.pacman.beginner import on_board
from companion.games.pacman.chart import Chart, chart_of
from companion.games.pacman.ground import BONUS_STEPS, EATEN, GHOST_OF, GHOST_TITLES
from companion.games.pacman.rules import Pacman
from companion.text import counted, listed


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what is good about a legal move."""
    assert isinstance(state, Pacman)
    after = state.play(move)
    chart = chart_of(state.ground)
    if state.to_act == 0:
        return _for_pacman(state, after, chart)
    return _for_ghost(state, after, chart, GHOST_OF[move[0]])


# -- Pac-Man


def _for_pacman(state: Pacman, after: Pacman, chart: Chart) -> str:
    eaten = _eaten(state, after)
    if not after.pellets:
        return f"eats {eaten} and wins"
    ghosts = on_board(after)
    if not ghosts:
        return f"eats {eaten}, and no ghost is left to stop you"
    near = min(
        (n for n, square in enumerate(after.ghosts) if square != EATEN),
        key=lambda n: (chart.distance[after.pacman][after.ghosts[n]], n),
    )
    if chart.threatened(ghosts) >> after.pacman & 1:
        loss = "a ghost can catch you wherever you go"
        return f"eats {eaten} first, for {loss}" if eaten else loss
    if eaten:
        return f"eats {eaten}, and {_kept_off(after, chart, near)}"
    said = _kept_off(after, chart, near)
    watched = _watched(state, chart)
    if watched:
        said = f"avoids {watched}, and {said}"
    pellet, steps = _next_pellet(after, chart)
    if steps < _next_pellet(state, chart)[1]:
        said += f"; the pellet on {pellet} is {counted(steps, 'step')} off"
    return said


def _eaten(state: Pacman, after: Pacman) -> str:
    gone = state.pellets & ~after.pellets
    things = [SQUARES[n] for n in range(len(SQUARES)) if gone >> n & 1]
    pellets = [f"the pellet{'s' if len(things) > 1 else ''} on {listed(things)}"] if things else []
    ghosts = [
        GHOST_TITLES[n]
        for n, (old, new) in enumerate(zip(state.ghosts, after.ghosts, strict=True))
        if old != EATEN and new == EATEN
    ]
    return listed([*pellets, *ghosts])


def _kept_off(after: Pacman, chart: Chart, ghost: int) -> str:
    square = after.ghosts[ghost]
    between = chart.distance[after.pacman][square] - 1
    sees = after.ground.sees[square][after.pacman]
    squares = counted(between, "square")
    return (
        f"keeps {squares} between you and {GHOST_TITLES[ghost]}{', who sees you' if sees else ''}"
    )


def _watched(state: Pacman, chart: Chart) -> str:
    """Return how many of the squares he could go to are watched by ghosts, in words."""
    ghosts = on_board(state)
    taken = sum(1 << n for n in ghosts)
    ends = chart.plain_ends(state.pacman, taken)
    watched = (ends & chart.threatened(ghosts)).bit_count()
    if not watched:
        return ""
    all_of = f"{watched} of {counted(ends.bit_count(), 'square')}"
    return f"the {all_of if ends.bit_count() > 1 else 'one square'} where a ghost would catch you"


def _next_pellet(state: Pacman, chart: Chart) -> tuple[str, int]:
    row = chart.distance[state.pacman]
    n = min((n for n in range(len(SQUARES)) if state.pellets >> n & 1), key=lambda n: (row[n], n))
    return SQUARES[n], row[n]


# -- the ghosts


def _for_ghost(state: Pacman, after: Pacman, chart: Chart, ghost: int) -> str:
    name = GHOST_TITLES[ghost]
    if after.lives < state.lives:
        return "catches Pac-Man"
    start, end = state.ghosts[ghost], after.ghosts[ghost]
    room, less = _room(state, chart), _room(after, chart)
    if not less:
        return "leaves Pac-Man no safe square to go to"
    pellet = _guarded(after, chart, end)
    said = []
    if less < room:
        squares = "one safe square" if less == 1 else f"{less} safe squares"
        said.append(f"leaves Pac-Man {squares} instead of {room}")
    if pellet:
        said.append(f"keeps {name} between Pac-Man and the pellet on {pellet}")
    risk = _exposed(state, chart, start)
    if risk and not _exposed(after, chart, end):
        said.append(f"takes {name} out of his reach at the pellet on {risk}")
    if said:
        return " and ".join(said[:2])
    steps = chart.distance[after.pacman][end]
    if after.ground.sees[end][after.pacman] and not state.ground.sees[start][state.pacman]:
        return f"lets {name} see Pac-Man from {SQUARES[end]}"
    if steps < chart.distance[state.pacman][start]:
        return f"brings {name} within {counted(steps, 'step')} of Pac-Man"
    return f"keeps {name} {counted(steps, 'step')} from Pac-Man, where the others need it"


def _room(state: Pacman, chart: Chart) -> int:
    """Return how many squares Pac-Man can go to safely if no other ghost moves."""
    ghosts = on_board(state)
    taken = sum(1 << n for n in ghosts)
    return (chart.plain_ends(state.pacman, taken) & ~chart.threatened(ghosts)).bit_count()


def _guarded(state: Pacman, chart: Chart, ghost: int) -> str:
    """Return the pellet on whose shortest way from Pac-Man a ghost stands, the nearest one."""
    his, its = chart.distance[state.pacman], chart.distance[ghost]
    found = [
        (his[n], SQUARES[n])
        for n in range(len(SQUARES))
        if state.pellets >> n & 1 and his[ghost] + its[n] == his[n]
    ]
    return min(found)[1] if found else ""


def _exposed(state: Pacman, chart: Chart, ghost: int) -> str:
    """Return the pellet from which Pac-Man could eat a ghost in his next move, if there is one."""
    eatable = state.pellets & chart.two_steps[state.pacman]
    for n in range(len(SQUARES)):
        if eatable >> n & 1 and chart.distance[n][ghost] <= BONUS_STEPS:
            return SQUARES[n]
    return ""
