"""White balance when no marker shows what white is: guessed from a picture's brightest things."""

import cv2
import numpy as np

from companion.board import Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.colours import LINEAR
from companion.sensing.vision.flat import Flat

SMALL_PX = 320  # the picture is made as small as this, so that a glint does not count
BRIGHTEST = 99  # of a hundred
LEAST = 0.1
MOST_TINTED = 3.5  # red light of a lamp in the evening, compared with its blue


def guess_white(board: Board, flat: Flat, picture: Picture) -> Array:
    """Return the light at each pixel of the flat picture, the same for all.

    Something near to white is in almost every picture: paper, an eye, a rim, a mirrored lamp.
    """
    scale = SMALL_PX / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    light = LINEAR[np.asarray(small)].reshape(-1, 3)[:, ::-1]
    level = light.mean(axis=1)
    white = np.median(light[level >= np.percentile(level, BRIGHTEST)], axis=0)
    white = np.clip(white, max(LEAST, float(white.max()) / MOST_TINTED), 1.0)
    rows, columns = flat.size
    return np.tile(white.astype(np.float32)[:, None, None], (1, rows, columns))
