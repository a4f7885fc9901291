"""Photographs with their truth: which board it is, what stands on it, of what nothing is asked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.board import FENCE, PELLET, Board, Marker, Piece, Position, Spot
from companion.errors import PictureError
from companion.sensing.corners import Corners
from companion.sensing.vision.net import paint_of

HIDDEN_PIECE = 0.3  # of a piece, from which nothing is asked about its square
CLIPPED = 0.95  # of a place that is nothing but white or black, from which nothing shows there
OUT_OF_SIGHT = 0.85  # of a place behind fences and pawns, from which nobody can see it
ALIKE = 0.3  # of two paints, in units of 50 of CIELAB: a cold eye cannot tell who is who
NEEDED = ("pieces", "walls", "pellets", "disturbance")

Truth = Mapping[str, Any]


def read_truth(path: Path, needed: Sequence[str] = NEEDED) -> dict[str, Any]:
    """Return the truth beside a picture, which has at least the keys that are needed."""
    beside = path.with_suffix(".json")
    try:
        data: dict[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
    except OSError as error:
        raise PictureError(f"cannot read the truth of {path}: {error.strerror}") from error
    except ValueError as error:
        raise PictureError(f"expected JSON in {beside}, got something else") from error
    missing = [key for key in needed if not isinstance(data, dict) or key not in data]
    if missing:
        raise PictureError(f"expected the keys {', '.join(needed)} in {beside}: no {missing[0]}")
    return data


def position_of(truth: Truth) -> Position:
    """Return the position that a truth file describes."""
    position = {square: piece for piece, square in truth["pieces"].items()}
    position |= dict.fromkeys(truth["pellets"], PELLET)
    position |= dict.fromkeys(truth["walls"], FENCE)
    return position


def board_of(board: Board, truth: Truth) -> Board:
    """Return the board of a picture: the profile's, or one of the sizes and with the pieces that
    the studio drew, as its owner would have written them into a profile."""
    sizes = truth.get("sizes")
    if sizes is None:
        return board
    drawn = [thing for thing in truth["things"] if thing["kind"] == "pawn"]
    known = all(thing["name"] in board.pieces for thing in drawn)
    pieces = {
        thing["name"]: Piece(
            thing["name"], thing["name"], _rgb(thing["colour"]), "ghost", *thing["size_mm"]
        )
        for thing in drawn
    }
    return replace(
        board,
        cell_mm=sizes["cell_mm"],
        groove_mm=sizes["groove_mm"],
        groove_depth_mm=sizes["groove_depth_mm"],
        board_mm=sizes["board_mm"],
        frame_mm=min(sizes["frame_x_mm"], sizes["frame_y_mm"]),
        fence=replace(
            board.fence,
            length_mm=sizes["fence_length_mm"],
            thickness_mm=sizes["fence_thickness_mm"],
            height_mm=sizes["fence_height_mm"],
        ),
        pieces=board.pieces if known else pieces,
        marker_mm=sizes.get("marker_mm", 0.0),
        markers=tuple(
            Marker(number, x, y, sizes["marker_plane_mm"])
            for number in range(4)
            if f"marker_{number}" in sizes
            for x, y in (sizes[f"marker_{number}"],)
        ),
    )


def corners_of(truth: Truth, width: int, height: int) -> Corners:
    """Return the corners of the field as the truth has them."""
    return Corners.checked(truth["board_corners_px"], width, height)


def same_looks(board: Board, one: str, other: str) -> bool:
    """Tell whether two pieces can only be told apart by who has met them."""
    if one == other:
        return True
    if one not in board.pieces or other not in board.pieces:
        return False
    paints = [paint_of(p / 255 for p in board.pieces[name].colour) for name in (one, other)]
    return float(np.linalg.norm(paints[0] - paints[1])) < ALIKE


def left_out(truth: Truth) -> set[Spot]:
    """Return the spots of which nothing is asked: they cannot be seen, or be told by nobody."""
    leave = {*truth.get("occluded_squares", ()), *truth.get("occluded_walls", ())}
    leave |= {square for pair in truth.get("ambiguous", {}).values() for square in pair}
    hidden = truth.get("piece_occlusion_fraction", {})
    leave |= {s for name, s in truth["pieces"].items() if hidden.get(name, 0) > HIDDEN_PIECE}
    limits = {"slot_occlusion_fraction": 0.5, "behind_fraction": OUT_OF_SIGHT}
    for key, limit in (limits | {"clipped_fraction": CLIPPED}).items():
        leave |= {spot for spot, share in truth.get(key, {}).items() if share >= limit}
    for thing in truth.get("things", ()):
        if thing.get("behind", 0) > OUT_OF_SIGHT and thing.get("square"):
            leave.add(thing["square"])
    return leave


def _rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = (int(text[n : n + 2], 16) for n in (1, 3, 5))
    return red, green, blue
