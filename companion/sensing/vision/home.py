"""Which of the fences in view are pushed home: which to look at closely, and what was found before.

Only a slot whose three patches all look like a fence is worth a close look, and once it is found
seated, only when the picture around it has changed.
Fences of a known position are taken as seated until they are seen to be gone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from companion.board import Board, Spot, patches
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.appearance import Appearance
from companion.sensing.vision.closeup import closeup
from companion.sensing.vision.flat import TILE, Flat, differs
from companion.sensing.vision.judge import Judgement
from companion.sensing.vision.light import Light
from companion.sensing.vision.seated import Stance, stance

SURE_TOTAL = 6.0  # less is not believed anyhow
RAISED_MM2, RAISED_SHARE = 0.5, 0.05  # by which a raised end must explain the picture better
CLEAR_MM2, UNCLEAR_SHARE = 10.0, 0.2  # the same where more than this is left unexplained
COLD = 5.0  # times as much while the look of the bare board is a guess
TURNED, TURNED_MM2 = 1.3, 25.0  # degrees, more than a groove allows; if no more is unexplained
LOOK_AGAIN = 0.6  # of the change by which a flat picture differs from another
A_HAND = 3  # squares that one covers at least
RAISED_VALUE = -3.0  # of the raised half: with it the three patches stay below the referee's margin

UNKNOWN = Stance(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class _Found:
    around: Picture
    raised: int  # -1 or 1 for the first or the last half, 0 for a seated fence


class Home:
    """Remembers for one view which fences were found to have an end up."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        board = flat.board
        number = {patch: n for n, patch in enumerate(board.patches)}
        self._triples = {slot: [number[patch] for patch in patches(slot)] for slot in board.slots}
        self._found: dict[Spot, _Found] = {}
        self._accepted: set[Spot] = set()

    def accept(self, slots: Iterable[Spot]) -> None:
        """Take these fences as seated from now on."""
        self._accepted = set(slots)

    def check(
        self, found: Judgement, looks: Appearance, picture: Picture, laid: Picture, light: Light
    ) -> Judgement:
        """Return a judgement in which no fence with an end up passes for a seated one."""
        values = found.patches.copy()
        fences, gaps = self._fences(values)
        if found.covered_squares.sum() < A_HAND:  # under one they are hidden but not gone
            self._accepted.intersection_update(fences)
            self._found = {slot: self._found[slot] for slot in fences if slot in self._found}
        due = []
        for slot in fences:
            triple = self._triples[slot]
            if slot in self._accepted or found.covered_patches[triple].any():
                continue
            if values[triple].sum() >= SURE_TOTAL and not self._known(slot, laid):
                due.append(slot)
        self._look(due, fences, looks, picture, laid, light)
        for slot in set(fences) & set(self._found) - self._accepted:
            raised = self._found[slot].raised
            if raised:
                values[self._triples[slot][1 + raised]] = RAISED_VALUE
        for patch in gaps:
            values[patch] = min(values[patch], 0.0)
        return replace(found, patches=values)

    def _known(self, slot: Spot, laid: Picture) -> bool:
        known = self._found.get(slot)
        if known is None or known.raised:  # it may be pushed home any moment
            return False
        return not differs(self._around(slot, laid), known.around, LOOK_AGAIN)

    def _look(
        self,
        due: list[Spot],
        fences: list[Spot],
        looks: Appearance,
        picture: Picture,
        laid: Picture,
        light: Light,
    ) -> None:
        for slot in due:
            seen = closeup(self._flat, looks, picture, light, slot, fences)
            stands = stance(self._flat, slot, seen) if seen is not None else UNKNOWN
            raised = 0 if is_seated(stands, looks.is_new) else 1 if stands.tilt > 0 else -1
            self._found[slot] = _Found(self._around(slot, laid).copy(), raised)

    def _around(self, slot: Spot, laid: Picture) -> Picture:
        """Return the flat picture around a slot."""
        x, y = self._flat.board.at(slot)
        row, column = self._flat.pixel(np.array([x, y, 0.0]))
        long, broad = TILE * 9 // 8, TILE // 2
        down, aside = (broad, long) if slot[2] == "h" else (long, broad)
        return laid[
            max(0, int(row) - down) : int(row) + down,
            max(0, int(column) - aside) : int(column) + aside,
        ]

    def _fences(self, values: Array) -> tuple[list[Spot], list[int]]:
        """Return the slots in which fences seem to be, no two in the same place, and the patches
        that are only gaps between two fences in one line."""
        three = values[np.array(list(self._triples.values()))]
        whole = np.flatnonzero(three.min(axis=1) > 0)
        total = {self._flat.board.slots[n]: float(three[n].sum()) for n in whole}
        fences: list[Spot] = []
        between: list[Spot] = []
        for run in _runs(self._flat.board, total):
            if len(run) % 2:  # two in a line with a gap between look like three
                fences += run[::2]
                between += run[1::2]
                continue
            for slot in sorted(run, key=lambda slot: -total[slot]):
                if not any(set(patches(slot)) & set(patches(other)) for other in fences):
                    fences.append(slot)
        taken = {patch for slot in fences for patch in self._triples[slot]}
        return fences, [self._triples[s][1] for s in between if self._triples[s][1] not in taken]


def is_seated(stands: Stance, cold: bool) -> bool:
    """Tell whether a fence stands as one that is pushed home does, as far as one can see."""
    unclear = max(0.0, stands.left_mm2 - CLEAR_MM2)
    if abs(stands.turn) > TURNED and stands.left_mm2 < TURNED_MM2:
        return False
    least = RAISED_MM2 + RAISED_SHARE * stands.left_mm2 + UNCLEAR_SHARE * unclear
    return stands.gain_mm2 <= least * (COLD if cold else 1.0)


def _runs(board: Board, slots: Iterable[Spot]) -> list[list[Spot]]:
    """Return slots in lines, each overlapping the next."""
    wanted = set(slots)
    runs: list[list[Spot]] = []
    for slot in board.slots:
        if slot not in wanted:
            continue
        for run in runs:
            if patches(run[-1])[2] == patches(slot)[0]:
                run.append(slot)
                break
        else:
            runs.append([slot])
    return runs
