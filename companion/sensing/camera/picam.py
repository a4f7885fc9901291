"""The Raspberry Pi's own camera, through picamera2, which is imported here and nowhere else."""

from collections.abc import Callable
from typing import Any

import numpy as np

from companion.errors import DeviceError
from companion.sensing.camera.focus import AUTO, Focus, Lens
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.modes import Size, widest

#: A camera that sends nothing for this long is opened again.
PATIENCE_SECONDS = 3.0

LOOK = "check its ribbon cable, and whether rpicam-hello --list-cameras shows it"


class PiCamera:
    """A camera on the ribbon cable of a Raspberry Pi.

    The library comes with Raspberry Pi OS, as the package python3-picamera2; a virtual
    environment needs ``--system-site-packages`` to see it. DeviceError says what is missing.

    Example::

        camera = Grabber(lambda: PiCamera(15, (1296, 972), time.monotonic))
    """

    def __init__(
        self, fps: float, size: Size, clock: Callable[[], float], focus: Focus = AUTO
    ) -> None:
        self._clock = clock
        library = _library()
        if not library.global_camera_info():
            raise DeviceError(f"no Pi camera is attached: {LOOK}")
        try:
            self._camera: Any = library()
        except Exception as error:  # libcamera has many ways to fail, and no common name for them
            raise _did_not_start(error) from error
        try:
            self._start(fps, size, focus)
        except Exception as error:
            self._camera.close()
            raise _did_not_start(error) from error

    def _start(self, fps: float, size: Size, focus: Focus) -> None:
        # What libcamera calls RGB888 lies in memory as blue, green, red, as OpenCV has it. The
        # picture is scaled from the whole sensor, and cut to its shape, never stretched.
        wanted: dict[str, Any] = {"main": {"size": size, "format": "RGB888"}}
        mode = widest(self._camera.sensor_modes, size, fps)
        if mode is not None:
            wanted["sensor"] = {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}
        self._camera.configure(
            self._camera.create_video_configuration(**wanted, controls={"FrameRate": fps})
        )
        power = self._camera.camera_controls.get("LensPosition")
        self.tuning = Lens(focus, None if power is None else (power[0], power[1]))
        self._set(self.tuning.begin())
        self._camera.start()

    def grab(self) -> Frame:
        """Return the next frame."""
        try:
            (picture,), said = self._camera.capture_arrays(["main"], wait=PATIENCE_SECONDS)
            self._set(self.tuning.note(said))
        except Exception as error:
            raise DeviceError(f"the Pi camera has stopped sending pictures: {LOOK}") from error
        return Frame(self._clock(), np.asarray(picture))

    def _set(self, controls: dict[str, float]) -> None:
        if controls:
            self._camera.set_controls(controls)

    def close(self) -> None:
        """Release the camera."""
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
