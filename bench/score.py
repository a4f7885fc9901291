"""What a match has shown: the share of wins and how far it may be off."""

import math


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the interval that holds the true share of wins with 95 % confidence."""
    if not games:
        return 0.0, 1.0
    z, part = 1.96, won / games
    middle = part + z * z / (2 * games)
    spread = z * math.sqrt(part * (1 - part) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return (middle - spread) / scale, (middle + spread) / scale


def shown(won: float, games: int) -> str:
    """Return a share of wins with its interval."""
    low, high = wilson(won, games)
    return f"{100 * won / games:.0f} % of {games} ({100 * low:.0f}–{100 * high:.0f})"
