"""What a picture of an agreed position shows, in the format of the truth files (docs/vision.md)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.board import FENCE, PELLET, Board, Place, Position, is_slot, patches

#: Of a fence's patches, from which it counts as hidden.
HIDDEN = 0.5


def truth_of(
    board: Board,
    position: Position,
    corners: Sequence[Sequence[float]],
    covered: Collection[Place],
) -> dict[str, Any]:
    """Return what a truth file says of a picture: what stands where, where the field's corners
    are (a1, i1, i9, a9, in pixels), and what was covered."""
    walls = sorted(spot for spot, thing in position.items() if thing == FENCE and is_slot(spot))
    shares = _hidden_shares(board, covered)
    squares = [square for square in board.squares if square in covered]
    return {
        "board": board.name,
        "pieces": {
            thing: spot
            for spot, thing in sorted(position.items())
            if thing not in (FENCE, PELLET) and spot in board.squares
        },
        "walls": walls,
        "pellets": sorted(spot for spot, thing in position.items() if thing == PELLET),
        "ambiguous": {},
        "skewed_walls": [],
        "disturbance": ["covered"] if covered else [],
        "board_corners_px": [[round(float(part), 2) for part in corner] for corner in corners],
        "occluded_squares": squares,
        "occlusion_fraction": dict.fromkeys(squares, 1.0),
        "occluded_walls": [slot for slot in walls if shares.get(slot, 0.0) >= HIDDEN],
        "slot_occlusion_fraction": shares,
        "sizes": _sizes(board),
    }


def _hidden_shares(board: Board, covered: Collection[Place]) -> dict[str, float]:
    """Return which share of each slot is covered, of those of which any is."""
    shares = {
        slot: sum(patch in covered for patch in patches(slot)) / 3
        for slot in (board.slots if covered else ())
    }
    return {slot: round(share, 2) for slot, share in shares.items() if share}


def _sizes(board: Board) -> Mapping[str, float]:
    return {
        "cell_mm": board.cell_mm,
        "groove_mm": board.groove_mm,
        "field_mm": board.field_mm,
        "fence_length_mm": board.fence.length_mm,
    }
