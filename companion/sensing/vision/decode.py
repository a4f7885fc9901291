"""From evidence to a plain statement: which piece stands where, which fences are in.

This is for people and for single pictures. A game is never read this way: the referee compares the
evidence itself with what the rules allow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product, takewhile

from companion.board import FENCE, PELLET, Board, Evidence, Place, Spot, Thing, is_slot, patches

SURE = 3.0  # threshold, of the 8 a square can give, for a piece that may be elsewhere as well
ALONE_SURE = 1.75  # the same, and by how much it is ahead, for one that can be nowhere else
PELLET_SURE = 2.25  # a pellet that is sure to 90 %
RIVAL = 1.0  # by which all others must be worse than what is believed
FENCE_SURE = 3.5  # of the 12 the three patches of a fence can give
FENCE_DOUBT = 1.5
NOT_DENIED = -0.5  # of a patch: where no patch is seen to be free, there may be a fence
MOST_OPTIONS = 3  # squares considered for each piece


@dataclass(frozen=True)
class Statement:
    """What a picture shows, as far as it can be told; ``unsure`` are spots to look at again."""

    pieces: dict[Thing, Spot]
    walls: tuple[Spot, ...]
    pellets: tuple[Spot, ...]
    unsure: tuple[Spot, ...]
    covered: tuple[Spot, ...]


def read_board(board: Board, evidence: Evidence, covered: frozenset[Place]) -> Statement:
    """Return the most likely contents of the board; what is not clear is listed as unsure."""
    pieces, doubtful = _read_pieces(board, evidence, bool(covered))
    taken = set(pieces.values())
    missing = [piece for piece in board.pieces if piece not in pieces]
    pellets = []
    for square in board.squares:
        said = evidence.get(square, {})
        value = said.get(PELLET, 0.0) - max([0.0, *(said.get(piece, 0.0) for piece in missing)])
        if square not in taken and value >= PELLET_SURE:
            pellets.append(square)
        elif square not in taken and value > 0:
            doubtful.add(square)
    walls, odd = _read_walls(board, evidence)
    hidden = [s for s in board.squares if s in covered]
    hidden += [s for s in board.slots if sum(p in covered for p in patches(s)) >= 2]
    unsure = (doubtful | odd) - taken - set(pellets) - set(walls) - set(hidden)
    order = {spot: n for n, spot in enumerate((*board.squares, *board.slots))}
    return Statement(
        pieces,
        tuple(sorted(walls)),
        tuple(pellets),
        tuple(sorted(unsure, key=order.__getitem__)),
        tuple(hidden),
    )


def _read_pieces(
    board: Board, evidence: Evidence, hidden: bool
) -> tuple[dict[Thing, Spot], set[Spot]]:
    """Return the squares of the pieces, no two on the same, with the highest sum of evidence (a
    bipartite assignment, by exhaustive search); and the squares with doubtful evidence."""
    options: list[list[tuple[float, Spot | None]]] = []
    needed: list[float] = []
    for piece in board.pieces:
        values = [(_ahead(evidence.get(square, {}), piece), square) for square in board.squares]
        best = sorted((entry for entry in values if entry[0] > 0), reverse=True)[:MOST_OPTIONS]
        options.append([*best, (0.0, None)])
        first, second = (*(value for value, _ in best[:2]), 0.0, 0.0)[:2]
        alone = not hidden and first - second >= ALONE_SURE
        needed.append(ALONE_SURE if alone else SURE)
    ways = sorted(product(*options), key=_total, reverse=True)
    chosen, most = ways[0], _total(ways[0])
    rivals = list(takewhile(lambda way: _total(way) > most - RIVAL, ways))
    pieces: dict[Thing, Spot] = {}
    doubtful: set[Spot] = set()
    for number, (piece, (value, square)) in enumerate(zip(board.pieces, chosen, strict=True)):
        if square is None:
            continue
        if value >= needed[number] and all(way[number][1] == square for way in rivals):
            pieces[piece] = square
        else:
            doubtful.add(square)
    return pieces, doubtful


def _ahead(said: Mapping[Thing, float], piece: Thing) -> float:
    """Return by how much a piece is likelier on a square than nothing or a pellet."""
    return said.get(piece, 0.0) - max(0.0, said.get(PELLET, 0.0))


def _total(chosen: tuple[tuple[float, Spot | None], ...]) -> float:
    squares = [square for _, square in chosen if square is not None]
    clash = len(squares) != len(set(squares))
    return -1.0 if clash else sum(value for value, _ in chosen)


def _read_walls(board: Board, evidence: Evidence) -> tuple[list[Spot], set[Spot]]:
    scores = []
    for slot in board.slots:
        values = [evidence.get(patch, {}).get(FENCE, 0.0) for patch in patches(slot)]
        scores.append((sum(values), min(values), slot))
    walls: list[Spot] = []
    doubtful: set[Spot] = set()
    used: set[Place] = set()
    for total, least, slot in sorted(scores, reverse=True):
        denied = least <= NOT_DENIED or not all(patch in evidence for patch in patches(slot))
        if total < FENCE_DOUBT and denied:
            continue
        if not used.isdisjoint(patches(slot)):
            continue
        if total >= FENCE_SURE and least >= 0:
            walls.append(slot)
        else:
            doubtful.add(slot)
        used.update(patches(slot))
    return walls, doubtful


def in_words(board: Board, statement: Statement) -> str:
    """Return a statement as a few lines of text."""
    names = {name: piece.title for name, piece in board.pieces.items()}
    lines = [f"{names[piece]} on {square}" for piece, square in statement.pieces.items()]
    if statement.pellets:
        lines.append("pellets on " + " ".join(statement.pellets))
    lines.append("fences: " + (" ".join(statement.walls) or "none"))
    if statement.unsure:
        lines.append("not sure about " + " ".join(statement.unsure))
    if statement.covered:
        squares = [spot for spot in statement.covered if not is_slot(spot)]
        lines.append(f"covered: {' '.join(squares) or 'part of the fences'}")
    return "\n".join("  " + line for line in lines)
