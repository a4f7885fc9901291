"""Draws what the eyes saw onto the picture they saw it in."""

import cv2
import numpy as np

from companion.board import Board, Spot, is_slot
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.corners import NAMES
from companion.sensing.vision.decode import Statement
from companion.sensing.vision.outline import corners_of, grid_lines
from companion.sensing.vision.pose import Pose

GRID, SURE, DOUBT, COVERED = (120, 160, 60), (60, 220, 60), (0, 190, 255), (200, 60, 200)


def draw_overlay(board: Board, picture: Picture, pose: Pose, told: Statement) -> Picture:
    """Return a copy of the picture with pieces, fences, doubts and covered spots drawn in."""
    drawn = picture.copy()
    _polygon(drawn, pose, np.array(board.field_corners), GRID, 1)
    for spot in told.covered:
        if not is_slot(spot):
            _polygon(drawn, pose, _cell(board, spot), COVERED, 1)
    for slot in told.walls:
        _polygon(drawn, pose, _fence(board, slot), SURE, 2)
    for spot in told.unsure:
        _polygon(
            drawn, pose, _fence(board, spot) if is_slot(spot) else _cell(board, spot), DOUBT, 2
        )
    for piece, square in told.pieces.items():
        red, green, blue = board.pieces[piece].colour
        _polygon(drawn, pose, _cell(board, square), (blue, green, red), 2)
        _write(drawn, pose, board, square, board.pieces[piece].title)
    for square in told.pellets:
        _write(drawn, pose, board, square, "o")
    return drawn


def draw_grid(board: Board, picture: Picture, pose: Pose) -> Picture:
    """Return a copy of the picture with the sides of the field and its grooves drawn in."""
    drawn = picture.copy()
    lines = np.rint(grid_lines(board, pose)).astype(np.int32)
    for number, line in enumerate(lines):
        side = number < 2 or number >= len(lines) - 2
        cv2.polylines(drawn, [line.reshape(-1, 1, 2)], False, SURE, 2 if side else 1, cv2.LINE_AA)
    for name, (x, y) in zip(NAMES, np.rint(corners_of(board, pose)).astype(int), strict=True):
        for colour, width in (((0, 0, 0), 4), ((255, 255, 255), 1)):
            at = (int(x) - 12, int(y) + (24 if name[1] == "1" else -12))
            cv2.putText(drawn, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, colour, width, cv2.LINE_AA)
    return drawn


def _cell(board: Board, square: Spot) -> Array:
    x, y = board.at(square)
    half = board.cell_mm / 2
    return np.array(
        [
            [x - half, y - half, 0],
            [x + half, y - half, 0],
            [x + half, y + half, 0],
            [x - half, y + half, 0],
        ]
    )


def _fence(board: Board, slot: Spot) -> Array:
    x, y = board.at(slot)
    along, across = board.fence.length_mm / 2, board.fence.thickness_mm / 2
    if slot[2] == "v":
        along, across = across, along
    top = board.fence.height_mm
    return np.array(
        [
            [x - along, y - across, top],
            [x + along, y - across, top],
            [x + along, y + across, top],
            [x - along, y + across, top],
        ]
    )


def _polygon(
    drawn: Picture, pose: Pose, points: Array, colour: tuple[int, int, int], width: int
) -> None:
    pixels = np.rint(pose.project(points)).astype(np.int32)
    cv2.polylines(drawn, [pixels.reshape(-1, 1, 2)], True, colour, width, cv2.LINE_AA)


def _write(drawn: Picture, pose: Pose, board: Board, square: Spot, text: str) -> None:
    x, y = board.at(square)
    left, low = np.rint(pose.project(np.array([[x - board.cell_mm / 2, y, 0]]))[0]).astype(int)
    for colour, width in (((0, 0, 0), 3), ((255, 255, 255), 1)):
        cv2.putText(
            drawn,
            text,
            (int(left), int(low)),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.4,
            colour,
            width,
            cv2.LINE_AA,
        )
