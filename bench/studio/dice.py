"""Throws what the table of spreads has, and remembers what came.

The first throw of a quantity is spread evenly over any fifty numbers in a row: each gets another
fiftieth of the spread, in an order of its own for each quantity. So no value stays out for long.
"""

import random
from bisect import bisect
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate

from bench.studio.colours import Rgb, of_hsv, surface
from bench.studio.spreads import FAMILIES, ROUGHNESS, SPREADS, Shares, Span

ROUND = 50  # numbers over which a quantity is spread evenly

Drawn = str | float


@lru_cache(maxsize=1024)
def _order(seed: int, turn: int, name: str) -> tuple[int, ...]:
    order = list(range(ROUND))
    random.Random(f"{name}/{seed}/{turn}").shuffle(order)
    return tuple(order)


class Dice:
    """The throws of one picture. ``given`` fixes quantities that are not to be thrown.

    ``drawn`` has all that came, in the order of the throws; ``rng`` is for what has no name.
    """

    def __init__(self, seed: int, number: int, given: Mapping[str, Drawn] | None = None) -> None:
        self.seed, self.number = seed, number
        self.rng = random.Random(f"{seed}/{number}")
        self.given = dict(given or {})
        self.drawn: dict[str, list[Drawn]] = {}

    def word(self, name: str) -> str:
        """Return one of the values of a quantity."""
        shares = SPREADS[name]
        assert isinstance(shares, Shares), name
        rest = self._part(name) * sum(shares.of.values())
        values, ends = list(shares.of), list(accumulate(shares.of.values()))
        chosen = values[min(bisect(ends, rest), len(values) - 1)]
        chosen = str(self.given.get(name, chosen))
        self.drawn.setdefault(name, []).append(chosen)
        return chosen

    def span(self, name: str) -> float:
        """Return a number from the stretch of a quantity."""
        span = SPREADS[name]
        assert isinstance(span, Span), name
        number = span.low + self._part(name) * (span.high - span.low)
        number = float(self.given.get(name, number))
        self.drawn.setdefault(name, []).append(round(number, 4))
        return number

    def family(self, name: str) -> Rgb:
        """Return a colour of a family that is drawn."""
        low, high, pale, deep, dark, bright = FAMILIES[self.word(name)]
        rng = self.rng
        colour = of_hsv(rng.uniform(low, high), rng.uniform(pale, deep), rng.uniform(dark, bright))
        return surface(colour)

    def roughness(self, name: str) -> float:
        """Return how rough a surface of a gloss that is drawn is."""
        return self.rng.uniform(*ROUGHNESS[self.word(name)])

    def _part(self, name: str) -> float:
        if name in self.drawn:
            return self.rng.random()
        turn, place = divmod(self.number, ROUND)
        part = random.Random(f"{self.seed}/{self.number}/{name}").random()
        return (_order(self.seed, turn, name)[place] + part) / ROUND
