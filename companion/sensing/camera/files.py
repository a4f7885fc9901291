"""Pictures from files: a still, a folder of numbered frames, a video or a stream."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureError
from companion.sensing.camera.frame import Frame, Picture

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
STREAM = re.compile(r"^[a-z]+://", re.IGNORECASE)


def read_picture(path: Path) -> Picture:
    """Return a picture from a file; PictureError when it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"cannot read {path}: {error.strerror or error}") from error
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if decoded is None:
        raise PictureError(f"{path} is not a picture: expected JPEG, PNG or the like")
    return np.asarray(decoded, np.uint8)


def frames(source: str | Path, interval: float) -> Iterator[Frame]:
    """Yield the frames of a folder, ``interval`` seconds apart, or of a video at its own pace.

    PictureError when the source holds no pictures, or one of them cannot be read.
    """
    if STREAM.match(str(source)):
        return _video_frames(str(source), interval, recorded=False)
    path = Path(source)
    if path.is_dir():
        pictures = in_order(path)
        if not pictures:
            raise PictureError(f"no pictures in {path}: expected numbered JPEG or PNG files")
        return (
            Frame(number * interval, read_picture(each), recorded=True)
            for number, each in enumerate(pictures)
        )
    if not path.exists():
        raise PictureError(f"no such folder or video: {path}")
    if path.suffix.lower() in PICTURES:
        return iter([Frame(0.0, read_picture(path), recorded=True)])
    return _video_frames(str(path), interval, recorded=True)


def count_frames(source: str | Path) -> int | None:
    """Return how many frames a source has, None when that is not known beforehand."""
    path = Path(source)
    if path.is_dir():
        return len(in_order(path))
    if STREAM.match(str(source)) or not path.exists():
        return None
    video = cv2.VideoCapture(str(path))
    count = round(video.get(cv2.CAP_PROP_FRAME_COUNT))
    video.release()
    return count if count > 0 else None


def in_order(folder: Path) -> list[Path]:
    """Return the pictures of a folder in the order of the numbers in their names."""
    found = (path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    return sorted(found, key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", path.name.lower())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _video_frames(source: str, interval: float, *, recorded: bool) -> Iterator[Frame]:
    video = cv2.VideoCapture(source)
    try:
        if not video.isOpened():
            raise PictureError(f"{source} is not a video that can be read")
        rate = video.get(cv2.CAP_PROP_FPS)
        step = 1 / rate if 0 < rate < 1000 else interval
        number = 0
        while True:
            good, picture = video.read()
            if not good:
                break
            yield Frame(number * step, np.asarray(picture, np.uint8), recorded)
            number += 1
        if number == 0:
            raise PictureError(f"no pictures in {source}")
    finally:
        video.release()


def to_jpeg(picture: Picture, quality: int) -> bytes:
    """Return a picture as JPEG; PictureError when it is none."""
    try:
        good, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    except cv2.error:
        good = False
    if not good:
        raise PictureError(f"cannot make a JPEG of a picture of shape {picture.shape}")
    return data.tobytes()


def write_picture(target: Path, picture: Picture, *, make_folder: bool = False) -> None:
    """Write a picture in the format its name asks for; PictureError says why that failed."""
    try:
        if make_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        good, data = cv2.imencode(target.suffix or ".png", picture)
        if not good:
            raise ValueError
        target.write_bytes(data.tobytes())
    except (cv2.error, ValueError) as error:
        raise PictureError(f"cannot draw to {target}: expected a name like seen.png") from error
    except OSError as error:
        raise PictureError(f"cannot write {target}: {error.strerror or error}") from error
