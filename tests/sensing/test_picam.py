"""The Pi's camera, with a stand-in for its library, which only a Pi has."""

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.errors import DeviceError
from companion.sensing.picam import PATIENCE_SECONDS, PiCamera
from companion.sensing.sources import open_source

SIZE = (1296, 972)


class Picamera2:
    """Behaves as picamera2's class of this name, as far as it is used."""

    attached = True
    fails_at = ""
    made: list["Picamera2"]

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": 0}] if cls.attached else []

    def __init__(self) -> None:
        self.did: list[str] = []
        self.made.append(self)
        self.step("open")

    def step(self, name: str) -> None:
        self.did.append(name)
        if self.fails_at == name:
            raise RuntimeError("Failed to acquire camera")

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, wanted: dict[str, Any]) -> None:
        self.wanted = wanted
        self.step("configure")

    def start(self) -> None:
        self.step("start")

    def capture_array(self, name: str, wait: float) -> object:
        assert (name, wait) == ("main", PATIENCE_SECONDS)
        self.step("capture")
        width, height = self.wanted["main"]["size"]
        return np.full((height, width, 3), (200, 100, 50), np.uint8)

    def close(self) -> None:
        self.did.append("close")


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    class Fresh(Picamera2):
        made: list[Picamera2] = []  # noqa: RUF012 (a new one for each test)

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Fresh))
    return Fresh


def test_it_is_asked_for_size_pace_and_the_order_of_colours_that_opencv_has(library):
    camera = open_source("pi", 12, SIZE, lambda: 7.0)
    (device,) = library.made
    assert device.wanted["main"] == {"size": SIZE, "format": "RGB888"}
    assert device.wanted["controls"] == {"FrameRate": 12}
    frame = camera.grab()
    assert (frame.time, frame.recorded) == (7.0, False)
    assert frame.picture.shape == (972, 1296, 3)
    assert tuple(frame.picture[0, 0]) == (200, 100, 50)
    camera.close()
    assert device.did == ["open", "configure", "start", "capture", "close"]


def test_without_the_library_its_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="sudo apt install python3-picamera2"):
        PiCamera(15, SIZE, lambda: 0.0)


def test_a_camera_that_is_not_attached_is_said_so(library):
    library.attached = False
    with pytest.raises(DeviceError, match="no Pi camera is attached: check its ribbon cable"):
        PiCamera(15, SIZE, lambda: 0.0)
    assert not library.made


@pytest.mark.parametrize("step", ["open", "configure", "start"])
def test_a_camera_that_does_not_start_is_let_go_and_told(library, step):
    library.fails_at = step
    with pytest.raises(DeviceError, match=r"did not start .Failed to acquire camera.: is another"):
        PiCamera(15, SIZE, lambda: 0.0)
    assert (library.made[0].did[-1] == "close") == (step != "open")


def test_a_camera_that_stops_is_told(library):
    camera = PiCamera(15, SIZE, lambda: 0.0)
    library.fails_at = "capture"
    with pytest.raises(DeviceError, match="the Pi camera has stopped sending pictures: check its"):
        camera.grab()
