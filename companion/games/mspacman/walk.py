"""Walks in the Ms. Pac-Man maze: what happens on each step, where a walk ends, which there are.

A walk may turn round and go over the same squares again (MS-10), so there are many more walks than
things that can come of them. :func:`her_walks` and :func:`ghost_walks` find one walk for each
result: the shortest, and among those the first by the names of its spots (breadth-first search,
where walks that come to the same are merged step by step).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.games.game import Seat, put
from companion.games.mspacman.field import Field

#: Spots by number, in the order they are entered; the square it starts from is not among them.
Path = tuple[int, ...]

#: How often its own turn begins until a ghost is strong again (MS-A8): by a power dot, by F2.
POWER_TURNS = 2
FLIP_TURNS = 1

NOBODY: Seat = -1
AWAY = -1  # a pawn that is not on the board


class Fault(NamedTuple):
    """Why a walk is none: a word for the reason, and the number of the step that is wrong."""

    why: str
    step: int


class Trip(NamedTuple):
    """Ms. Pac-Man on her way: where she is and what her walk has done so far.

    ``catcher`` is the seat whose strong ghost caught her, ``winner`` the one whose last dot went;
    either ends the walk at once.
    """

    at: int
    dots: int
    ghosts: tuple[int, ...]
    timers: tuple[int, ...]
    reward: bool = False
    catcher: Seat = NOBODY
    winner: Seat = NOBODY

    @property
    def over(self) -> bool:
        """Tell whether the rest of the walk is void (MS-A3, MS-A25)."""
        return self.catcher != NOBODY or self.winner != NOBODY


def step_her(field: Field, trip: Trip, target: int) -> Trip:
    """Return her trip after a step to a neighbouring spot."""
    at, dots, ghosts, timers, reward, _, _ = trip
    left = 1 << at
    if dots & left:  # MS-6: the dot she moves off goes, whoever owns it
        dots ^= left
        owner = field.quarter_of[at]
        if owner < len(ghosts) and not dots & field.quarters[owner]:
            # MS-17, MS-A25: won at that instant; nobody she would have met there matters
            rest = at if target in ghosts else target
            return Trip(rest, dots, ghosts, timers, False, NOBODY, owner)
        if field.power & left:  # MS-13, MS-A6, MS-A7, MS-A9
            timers = tuple([0 if ghost == AWAY else POWER_TURNS for ghost in ghosts])
    if target in ghosts:  # MS-A2: every square entered counts
        met = ghosts.index(target)
        if not timers[met]:
            return Trip(target, dots, ghosts, timers, False, met)  # MS-16, MS-A3, MS-A14
        ghosts = put(ghosts, met, field.homes[met])  # MS-14, MS-A12, MS-A15
        timers = put(timers, met, 0)
        reward = True
    return Trip(target, dots, ghosts, timers, reward)


def follow_her(field: Field, trip: Trip, path: Sequence[int], steps: int) -> Trip | Fault:
    """Return her trip after a whole walk of so many steps, or what is wrong with the walk."""
    for step, target in enumerate(path):
        if trip.over:
            return Fault("won" if trip.winner != NOBODY else "caught", step)
        if step == steps:
            return Fault("long", step)
        if target not in field.near[trip.at]:
            return Fault("apart", step)
        trip = step_her(field, trip, target)
    if len(path) < steps and not trip.over:
        return Fault("short", len(path))
    return trip


def her_walks(field: Field, trip: Trip, steps: int) -> dict[Trip, Path]:
    """Return everything that can come of her walk, each with one walk that leads there."""
    done: dict[Trip, Path] = {}
    layer: dict[Trip, Path] = {trip: ()}
    for _ in range(steps):
        following: dict[Trip, Path] = {}
        for here, path in layer.items():  # in the order of the paths, so the first one is kept
            for target in field.near[here.at]:
                there = step_her(field, here, target)
                into = done if there.over else following
                if there not in into:
                    into[there] = (*path, target)
        layer = following
    for there, path in layer.items():
        done.setdefault(there, path)
    return done


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a ghost on its way has to look out for: her, the other ghosts, where it starts."""

    start: int
    her: int
    others: tuple[int, ...]

    @property
    def pawns(self) -> tuple[int, ...]:
        """Return every spot that is taken by another pawn."""
        return (self.her, *self.others)


class Chase(NamedTuple):
    """A ghost's walk: the counted steps, and the open square it moved on to (MS-11), if any."""

    path: Path
    onward: int = AWAY

    @property
    def end(self) -> int:
        """Return where the ghost is at the end."""
        return self.path[-1] if self.onward == AWAY else self.onward


def follow_ghost(field: Field, hunt: Hunt, chase: Chase, steps: int) -> Fault | None:
    """Return what is wrong with a ghost's walk of so many steps, None when it is right."""
    at = previous = hunt.start
    for step, target in enumerate(chase.path):
        if at == hunt.her:
            return Fault("met", step)  # MS-A4: the walk ended there
        if step == steps:
            return Fault("long", step)
        if target not in field.near[at]:
            return Fault("apart", step)
        previous, at = at, target
    count = len(chase.path)
    if count < steps and at != hunt.her:
        return Fault("short", count)
    if at not in hunt.others:
        return None if chase.onward == AWAY else Fault("free", count)
    if chase.onward == AWAY:
        return Fault("taken", count)
    if chase.onward not in next_open(field, hunt, previous, at):
        return Fault("onward", count)
    return None


def ghost_walks(field: Field, hunt: Hunt, steps: int) -> list[Chase]:
    """Return one walk to each spot where a ghost can end, and one that meets her."""
    ends: dict[int, Chase] = {}
    layer: dict[int, Path] = {hunt.start: ()}
    onto: list[tuple[int, Path]] = []  # walks whose last step is on a ghost, with the step before
    for step in range(1, steps + 1):
        following: dict[int, Path] = {}
        for here, path in layer.items():
            for target in field.near[here]:
                if target == hunt.her:
                    ends.setdefault(target, Chase((*path, target)))
                elif step == steps and target in hunt.others:
                    onto.append((here, (*path, target)))
                elif target not in following:
                    following[target] = (*path, target)
        layer = following
    for end, path in layer.items():
        ends.setdefault(end, Chase(path))
    for previous, path in onto:
        for onward in next_open(field, hunt, previous, path[-1]):
            ends.setdefault(onward, Chase(path, onward))
    return list(ends.values())


def next_open(field: Field, hunt: Hunt, previous: int, at: int) -> list[int]:
    """Return where a ghost may go from a spot that another ghost holds (MS-11, MS-A17).

    Straight on where the corridor does not fork; else to any neighbour without a pawn; and if
    there is none, to the nearest spots without one, over whoever stands between.
    """
    ahead = [target for target in field.near[at] if target != previous]
    if len(ahead) == 1 and ahead[0] not in hunt.pawns:
        return ahead
    seen, edge = {at}, [at]
    while edge:
        edge = sorted({target for here in edge for target in field.near[here]} - seen)
        seen.update(edge)
        if found := [target for target in edge if target not in hunt.pawns]:
            return found
    return []
