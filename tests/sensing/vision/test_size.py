"""The eyes stay small: few modules, few numbers set by hand, and a net that fits on any card."""

import ast
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.sensing import vision
from companion.sensing.vision.net import WEIGHTS, Net
from companion.sensing.vision.sheet import MARGIN, PX

ROOM = Path(vision.__file__).parent
MODULES, NUMBERS, BYTES = 16, 175, 2_000_000


def modules() -> list[Path]:
    return sorted(path for path in ROOM.glob("*.py") if path.name != "__init__.py")


def numbers(path: Path) -> Iterator[float]:
    """Yield the numbers in the constants of a module."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            for part in ast.walk(statement.value):
                if isinstance(part, ast.Constant) and type(part.value) in (int, float):
                    yield part.value


def test_the_eyes_have_few_modules() -> None:
    assert len(modules()) <= MODULES, [path.name for path in modules()]


def test_the_eyes_have_few_numbers_that_were_set_by_hand() -> None:
    found = {path.name: len([*numbers(path)]) for path in modules()}
    assert sum(found.values()) <= NUMBERS, found
    assert sum(found.values()) > 40, "the count is broken"


def test_the_net_is_small() -> None:
    assert 100_000 < WEIGHTS.stat().st_size <= BYTES


def test_the_net_says_the_same_however_many_threads_there_were() -> None:
    """OpenCV 4.8 convolves wrongly on several threads."""
    rng = np.random.default_rng(1)
    side = round((9 + 2 * MARGIN) * PX)
    laid = rng.integers(0, 256, (side, side, 3), np.uint8)
    lean = np.zeros((2, side, side), np.float32)
    cv2.setNumThreads(2)
    one = Net().answer(laid, lean)
    again = Net().answer(laid, lean)
    np.testing.assert_array_equal(one, again)
    assert cv2.getNumThreads() == 1
