"""Recordings in place of a camera: paced, told when they end, and continued when there is more."""

import logging
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError, PictureError
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.lookout import STALE_SECONDS
from companion.sensing.camera.playback import (
    AGAIN_SECONDS,
    REPEAT_SECONDS,
    WRITING_SECONDS,
    Folder,
    Reel,
    Video,
)
from companion.sensing.camera.sources import open_source
from companion.sim.room import Clock

SIZE = (96, 80)


class Time(Clock):
    """A clock that only waiting moves."""

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time(100.0)


def draw(path: Path, level: int) -> None:
    assert cv2.imwrite(str(path), np.full((SIZE[1], SIZE[0], 3), level, np.uint8))


def seen(frame: Frame) -> tuple[float, int]:
    """Return when, in seconds since the start, and how bright."""
    return round(frame.time - 100.0, 3), round(float(frame.picture.mean()), -1)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A film of three frames at five a second, ever brighter."""
    file = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 5, SIZE)
    for level in (40, 120, 200):
        writer.write(np.full((SIZE[1], SIZE[0], 3), level, np.uint8))
    writer.release()
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "frames"
    path.mkdir()
    for number, level in ((2, 80), (10, 120), (1, 40)):
        draw(path / f"frame_{number}.png", level)
    return path


def test_a_video_keeps_its_own_pace_and_its_last_picture_stays(film, time):
    video = Video(film, 15, time, time.wait)
    frames = [video.grab() for _ in range(3)]
    assert [seen(frame) for frame in frames] == [(0.0, 40), (0.2, 120), (0.4, 200)]
    assert all(frame.recorded and not frame.note for frame in frames)
    for _ in range(2):
        last = video.grab()
        assert last.note == "the recording film.avi has ended; its last picture stays"
        assert seen(last)[1] == 200
    assert last.time - frames[-1].time == pytest.approx(2 * REPEAT_SECONDS)
    video.close()
    video.close()


def test_a_video_that_is_read_late_catches_up(film, time):
    video = Video(film, 15, time, time.wait)
    video.grab()
    time.now += 3.0
    assert [seen(video.grab())[0] for _ in range(2)] == [3.0, 3.0]


def test_a_video_of_less_than_a_picture_a_second_is_not_silent_meanwhile(film, time):
    video = Video(film, 15, time, time.wait)
    assert video._next
    video._next = Frame(1.2, video._next.picture)
    assert [seen(video.grab())[0] for _ in range(3)] == [0.5, 1.0, 1.2]


@pytest.mark.parametrize("name", ["nowhere.mp4", "broken.mp4"])
def test_a_video_that_cannot_be_read_is_named(tmp_path, name, capfd):
    (tmp_path / "broken.mp4").write_bytes(b"no film" * 100)
    with pytest.raises(PictureError, match=name):
        open_source(str(tmp_path / name), 15, SIZE, lambda: 0.0)


def test_pictures_of_a_folder_come_in_order_and_at_pace(folder, time):
    source = Folder(folder, 10, time, time.wait)
    frames = [source.grab() for _ in range(3)]
    assert [seen(frame) for frame in frames] == [(0.0, 40), (0.1, 80), (0.2, 120)]
    assert [bool(frame.note) for frame in frames] == [False, False, True]
    assert all(frame.recorded for frame in frames)
    source.close()


def test_the_last_picture_stays_until_there_are_more(folder, time):
    source = Folder(folder, 10, time, time.wait)
    for _ in range(4):
        frame = source.grab()
    assert seen(frame)[1] == 120
    assert frame.note.startswith("the folder frames has no further pictures; the last one stays")
    draw(folder / "frame_11.png", 160)
    draw(folder / "frame_12.png", 200)
    more = [source.grab() for _ in range(3)]
    levels = [seen(frame)[1] for frame in more if not frame.note or seen(frame)[1] > 120]
    assert levels[:2] == [160, 200]
    assert more[-1].note


def test_slow_pictures_are_shown_again_meanwhile(folder, time):
    source = Folder(folder, 0.8, time, time.wait)
    shown = [seen(source.grab()) for _ in range(4)]
    assert shown == [(0.0, 40), (0.5, 40), (1.0, 40), (1.25, 80)]


def test_a_broken_picture_is_passed_over(folder, time, caplog):
    (folder / "frame_2.png").write_bytes(b"no picture")
    source = Folder(folder, 10, time, time.wait)
    assert [seen(source.grab()) for _ in range(2)] == [(0.0, 40), (0.1, 120)]
    assert "frame_2.png is not a picture" in caplog.text


def test_a_picture_still_being_written_is_waited_for(folder, time, caplog):
    caplog.set_level(logging.WARNING)
    newest = folder / "frame_11.png"
    newest.write_bytes(b"half a pict")
    source = Folder(folder, 10, time, time.wait)
    levels = [seen(source.grab())[1] for _ in range(4)]
    assert levels == [40, 80, 120, 120]
    draw(newest, 200)
    assert seen(source.grab())[1] == 200
    assert not caplog.records


def test_a_last_picture_that_stays_broken_is_given_up(folder, time, caplog):
    (folder / "frame_11.png").write_bytes(b"half a pict")
    source = Folder(folder, 10, time, time.wait)
    while not (frame := source.grab()).note:
        assert time.now < 110
    assert seen(frame)[1] == 120
    assert frame.time - 100 > WRITING_SECONDS
    assert caplog.text.count("passed over") == 1


def test_an_empty_folder_and_one_of_rubbish_are_told(tmp_path, time):
    with pytest.raises(DeviceError, match=r"no pictures in .*: expected numbered JPEG or PNG"):
        Folder(tmp_path, 10, time, time.wait)
    (tmp_path / "1.png").write_bytes(b"x")
    (tmp_path / "2.png").write_bytes(b"x")
    source = Folder(tmp_path, 10, time, time.wait)
    with pytest.raises(DeviceError, match=r"none of the pictures in .* can be read"):
        source.grab()


def test_a_folder_that_is_taken_away_is_told(folder, time):
    source = Folder(folder, 10, time, time.wait)
    while not source.grab().note:
        assert time.now < 110
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    source.grab()
    with pytest.raises(DeviceError, match=r"cannot read the folder .*frames: No such file"):
        source.grab()


def shown(reel: Reel) -> list[tuple[int, float, float]]:
    """Return the number of each frame shown, the time by the reel, and that of the frame."""
    return [(number, round(reel.clock(), 3), reel.read().time) for number in reel]


@pytest.mark.parametrize(
    ("stays", "after"),
    [(0.0, [0.0]), (0.3, [0.0, 0.2]), (0.8, [0.0, 0.2]), (9.0, [0.0, *AGAIN_SECONDS])],
)
def test_a_reel_shows_a_frame_again_while_it_stays_and_is_new(stays, after):
    picture = np.zeros((8, 8, 3), np.uint8)
    frames = [Frame(10.0, picture), Frame(20.0, picture)]
    both = [(number, 10.0 * (number + 1)) for number in (0, 1)]
    wanted = [(number, round(time + more, 3), time) for number, time in both for more in after]
    assert shown(Reel(frames, stays)) == wanted
    assert max(after) < STALE_SECONDS


def test_a_reel_that_has_not_begun_shows_nothing():
    reel = Reel([], 2.0)
    assert (reel.read(), reel.clock(), shown(reel)) == (None, 0.0, [])
    reel.close()
