"""Which pattern of pips fits to a die, without any net."""

import cv2
import numpy as np
import pytest

from companion.sensing.dice.fit import fits
from companion.sensing.dice.net import CLOSE

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, 1), (0, 0), (1, -1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
COLOURS = [
    ((230, 230, 230), (20, 20, 20)),
    ((40, 30, 160), (240, 240, 240)),
    ((120, 40, 30), (60, 220, 240)),
]


def face(value: int, turn: float, edge: float, body: object, paint: object) -> np.ndarray:
    """Return a plain square die from straight above, drawn four times as large and made small."""
    big = np.full((CLOSE * 4, CLOSE * 4, 3), 128, np.uint8)
    middle = CLOSE * 2 - 0.5
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = edge * 2
    corners = (
        np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ way.T + middle
    )
    cv2.fillPoly(big, [np.rint(corners).astype(np.int32)], body)
    for pip in PIPS[value]:
        x, y = np.rint(np.array(pip) * edge * 4 * 0.24 @ way.T + middle).astype(int)
        cv2.circle(big, (int(x), int(y)), round(edge * 4 * 0.09), paint, -1)
    return cv2.resize(big, (CLOSE, CLOSE), interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("value", PIPS)
@pytest.mark.parametrize(("body", "paint"), COLOURS)
def test_the_value_that_is_there_fits_best(value: int, body: object, paint: object) -> None:
    for turn in (0.0, 0.5, 0.9):
        edge = 34 / (abs(np.cos(turn)) + abs(np.sin(turn)))
        scores = fits(face(value, turn, edge, body, paint))
        assert scores.argmax() + 1 == value, (turn, scores)


def test_nothing_fits_to_nothing() -> None:
    blank = np.full((CLOSE, CLOSE, 3), 90, np.uint8)
    assert np.isfinite(fits(blank)).all()
    assert fits(blank).max() < 0.1
