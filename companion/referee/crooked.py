"""What stands between squares: where it is meant to stand, or why it must not be there.

The evidence weighs a piece by its distance from the squares around it. This is for the one that is
on none of them for sure, and for the one whose square is taken by something else.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from companion.board import FENCE, PELLET, Change, Evidence, Sighting, Spot, Thing
from companion.referee.changes import DOUBT
from companion.referee.explain import Expectation

#: Squares that differ by less than this, in pitches, are equally near.
TIE = 0.05


def unclear(
    evidence: Evidence, sightings: Iterable[Sighting], pawns: Collection[Thing]
) -> tuple[Sighting, ...]:
    """Return the pawns that are seen and stand on no square for sure."""
    return tuple(
        s
        for s in sightings
        if s.thing in pawns
        and s.spot in evidence
        and all(evidence.get(spot, {}).get(s.thing, 0.0) <= DOUBT for spot, _ in s.near)
    )


def with_sighted(changes: Sequence[Change], sightings: Iterable[Sighting]) -> tuple[Change, ...]:
    """Return changes in which what is nowhere for sure went to the square it is seen nearest to,
    which may be its own; a pellet that it may hide there is not gone."""
    gone = {change.thing for change in changes if change.target is None}
    at = {s.thing: s.spot for s in sightings if s.thing in gone and s.thing != FENCE}
    told = [replace(c, target=c.target or at.get(c.thing)) for c in changes]
    hidden = [c for c in told if c.thing == PELLET and not c.target and c.source in at.values()]
    return tuple(change for change in told if change not in hidden)


def meant(expected: Expectation, sighting: Sighting) -> Spot | None:
    """Return the square that a pawn is meant to stand on, None when it may stand on none of those
    that are nearest."""
    thing = sighting.thing
    goals = {spot for spot, thing_there in expected.position.items() if thing_there == thing}
    for step in expected.steps:
        goals |= {place for place, _, new in step.differences if new == thing}
    nearest = (spot for spot, off in sighting.near if off < sighting.off + TIE)
    return next((spot for spot in nearest if spot in goals), None)
