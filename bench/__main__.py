"""``python -m bench [NAME…] [--long]``: run the benches and say what misses its aim.

``python -m bench photos FOLDER`` scores the eyes on photographs instead.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from bench import (
    agreement,
    crooked,
    crowd,
    faults,
    frames,
    games,
    hunt,
    lights,
    pages,
    perft,
    photos,
    players,
    positions,
    race,
    stress,
    teach,
    themes,
    touch,
    wire,
)
from bench.report import Row, table
from companion.errors import CompanionError

Bench = Callable[[], Sequence[Row]]

BENCHES: dict[str, tuple[str, Bench]] = {
    "perft": ("The rules: known counts, and speed beside OpenSpiel", perft.run),
    "positions": ("Legal moves and one of them played, for every game", positions.run),
    "agreement": ("Two readings of the Quoridor PAC-MAN rules, side by side", agreement.run),
    "frames": ("From picture to verdict: processor time a frame", frames.run),
    "games": ("Whole games through renderer, eyes and referee", games.run),
    "hunt": ("The advanced variant by hand on the simulated camera", hunt.run),
    "stress": ("Whole games while twelve things trouble the camera", stress.run),
    "themes": ("Boards, fences and paints of colours never seen, cold", themes.run),
    "pages": ("The service: start, memory, moves on open pages", pages.run),
    "crowd": ("A crowd at the page's door, and who is served meanwhile", crowd.run),
    "faults": ("Everything that can break, alone and in pairs, and how it heals", faults.run),
    "touch": ("Whole games with sensors broken, and with the camera blind", touch.run),
    "teach": ("Boards learned from pictures: corrections by hand", teach.run),
    "lights": ("From a snapshot to the bytes of the strip", lights.run),
    "crooked": ("Pieces between squares, and fences that lie loose", crooked.run),
    "players": ("Our players: matches, answer times", players.run),
    "race": ("Our player of Quoridor: ladder, others, positions a second", race.run),
    "wire": ("The serial line: spoilt frames, cost of the hall grid", wire.run),
}
LONG: dict[str, Bench] = {
    "games": lambda: games.run(games.LONG_PLIES),
    "faults": lambda: faults.run(faults.EVERY_PAIR),
    "touch": lambda: touch.run(touch.LONG_PLIES),
    "wire": lambda: wire.run(wire.LONG_FRAMES),
    "players": players.run_long,
    "race": race.run_long,
    "teach": lambda: teach.run(teach.LONG_BOARDS),
}


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}")
    parser.add_argument("--long", action="store_true", help="hours instead of minutes: more plies")
    parser.add_argument(
        "--write", action="store_true", help=f"keep the figures of stress in {stress.FIGURES}"
    )
    parser.add_argument(
        "--plies", type=int, metavar="N", help="of stress: N plies each, all at severity 3"
    )
    parser.add_argument(
        "--minutes", type=float, default=math.inf, metavar="M", help="of stress: end after M"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is named, or everything; return 1 when a figure is wrong."""
    said = sys.argv[1:] if arguments is None else list(arguments)
    if said[:1] == ["photos"]:
        return _scored(said[1:])
    command = parser()
    options = command.parse_args(said)
    unknown = [name for name in options.names if name not in BENCHES]
    if unknown:
        command.error(f"expected names of {', '.join(BENCHES)}, got {unknown[0]!r}")
    found: list[tuple[str, Row]] = []
    for name in options.names or BENCHES:
        title, run = BENCHES[name]
        if options.long:
            run = LONG.get(name, run)
        if name == "stress":
            plies = options.plies or (stress.LONG_PLIES if options.long else None)
            run = partial(stress.run, plies=plies, minutes=options.minutes, write=options.write)
        print(f"\n{name}: {title}", flush=True)
        found += [(name, row) for row in _run(run)]
    return _summary(found)


def _scored(arguments: Sequence[str]) -> int:
    """Score a folder of photographs; one that cannot be read is told in a line."""
    try:
        return photos.main(arguments)
    except CompanionError as error:
        print(f"python -m bench photos: {error}", file=sys.stderr)
        return 1


def _run(run: Bench) -> Sequence[Row]:
    """Run one bench and print its table; a check that fails becomes a row of its own."""
    began = time.monotonic()
    try:
        rows = run()
    except (AssertionError, TimeoutError) as error:
        rows = [Row(str(error), "failed", wrong=True)]
    print(table(rows))
    print(f"({time.monotonic() - began:.0f} s)", flush=True)
    return rows


def _summary(found: Sequence[tuple[str, Row]]) -> int:
    marked = [(name, row) for name, row in found if row.mark]
    wrong = [row for _, row in marked if row.wrong]
    print(f"\n{len(found)} figures, {len(wrong)} wrong, {len(marked) - len(wrong)} miss their aim")
    for name, row in marked:
        print(f"  {row.mark}: {name}, {row.what}: {row.ours} ({row.peer})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
