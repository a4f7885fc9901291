"""What has changed on the board: by the evidence alone, or from one position to another.

The rules have no say here; a change is a thing that went, came, or did both.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.board import (
    FENCE,
    PELLET,
    Change,
    Evidence,
    Place,
    Position,
    Spot,
    Thing,
    is_slot,
    patches,
    places_at,
)

#: Threshold: an explanation this far ahead is believed. One fence patch alone weighs 4 at most.
MARGIN = 6.0

#: An explanation with less than this in its favour is not worth a question.
DOUBT = 3.0

#: Things of which there may be several.
MANY = (FENCE, PELLET)


def see(position: Position, evidence: Evidence, odd: Iterable[Place]) -> tuple[Change, ...]:
    """Return what has changed on the board by the evidence alone, regardless of the rules.

    A greedy estimate: things that the evidence denies are taken away, and pieces that are seen
    elsewhere; then the best supported new things are put where nothing stands. A piece that went
    and came is one change.
    """
    odd = set(odd)
    here: dict[Spot, Thing] = dict(position)
    gone = [
        spot
        for spot, thing in position.items()
        if _is_gone(spot, thing, evidence, odd) or _is_elsewhere(spot, thing, evidence, odd)
    ]
    for spot in gone:
        del here[spot]
    came: list[tuple[Spot, Thing]] = []
    for _, spot, thing in sorted(_appearances(evidence, odd), reverse=True):
        if has_room(spot, here) and (thing in MANY or thing not in here.values()):
            here[spot] = thing
            came.append((spot, thing))
    return _pair(position, gone, came)


def _is_gone(spot: Spot, thing: Thing, evidence: Evidence, odd: set[Place]) -> bool:
    if is_slot(spot):
        return fit(spot, thing, evidence) < -DOUBT
    if spot not in odd:
        return False
    things = evidence[spot]
    best = max(things.values(), default=0.0)
    return max(best, 0.0) - things.get(thing, 0.0) > DOUBT


def _is_elsewhere(spot: Spot, thing: Thing, evidence: Evidence, odd: set[Place]) -> bool:
    """Tell whether a piece of which there is one shows far better on another square: then it has
    left its own, even where that cannot be seen."""
    if thing in MANY:
        return False
    own = evidence.get(spot, {}).get(thing, 0.0)
    return any(evidence[place].get(thing, 0.0) - own > MARGIN for place in odd if place != spot)


def _appearances(evidence: Evidence, odd: set[Place]) -> Iterator[tuple[float, Spot, Thing]]:
    for place in odd:
        if len(place) == 2:
            for thing, value in evidence[place].items():
                if value > DOUBT:
                    yield value, place, thing
    for slot in {slot for place in odd if place[2:] for slot in slots_over(place)}:
        value = fit(slot, FENCE, evidence)
        if value > DOUBT:
            yield value, slot, FENCE


def fit(spot: Spot, thing: Thing, evidence: Evidence) -> float:
    """Return the log-likelihood ratio of a thing at a spot to nothing, summed over its places."""
    return sum(evidence.get(place, {}).get(thing, 0.0) for place in places_at(spot))


def slots_over(patch: Place) -> Iterator[Spot]:
    """Yield the slots whose fence would cover this patch."""
    column, row = patch[0], patch[1]
    left, below = chr(ord(column) - 1), chr(ord(row) - 1)
    names = {
        "n": (f"{column}{row}h", f"{left}{row}h"),
        "e": (f"{column}{row}v", f"{column}{below}v"),
        "x": (f"{column}{row}h", f"{column}{row}v"),
    }[patch[2]]
    return (name for name in names if "a" <= name[0] <= "h" and "1" <= name[1] <= "8")


def has_room(spot: Spot, here: Mapping[Spot, Thing]) -> bool:
    """Tell whether a thing can physically be at this spot beside all the others."""
    if not is_slot(spot):
        return spot not in here
    mine = set(patches(spot))
    return not any(is_slot(other) and mine & set(patches(other)) for other in here)


def _pair(
    position: Position, gone: Sequence[Spot], came: Sequence[tuple[Spot, Thing]]
) -> tuple[Change, ...]:
    left = [(spot, position[spot]) for spot in gone]
    changes = []
    for spot, thing in came:
        source = next((s for s, t in left if t == thing), None)
        if source:
            left.remove((source, thing))
        if source != spot:
            changes.append(Change(thing, source, spot))
    changes += [Change(thing, spot, None) for spot, thing in left]
    return tuple(sorted(changes, key=lambda change: (change.thing, change.spots)))


def compare(before: Position, after: Position) -> tuple[Change, ...]:
    """Return what has to be done to get from one position to another, one thing at a time."""
    gone = [spot for spot, thing in before.items() if after.get(spot) != thing]
    came = [(spot, thing) for spot, thing in after.items() if before.get(spot) != thing]
    return in_order(_pair(before, gone, came), before)


def in_order(changes: Iterable[Change], position: Position) -> tuple[Change, ...]:
    """Return changes so that each finds its place free (a topological order): first what leaves the
    board, then whatever can go where it belongs; of things in each other's way, one steps aside."""
    left = sorted(changes, key=lambda change: change.target is not None)
    here = dict(position)
    done: list[Change] = []
    while left:
        change = next((c for c in left if _can_go(c, here)), left[0])
        left.remove(change)
        if change.source and not _can_go(change, here):
            left.append(replace(change, source=None))
            change = replace(change, target=None)
        done.append(change)
        here = dict(apply(here, (change,)))
    return tuple(done)


def _can_go(change: Change, here: Mapping[Spot, Thing]) -> bool:
    others = {spot: thing for spot, thing in here.items() if spot != change.source}
    return change.target is None or has_room(change.target, others)


def apply(position: Position, changes: Iterable[Change]) -> Position:
    """Return the position after these changes."""
    changes = tuple(changes)
    moved = dict(position)
    for change in changes:
        if change.source:
            moved.pop(change.source, None)
    moved.update({change.target: change.thing for change in changes if change.target})
    return moved


def undo(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes that put things back."""
    return tuple(Change(change.thing, change.target, change.source) for change in changes)
