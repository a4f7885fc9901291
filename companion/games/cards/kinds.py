"""The kinds of cards there are: what each does in a hand or on the table, how many a level has.

The figures come from a table of cards (:mod:`companion.games.cards.data` reads one); the rules only
know roles.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

#: Worth points at the end.
DOT, FRUIT = "dot", "fruit"
#: Three of them knock one out.
GHOST = "ghost"
#: Power ups, named after what they do (CG-9 to CG-14).
SWAP, SKIP, PASS, GIVE, CHOOSE, ALL = "swap", "skip", "pass", "give", "choose", "all"

POWERS = (SWAP, SKIP, PASS, GIVE, CHOOSE, ALL)
ROLES = (DOT, FRUIT, GHOST, *POWERS)

#: What a power up is called when it is spoken of; the cards carry no words.
POWER_RULES: Mapping[str, str] = MappingProxyType(
    {SWAP: "CG-9", SKIP: "CG-10", PASS: "CG-11", GIVE: "CG-12", CHOOSE: "CG-13", ALL: "CG-14"}
)


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card: its name in moves, the name people read, its role, what it is worth."""

    name: str
    title: str
    role: str
    points: int = 0

    @property
    def is_power(self) -> bool:
        """Return whether it is played face up and never part of a hand (CG-6, CG-A3)."""
        return self.role in POWERS


@dataclass(frozen=True)
class CardTable:
    """The cards of the box: the kinds, and how many of each the two levels have.

    ``levels`` maps ``"1"`` and ``"2"`` to one count for each kind, in the order of the kinds.
    """

    name: str
    title: str
    kinds: tuple[Card, ...]
    levels: Mapping[str, tuple[int, ...]]
    provenance: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def deck(self, level: str) -> tuple[int, ...]:
        """Return the counts of a level's deck; ``bonus`` is both levels together (CG-1)."""
        if level == "bonus":
            return tuple(map(sum, zip(*self.levels.values(), strict=True)))
        return self.levels[level]
