"""Rules of the magnets: what is wrong with them, a sentence each. None when the set can be played.

They leave each other where people put them, no sensor is driven out of its range, and each piece
is told from the empty square and from every other piece wherever it stands on its square.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np

from companion.board import Board
from companion.sensing.hall.evidence import DRIFT, FURTHEST_MM, SPREAD, USUAL_MM, fall
from hardware.magnets import Magnet, counts_per_millitesla, gap_mm, share_aside
from hardware.pull import pulls

#: Two pieces that both stand 4.8 mm off their middles, towards each other, pull five times as
#: strongly: the force grows with the fourth power as they come nearer.
MOST_OF_FRICTION = 1 / 5
#: Deviations of noise and drift by which the weakest reading must stand out from an empty square.
LEAST_DEVIATIONS = 3.0


def faults(discs: list[Magnet], board: Board, plan: dict[str, Any]) -> list[str]:
    """Return everything that is wrong."""
    return [
        *pulled(discs, board, plan),
        *out_of_range(discs, board, plan),
        *confused(discs, board, plan),
        *unfelt(discs, board, plan),
    ]


def pulled(discs: list[Magnet], board: Board, plan: dict[str, Any]) -> Iterator[str]:
    """No two neighbours move each other with more than a fifth of what friction holds."""
    for pull in pulls(discs, board, plan):
        if pull.share > MOST_OF_FRICTION:
            way = "pull each other" if pull.millinewton < 0 else "push each other away"
            yield (
                f"{pull.one} and {pull.other}, {pull.apart_mm:.0f} mm apart, {way} with"
                f" {abs(pull.millinewton):.1f} mN; friction holds {pull.holds_millinewton:.1f} mN"
            )


def out_of_range(discs: list[Magnet], board: Board, plan: dict[str, Any]) -> Iterator[str]:
    """The strongest that a disc of its grade may be, neighbours besides, stays in the range."""
    most = plan["sensor"]["range_millitesla"]
    for disc in discs:
        others = sum(
            abs(share_aside(other, gap_mm(plan), board.pitch_mm)) * other.millitesla
            for other in discs
            if other is not disc
        )
        field = disc.millitesla * (1 + plan["weight"]["tesla_spread"]) + others
        if field > most:
            yield (
                f"{disc.piece}'s magnet gives up to {field:.1f} mT at the sensor, whose range"
                f" ends at {most:g} mT"
            )


def confused(discs: list[Magnet], board: Board, plan: dict[str, Any]) -> Iterator[str]:
    """At the edge of its square a piece reads more than any weaker one in the middle of its own."""
    for strong, weak in permutations(discs, 2):
        if strong.down != weak.down or abs(strong.counts) < abs(weak.counts):
            continue
        least, _ = _reads(strong, discs, board, plan)
        _, most = _reads(weak, discs, board, plan)
        if least <= most and (strong.counts != weak.counts or strong.piece < weak.piece):
            yield (
                f"{strong.piece}, {FURTHEST_MM:g} mm off the middle, may read {least:.0f} counts,"
                f" and {weak.piece} up to {most:.0f}"
            )


def unfelt(discs: list[Magnet], board: Board, plan: dict[str, Any]) -> Iterator[str]:
    """At the edge of its square a piece still stands out from an empty one."""
    needed = LEAST_DEVIATIONS * float(np.hypot(board.hall.noise, DRIFT))
    for disc in discs:
        least, _ = _reads(disc, discs, board, plan)
        if least < needed:
            yield (
                f"{disc.piece}, {FURTHEST_MM:g} mm off the middle, may read {least:.0f} counts,"
                f" less than the {needed:.0f} that stand out from an empty square"
            )


def _reads(
    disc: Magnet, discs: list[Magnet], board: Board, plan: dict[str, Any]
) -> tuple[float, float]:
    """Return the least and the most that a piece may read, whatever its polarity."""
    bleed = sum(unbled(other, board, plan) for other in discs if other is not disc)
    counts = disc.millitesla * counts_per_millitesla(plan, board)
    edge = share_aside(disc, gap_mm(plan), FURTHEST_MM)
    return counts * edge * (1 - SPREAD) - bleed, counts * (1 + SPREAD) + bleed


def unbled(disc: Magnet, board: Board, plan: dict[str, Any]) -> float:
    """Return by how many counts the companion errs about what a neighbour bleeds over.

    It takes the neighbour for a point in the middle of its square, as strong as it reads there.
    """
    counts = disc.millitesla * counts_per_millitesla(plan, board)
    expected = float(fall(board.pitch_mm))
    wrong = [
        share_aside(disc, gap_mm(plan), board.pitch_mm + off)
        - expected * share_aside(disc, gap_mm(plan), abs(off))
        for off in (-USUAL_MM, 0.0, USUAL_MM)
    ]
    return counts * max(map(abs, wrong))
