"""The Raspberry Pi's own camera, through picamera2, which is imported here and nowhere else."""

from collections.abc import Callable
from typing import Any

import numpy as np

from companion.errors import DeviceError
from companion.sensing.camera import Frame

#: A camera that sends nothing for this long is opened again.
PATIENCE_SECONDS = 3.0

LOOK = "check its ribbon cable, and whether rpicam-hello --list-cameras shows it"


class PiCamera:
    """A camera on the ribbon cable of a Raspberry Pi.

    The library comes with Raspberry Pi OS, as the package python3-picamera2; an environment of
    its own must be made with ``--system-site-packages`` to see it. DeviceError says what is
    missing.

    Example::

        camera = Grabber(lambda: PiCamera(15, (1296, 972), time.monotonic))
    """

    def __init__(self, fps: float, size: tuple[int, int], clock: Callable[[], float]) -> None:
        self._clock = clock
        library = _library()
        if not library.global_camera_info():
            raise DeviceError(f"no Pi camera is attached: {LOOK}")
        try:
            self._camera: Any = library()
        except Exception as error:  # libcamera has many ways to fail, and no common name for them
            raise _did_not_start(error) from error
        try:
            # What libcamera calls RGB888 lies in memory as blue, green, red, as OpenCV has it.
            main = {"size": size, "format": "RGB888"}
            self._camera.configure(
                self._camera.create_video_configuration(main=main, controls={"FrameRate": fps})
            )
            self._camera.start()
        except Exception as error:
            self._camera.close()
            raise _did_not_start(error) from error

    def grab(self) -> Frame:
        """Return the next frame."""
        try:
            picture = self._camera.capture_array("main", wait=PATIENCE_SECONDS)
        except Exception as error:
            raise DeviceError(f"the Pi camera has stopped sending pictures: {LOOK}") from error
        return Frame(self._clock(), np.asarray(picture))

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()


def _library() -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceError(
            "the Pi camera needs picamera2: sudo apt install python3-picamera2, in an environment"
            f" made with --system-site-packages ({error})"
        ) from error
    return Picamera2


def _did_not_start(error: Exception) -> DeviceError:
    return DeviceError(
        f"the Pi camera did not start ({error}): is another program using it, or its cable loose?"
    )
