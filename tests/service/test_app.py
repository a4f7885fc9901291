"""The wiring: which devices are used, what happens when one fails, and what is kept."""

import http.client
from dataclasses import replace

import pytest

from companion.board import DeviceView
from companion.boards.files import FOLDER
from companion.commands import play
from companion.config import (
    BoardSettings,
    CameraSettings,
    HallSettings,
    LightSettings,
    RecordSettings,
)
from companion.errors import ConfigError, DeviceError, JournalError
from companion.sensing.corners import Corners
from companion.sensing.hall import wire
from companion.sensing.hall.link import HallLink
from companion.service.app import App
from companion.service.requests import EnterMove, UseCorners
from companion.store.recordings import Recordings, read_game, read_lines, serial_bytes
from tests.waiting import wait_for


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("companion.fritz.box", 200), ("evil.example", 403), ("0.0.0.0", 403)],
)
def test_the_page_answers_under_the_names_of_the_settings(open_app, quiet, host, status):
    web = replace(quiet.web, names=("companion.fritz.box",))
    server = open_app(replace(quiet, web=web)).start()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/healthz", headers={"Host": f"{host}:{server.port}"})
    assert connection.getresponse().status == status
    connection.close()


def test_lights_that_fail_are_reported_and_the_game_goes_on(open_app, monkeypatch):
    app = open_app()
    app.start()
    wait_for(lambda: app.health()["devices"].get("lights") == "ok")

    def broken() -> None:
        raise OSError("no answer on the bus")

    with monkeypatch.context() as wire:
        wire.setattr(app.sim.pixels, "show", broken)
        app.loop.post(EnterMove("e2")).result(timeout=5)
        wait_for(lambda: "no answer on the bus" in app.health()["trouble"].get("lights", ""))
        assert app.loop.snapshot.moves == ("e2",)
        app.loop.post(EnterMove("e8")).result(timeout=5)
    wait_for(lambda: app.health()["devices"]["lights"] == "ok")
    assert app.loop.snapshot.moves == ("e2", "e8")


def test_a_device_that_is_switched_off_is_neither_simulated_nor_missed(open_app):
    app = open_app()
    assert set(app.health()["devices"]) == {"lights", "journal"}
    assert app.picture() is None


def test_the_simulated_grid_says_what_plays_its_pico(open_app, quiet):
    app = open_app(replace(quiet, hall=HallSettings(port="sim")), firmware="stand-in")
    app.start()

    def said():
        texts = [view.text for view in app.loop.snapshot.devices if view.name == "hall grid"]
        return any("It is simulated, with a stand-in for the firmware." in text for text in texts)

    wait_for(said)


def test_a_simulated_device_beside_real_ones_is_refused(quiet):
    mixed = replace(quiet, hall=HallSettings(port="/dev/nope"))
    with pytest.raises(ConfigError, match=r'lights\.driver is "sim" beside real devices'):
        App(mixed, simulate=False)


def test_what_cannot_start_lets_go_of_everything(open_app, quiet):
    first = open_app()
    with pytest.raises(JournalError, match="in use"):
        App(quiet, simulate=True)
    first.close()
    open_app()  # the journal and the port are free again


def test_the_loop_tells_when_it_has_ended(open_app):
    app = open_app()
    app.start()
    assert not app.wait(0)
    wait_for(lambda: app.health()["ok"])
    app.loop.stop()
    assert app.wait(5)
    assert not app.health()["ok"]


def test_an_unfinished_game_goes_on_and_the_one_asked_for_is_not_forgotten(open_app, capsys):
    app = open_app()
    play._say_what_goes_on(app, "quoridor4")
    assert "unfinished game of quoridor goes on; --new begins quoridor4" in capsys.readouterr().out
    play._say_what_goes_on(app, "quoridor")
    play._say_what_goes_on(app, None)
    assert capsys.readouterr().out == ""


def test_the_simulated_table_is_set_up_as_the_game_stands(open_app):
    app = open_app()
    app.start()
    app.loop.post(EnterMove("c3h")).result(timeout=5)
    app.close()
    again = open_app()
    assert again.loop.snapshot.moves == ("c3h",)
    assert again.sim.table.truth() == again.loop.snapshot.position


