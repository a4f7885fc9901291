"""Reads a camera in a thread of its own, so that the loop never waits for a picture."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from companion.errors import CompanionError
from companion.sensing.camera.frame import Frame, Tuning, tuning_of

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0


class Source(Protocol):
    """A camera that may make its reader wait."""

    def grab(self) -> Frame:
        """Return the next frame, as soon as there is one; raise DeviceError when it is lost."""

    def close(self) -> None:
        """Release the device."""


class Grabber:
    """A camera that always has its newest frame at hand (a buffer of one); older ones are dropped.

    It opens the source, reads it, and opens it again when it is lost; the log gets one line when
    that happens and one when the pictures are back. ``on_frame`` is called after each picture and
    each try to open the source (a heartbeat): it shows that the thread lives, camera or not.

    Example::

        camera = Grabber(lambda: open_usb("0", 15, (1296, 972), time.monotonic))
        frame = camera.read()  # None until there is a new one
    """

    def __init__(
        self, open_source: Callable[[], Source], on_frame: Callable[[], None] = lambda: None
    ) -> None:
        self._open = open_source
        self._on_frame = on_frame
        self._newest: Frame | None = None
        self._trouble = ""
        self._source: Source | None = None
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._renewing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Return why there are no pictures, nothing while there are."""
        return self._trouble

    @property
    def tuning(self) -> Tuning | None:
        """Return what the source tunes, if it does and is open."""
        return tuning_of(self._source)

    def read(self) -> Frame | None:
        """Return the newest frame not yet handed out, None when there is none; never waits."""
        with self._lock:
            frame, self._newest = self._newest, None
        return frame

    def renew(self) -> None:
        """Release the camera and open it again soon, because it hangs."""
        self._renewing.set()

    def close(self) -> None:
        """Release the camera; calling it twice is fine."""
        self._closing.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._read_on(self._opened())
            except Exception as error:  # OpenCV and its drivers may raise anything
                with self._lock:
                    self._newest = None
                why = _in_a_line(error)
                if not self._trouble:
                    log.warning("%s", why)
                self._trouble = why
            self._closing.wait(RETRY_SECONDS)

    def _opened(self) -> Source:
        try:
            return self._open()
        finally:
            self._on_frame()

    def _read_on(self, source: Source) -> None:
        self._renewing.clear()
        self._source = source
        try:
            while not (self._closing.is_set() or self._renewing.is_set()):
                frame = source.grab()
                self._on_frame()
                if self._trouble:
                    log.info("the camera is back")
                    self._trouble = ""
                with self._lock:
                    self._newest = frame
        finally:
            self._source = None
            source.close()


class Paced:
    """A camera that never waits, made to wait: for the simulated one, read at its own pace."""

    def __init__(self, read: Callable[[], Frame | None], wait_seconds: float = 0.005) -> None:
        self._read = read
        self._wait_seconds = wait_seconds

    def grab(self) -> Frame:
        """Return the next frame."""
        while True:
            frame = self._read()
            if frame is not None:
                return frame
            time.sleep(self._wait_seconds)

    def close(self) -> None:
        """Do nothing: the simulated camera is its owner's."""


def _in_a_line(error: Exception) -> str:
    if isinstance(error, CompanionError):
        return str(error)
    lines = str(error).splitlines() or [type(error).__name__]
    return f"the camera has failed ({lines[0]}): is it plugged in well?"
