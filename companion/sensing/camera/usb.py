"""Cameras that OpenCV opens: on a USB port, or somewhere on the network."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from companion.errors import DeviceError
from companion.sensing.camera.focus import AUTO, Focus
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.locks import Locks

#: A stream that cannot be reached, or sends nothing, is closed after this long and tried again.
PATIENCE_SECONDS = 4.0


class Capture:
    """Pictures from OpenCV's open capture; made by :func:`open_usb` and :func:`open_stream`."""

    def __init__(
        self, video: Any, name: str, clock: Callable[[], float], locks: Locks | None = None
    ) -> None:
        self._video, self._name, self._clock = video, name, clock
        self.tuning = locks

    def grab(self) -> Frame:
        """Return the next frame."""
        good, picture = self._video.read()
        if not good:
            raise DeviceError(f"{self._name} gives no more pictures: is it still connected?")
        frame = Frame(self._clock(), np.asarray(picture))
        if self.tuning:
            self.tuning.note(frame)
        return frame

    def close(self) -> None:
        """Release the camera."""
        self._video.release()


def open_usb(
    device: str,
    fps: float,
    size: tuple[int, int],
    clock: Callable[[], float],
    focus: Focus = AUTO,
) -> Capture:
    """Return a USB camera by its number or the path of its device.

    A number may change when cameras are plugged in again; ``/dev/v4l/by-id/…`` stays.
    """
    name = f"the camera {device}"
    which = (int(device),) if device.isdigit() else (device, cv2.CAP_V4L2)
    video = _open(name, "is it plugged in, and does nothing else use it?", *which)
    # Uncompressed, most USB cameras are too slow at this size; those without MJPG refuse.
    video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    video.set(cv2.CAP_PROP_FPS, fps)
    video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return Capture(video, name, clock, Locks(video, focus))


def open_stream(address: str, clock: Callable[[], float]) -> Capture:
    """Return a stream by its address: MJPEG over HTTP, RTSP, and what else FFmpeg reads."""
    patience = round(PATIENCE_SECONDS * 1000)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience]
    how = "is the address right, and the camera in the network?"
    name = f"the stream {address}"
    return Capture(_open(name, how, address, cv2.CAP_FFMPEG, limits), name, clock)


def _open(name: str, question: str, *how: Any) -> Any:
    keep_quiet(cv2)  # it complains at each try; our own log says it once
    video = cv2.VideoCapture(*how)
    if not video.isOpened():
        video.release()
        raise DeviceError(f"{name} cannot be opened: {question}")
    return video


def keep_quiet(library: Any) -> None:
    """Switch off what OpenCV prints by itself: asked in ``cv2`` up to 4.12, then in a module.

    Where neither exists it goes on printing, which is no reason to do without a camera.
    """
    logging = getattr(library.utils, "logging", library)
    set_level = getattr(logging, "setLogLevel", None)
    if set_level is not None:
        set_level(0)
