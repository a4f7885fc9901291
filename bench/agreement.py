"""The two Quoridor PAC-MAN variants beside a second, slow reading of the rules, written apart.

Random games under every option; at each position both must have the same legal moves, outcome,
counts and things on the board. A difference fails the bench and is printed whole.
"""

import time
from collections import Counter

from bench.report import Row, table
from companion.commands.progress import progress, say
from tests.games.agreement import OPTIONS, Disagreement, play_games

#: Positions of each variant, over all of its options.
POSITIONS = {"pacman": 10_000, "pacman-advanced": 10_000}
SEED = 2


def run() -> list[Row]:
    """Return the positions compared, and how often each game came to its rarer rules."""
    return [row for name in POSITIONS for row in compare(name)]


def compare(name: str) -> list[Row]:
    """Compare one variant under each of its options."""
    choices = OPTIONS[name]
    met: Counter[str] = Counter()
    differences = 0
    began = time.monotonic()
    for options in progress(choices, name):
        try:
            met += play_games(name, options, -(-POSITIONS[name] // len(choices)), SEED)
        except Disagreement as difference:
            say(str(difference))
            differences += 1
    each = (time.monotonic() - began) / max(1, met["positions"]) * 1000
    positions = met.pop("positions", 0)
    rows = [
        Row(
            f"{name}: positions compared, {len(choices)} sets of options",
            f"{positions:,}",
            f"{differences} of {len(choices)} differ",
            wrong=differences > 0 or positions < POSITIONS[name],
        ),
        Row(f"{name}: both readings, each position", f"{each:.1f} ms"),
    ]
    return rows + [Row(f"{name}: {what}", f"{count:,}") for what, count in sorted(met.items())]


if __name__ == "__main__":
    print(table(run()))
