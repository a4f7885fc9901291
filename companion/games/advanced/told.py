"""What a move of the advanced variant does, in words and on the real board, and what is due."""

from collections.abc import Iterator
from itertools import combinations

from companion.board import FENCE, PELLET, Position
from companion.games.advanced.ground import ground
from companion.games.advanced.setup import ENTER, HUNT, NAMES, PACMAN, PASS, PLACE, SHIFT, WAIT
from companion.games.advanced.standing import Standing
from companion.games.advanced.walk import runs
from companion.games.bits import square_name
from companion.games.game import Effect, Move
from companion.text import counted, listed

SIDES = ("Pac-Man", "The ghosts")
TITLES = tuple(name.title() for name in NAMES)

#: A board is looked at with each of so many eaten things still on it or not.
MOST_LEFT = 3

_LIVES = {1: "one life left", 2: "two lives left", 3: "three lives left"}


def made(state: Standing, effect: Effect, after: Standing) -> Iterator[Position]:
    """Yield what the board may show when a legal move has just been made.

    What Pac-Man eats is still there until somebody takes it off, and where he met a ghost he may
    stand for a while in its place.
    """
    end, before = after.position(), state.position()
    ends = [end]
    if effect.thing == "pacman" and effect.path and not after.pacman:
        ends.append({**end, effect.end: "pacman"})
    for each in ends:
        yield each
        kept = [s for s in effect.path[:-1] if s in before and s not in end and s not in each]
        for number in range(1, min(len(kept), MOST_LEFT) + 1):
            for left in combinations(kept, number):
                yield {**each, **{spot: before[spot] for spot in left}}


def told(state: Standing, move: Move, effect: Effect, after: Standing) -> str:
    """Return what a legal move does, in words."""
    side = SIDES[state.turn]
    if effect.fence and effect.thing == FENCE:
        return f"{side} moved the fence on {effect.path[0]} to {effect.fence}"
    if effect.fence:
        return f"{side} put a fence on {effect.fence}"
    if move == PASS:
        return f"{side} can move no fence of the chamber and pass"
    if move == WAIT:
        return "Pac-Man finds a ghost on every square to come in on, and waits"
    if not effect.thing:
        return f"{side} put no fence" if "fence" in effect.note else f"{side} went no further"
    who = "Pac-Man" if effect.thing == "pacman" else effect.thing.title()
    if not effect.path:
        return f"{who} cannot move and stays"
    if state.phase == ENTER:
        return f"Pac-Man came in on {effect.end}"
    said = f"{who} spent a pellet and went" if after.spent_more(state) else f"{who} went"
    said = f"{said} to {effect.end}"
    if after.lives < state.lives:
        met = "caught Pac-Man" if state.turn != PACMAN else f"met {_there(state, effect)}"
        return f"{said} and {met}: {_LIVES.get(after.lives, 'no life left')}"
    eaten = [
        title
        for title, old, new in zip(TITLES, state.ghosts, after.ghosts, strict=True)
        if old and not new
    ]
    pellets = after.collected - state.collected
    if pellets:
        eaten.append(f"a {PELLET}" if pellets == 1 else f"{pellets} {PELLET}s")
    return f"{said} and ate {listed(eaten)}" if eaten else said


def _there(state: Standing, effect: Effect) -> str:
    return state.position().get(effect.end, "a ghost").title()


def awaited(state: Standing) -> str:
    """Return what is due, in words."""
    if state.phase == ENTER:
        where = listed(state.entries(), "or")
        return f"Pac-Man to come in on {where}" if where else "Pac-Man to wait"
    if state.phase == SHIFT:
        return "The ghosts to put one fence of the chamber somewhere else"
    if state.phase == HUNT:
        return f"{listed([TITLES[ghost] for ghost in state.hunters()], 'or')} to move"
    if state.phase == PLACE:
        after = listed([TITLES[ghost] for ghost in state.hunters()], "or")
        then = f"; then {after} to move" if after and state.turn != PACMAN else ""
        return f"{SIDES[state.turn]} may put a fence, or none{then}"
    return _walking(state)


def _walking(state: Standing) -> str:
    fence = state.may_place and bool(ground(state.fenced).slots)
    reserve = counted(state.reserve, "pellet")
    spare = f"; he has {reserve} to spend" if state.reserve else ""
    if state.owes_move and not state.began:
        return f"Pac-Man to move{' or put a fence' if fence else ''}{spare}"
    doings = ["go on"] if any(runs(state, pellet=False)) or state.boost else []
    doings += ["spend a pellet"] if state.reserve else []
    doings += ["put a fence"] if fence else []
    if not state.may_end:
        return f"Pac-Man has to {listed(doings, 'or') or 'stay'}"
    return f"Pac-Man may {listed(doings, 'or')}, or leave it at that"


def ending(state: Standing) -> str:
    """Return how it is called that a turn ends here, which leaves no trace on the board."""
    return "no fence" if state.may_place else "no further"


def seen_by(state: Standing) -> dict[str, tuple[str, ...]]:
    """Return the ghosts that stand in an open straight line with Pac-Man, each with the squares
    between them."""
    return {
        NAMES[ghost]: between
        for ghost, bit in enumerate(state.ghosts)
        if bit and (between := _between(state, bit)) is not None
    }


def _between(state: Standing, ghost: int) -> tuple[str, ...] | None:
    here = ground(state.fenced)
    for ahead in range(4):
        between: list[int] = []
        at = here.ahead(ghost, ahead)
        while at:
            if at == state.pacman:
                return tuple(map(square_name, between))
            between.append(at)
            at = here.ahead(at, ahead)
    return None
