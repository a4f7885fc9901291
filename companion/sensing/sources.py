"""Which camera a setting means: the Pi's own, one on USB, a stream, a video or a folder."""

from collections.abc import Callable
from pathlib import Path

from companion.sensing.capture import open_stream, open_usb
from companion.sensing.files import STREAM
from companion.sensing.grabber import Source
from companion.sensing.picam import PiCamera
from companion.sensing.playback import Folder, Video


def open_source(said: str, fps: float, size: tuple[int, int], clock: Callable[[], float]) -> Source:
    """Return the source that ``camera.source`` names; raise CompanionError when it is not there.

    ``"pi"`` is the Pi's camera, a number or a path below ``/dev`` a USB camera, an address a
    stream; of other paths a folder is one of numbered pictures, and a file a video.
    """
    if said == "pi":
        return PiCamera(fps, size, clock)
    if said.isdigit() or said.startswith("/dev/"):
        return open_usb(said, fps, size, clock)
    if STREAM.match(said):
        return open_stream(said, clock)
    path = Path(said).expanduser()
    return Folder(path, fps, clock) if path.is_dir() else Video(path, fps, clock)
