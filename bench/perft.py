"""Perft: the known figures, and the speed of the rules beside OpenSpiel's in the same run.

Both sides count the last ply in bulk. OpenSpiel is C++ called from Python; it has neither a rule
that ends these counts early nor different figures at these depths.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.report import Row, table
from companion.commands.progress import progress
from companion.games.catalogue import find_game
from companion.games.game import replay
from companion.games.perft import perft

ROUNDS = 5
AIM = 0.5  # of the speed of C++

#: Moves from the start, and the number of leaves 1, 2 and 3 plies on.
KNOWN: dict[str, list[tuple[str, tuple[int, ...]]]] = {
    "quoridor": [
        ("", (131, 16_677, 2_062_264)),
        ("e2 e8 e3 e7 e4 e6 e5", (132, 16_938, 2_111_842)),
        ("e2 e8 e3 e7 e4 e6 e5 e6h", (129, 15_922, 1_936_376)),
        (
            "a7h e8 c7h e7 a5h e6 c5h e5 a3h e4 c3h e3 a1h e2 c1h",
            (109, 11_083, 1_129_546),
        ),
        (
            "a7h e8 c7h e9 a5h e8 c5h e9 a3h e8 c3h e9 a1h e8 c1h e9 g7h e8 g5h e9",
            (3, 296, 878),
        ),
    ],
    "quoridor4": [
        ("", (131, 16_677, 2_062_065)),
        ("e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5", (131, 16_802)),
    ],
}


def run() -> list[Row]:
    """Return the figures; a wrong count raises AssertionError."""
    rows = []
    for name, positions in progress(KNOWN.items(), "known counts"):
        for moves, figures in positions:
            state = replay(find_game(name).start(), moves.split())
            for depth, expected in enumerate(figures, 1):
                count = perft(state, depth)
                if count != expected:
                    raise AssertionError(f"{name} {moves!r}: perft {depth} {count}, not {expected}")
            shown = " ".join(f"{figure:,}" for figure in figures)
            after = f" after {len(moves.split())} moves" if moves else ""
            rows.append(Row(f"perft 1–{len(figures)}, {name}{after}", shown))
    return rows + [compare(name) for name in progress(KNOWN, "beside OpenSpiel")]


def compare(name: str) -> Row:
    """Return nodes a second of perft 3 from the start beside OpenSpiel's, the best of a few."""
    start = find_game(name).start()
    peer = load_peer(find_game(name).seats)
    ours = theirs = 0.0
    for _ in range(ROUNDS):  # by turns, so that both meet the same machine
        ours = max(ours, speed(lambda: perft(start, 3)))
        if peer is not None:
            theirs = max(theirs, speed(lambda: peer_perft(peer, 3)))
    what = f"perft 3, {name}, nodes a second"
    if peer is None:
        return Row(what, f"{ours:,.0f}", "OpenSpiel is not installed")
    leaves, figures = peer_perft(peer, 3), perft(start, 3)
    note = "" if leaves == figures else f" (it counts {leaves:,})"
    ratio = ours / theirs
    return Row(what, f"{ours:,.0f}", f"OpenSpiel {theirs:,.0f}{note}", ratio, slow=ratio < AIM)


def speed(count: Callable[[], int]) -> float:
    """Return how many nodes a second of processor time a count makes."""
    begun = time.process_time()
    nodes = count()
    return nodes / (time.process_time() - begun)


def load_peer(players: int) -> Any | None:
    """Return OpenSpiel's first position on the same board with as many fences, None without it."""
    with quiet():
        try:
            import pyspiel
        except ImportError:
            return None
        settings = f"players={players},board_size=9,wall_count={20 // players}"
        return pyspiel.load_game(f"quoridor({settings})").new_initial_state()


def peer_perft(state: Any, depth: int) -> int:
    """Count leaves with OpenSpiel's own moves, the last ply in bulk."""
    if state.is_terminal():
        return 1
    if depth == 1:
        return len(state.legal_actions())
    return sum(peer_perft(state.child(action), depth - 1) for action in state.legal_actions())


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep a library from writing to standard error while it loads."""
    sys.stderr.flush()
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def main() -> int:
    """Print the figures."""
    print(table(run()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
