"""What every player can do, how long it may think, and how well it plays: ten levels, from
beginner to full strength.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from companion.games.game import Move, State

ENDLESS = 1 << 60
LOWEST, HIGHEST = 1, 10


def never() -> bool:
    """Return False: there is always time left."""
    return False


@dataclass(frozen=True)
class Limits:
    """When to stop thinking: plies of depth, positions searched (nodes), or when told.

    Players read no clock; ``stop`` is asked now and then and says when the time is up.
    """

    depth: int | None = None
    nodes: int | None = None
    stop: Callable[[], bool] = never


class Enough(Exception):
    """The limits are reached; the best that was found so far stands."""


class Player(Protocol):
    """Chooses moves. The random source is passed in, so the same seed gives the same game."""

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; the game must not be over."""


@dataclass(frozen=True)
class Level:
    """One level: how long and how far it looks ahead, and how often it errs.

    ``seconds`` is the most time for a whole turn, ``nodes`` the most positions even without a
    clock, ``depth`` how far it looks ahead (rounds or plies, as the game counts). With
    probability ``slips`` it is content with a move that looked good at first sight.
    """

    number: int
    seconds: float
    nodes: int
    depth: int
    slips: float

    def most_nodes(self, limits: Limits) -> int:
        """Return how many positions to search; the top level obeys only the limits it is given."""
        limited = limits.nodes is not None or limits.stop is not never
        if self.number == HIGHEST and limited:
            return ENDLESS if limits.nodes is None else limits.nodes
        return self.nodes if limits.nodes is None else min(self.nodes, limits.nodes)

    def most_depth(self, limits: Limits) -> int:
        """Return how far to look ahead."""
        return self.depth if limits.depth is None else max(1, limits.depth)


_LEVELS = (
    Level(1, 0.04, 400, 1, 0.80),
    Level(2, 0.06, 400, 1, 0.50),
    Level(3, 0.09, 800, 1, 0.25),
    Level(4, 0.14, 1_500, 2, 0.20),
    Level(5, 0.24, 3_000, 2, 0.08),
    Level(6, 0.4, 6_000, 3, 0.04),
    Level(7, 0.6, 10_000, 4, 0.01),
    Level(8, 0.9, 16_000, 6, 0.0),
    Level(9, 1.4, 30_000, 20, 0.0),
    Level(10, 1.8, 120_000, 60, 0.0),
)


def level_limits(level: int) -> Level:
    """Return the limits of a level; raise ValueError when there is no such level."""
    if not LOWEST <= level <= HIGHEST:
        raise ValueError(f"expected a level from {LOWEST} to {HIGHEST}, not {level!r}")
    return _LEVELS[level - LOWEST]
