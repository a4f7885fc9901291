"""What the advanced variant is played with: its numbers, its switches, the set-up of its board.

Which chamber and which squares for the pellets the lost picture showed is not known; they are data,
handed to the game by whoever reads them.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.board import Spot
from companion.games.game import Move, Seat

#: Which text of the rules is played: the French one, the only one known (AV-A31).
RULE_SET = "AV-FR"

PACMAN: Seat = 0
GHOSTS: Seat = 1  # one to four people share this seat (AV-1, AV-A25)
NAMES = ("blinky", "inky", "pinky", "clyde")
LETTERS = "BIPC"

LIVES = 3
STEPS = 2  # AV-16
BLOCK = 2  # AV-17: squares a spent pellet gives
SPEED = (1, 2, 2, 3)  # AV-18: of a ghost, by the number of pellets collected (AV-A11)
EARLY = 4  # AV-9: the rounds with one action a side
FENCES = (12, 4)  # AV-7
STIRRED = -1  # quiet rounds, once something happened: the round it happened in is none of them

END: Move = "end"
STAY: Move = "="
WAIT: Move = "wait"
PASS: Move = "pass"

# What the seat to act is about to do.
ENTER = "enter"  # put Pac-Man on a respawn square
WALK = "walk"  # Pac-Man's steps, and what may end them
PLACE = "place"  # a fence, or none
SHIFT = "shift"  # a fence of the chamber goes elsewhere
HUNT = "hunt"  # one of the ghosts that are left walks


class Chamber(NamedTuple):
    """Where the ghosts wait between four fences (AV-5); which way the picture had it is lost."""

    name: str
    ghosts: Mapping[str, Spot]
    fences: tuple[Spot, ...]


class Setup(NamedTuple):
    """The board before the first move: the pellets (AV-4) and the chambers to choose from."""

    name: str
    title: str
    pellets: tuple[Spot, ...]
    chambers: tuple[Chamber, ...]
    provenance: Mapping[str, str]


class Table(NamedTuple):
    """What stays the same through a game: the switches."""

    chamber: str
    respawn_consumes_move: bool
    no_progress: int  # rounds, 0 for never
    exact_speed: bool = False  # AV-A4
    exact_bonus: bool = False  # AV-A7
