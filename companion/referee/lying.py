"""How the board lies, as far as anybody knows, and what it can therefore prove.

A game goes on without its board when a move is entered elsewhere, played by the companion, or taken
back. The law of such a board, stated here once:

    A board that has not changed since then is evidence only that it has not followed yet.

So what may have lain there all the time, or since the game was at that position, is never a move.
A board that shows just what a legal next move leads to is that move; any other one is something to
be put right.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from companion.board import EMPTY, Change, Evidence, Position, Spot, Thing, places_at
from companion.referee.changes import DOUBT, apply, fit


class Phase(Enum):
    """How the board stands in relation to the game."""

    SETTING_UP = "setting up"  # the board served something else before
    BEHIND = "behind"  # the game went on without the board, which is to follow
    ALONG = "along"  # nothing on the board speaks against the game


@dataclass(frozen=True)
class Lying:
    """What may lie at the spots that are not known to be as the game has them: all that did lie
    there, or should have, since they were last seen. Without a set-up nobody ``knows`` anything."""

    may: Mapping[Spot, frozenset[Thing]]
    knows: bool = True

    @property
    def is_as_agreed(self) -> bool:
        """Tell whether the board is known to lie as the game has it."""
        return self.knows and not self.may

    def is_return(self, changes: Sequence[Change]) -> bool:
        """Tell whether these changes show nothing but what may have lain there all the time."""
        new = [(change.source, EMPTY) for change in changes if change.source]
        new += [(change.target, change.thing) for change in changes if change.target]
        return bool(new) and all(thing in self.may.get(spot, ()) for spot, thing in new)

    def shows(self, position: Position, evidence: Evidence) -> bool:
        """Tell whether every spot in doubt that can be seen is clearly as this position has it."""
        return all(
            _clearest(spot, may | {position.get(spot, EMPTY)}, evidence)
            == position.get(spot, EMPTY)
            for spot, may in self.may.items()
            if is_told(spot, evidence)
        )

    def seen(self, agreed: Position, evidence: Evidence) -> "Lying":
        """Return what is known after a look at the board at rest: seeing nothing proves nothing,
        only what is clearly there counts."""
        if not self.knows:
            some = (_is_clear(spot, thing, evidence) for spot, thing in agreed.items())
            return Lying({}) if any(some) else self
        left: dict[Spot, frozenset[Thing]] = {}
        for spot, may in self.may.items():
            here = agreed.get(spot, EMPTY)
            thing = _clearest(spot, may | {here}, evidence)
            if thing != here:
                left[spot] = may if thing is None else frozenset({thing})
        return Lying(left)

    def went_on(self, before: Position, seen: Iterable[Change], after: Position) -> "Lying":
        """Return what is known when the game has gone from one position to another without the
        board, on which these changes were seen."""
        seen = tuple(seen)
        lay = apply(before, seen)
        sure = {spot for change in seen for spot in change.spots}
        may: dict[Spot, frozenset[Thing]] = {}
        for spot in before.keys() | lay.keys() | after.keys() | self.may.keys():
            there = {lay.get(spot, EMPTY)}
            things = there if spot in sure else self.may.get(spot, there)
            things = frozenset({*things, before.get(spot, EMPTY), after.get(spot, EMPTY)})
            if things != {after.get(spot, EMPTY)}:
                may[spot] = things
        return Lying(may, self.knows)

    def followed(self, seen: Iterable[Change], shown: Position, agreed: Position) -> "Lying":
        """Return what is known when these changes were seen to be moves, after which the board
        shows one position and the game may have another."""
        certain = {spot for change in seen for spot in change.spots}
        may = {spot: things for spot, things in self.may.items() if spot not in certain}
        for spot in shown.keys() | agreed.keys():
            if shown.get(spot) != agreed.get(spot):
                may[spot] = frozenset({shown.get(spot, EMPTY)})
        return Lying(may, self.knows)


UNKNOWN = Lying({}, knows=False)


def after_restart(positions: Sequence[Position]) -> Lying:
    """Return what is known of the board of a game that has been in these positions: it may have
    gone on without the board at any time."""
    spots = {spot for position in positions for spot in position}
    been = {spot: frozenset(at.get(spot, EMPTY) for at in positions) for spot in spots}
    return Lying({spot: things for spot, things in been.items() if len(things) > 1})


def is_told(spot: Spot, evidence: Evidence) -> bool:
    """Tell whether the evidence has anything to say of a spot."""
    return any(evidence.get(place) for place in places_at(spot))


def _clearest(spot: Spot, things: Iterable[Thing], evidence: Evidence) -> Thing | None:
    """Return which of some things is clearly there, None when that cannot be told."""
    ranked = sorted(((fit(spot, t, evidence), t) for t in things), reverse=True)
    if len(ranked) == 1:
        return ranked[0][1]
    return ranked[0][1] if ranked[0][0] - ranked[1][0] > DOUBT else None


def _is_clear(spot: Spot, thing: Thing, evidence: Evidence) -> bool:
    return _clearest(spot, {thing, EMPTY}, evidence) == thing
