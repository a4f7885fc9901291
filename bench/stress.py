"""Whole games while something troubles the camera: each stressor at several severities.

Aims up to severity 3: no wrong move accepted, and at most one ply in twenty asked about or missed.
"""

import datetime
import json
import math
import multiprocessing
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from bench.games import FAULTS_SHOWN, LIGHTS, play
from bench.people import Tally
from bench.report import Row
from companion.commands.progress import progress, say
from companion.sim.room import Setting
from companion.sim.stress import STRESSORS, Stress

PLIES, SEVERITIES = 30, (1, 3, 5)
LONG_PLIES, LONG_SEVERITIES = 2_000, (3,)
PLIES_A_ROOM = 100  # other light, other pose, other people after so many
AIM_ASKED = 0.05
AIM_SEVERITY = 3
FIGURES = Path(__file__).parent.parent / "docs" / "vision-figures.json"


@dataclass(frozen=True)
class Figure:
    """What came of the games under one stressor at one severity."""

    stress: Stress
    tally: Tally

    @property
    def asked(self) -> float:
        """Return how many questions there were to a ply."""
        return self.tally.asked / max(1, self.tally.plies)

    @property
    def missed(self) -> float:
        """Return how many moves of all were not recognised."""
        return self.tally.missed / max(1, self.tally.plies)

    @property
    def row(self) -> Row:
        """Return the line of the bench."""
        tally = self.tally
        within = self.stress.severity <= AIM_SEVERITY
        half = f", {tally.halves_taken} of {tally.halves} half in taken" if tally.halves else ""
        return Row(
            str(self.stress),
            f"{tally.wrong} wrong in {tally.plies:,} plies; asked {tally.asked}"
            f" ({100 * self.asked:.1f} %), missed {tally.missed},"
            f" refused {tally.falsely_refused}{half}",
            f"aim 0 wrong, ≤ {100 * AIM_ASKED:.0f} % asked or missed" if within else "",
            wrong=tally.wrong > 0,
            slow=within and self.asked + self.missed > AIM_ASKED,
        )


def rooms(stress: Stress, plies: int, seed: int = 1) -> list[tuple[Setting, int]]:
    """Return rooms in different lights under one stressor, and how many plies to play in each."""
    count = -(-plies // PLIES_A_ROOM)
    number = list(STRESSORS).index(stress.name)
    first, light = seed + 10 * number + stress.severity, number + stress.severity // 2
    return [
        (
            Setting(LIGHTS[(light + n) % 4], first + 1000 * n, lights=True, stresses=(stress,)),
            plies // count + (n < plies % count),
        )
        for n in range(count)
    ]


def measure(
    stresses: Sequence[Stress],
    plies: int,
    pictures: Path | None = None,
    seed: int = 1,
    minutes: float = math.inf,
) -> list[Figure]:
    """Play under each stressor by itself, in as many processes as there are processors.

    The stressors take turns, room by room; after so many ``minutes`` no new room is begun, so
    that all of them come to about as many plies.
    """
    end = time.time() + 60 * minutes
    turns = zip_longest(*(rooms(stress, plies, seed) for stress in stresses))
    jobs = [
        _Job(stress, part[0], part[1], pictures, end)
        for turn in turns
        for stress, part in zip(stresses, turn, strict=True)
        if part is not None
    ]
    sums = {stress: Tally() for stress in stresses}
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(os.cpu_count() or 1, len(jobs)), maxtasksperchild=4) as pool:
        played = pool.imap_unordered(_play, jobs)
        for stress, tally in progress(played, "rooms", lambda: len(jobs)):
            sums[stress] += tally
            if tally.plies:
                say(f"  {Figure(stress, sums[stress]).row.ours} under {stress}")
    return [Figure(stress, tally) for stress, tally in sums.items()]


@dataclass(frozen=True)
class _Job:
    stress: Stress
    setting: Setting
    plies: int
    pictures: Path | None
    end: float  # of the time in which it may begin


def _play(job: _Job) -> tuple[Stress, Tally]:
    late = time.time() > job.end
    return job.stress, Tally() if late else play(job.setting, job.plies, job.pictures)


def run(*, plies: int | None = None, minutes: float = math.inf, write: bool = False) -> list[Row]:
    """Return the figures; pictures of what was not understood are kept in a temporary folder.

    With a number of plies they are those of a long run, at the highest severity of the aims,
    which ends early after so many minutes.
    """
    severities = SEVERITIES if plies is None else LONG_SEVERITIES
    option = "" if plies is None else f" --plies {plies}"
    option += f" --minutes {minutes:g}" if math.isfinite(minutes) else ""
    stresses = [Stress(name, severity) for name in STRESSORS for severity in severities]
    pictures = Path(tempfile.mkdtemp(prefix="companion-stress-"))
    figures = measure(stresses, plies or PLIES, pictures, minutes=minutes)
    for figure in figures:
        for fault in figure.tally.faults[:FAULTS_SHOWN]:
            print(f"  {figure.stress} {fault}")
    print(f"  pictures of what was not understood: {pictures}")
    if write:
        keep(figures, f"python -m bench stress{option}", FIGURES)
    return [figure.row for figure in figures]


def keep(figures: Sequence[Figure], command: str, path: Path) -> None:
    """Write figures to a file, in place of those of the same stressors and severities."""
    today = datetime.date.today().isoformat()
    kept = json.loads(path.read_text())["figures"] if path.exists() else []
    fresh = [_as_data(figure) | {"command": command, "date": today} for figure in figures]
    by_name = {(f["stressor"], f["severity"]): f for f in [*kept, *fresh]}
    order = list(STRESSORS)
    rows = sorted(by_name.values(), key=lambda f: (order.index(f["stressor"]), f["severity"]))
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    path.write_text(f'{{"figures": [\n{lines}\n]}}\n')


def _as_data(figure: Figure) -> dict[str, object]:
    tally = figure.tally
    return {
        "stressor": figure.stress.name,
        "severity": figure.stress.severity,
        "plies": tally.plies,
        "wrong": tally.wrong,
        "asked": tally.asked,
        "missed": tally.missed,
        "refused": tally.falsely_refused,
        "halves": tally.halves,
        "halves_taken": tally.halves_taken,
    }
