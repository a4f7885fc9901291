"""What the companion is to think about, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.rules.game import Move


@dataclass(frozen=True)
class Task:
    """A position, as the moves that led to it, and how well to play it."""

    game: str
    options: Mapping[str, str]
    moves: tuple[Move, ...]
    level: int


@dataclass(frozen=True)
class Thought:
    """The move found for a task, or in a sentence why there is none."""

    task: Task
    move: Move = ""
    trouble: str = field(default="")


def no_move(error: Exception) -> str:
    """Return in words that no move was found, and what to do about it."""
    return (
        f"The companion cannot find its move: {error}. Take a move back, or begin a new game;"
        " if game.engine is in the settings, take it out."
    )
