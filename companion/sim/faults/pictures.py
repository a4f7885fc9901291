"""What goes wrong with a camera: a camera around another one, that fails in many ways."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from companion.errors import DeviceError
from companion.sensing.camera.frame import Camera, Frame, Picture

SpoilPicture = Callable[[Picture], Picture]

GONE = "the camera has been unplugged: plug it in again"


def _grey(picture: Picture) -> Picture:
    level = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(level, cv2.COLOR_GRAY2BGR), np.uint8)


def _torn(picture: Picture) -> Picture:
    torn = picture.copy()
    torn[len(torn) // 2 :] = 128
    return torn


def _resized(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (width * 3 // 4, height * 3 // 4)), np.uint8)


def _turned(picture: Picture) -> Picture:
    """Show only a corner of the table, as a camera does that was knocked aside."""
    height, width = picture.shape[:2]
    table = picture[: height // 8, : width // 8]  # a piece of the table beside the board
    turned = np.tile(table, (9, 9, 1))[:height, :width].copy()
    turned[: height // 3, : width // 3] = picture[-(height // 3) :, -(width // 3) :]
    return turned


PICTURES: Mapping[str, SpoilPicture] = {
    "black-picture": np.zeros_like,
    "white-picture": lambda picture: np.full_like(picture, 255),
    "grey-picture": _grey,
    "torn-picture": _torn,
    "resized-picture": _resized,
    "turned-camera": _turned,
}


class FaultyCamera:
    """A camera around another one; ``active`` tells which faults there are now."""

    def __init__(self, camera: Camera, active: Callable[[], frozenset[str]]) -> None:
        self._camera, self._active = camera, active
        self._held: Frame | None = None

    def read(self) -> Frame | None:
        """Return the other camera's newest frame, spoilt; DeviceError while it is unplugged."""
        active = self._active()
        if "camera-gone" in active:
            raise DeviceError(GONE)
        frame = self._camera.read()
        if frame is None or "camera-stalled" in active:
            return None
        if "repeated-picture" in active:
            self._held = self._held or frame
            return replace(frame, picture=self._held.picture)
        self._held = None
        picture = frame.picture
        for name in sorted(active & PICTURES.keys()):
            picture = PICTURES[name](picture)
        return replace(frame, picture=picture)

    def close(self) -> None:
        """Release the other camera."""
        self._camera.close()
