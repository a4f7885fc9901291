"""A close look at fences: is one pushed all the way in, or is an end of it still up?

An end that is up by some millimetres shifts the top of a fence by a millimetre in the picture. That
is less than a pixel of the flat picture, so a fence that is new is cut out of the camera's picture
in its full size, in the plane in which its top should lie, and a second, smaller net looks at that:
the top of a fence that is in runs straight through the middle.
"""

from pathlib import Path

import cv2
import numpy as np

from companion.board import Board, Spot
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.net import open_net
from companion.sensing.vision.pose import Pose

WEIGHTS = Path(__file__).with_name("seated.onnx")
PX = 64  # pixels a pitch
SIZE = (144, 64)  # pixels along the fence and across it


def cut_out(board: Board, pose: Pose, picture: Picture, slot: Spot) -> Array:
    """Return what the net is asked with: the place of a fence, west or north to the left, and how
    far things lean there along it and across it; shape (5, across, along)."""
    x, y = board.at(slot)
    upright = slot[2] == "v"
    half_along, half_across = (side / PX * board.pitch_mm / 2 for side in SIZE)
    along, across = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    if upright:
        along, across = np.array([0.0, -1.0]), np.array([1.0, 0.0])
    middle = np.array([x, y])
    corners = np.array(
        [
            middle + a * half_along * along + b * half_across * across
            for b in (1, -1)
            for a in (-1, 1)
        ]
    )
    top = np.full(4, board.fence.height_mm)
    seen = pose.project(np.column_stack([corners, top])).astype(np.float32)
    width, height = SIZE
    flat = np.array([[0, 0], [width, 0], [0, height], [width, height]], np.float32) - 0.5
    laid = cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(flat, seen),
        SIZE,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    planes = np.empty((5, height, width), np.float32)
    planes[:3] = np.moveaxis(laid, -1, 0)
    planes[:3] /= 255
    away = (middle - pose.eye[:2]) / pose.eye[2]
    planes[3], planes[4] = away @ along, away @ -across
    return planes


def mirrored(planes: Array, way: int) -> Array:
    """Return cut-outs, (…, 5, across, along), mirrored in one of four ways: along, across, both or
    not; the fence is as loose as before."""
    along, across = (1, -1)[way & 1], (1, -1)[way >> 1]
    turned = planes[..., ::across, ::along].copy()
    turned[..., 3, :, :] *= along
    turned[..., 4, :, :] *= across
    return turned


class CloseUp:
    """Looks at one fence after the other; :data:`WEIGHTS` are trained by ``make eyes``."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = open_net(weights)

    def look(self, board: Board, pose: Pose, picture: Picture, slot: Spot, way: int = 0) -> float:
        """Return the log-odds that a fence in this slot is not all the way in, as the net says when
        it is shown it mirrored in some way. Several looks are to be averaged."""
        self._net.setInput(mirrored(cut_out(board, pose, picture, slot), way)[None])
        return float(np.asarray(self._net.forward()).ravel()[0])
