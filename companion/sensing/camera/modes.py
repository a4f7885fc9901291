"""Which of its modes a camera's sensor is to be read in: the one that sees most.

A sensor is read whole, in fewer and larger pixels (binned), or only in its middle (cropped). By
itself the library takes the mode whose size is nearest to the picture's, which may be one of the
middle: Camera Module 3 then sees two thirds of what it could, and the board's frame is cut off.
"""

from collections.abc import Iterable, Mapping
from typing import Any

Size = tuple[int, int]
Mode = Mapping[str, Any]

#: Views that differ by less than this share of the widest count as the same.
AS_WIDE = 0.01


def widest(modes: Iterable[Mode], size: Size, fps: float) -> Mode | None:
    """Return the mode to be used for pictures of a size, None where nothing is known of any.

    Modes are dictionaries as picamera2 has them in ``sensor_modes``. Of those that see as much,
    one that is fast enough goes before one that is not, and one whose pixels are enough for the
    picture before one that lacks some; then the fewest, which cost least, and the deepest.
    """
    known = [mode for mode in modes if {"size", "crop_limits"} <= mode.keys()]
    if not known:
        return None
    most = max(_area(_seen(mode, size)) for mode in known)

    def cost(mode: Mode) -> tuple[bool, int, int, int]:
        slow = mode.get("fps", fps) < fps
        seen, crop = _seen(mode, size), mode["crop_limits"][2:]
        lacking = max(0, size[0] - round(seen[0] * mode["size"][0] / crop[0]))
        return slow, lacking, _area(mode["size"]), -mode.get("bit_depth", 0)

    return min((m for m in known if _area(_seen(m, size)) >= most * (1 - AS_WIDE)), key=cost)


def _seen(mode: Mode, size: Size) -> tuple[float, float]:
    """Return the width and height, in pixels of the whole sensor, that a picture of this shape
    shows: what is too wide or too high for it is cut off on both sides."""
    width, height = mode["crop_limits"][2:]
    shape = size[0] / size[1]
    return min(width, height * shape), min(height, width / shape)


def _area(size: tuple[float, float]) -> int:
    return round(size[0] * size[1])
