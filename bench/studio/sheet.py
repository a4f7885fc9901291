"""A contact sheet: six pictures of a folder side by side, small enough for a page."""

from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureError
from companion.sensing.camera.files import read_picture

ROWS, COLUMNS = 2, 3
TILE = (396, 297)
GAP_PX = 6
BIGGEST = 250_000  # bytes
QUALITIES = range(88, 30, -4)


def make_sheet(folder: Path) -> bytes:
    """Return a JPEG of six pictures, spread evenly over all of ``stills`` in the folder."""
    paths = sorted((folder / "stills").glob("*.jpg"))
    wanted = ROWS * COLUMNS
    if len(paths) < wanted:
        raise PictureError(f"expected {wanted} pictures in {folder / 'stills'}, got {len(paths)}")
    chosen = [paths[number * len(paths) // wanted] for number in range(wanted)]
    wide, high = TILE[0] + GAP_PX, TILE[1] + GAP_PX
    page = np.full((ROWS * high - GAP_PX, COLUMNS * wide - GAP_PX, 3), 255, np.uint8)
    for number, path in enumerate(chosen):
        row, column = divmod(number, COLUMNS)
        tile = cv2.resize(read_picture(path), TILE, interpolation=cv2.INTER_AREA)
        page[row * high : row * high + TILE[1], column * wide : column * wide + TILE[0]] = tile
    for quality in QUALITIES:
        data = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= BIGGEST:
            break
    return data
