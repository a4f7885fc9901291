"""What can be printed for the Ms. Pac-Man game: the board, pawns to fold, the die with its face F2,
the spinner, discs for dots."""

from companion.boards.paper import Press, Prints
from companion.boards.pdf import Page
from companion.games.maze.maze import Maze
from companion.games.maze.pieces import (
    blank,
    chance_page,
    disc_face,
    disc_page,
    ghost_face,
    pawn_pages,
)
from companion.games.maze.sheets import About, board_part
from companion.games.mspacman.field import field_of

GAME = "The Ms. Pac-Man game of 1983"
ABOUT = About(
    GAME,
    {
        "square": "a square, with a dot at the start. It belongs to the player of its number.",
        "power": "a power square: its dot is a power dot.",
        "circle": "a square with a white circle, where Ms. Pac-Man may be put. It has a dot, too.",
        "exit": "an exit: off the board here, on again at any other. No dot.",
        "centre": "a ghost's own space. Nobody moves into it.",
    },
    (
        "For dots take beads, buttons or the paper discs. The special die is for the ghosts, the "
        "spinner for Ms. Pac-Man; their numbers are stand-ins where no box was at hand.",
    ),
)
YELLOW = (255, 216, 0)


def pieces(maze: Maze, press: Press) -> list[Page]:
    """Return Ms. Pac-Man, and the ghosts: strong on one side, weak on the other (MS-3)."""
    ghosts = [
        (
            ghost.title,
            ghost_face(maze.owners[ghost.colour], ghost.title),
            ghost_face(maze.owners[ghost.colour], f"{ghost.title}, weak", weak=True),
        )
        for ghost in field_of(maze).ghosts
    ]
    her = disc_face(YELLOW, "Ms.", bow=True)
    return pawn_pages(maze, press, GAME, [("Ms. Pac-Man", her, her), *ghosts])


def chance(maze: Maze, press: Press) -> list[Page]:
    """Return the die and the spinner with what they show (MS-6, MS-7, MS-A27)."""
    field = field_of(maze)
    return chance_page(maze, press, GAME, [field.die], [str(value) for value in field.spinner])


def dots(maze: Maze, press: Press) -> list[Page]:
    """Return a disc for each dot (MS-2)."""
    return disc_page(maze, press, GAME, "dots", [(field_of(maze).dots.bit_count(), blank)])


PRINTS = Prints(
    "the board of the Ms. Pac-Man game, pawns to fold, die and spinner, discs for dots",
    {"board": board_part(ABOUT), "pieces": pieces, "dice": chance, "dots": dots},
)
