"""Which camera a setting means: the Pi's own, one on USB, a stream, a video or a folder."""

from collections.abc import Callable
from pathlib import Path

from companion.sensing.camera.files import STREAM
from companion.sensing.camera.focus import AUTO, Focus
from companion.sensing.camera.frame import Frame, is_settled
from companion.sensing.camera.grabber import Source
from companion.sensing.camera.picam import PiCamera
from companion.sensing.camera.playback import Folder, Video
from companion.sensing.camera.usb import open_stream, open_usb

#: Pictures that a camera needs to find its exposure, and at most when it tunes itself.
FIRST_PICTURES, MOST_PICTURES = 12, 500


def open_source(
    said: str,
    fps: float,
    size: tuple[int, int],
    clock: Callable[[], float],
    focus: Focus = AUTO,
) -> Source:
    """Return the source that ``camera.source`` names; raise CompanionError when it is not there.

    ``"pi"`` is the Pi's camera, a number or a path below ``/dev`` a USB camera, an address a
    stream; of other paths a folder is one of numbered pictures, and a file a video. ``focus`` is
    for those that can be focused.
    """
    if said == "pi":
        return PiCamera(fps, size, clock, focus)
    if said.isdigit() or said.startswith("/dev/"):
        return open_usb(said, fps, size, clock, focus)
    if STREAM.match(said):
        return open_stream(said, clock)
    path = Path(said).expanduser()
    return Folder(path, fps, clock) if path.is_dir() else Video(path, fps, clock)


def first_picture(source: Source) -> Frame:
    """Return the first picture of a newly opened source that looks as later ones will."""
    for number in range(1, MOST_PICTURES):
        frame = source.grab()
        if number >= FIRST_PICTURES and is_settled(source):
            break
    return frame
