"""Boards learned from pictures: how many corrections people would have to make by hand.

The boards are those of :mod:`bench.drilled`. The code was tuned on some seeds; the others were
looked at once, when it was done. A correction is a hole added or removed.
"""

from dataclasses import dataclass

import numpy as np

from bench.drilled import Shot, blank, shoot
from bench.report import Row, share
from companion.sensing.teach.holes import find_holes
from companion.sensing.teach.things import moved, things

#: The first seeds of boards that the code was tuned on, of those kept back, and of no board.
TUNED, KEPT, BLANK = 1000, 8100, 8900
BOARDS, BLANKS = 10, 4
LONG_BOARDS = 100
#: A hole is found when it is told within this part of the spacing.
NEAR = 1 / 3
FEW, BEARABLE = 5, 20


@dataclass(frozen=True)
class Result:
    """What was told of one board; without a board all its holes are missed."""

    shot: Shot
    missed: int
    invented: int
    things_missed: int
    things_invented: int
    colours_wrong: int

    @property
    def corrections(self) -> int:
        """Return how many holes have to be added or removed."""
        return self.missed + self.invented


def run(boards: int = BOARDS) -> list[Row]:
    """Return the figures."""
    rows = []
    for what, first in (("tuned on", TUNED), ("kept back", KEPT)):
        results = [judge(shoot(seed)) for seed in range(first, first + boards)]
        for result in results:
            if result.corrections > FEW:
                print(
                    f"  {result.shot.seed} {result.shot.shape}: {result.missed} of"
                    f" {len(result.shot.holes)} missed, {result.invented} invented"
                )
        rows += _rows(what, results)
    found = sum(find_holes(blank(seed)) is not None for seed in range(BLANK, BLANK + BLANKS))
    rows.append(Row("pictures without a board: one found", f"{found} of {BLANKS}", "aim 0"))
    return rows


def judge(shot: Shot) -> Result:
    """Return what is right and wrong of what is told of a board."""
    holes = find_holes(shot.empty)
    if holes is None:
        return Result(shot, len(shot.holes), 0, len(shot.marbles), 0, 0)
    far = np.linalg.norm(shot.holes[:, None] - holes.pixels[None], axis=2) / shot.spacing
    missed, invented = int((far.min(1) > NEAR).sum()), int((far.min(0) > NEAR).sum())
    shift = moved(holes, shot.empty, shot.set_up)
    lying = [] if shift is None else things(holes, shot.empty, shot.set_up, shift)
    told = {int(far[:, thing.spot].argmin()): thing.colour for thing in lying}
    both = told.keys() & shot.marbles.keys()
    return Result(
        shot,
        missed,
        invented,
        len(shot.marbles) - len(both),
        len(told) - len(both),
        sum(told[hole] != shot.marbles[hole] for hole in both),
    )


def _rows(what: str, results: list[Result]) -> list[Row]:
    count = len(results)
    few = sum(result.corrections <= FEW for result in results)
    bearable = sum(result.corrections <= BEARABLE for result in results)
    holes = sum(len(result.shot.holes) for result in results)
    missed, invented = (sum(getattr(r, n) for r in results) for n in ("missed", "invented"))
    median = share([float(result.corrections) for result in results], 0.5)
    marbles = sum(len(result.shot.marbles) for result in results)
    lost, more, wrong = (
        sum(getattr(r, n) for r in results)
        for n in ("things_missed", "things_invented", "colours_wrong")
    )
    return [
        Row(f"boards {what}: {FEW} corrections at most", f"{few} of {count}", f"median {median:g}"),
        Row(
            f"boards {what}: {BEARABLE} corrections at most",
            f"{bearable} of {count}",
            "aim all",
            slow=bearable < count,
        ),
        Row(f"  holes missed, invented, of {holes}", f"{missed}, {invented}"),
        Row(f"  marbles missed, invented, miscalled, of {marbles}", f"{lost}, {more}, {wrong}"),
    ]
