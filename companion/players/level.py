"""How well a player of ours plays: ten levels, from a first game to all it can."""

from dataclasses import dataclass

from companion.players.player import Limits, never

ENDLESS = 1 << 60
LOWEST, HIGHEST = 1, 10


@dataclass(frozen=True)
class Level:
    """One level: how long and how far it looks ahead, and how often it errs.

    ``seconds`` is the time it usually takes at most for a whole turn, ``nodes`` the positions it
    looks at even when there is no clock, ``depth`` how far ahead (rounds or plies, as the game
    counts). With the chance ``slips`` it is content with a move that looked good at first sight.
    """

    number: int
    seconds: float
    nodes: int
    depth: int
    slips: float

    def most_nodes(self, limits: Limits) -> int:
        """Return how many positions to look at: the top level minds nobody's limits but yours."""
        limited = limits.nodes is not None or limits.stop is not never
        if self.number == HIGHEST and limited:
            return ENDLESS if limits.nodes is None else limits.nodes
        return self.nodes if limits.nodes is None else min(self.nodes, limits.nodes)

    def most_depth(self, limits: Limits) -> int:
        """Return how far to look ahead."""
        return self.depth if limits.depth is None else max(1, limits.depth)


_LEVELS = (
    Level(1, 0.1, 400, 1, 0.80),
    Level(2, 0.1, 400, 1, 0.50),
    Level(3, 0.1, 800, 1, 0.25),
    Level(4, 0.2, 1_500, 2, 0.20),
    Level(5, 0.25, 3_000, 2, 0.08),
    Level(6, 0.4, 6_000, 3, 0.04),
    Level(7, 0.6, 10_000, 4, 0.01),
    Level(8, 0.9, 16_000, 6, 0.0),
    Level(9, 1.3, 30_000, 20, 0.0),
    Level(10, 1.8, 120_000, 60, 0.0),
)


def level_limits(level: int) -> Level:
    """Return what a level may spend; raise ValueError when there is no such level."""
    if not LOWEST <= level <= HIGHEST:
        raise ValueError(f"expected a level from {LOWEST} to {HIGHEST}, not {level!r}")
    return _LEVELS[level - LOWEST]
