"""What can be printed for the marble game: the board, so that beads or buttons do for marbles."""

from companion.boards.paper import Prints
from companion.games.maze.sheets import About, board_part

ABOUT = About(
    "The marble game of 1982",
    {
        "hole": "a hole, with a white marble at the start.",
        "ringed": "a ringed hole, with a yellow marble at the start.",
        "home": "a home, where the Pac-Man of its colour starts.",
        "exit": "an arrowed area: off the board here, on again at any other.",
        "centre": "the centre, where the ghosts start. Nobody moves into it.",
    },
    (
        "For marbles take beads, buttons or paper discs that cover a hole, white and yellow ones; "
        "each player has a bowl for those won.",
    ),
)

PRINTS = Prints("the board of the marble game", {"board": board_part(ABOUT)})
