"""What a move of Quoridor PAC-MAN does: in words, as a walk, and on the real board."""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from companion.board import PELLET, Position, Spot
from companion.rules.bits import SQUARES
from companion.rules.game import Move
from companion.rules.layout import PACMAN
from companion.rules.pacman_ground import GHOST_OF, PASS, SORTED_GHOSTS
from companion.rules.pacman_why import GHOST_TITLES

if TYPE_CHECKING:
    from companion.rules.pacman import Pacman

#: A board is looked at with each of so many eaten things still on it or not.
MOST_LEFT = 4

_LIVES = {1: "one life left", 2: "two lives left", 3: "three lives left"}


def made(state: "Pacman", move: Move) -> Iterator[Position]:
    """Yield what the board may show when a legal move has just been made.

    A ghost that catches Pac-Man stands on his square before all go back to the start; what
    Pac-Man eats is still there until somebody takes it off.
    """
    after = state.play(move)
    end = after.position()
    before = state.position()
    if after.lives and after.lives < state.lives:
        ghost = SORTED_GHOSTS[GHOST_OF[move[0]]]
        caught = {spot: thing for spot, thing in before.items() if thing not in (ghost, PACMAN)}
        yield caught | {SQUARES[state.pacman]: ghost}
    yield end
    if state.to_act == 0:
        eaten = [s for s, t in before.items() if t != PACMAN and s not in end]
        for number in range(1, min(len(eaten), MOST_LEFT) + 1):
            for left in combinations(eaten, number):
                yield {**end, **{spot: before[spot] for spot in left}}


def way(state: "Pacman", move: Move) -> tuple[str, tuple[Spot, ...]]:
    """Return the piece that a legal move walks, and its squares from where it stands."""
    if state.to_act == 0:
        thing, start, path = PACMAN, state.pacman, move
    else:
        ghost = GHOST_OF[move[0]]
        thing, start, path = SORTED_GHOSTS[ghost], state.ghosts[ghost], move[1:]
    walked = () if path in (PASS, "=") else tuple(path.split("-"))
    return thing, (SQUARES[start], *walked)


def told(state: "Pacman", move: Move) -> str:
    """Return what a legal move does, in words."""
    _, walked = way(state, move)
    who = "Pac-Man" if state.to_act == 0 else GHOST_TITLES[GHOST_OF[move[0]]]
    if len(walked) == 1:
        return f"{who} cannot move and {'passes' if state.to_act == 0 else 'stays'}"
    said = f"{who} went to {walked[-1]}"
    if walked[0] == walked[-1]:
        said = f"{who} went out to {walked[1]} and back"
    after = state.play(move)
    if after.lives < state.lives:
        left = _LIVES.get(after.lives, "no life left")
        return f"{said} and caught Pac-Man: {left}"
    eaten = [
        GHOST_TITLES[n]
        for n, (old, new) in enumerate(zip(state.ghosts, after.ghosts, strict=True))
        if new < 0 <= old
    ]
    pellets = after.eaten - state.eaten
    if pellets:
        eaten.append(f"a {PELLET}" if pellets == 1 else f"{pellets} {PELLET}s")
    return f"{said} and ate {_and(eaten)}" if eaten else said


def awaited(state: "Pacman") -> str:
    """Return who is to move, in words."""
    if state.to_act == 0:
        return "Pac-Man to move"
    ghosts = [ghost.title() for ghost in state.moving_ghosts]
    return f"{_and(ghosts, 'or')} to move"


def _and(words: list[str], last: str = "and") -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
