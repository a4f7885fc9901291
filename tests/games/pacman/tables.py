"""Positions of Quoridor PAC-MAN for tests, put up by hand instead of played."""

from companion.games.catalogue import find_game
from companion.games.game import replay
from companion.games.layout import GHOSTS, Layout
from companion.games.pacman.rules import Pacman, PacmanGame, arrange

BY_LETTER = {ghost[0].upper(): ghost for ghost in GHOSTS}
CORNERS = "a1 a9 i1 i9"


def start(**options: str) -> Pacman:
    """Return the first position of the game as it comes."""
    state = find_game("pacman").start(options)
    assert isinstance(state, Pacman)
    return state


def after(moves: str, **options: str) -> Pacman:
    """Return the position after some moves."""
    return play(start(**options), moves)


def play(state: Pacman, moves: str) -> Pacman:
    """Return the position after some more moves."""
    return replay(state, moves.split())


def game_on(fences: str = "", pellets: str = CORNERS) -> PacmanGame:
    """Return the game on an own layout: the usual starts, the fences and pellets that are told."""
    ghosts = {"blinky": "e9", "inky": "i5", "pinky": "a5", "clyde": "e1"}
    layout = Layout(
        "mine", "Mine", "e5", ghosts, tuple(pellets.split()), tuple(sorted(fences.split()))
    )
    return PacmanGame(("mine",), lambda name: layout)


def put_up(
    pieces: str,
    fences: str = "",
    pellets: str = CORNERS,
    waiting: str = "",
    lives: int = 3,
    **options: str,
) -> Pacman:
    """Return a position: Pac-Man's square, then the ghosts as Be9; others have been eaten.

    ``waiting`` are the letters of the ghosts that are yet to move; none: it is Pac-Man's turn.
    """
    pacman, *ghosts = pieces.split()
    return arrange(
        game_on(fences).start(options).ground,
        pacman,
        {BY_LETTER[text[0]]: text[1:] for text in ghosts},
        pellets.split(),
        lives,
        [BY_LETTER[letter] for letter in waiting],
    )
