"""Whole games with the hall grid poor or alone: dead and stuck cells, and a camera that is blind.

Aims: no wrong move accepted, and every trouble told.
"""

import tempfile
from pathlib import Path

from bench.games import FAULTS_SHOWN, LIGHTS, PLIES_A_ROOM, play_all
from bench.people import Tally
from bench.report import Row
from companion.sim.room import Setting

PLIES = 500
LONG_PLIES = 2_000
ILL = 4  # of 81 sensors: five in a hundred


def settings(plies: int, *, ill: int, blind: bool, seed: int = 1) -> list[tuple[Setting, int]]:
    """Return rooms in different lights with these sensors, and how many plies to play in each."""
    rooms = max(1, -(-plies // PLIES_A_ROOM))
    return [
        (
            Setting(LIGHTS[n % 4], seed + n, hall=True, ill=ill, blind=blind),
            plies // rooms + (n < plies % rooms),
        )
        for n in range(rooms)
    ]


def run(plies: int = PLIES) -> list[Row]:
    """Return the figures."""
    rows = []
    for what, ill, blind in (
        ("5 % of the cells dead or stuck", ILL, False),
        ("the camera blind", 0, True),
    ):
        pictures = Path(tempfile.mkdtemp(prefix="companion-touch-"))
        tally = play_all(settings(plies, ill=ill, blind=blind, seed=200 + ill), pictures)
        for fault in tally.faults[:FAULTS_SHOWN]:
            print(f"  {fault}")
        rows.append(_row(what, tally))
    return rows


def _row(what: str, tally: Tally) -> Row:
    return Row(
        what,
        f"{tally.wrong} wrong in {tally.plies:,} plies; {tally.right:,} right, asked {tally.asked},"
        f" missed {tally.missed}, refused {tally.falsely_refused}",
        "aim 0 wrong",
        wrong=tally.wrong > 0,
    )
