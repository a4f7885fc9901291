"""What can be printed for the marble game: the board, pawns to fold, dice, discs for marbles."""

from companion.boards.paper import Press, Prints
from companion.boards.pdf import Page
from companion.games.marbles.field import GHOSTS, MOST_STEPS
from companion.games.maze.maze import Maze
from companion.games.maze.pieces import (
    blank,
    chance_page,
    disc_face,
    disc_page,
    ghost_face,
    pawn_pages,
    ring,
)
from companion.games.maze.sheets import About, board_part, owner_number

GAME = "The marble game of 1982"
ABOUT = About(
    GAME,
    {
        "hole": "a hole, with a white marble at the start.",
        "ringed": "a ringed hole, with a yellow marble at the start.",
        "home": "a home, where the Pac-Man of its colour starts.",
        "exit": "an arrowed area: off the board here, on again at any other.",
        "centre": "the centre, where the ghosts start. Nobody moves into it.",
    },
    (
        "For marbles take beads, buttons or the paper discs, white and yellow ones; each player "
        "has a bowl for those won. Two dice.",
    ),
)
GREY, GOLD = (200, 200, 208), (255, 224, 64)


def pieces(maze: Maze, press: Press) -> list[Page]:
    """Return a Pac-Man of each colour and the ghosts, which are alike from both sides (MB-2)."""
    men = [(owner, disc_face(ink, owner_number(maze, owner))) for owner, ink in maze.owners.items()]
    ghosts = [(f"ghost {n}", ghost_face(GREY, f"ghost {n}")) for n in range(1, GHOSTS + 1)]
    return pawn_pages(maze, press, GAME, [(name, face, face) for name, face in (*men, *ghosts)])


def dice(maze: Maze, press: Press) -> list[Page]:
    """Return two dice (MB-6)."""
    faces = [str(face) for face in range(1, MOST_STEPS + 1)]
    return chance_page(maze, press, GAME, [faces, faces])


def marbles(maze: Maze, press: Press) -> list[Page]:
    """Return a disc for each marble: as many as there are holes for it (MB-3)."""
    counts = [(len(maze.of_kind("hole")), blank), (len(maze.of_kind("ringed")), ring(GOLD))]
    return disc_page(maze, press, GAME, "marbles", counts)


PRINTS = Prints(
    "the board of the marble game, Pac-Men and ghosts to fold, dice, discs for marbles",
    {"board": board_part(ABOUT), "pieces": pieces, "dice": dice, "marbles": marbles},
)
