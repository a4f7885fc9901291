"""What a move of Quoridor PAC-MAN does, in words and on the real board."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.board import PELLET, Position
from companion.games.game import Effect
from companion.games.layout import PACMAN
from companion.games.pacman.ground import GHOST_TITLES, Situation
from companion.text import listed

#: A board is looked at with each of so many eaten things still on it or not.
MOST_LEFT = 4

_LIVES = {1: "one life left", 2: "two lives left", 3: "three lives left"}


def made(state: Situation, effect: Effect, after: Situation) -> Iterator[Position]:
    """Yield what the board may show when a legal move has just been made.

    A ghost that catches Pac-Man stands on his square before all go back to the start; what
    Pac-Man eats is still there until somebody takes it off.
    """
    end = after.position()
    before = state.position()
    if after.lives and after.lives < state.lives:
        moved = (effect.thing, PACMAN)
        caught = {spot: thing for spot, thing in before.items() if thing not in moved}
        yield caught | {effect.end: effect.thing}
    yield end
    if effect.thing == PACMAN:
        eaten = [s for s, t in before.items() if t != PACMAN and s not in end]
        for number in range(1, min(len(eaten), MOST_LEFT) + 1):
            for left in combinations(eaten, number):
                yield {**end, **{spot: before[spot] for spot in left}}


def told(state: Situation, effect: Effect, after: Situation) -> str:
    """Return what a legal move does, in words."""
    hunted = effect.thing != PACMAN
    who = effect.thing.title() if hunted else "Pac-Man"
    if not effect.path:
        return f"{who} cannot move and {'stays' if hunted else 'passes'}"
    said = f"{who} went to {effect.end}"
    if state.position().get(effect.end) == effect.thing:
        said = f"{who} went out to {effect.path[0]} and back"
    if after.lives < state.lives:
        left = _LIVES.get(after.lives, "no life left")
        return f"{said} and caught Pac-Man: {left}"
    eaten = [
        title
        for title, old, new in zip(GHOST_TITLES, state.ghosts, after.ghosts, strict=True)
        if new < 0 <= old
    ]
    pellets = state.pellets.bit_count() - after.pellets.bit_count()
    if pellets:
        eaten.append(f"a {PELLET}" if pellets == 1 else f"{pellets} {PELLET}s")
    return f"{said} and ate {listed(eaten)}" if eaten else said


def awaited(ghosts: Sequence[str]) -> str:
    """Return who is to move, in words: one of these ghosts, or Pac-Man when there are none."""
    return f"{listed([ghost.title() for ghost in ghosts], 'or') or 'Pac-Man'} to move"
