"""Cameras on USB and in the network: a real stream, served on this machine."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError
from companion.sensing.camera import grabber, usb
from companion.sensing.camera.grabber import Grabber
from companion.sensing.camera.sources import open_source
from companion.sensing.camera.usb import keep_quiet, open_stream, open_usb
from tests.waiting import wait_for

SIZE = (640, 480)
LEVELS = (60, 120, 180)


def jpeg(level: int) -> bytes:
    good, data = cv2.imencode(".jpg", np.full((SIZE[1], SIZE[0], 3), level, np.uint8))
    assert good
    return data.tobytes()


class Station(ThreadingHTTPServer):
    """An MJPEG camera in the network: a viewer gets three pictures, then whatever is said."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Viewer)
        self.viewers = 0
        self.stays = True  # silent, but connected
        self.leaving = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/video"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a viewer may leave whenever it likes."""


class Viewer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        station = self.server
        assert isinstance(station, Station)
        if self.path != "/video":
            self.send_error(404)
            return
        station.viewers += 1
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
        self.end_headers()
        for level in LEVELS:
            data = jpeg(level)
            head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")
        if station.stays:
            station.leaving.wait(20)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def station() -> Iterator[Station]:
    served = Station()
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.leaving.set()
    served.shutdown()
    thread.join()
    served.server_close()


def test_a_stream_is_read_picture_by_picture(station):
    ticks = iter(range(100))
    source = open_source(station.address, 15, SIZE, lambda: float(next(ticks)))
    frames = [source.grab() for _ in LEVELS]
    source.close()
    assert [frame.time for frame in frames] == [0, 1, 2]
    assert [round(float(frame.picture.mean())) for frame in frames] == list(LEVELS)
    assert {frame.picture.shape for frame in frames} == {(SIZE[1], SIZE[0], 3)}
    assert not any(frame.recorded for frame in frames)


def test_a_stream_that_falls_silent_is_given_up(station, monkeypatch, capfd):
    monkeypatch.setattr(usb, "PATIENCE_SECONDS", 0.3)
    source = open_stream(station.address, lambda: 0.0)
    for _ in LEVELS:
        source.grab()
    with pytest.raises(DeviceError, match=f"the stream {station.address} gives no more pictures"):
        source.grab()
    source.close()
    assert capfd.readouterr() == ("", "")


def test_a_stream_that_breaks_off_is_opened_again(station, monkeypatch):
    monkeypatch.setattr(grabber, "RETRY_SECONDS", 0.01)
    station.stays = False
    camera = Grabber(lambda: open_stream(station.address, lambda: 0.0))
    try:
        wait_for(lambda: station.viewers >= 3)
        assert wait_for(camera.read).picture.shape == (SIZE[1], SIZE[0], 3)
    finally:
        camera.close()


@pytest.mark.parametrize("path", ["nothing", "video"])
def test_a_stream_that_is_not_there_is_named_and_nothing_else_is_printed(station, path, capfd):
    address = station.address.replace("video", path)
    if path == "video":
        station.shutdown()
        station.server_close()
    with pytest.raises(DeviceError, match=f"the stream {address} cannot be opened: is the"):
        open_stream(address, lambda: 0.0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("device", ["97", "/dev/video97"])
def test_a_camera_that_is_not_there_is_named_and_nothing_else_is_printed(device, capfd):
    with pytest.raises(DeviceError, match=f"the camera {device} cannot be opened: is it plugged"):
        open_source(device, 15, SIZE, lambda: 0.0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("place", ["cv2", "cv2.utils.logging", "nowhere"])
def test_every_opencv_is_kept_quiet_wherever_it_can_be_asked(place):
    levels: list[int] = []
    asked = SimpleNamespace(setLogLevel=levels.append)
    library = {
        "cv2": SimpleNamespace(setLogLevel=levels.append, utils=SimpleNamespace()),
        "cv2.utils.logging": SimpleNamespace(utils=SimpleNamespace(logging=asked)),
        "nowhere": SimpleNamespace(utils=SimpleNamespace()),
    }[place]
    keep_quiet(library)
    assert levels == ([] if place == "nowhere" else [0])


class Unit:
    """Stands in for a USB camera as OpenCV shows it."""

    def __init__(self, *how: object) -> None:
        self.how = how
        self.asked: dict[int, float] = {}
        self.pictures = 1
        self.released = False

    def isOpened(self) -> bool:
        return True

    def set(self, key: int, value: float) -> bool:
        self.asked[key] = value
        return False

    def read(self) -> tuple[bool, object]:
        self.pictures -= 1
        return self.pictures >= 0, np.zeros((48, 64, 3), np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.mark.parametrize(
    ("device", "how"), [("0", (0,)), ("/dev/video0", ("/dev/video0", cv2.CAP_V4L2))]
)
def test_a_usb_camera_is_asked_for_size_and_pace_and_told_lost(device, how, monkeypatch):
    units: list[Unit] = []

    def plug(*how: object) -> Unit:
        units.append(Unit(*how))
        return units[-1]

    monkeypatch.setattr(usb.cv2, "VideoCapture", plug)
    camera = open_usb(device, 10, SIZE, lambda: 5.0)
    (unit,) = units
    assert unit.how == how
    asked = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS)
    assert [unit.asked[key] for key in asked] == [640, 480, 10]
    assert camera.grab().time == 5.0
    with pytest.raises(DeviceError, match=f"the camera {device} gives no more pictures"):
        camera.grab()
    camera.close()
    assert unit.released
