"""What every player of ours can do, and how long it may think."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from companion.rules.game import Move, State


def never() -> bool:
    """Say that there is time left, always."""
    return False


@dataclass(frozen=True)
class Limits:
    """When to stop thinking: plies looked ahead, positions looked at, or when told.

    Players read no clock; ``stop`` is asked now and then and says when the time is up.
    """

    depth: int | None = None
    nodes: int | None = None
    stop: Callable[[], bool] = never


class Player(Protocol):
    """Chooses moves. The random source is passed in, so the same seed gives the same game."""

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; the game must not be over."""
