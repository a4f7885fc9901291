"""Whole games from picture to verdict: drawn by the simulated camera, read, and refereed.

Time is simulated at 15 frames a second, hands and all. In half of the rooms the hall grid is felt
too; its values are handed over without the serial line.
"""

import multiprocessing
import os
import random
import tempfile
from pathlib import Path

import cv2

from bench.people import Players, Tally
from bench.report import Row, share
from companion.boards.profile import load
from companion.commands.progress import progress
from companion.service.simulated.rig import Rig
from companion.sim.room import Room, Setting

PLIES = 2_000
LONG_PLIES = 300_000
AIM_SECONDS = 0.3
LIGHTS = ("daylight", "lamp", "dim", "evening")
FAULTS_SHOWN = 12
PLIES_A_ROOM = 250  # a new camera costs more than a second


def settings(plies: int, seed: int = 1) -> list[tuple[Setting, int]]:
    """Return rooms that differ in light, pose and devices, and how many plies to play in each."""
    rooms = max(1, -(-plies // PLIES_A_ROOM))
    return [
        (
            Setting(LIGHTS[n % 4], seed + n, hall=n // 4 % 2 == 1, lights=n % 2 == 0),
            plies // rooms + (n < plies % rooms),
        )
        for n in range(rooms)
    ]


def play(setting: Setting, plies: int, pictures: Path | None = None) -> Tally:
    """Play in one room."""
    cv2.setNumThreads(1)
    rig = Rig(Room(load("reference"), setting))
    try:
        return Players(rig, random.Random(setting.seed), pictures).play(plies)
    finally:
        rig.close()


def _play(job: tuple[Setting, int, Path | None]) -> Tally:
    return play(*job)


def play_all(parts: list[tuple[Setting, int]], pictures: Path | None) -> Tally:
    """Play in all rooms, as many at a time as there are processors."""
    context = multiprocessing.get_context("spawn")
    jobs = [(setting, plies, pictures) for setting, plies in parts]
    with context.Pool(min(os.cpu_count() or 1, len(jobs)), maxtasksperchild=4) as pool:
        played = pool.imap(_play, jobs)
        return sum(progress(played, "rooms", lambda: len(jobs)), Tally())


def run(plies: int = PLIES, seed: int = 1) -> list[Row]:
    """Return the figures; pictures of what was not understood are kept in a temporary folder."""
    pictures = Path(tempfile.mkdtemp(prefix="companion-games-"))
    tally = play_all(settings(plies, seed), pictures)
    for fault in tally.faults[:FAULTS_SHOWN]:
        print(f"  {fault}")
    if tally.faults:
        print(f"  {len(tally.faults)} things were not understood; pictures: {pictures}")
    else:
        pictures.rmdir()
    return rows(tally)


def rows(tally: Tally) -> list[Row]:
    """Return a tally as lines of the bench."""
    p50, p99 = (share(tally.seconds, part) for part in (0.5, 0.99))
    return [
        Row("plies played by hand", f"{tally.plies:,} in {tally.games} games"),
        Row("accepted right", f"{tally.right:,}"),
        Row("accepted wrong", f"{tally.wrong:,}", "aim 0; Petkov 2013: 1 %", wrong=tally.wrong > 0),
        Row("questions about a proper move", f"{tally.asked:,}"),
        Row("missed for 2 s", f"{tally.missed:,}"),
        Row("proper moves called not allowed", f"{tally.falsely_refused:,}"),
        Row(
            "fences half in, taken for seated",
            f"{tally.halves_taken:,} of {tally.halves:,}",
            "aim 0",
            slow=tally.halves_taken > 0,
        ),
        Row("clumsy things done", f"{tally.odd:,}"),
        Row("forbidden things refused", f"{tally.refused:,} of {tally.to_refuse:,}"),
        Row(
            "hand gone → verdict, p50 / p99",
            f"{1000 * p50:.0f} / {1000 * p99:.0f} ms",
            f"aim p99 ≤ {1000 * AIM_SECONDS:.0f} ms; ChessCam holds 1 s",
            p99,
            slow=p99 > AIM_SECONDS,
        ),
    ]
