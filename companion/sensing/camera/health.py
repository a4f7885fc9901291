"""Is a picture fit to be read? Judged from a sample of its pixels, before the eyes look at it.

A camera that is covered, blinded, hung or half broken still sends pictures. A few thresholds tell
what is wrong with them, and a sentence what to do; to remember and report it is left to others.
"""

from dataclasses import dataclass

import numpy as np

from companion.sensing.camera.frame import Array, Frame

#: A live camera that repeats its picture bit by bit for so long hangs: real ones have noise.
FROZEN_SECONDS = 5.0

STEP = 16  # pixels from one sample to the next, across and down
SMALLEST = 64  # pixels a side, below which no board can be read

DARK_LEVEL = 20  # a picture is black when hardly a pixel is brighter than this
DARK_SHARE = 0.99
WHITE_LEVEL = 250  # and blown out when most of it is no darker than this
WHITE_SHARE = 0.85
COLOUR_LEVEL = 3  # a picture whose channels never differ by more has no colours
TORN_SHARE = 1 / 8  # of the rows, at the lower end, that are one flat tone
FLAT_LEVELS = (6, 249)  # black and white rows may be flat for better reasons

BLACK = "the picture is black: take the cap off the lens, or switch a light on"
WHITE = "the picture is blown out white: turn the lamp away from the camera, or dim it"
FROZEN = "the camera repeats the very same picture: unplug it and plug it in again"
TORN = "the camera sends broken pictures: check its cable, or the network on the way"
GREY = "the picture has no colours: switch off the camera's night mode, or use a colour camera"


@dataclass(frozen=True)
class Health:
    """The condition of a picture. ``fault`` is a sentence, empty when it can be read."""

    fault: str
    usable: bool = True  # whether it is a colour picture at all, that can be shown
    sample: Array | None = None
    since: float = 0.0  # when this very picture first came


def examine(frame: Frame, before: Health | None = None) -> Health:
    """Return how healthy the picture of a frame is, given what was said of the one before."""
    odd = _odd(frame.picture)
    if odd:
        return Health(odd, usable=False)
    sample = frame.picture[STEP // 2 :: STEP, STEP // 2 :: STEP].copy()
    since = frame.time
    if before is not None and before.sample is not None and np.array_equal(before.sample, sample):
        since = before.since
    frozen = not frame.recorded and frame.time - since > FROZEN_SECONDS
    return Health(_fault(sample) or (FROZEN if frozen else ""), True, sample, since)


def _odd(picture: object) -> str:
    if not isinstance(picture, np.ndarray):
        got = f"a {type(picture).__name__}"
    elif picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        got = f"{picture.dtype} of shape {picture.shape}"
    elif min(picture.shape[:2]) < SMALLEST:
        got = f"only {picture.shape[1]} × {picture.shape[0]} pixels"
    else:
        return ""
    return (
        "the camera sends pictures that cannot be read: expected colour with 8 bits a channel"
        f" and {SMALLEST} pixels a side or more, got {got}; choose another format or camera"
    )


def _fault(sample: Array) -> str:
    blue, green, red = sample[..., 0], sample[..., 1], sample[..., 2]
    brightest = np.maximum(np.maximum(blue, green), red)
    darkest = np.minimum(np.minimum(blue, green), red)
    if np.count_nonzero(brightest <= DARK_LEVEL) >= DARK_SHARE * brightest.size:
        return BLACK
    if np.count_nonzero(darkest >= WHITE_LEVEL) >= WHITE_SHARE * darkest.size:
        return WHITE
    if _torn_rows(sample) >= TORN_SHARE * len(sample):
        return TORN
    if int((brightest - darkest).max()) <= COLOUR_LEVEL:
        return GREY
    return ""


def _torn_rows(sample: Array) -> int:
    """Return how many rows at the bottom have one tone each, as the rest of a torn picture has."""
    for count, row in enumerate(sample[::-1]):
        if not FLAT_LEVELS[0] <= int(row[0].max()) <= FLAT_LEVELS[1] or (row != row[0]).any():
            return count
    return len(sample)
