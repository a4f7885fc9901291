"""From where a thing is seen to evidence: how likely it stands for which of the squares around it.

It does not matter who has seen it, nor how: a place in millimetres is enough. What stands well in
the middle of its square is judged by that square's own evidence.
"""

from collections.abc import Iterable

from companion.board import FENCE, Evidence, Place, Sighting, Spot, Thing

#: Pitches from the middle of its square beyond which a piece stands aside.
ASIDE = 0.12

#: Evidence for a square falls by so much with each pitch from its middle, and is nothing half a
#: pitch away: there the next square begins.
STEEP = 40.0
EVEN = 0.5
LEAST = -8.0

#: The field of a magnet reaches so many pitches far.
FELT = 1.0


def placed(evidence: Evidence, sightings: Iterable[Sighting]) -> Evidence:
    """Return the evidence with what stands aside weighed by its distance from the squares."""
    total: dict[Place, dict[Thing, float]] = {}
    for sighting in aside(sightings):
        for spot, off in sighting.near:
            if spot in evidence:
                things = total.setdefault(spot, dict(evidence[spot]))
                things[sighting.thing] = max(LEAST, min(STEEP * (EVEN - off), sighting.sure))
    return {**evidence, **total} if total else evidence


def aside(sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """Return the pieces that do not stand in the middle of a square."""
    return tuple(s for s in sightings if s.thing != FENCE and s.off > ASIDE)


def around(sightings: Iterable[Sighting]) -> frozenset[Spot]:
    """Return the squares at which the magnets of pieces that stand aside are felt: by how much is
    hard to tell, so what is felt there may be of any piece."""
    return frozenset(spot for s in aside(sightings) for spot, off in s.near if off < FELT)
