"""The service with each kind of camera: the start of a game is seen through all of them."""

import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion import config
from companion.referee.verdict import Kind
from companion.sensing.camera import grabber, usb
from companion.sensing.camera.frame import Picture
from companion.sensing.camera.sharpness import ENOUGH
from companion.service.app import App
from companion.sim.room import Room, Setting
from tests.acting import position_of
from tests.sensing.camera.pi_cameras import Picamera2
from tests.sensing.studio import BOARD
from tests.waiting import wait_for

Start = Callable[[str], App]


@pytest.fixture(scope="module")
def picture() -> Picture:
    """The board as a game of Quoridor begins."""
    studio = Room(BOARD, Setting("daylight", 6))
    studio.table.set_up(position_of("quoridor"))
    return studio.shoot().picture


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start services, each with a settings file that names a camera and nothing else."""
    monkeypatch.setattr(grabber, "RETRY_SECONDS", 0.02)
    apps: list[App] = []

    def run(source: str) -> App:
        file = tmp_path / "companion.toml"
        file.write_text(
            f"camera = {{ source = {source} }}\n"
            "web = { host = '127.0.0.1', port = 0 }\n"
            f"store.path = '{tmp_path / 'data' / 'journal.db'}'\n"
        )
        apps.append(App(config.load(file), simulate=False))
        apps[-1].start()
        return apps[-1]

    yield run
    for app in apps:
        app.close()


def sees_the_start(app: App) -> bool:
    """Tell whether the camera shows the board, and the board is as the game has it."""
    return app.loop.table.is_as_agreed and app.loop.snapshot.verdict.kind is Kind.WAITING


def camera_text(app: App) -> str:
    return next(view.text for view in app.loop.snapshot.devices if view.name == "camera")


def test_a_folder_of_frames_even_one_that_is_made_later(start, picture, tmp_path):
    folder = tmp_path / "frames"
    app = start(f"'{folder}'")
    wait_for(lambda: camera_text(app).startswith("No such folder or video"))
    assert app.health()["devices"]["camera"] == "trouble"
    folder.mkdir()
    wait_for(lambda: camera_text(app).startswith("No pictures in"))
    cv2.imwrite(str(tmp_path / "1.jpg"), picture)
    (tmp_path / "1.jpg").rename(folder / "1.jpg")  # whole at once, or half of it might be read
    wait_for(lambda: sees_the_start(app))
    wait_for(lambda: "has no further pictures" in camera_text(app))
    assert app.health()["devices"]["camera"] == "off"
    assert app.picture() is not None


def test_a_video(start, picture, tmp_path):
    film = tmp_path / "film.avi"
    height, width = picture.shape[:2]
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 30, (width, height))
    for _ in range(3):
        writer.write(picture)
    writer.release()
    app = start(f"'{film}'")
    wait_for(lambda: sees_the_start(app))
    wait_for(lambda: "film.avi has ended" in camera_text(app))


def test_a_stream(start, picture):
    levels = [cv2.add(picture, np.full_like(picture, level)) for level in (0, 1)]
    jpegs = cycle([cv2.imencode(".jpg", each)[1].tobytes() for each in levels])
    ended = threading.Event()

    class Station(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=x")
            self.end_headers()
            while not ended.wait(0.05):
                jpeg = next(jpegs)
                head = f"--x\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                try:
                    self.wfile.write(head.encode() + jpeg + b"\r\n")
                except OSError:
                    return

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Station) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            app = start(f"'http://127.0.0.1:{server.server_port}/'")
            wait_for(lambda: sees_the_start(app))
            assert camera_text(app) == "The camera sees the board."
            app.close()
        finally:
            ended.set()
            server.shutdown()
            thread.join()


class Noisy:
    """The picture, never twice the same, as a real camera has it."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._rng = np.random.default_rng(1)
        self._pace = threading.Event()

    def next(self) -> Picture:
        self._pace.wait(0.03)
        noise = self._rng.integers(0, 2, self._picture.shape, np.uint8)
        return np.asarray(cv2.add(self._picture, noise), np.uint8)


def test_a_usb_camera_that_is_unplugged_and_comes_back(start, picture, monkeypatch):
    plugged = threading.Event()
    noisy = Noisy(picture)

    class Unit:
        def __init__(self, number: int) -> None:
            assert number == 0

        def isOpened(self) -> bool:
            return plugged.is_set()

        def set(self, key: int, value: float) -> bool:
            return True

        def read(self) -> tuple[bool, object]:
            return plugged.is_set(), noisy.next()

        def release(self) -> None:
            """Nothing is held."""

    monkeypatch.setattr(usb.cv2, "VideoCapture", Unit)
    app = start("0")
    wait_for(lambda: camera_text(app).startswith("The camera 0 cannot be opened: is it plugged"))
    plugged.set()
    wait_for(lambda: sees_the_start(app))
    plugged.clear()
    wait_for(lambda: camera_text(app).startswith("The camera 0 cannot be opened"))
    plugged.set()
    wait_for(lambda: camera_text(app) == "The camera sees the board.")


def test_the_camera_of_a_pi(start, picture, monkeypatch):
    noisy = Noisy(picture)

    class Sees(Picamera2):
        made: list[Picamera2] = []  # noqa: RUF012 (one for this test)

        def capture_arrays(self, names: list[str], wait: float) -> tuple[list[object], Any]:
            _, said = super().capture_arrays(names, wait)
            return [noisy.next()], said

    monkeypatch.setitem(sys.modules, "picamera2", None)
    app = start("'pi'")
    wait_for(lambda: "sudo apt install python3-picamera2" in camera_text(app))
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Sees))
    wait_for(lambda: sees_the_start(app))
    assert camera_text(app) == "The camera sees the board."
    told = "Its lens has focused at 490 mm and stays there."
    wait_for(lambda: told in app.first_run.view()["steps"][0]["text"])
    sharp = app.first_run.view()["sharpness"]
    assert sharp["percent"] > 90 > sharp["enough"] == ENOUGH