def test_corners_are_kept_for_the_camera_and_used_at_the_next_start(open_app, quiet):
    settings = replace(quiet, camera=CameraSettings(source="sim", size=(648, 486)))
    corners = Corners.checked([[100, 400], [500, 410], [490, 80], [110, 90]], 648, 486)
    app = open_app(settings)
    app.start()
    wait_for(lambda: app.senses.outline is not None)
    assert app.loop.post(UseCorners(corners)).result(timeout=5).startswith("The corners are kept")
    assert app.calibration.corners("sim") == corners
    app.close()
    again = open_app(settings)
    again.start()
    wait_for(lambda: again.senses.outline is not None)
    assert again.senses.outline["given"]
    assert again.loop.post(UseCorners(None)).result(timeout=5) == (
        "The corners are forgotten, the markers count."
    )
    assert again.calibration.corners("sim") is None


def test_without_a_camera_corners_are_refused(open_app):
    app = open_app()
    app.start()
    answer = app.loop.post(UseCorners(None))
    with pytest.raises(DeviceError, match="there is no camera"):
        answer.result(timeout=5)


def test_a_camera_that_hangs_is_a_part_that_hangs_and_an_unplugged_one_is_not(open_app, quiet):
    unplugged = CameraSettings(source="/dev/no-such-camera")
    app = open_app(
        replace(quiet, camera=unplugged, lights=LightSettings(driver="none")), simulate=False
    )
    app.start()
    wait_for(lambda: "camera" in app.health()["trouble"])
    assert app.health()["stalled"] == []
    app._camera_pulse._patience = -1.0  # as if the driver had not come back for long
    assert app.stalled() == ("camera",)


def test_a_grid_that_is_well_and_sends_nothing_hangs(open_app, quiet, monkeypatch):
    app = open_app(replace(quiet, hall=HallSettings(port="sim")), firmware="stand-in")
    app.start()
    wait_for(lambda: app.health()["devices"].get("hall grid") == "ok")
    assert app.stalled() == ()
    monkeypatch.setattr(HallLink, "good_frames", 7)
    app._hall_growth._pulse._patience = 0.1
    assert wait_for(app.stalled) == ("hall grid",)


def test_a_journal_that_cannot_be_written_for_long_hangs_and_not_at_once(open_app):
    app = open_app()
    full = DeviceView("journal", "trouble", "It does not fit on the disk.")
    app.loop.snapshot = replace(app.loop.snapshot, devices=(full,))
    assert "journal" not in app.stalled()
    app._journal_growth._pulse._patience = 0.1
    wait_for(lambda: "journal" in app.stalled())


def test_a_loop_that_has_ended_is_a_part_that_hangs(open_app):
    app = open_app()
    app.start()
    app.loop.stop()
    assert app.wait(5)
    assert app.stalled() == ("loop",)


def test_a_recorded_game_has_what_camera_and_grid_gave_and_the_page_says_so(open_app, quiet):
    sensing = {"camera": CameraSettings(source="sim"), "hall": HallSettings(port="sim")}
    record = RecordSettings(on=True, least_free_mb=0)
    app = open_app(replace(quiet, **sensing, record=record), firmware="stand-in")
    app.start()
    assert app.health()["devices"]["recorder"] == "ok"
    recordings = Recordings.beside(quiet.store.path)
    wait_for(lambda: [kept for kept in recordings.all() if kept.pictures], 30)
    (box,) = recordings.paths()
    wait_for(lambda: len(read_lines(box / "serial.jsonl")) > 20)
    app.close()
    decoder = wire.Decoder()
    assert decoder.feed(b"".join(data for _, data in serial_bytes(box)))
    assert decoder.bad == 0


def test_a_board_of_ones_own_goes_into_the_recording(open_app, quiet, tmp_path):
    own = tmp_path / "mine.toml"
    own.write_bytes((FOLDER / "reference.toml").read_bytes())
    record = RecordSettings(on=True, least_free_mb=0)
    app = open_app(replace(quiet, board=BoardSettings(str(own)), record=record))
    app.start()
    recordings = Recordings.beside(quiet.store.path)
    wait_for(lambda: recordings.paths() and (recordings.paths()[0] / "game.json").exists())
    (box,) = recordings.paths()
    assert (box / "board.toml").read_bytes() == own.read_bytes()
    assert read_game(box).board == str(box / "board.toml")


def test_nothing_is_recorded_unless_it_is_asked_for(open_app, quiet):
    app = open_app()
    app.start()
    wait_for(lambda: app.health()["ok"])
    assert "recorder" not in app.health()["devices"]
    assert not Recordings.beside(quiet.store.path).folder.exists()
