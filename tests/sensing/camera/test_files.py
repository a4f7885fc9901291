"""Frames from folders, videos and broken files."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import PictureError
from companion.sensing.camera.files import frames, in_order, read_picture


def _picture(level: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.full((48, 64, 3), level, np.uint8)


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 100):
        cv2.imwrite(str(tmp_path / f"frame_{number}.png"), _picture(number))
    (tmp_path / "notes.txt").write_text("not a picture")
    seen = list(frames(tmp_path, 2.0))
    assert [frame.time for frame in seen] == [0.0, 2.0, 4.0]
    assert [int(frame.picture[0, 0, 0]) for frame in seen] == [9, 10, 100]
    assert all(frame.recorded for frame in seen)


def test_names_with_and_without_numbers_can_be_ordered(tmp_path: Path) -> None:
    for name in ("b.png", "2.png", "a10.png", "a9.png"):
        cv2.imwrite(str(tmp_path / name), _picture(1))
    assert [path.name for path in in_order(tmp_path)] == ["2.png", "a9.png", "a10.png", "b.png"]


def test_a_video_is_read_at_its_own_pace(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    code = cv2.VideoWriter.fourcc(*"MJPG")
    video = cv2.VideoWriter(str(path), code, 5.0, (64, 48))
    for level in (20, 120):
        video.write(_picture(level))
    video.release()
    seen = list(frames(path, 2.0))
    assert [round(frame.time, 3) for frame in seen] == [0.0, 0.2]
    assert abs(int(seen[1].picture[5, 5, 0]) - 120) < 8
    assert all(frame.recorded for frame in seen)


def test_an_empty_folder_a_missing_one_and_a_broken_picture_are_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no pictures in"):
        frames(tmp_path, 2.0)
    with pytest.raises(PictureError, match="no such folder or video"):
        frames(tmp_path / "gone", 2.0)
    broken = tmp_path / "1.jpg"
    broken.write_bytes(b"no picture")
    with pytest.raises(PictureError, match=r"1\.jpg is not a picture"):
        read_picture(broken)
    with pytest.raises(PictureError, match="cannot read"):
        read_picture(tmp_path / "2.jpg")
