"""What can be printed for the Ms. Pac-Man game: the board, pawns, dots, the die and the spinner."""

from companion.boards.paper import Prints
from companion.games.maze.sheets import About, board_part

ABOUT = About(
    "The Ms. Pac-Man game of 1983",
    {
        "square": "a square, with a dot at the start. It belongs to the player of its number.",
        "power": "a power square: its dot is a power dot.",
        "circle": "a square with a white circle, where Ms. Pac-Man may be put.",
        "exit": "an exit: off the board here, on again at any other. No dot.",
        "centre": "a ghost's own space. Nobody moves into it.",
    },
    ("For dots take beads, buttons or paper discs.",),
)

PRINTS = Prints("the board of the Ms. Pac-Man game", {"board": board_part(ABOUT)})
