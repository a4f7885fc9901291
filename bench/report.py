"""The lines that every bench prints: a figure, the peer measured in the same run, and the ratio."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of a bench: what was measured, ours, the peer's or the aim, and the ratio.

    ``wrong`` marks a figure that must not happen, such as a wrong accepted move; ``slow`` one
    that misses its aim, which is only told.
    """

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    wrong: bool = False
    slow: bool = False

    @property
    def mark(self) -> str:
        """Return what to say of it at the end of the line."""
        return "WRONG" if self.wrong else "misses its aim" if self.slow else ""


def past(clock: Callable[[], float], end: float) -> Callable[[], bool]:
    """Return what tells whether a clock has gone past a moment."""
    return lambda: clock() > end


def table(rows: Sequence[Row]) -> str:
    """Return rows as aligned text."""
    cells = [
        (row.what, row.ours, row.peer, "" if row.ratio is None else f"{row.ratio:.2f}×", row.mark)
        for row in rows
    ]
    widths = [max((len(line[column]) for line in cells), default=0) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def share(values: Sequence[float], part: float) -> float:
    """Return the value that this part of all values does not exceed: 0.5 the median, 0.99 …"""
    ordered = sorted(values)
    if not ordered:
        return float("nan")
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
