"""Setting a table up through the loop: each step on the devices there are, and what is kept."""

import json
from dataclasses import replace

import pytest

from companion.__main__ import main
from companion.board import DeviceView
from companion.boards import profile
from companion.commands import play
from companion.config import (
    CameraSettings,
    HallSettings,
    LightSettings,
    Settings,
    StoreSettings,
    WebSettings,
)
from companion.errors import CompanionError, DeviceError
from companion.referee.verdict import Kind
from companion.sensing.hall.measure import LEAST_SCANS
from companion.sensing.vision.quality import SOFT
from companion.service.app import App
from companion.service.loop import BEING_SET_UP
from companion.service.requests import (
    MarkStep,
    MeasurePiece,
    OpenStep,
    Refocus,
    TakeBaseline,
    TryLights,
)
from companion.setup import diagnosis
from companion.sim.stress import parse
from tests.waiting import wait_for

BOARD = profile.load("reference")


@pytest.fixture
def settings(tmp_path):
    """Return settings of a table with a hall grid and lights, and without a camera."""
    return Settings(
        camera=CameraSettings(source="none"),
        hall=HallSettings(port="sim"),
        lights=LightSettings(driver="sim"),
        web=WebSettings(host="127.0.0.1", port=0),
        store=StoreSettings(tmp_path / "journal.db"),
    )


@pytest.fixture
def start(settings):
    apps = []

    def open_app(wanted=settings, stresses=()):
        app = App(wanted, simulate=True, firmware="stand-in", stresses=stresses)
        apps.append(app)
        app.start()
        if app.hall:
            wait_for(lambda: app.senses.touch.noted >= LEAST_SCANS)
        return app

    yield open_app
    for app in apps:
        app.close()


@pytest.fixture
def app(start):
    return start()


def ask(app, command):
    return app.loop.post(command).result(timeout=5)


def steps(app):
    return {step["name"]: step for step in app.first_run.view()["steps"]}


def states(app):
    return {name: step["state"] for name, step in steps(app).items()}


def show(app, position):
    """Put this on the board and wait until the grid has felt enough of it."""
    app.sim.table.set_up(position)
    touch = app.senses.touch
    before = touch.noted
    wait_for(lambda: touch.noted > before + 2 * LEAST_SCANS)


def test_a_fresh_table_needs_somebody_for_what_it_has_and_is_honest_about_the_rest(app):
    assert states(app) == {
        "camera": "not attached",
        "corners": "not attached",
        "sensors": "needs you",
        "pieces": "needs you",
        "lights": "needs you",
    }
    assert "camera.source" in steps(app)["camera"]["text"]
    assert not app.first_run.is_finished


def see_all_lights(app):
    """Look at every trial of the lights, and find each of them right."""
    before = ""
    for name in [*app.first_run._trials, ""]:
        ask(app, TryLights(name, right=before))
        before = name


def test_a_step_is_done_only_when_it_is(app):
    for step, says in [
        ("camera", "camera.source"),
        ("sensors", "rest values were never measured"),
        ("pieces", "Not measured yet: Pac-Man, Blinky, .* and Clyde"),
        ("lights", "Try the lights"),
    ]:
        with pytest.raises(CompanionError, match=f"{says}.* Or skip this step"):
            ask(app, MarkStep(step, "done"))
    assert app.calibration.steps() == {}
    assert "done" not in states(app).values()
    assert "Pac-Man" in steps(app)["pieces"]["left"]


def test_lights_of_which_one_looked_wrong_are_not_done(app):
    names = [*app.first_run._trials]
    ask(app, TryLights(names[0]))
    ask(app, TryLights(names[1], right=names[0]))
    ask(app, TryLights(""))  # no, it does not
    ask(app, TryLights(names[-1]))
    ask(app, TryLights("", right=names[-1]))
    with pytest.raises(CompanionError, match="Try the lights"):
        ask(app, MarkStep("lights", "done"))


def test_a_mark_without_what_it_stands_for_does_not_count(app, start):
    app.calibration.keep_steps({"pieces": "done", "lights": "skipped", "sensors": "skipped"})
    app.close()
    again = start()
    assert states(again)["pieces"] == "needs you"


@pytest.mark.parametrize("stress", ["", "blur:4"])
def test_the_camera_step_tells_how_sharp_the_picture_is_and_when_it_is_soft(
    start, settings, stress
):
    wanted = replace(settings, camera=CameraSettings(source="sim"), hall=HallSettings(port="none"))
    app = start(wanted, [parse(stress)] if stress else [])
    wait_for(lambda: steps(app)["camera"]["ready"])
    sharp = app.first_run.view()["sharpness"]
    assert (sharp["percent"] < sharp["enough"]) == bool(stress)
    assert (steps(app)["camera"]["todo"] == SOFT) == bool(stress)
    assert ask(app, Refocus()) == "The camera is opened anew, and focuses if its lens can."


def test_without_a_camera_there_is_nothing_to_focus(app):
    assert app.first_run.view()["sharpness"] is None
    with pytest.raises(DeviceError, match="turn its lens by hand"):
        ask(app, Refocus())


def test_what_was_done_or_skipped_is_kept(app, start, settings):
    assert app.first_run.view()["open"] == "3 steps are open"
    ask(app, MarkStep("sensors", "skipped"))
    ask(app, MarkStep("pieces", "skipped"))
    assert not app.first_run.is_finished
    assert app.first_run.view()["open"] == "One step is open"
    see_all_lights(app)
    ask(app, MarkStep("lights", "done"))
    assert app.first_run.is_finished
    assert app.first_run.view()["open"] == ""
    app.close()
    again = start()
    assert again.first_run.is_finished
    assert states(again)["pieces"] == "skipped"
    ask(again, MarkStep("pieces", "open"))
    assert states(again)["pieces"] == "needs you"
    assert not again.first_run.is_finished
    again.close()
    more = start(replace(settings, lights=LightSettings(driver="none")))
    assert states(more)["lights"] == "not attached"


def test_all_that_is_left_can_be_skipped_at_once(app):
    see_all_lights(app)
    ask(app, MarkStep("lights", "done"))
    ask(app, MarkStep("all", "skipped"))
    assert app.first_run.is_finished
    marks = app.calibration.steps()
    assert marks == {"lights": "done", "sensors": "skipped", "pieces": "skipped"}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (MarkStep("kitchen", "done"), "expected one of camera"),
        (MarkStep("lights", "broken"), "expected done, skipped or open"),
        (OpenStep("kitchen"), "expected one of camera"),
        (MeasurePiece("queen"), "expected one of pacman"),
        (TryLights("disco"), "expected one of red"),
    ],
)
def test_what_there_is_not_is_refused(app, command, says):
    with pytest.raises(CompanionError, match=says):
        ask(app, command)


def test_rest_values_are_measured_on_an_empty_board_only(app):
    assert "never measured" in steps(app)["sensors"]["todo"]
    show(app, {"c7": "pacman", "e1": "clyde"})
    with pytest.raises(DeviceError, match="felt on c7, e1: take everything off"):
        ask(app, TakeBaseline())
    show(app, {})
    assert "leave the board alone" in ask(app, TakeBaseline())
    wait_for(lambda: app.first_run.view()["sensors"]["baseline"] == "done")
    view = app.first_run.view()
    assert view["sensors"]["rest"] is True
    assert max(map(abs, view["sensors"]["offsets"].values())) < 50
    assert steps(app)["sensors"]["todo"] == ""
    ask(app, MarkStep("sensors", "done"))
    assert states(app)["sensors"] == "done"


def test_who_is_sure_that_the_board_is_empty_is_believed(app):
    show(app, {"c7": "pacman"})
    ask(app, TakeBaseline(sure=True))
    wait_for(lambda: app.first_run.view()["sensors"]["baseline"] == "done")


def test_sensors_that_are_not_believed_are_named(app):
    app.faults.start("dead-sensor:e5")
    wait_for(lambda: "e5" in app.first_run.view()["sensors"]["ill"])
    step = steps(app)["sensors"]
    assert step["ready"] is False
    assert "e5" in step["text"]
    assert step["todo"] == "Check their wires."


def test_a_piece_that_is_shown_is_measured_kept_and_gone_by(app, start):
    show(app, {"c7": "pacman"})
    assert ask(app, MeasurePiece("pacman")).startswith("Pac-Man reads +")
    measured = app.first_run.view()["pieces"]["pacman"]["measured"]
    assert measured == pytest.approx(BOARD.pieces["pacman"].magnet, rel=0.1)
    assert app.calibration.magnets() == {"pacman": measured}
    assert "1 of 5 pieces is measured" in steps(app)["pieces"]["text"]
    app.close()
    assert start().first_run.view()["pieces"]["pacman"]["measured"] == measured


def test_a_piece_that_is_rather_another_is_doubted(app):
    show(app, {"c7": "pacman"})
    assert "the other way up" in ask(app, MeasurePiece("blinky"))
    show(app, {"c7": "pinky"})
    assert "rather the strength of Pinky" in ask(app, MeasurePiece("pacman"))


def test_more_than_one_piece_is_refused_with_what_to_do(app):
    show(app, {"c7": "pacman", "e1": "blinky"})
    with pytest.raises(DeviceError, match="leave one piece on the board"):
        ask(app, MeasurePiece("pacman"))
    assert app.calibration.magnets() == {}


def test_the_referee_waits_while_pieces_are_shown(app):
    wait_for(lambda: app.loop.snapshot.verdict.text)
    ask(app, OpenStep("pieces"))
    wait_for(lambda: app.loop.snapshot.setting_up)
    assert DeviceView("set-up", "off", BEING_SET_UP) in app.loop.snapshot.devices
    before = app.loop.snapshot.verdict
    show(app, {"e5": "pacman"})
    assert app.loop.snapshot.verdict == before
    ask(app, OpenStep("lights"))
    wait_for(lambda: not app.loop.snapshot.setting_up)
    wait_for(lambda: app.loop.snapshot.verdict.kind is Kind.SET_UP)
    assert app.loop.snapshot.moves == ()
    app.sim.table.set_up(app.loop.snapshot.position)
    wait_for(lambda: app.loop.snapshot.verdict.kind is Kind.WAITING)


def test_the_lights_are_tried_and_show_the_game_again(app):
    def shown():
        return set(app.sim.pixels.colours)

    assert ask(app, TryLights("red")) == "Is every light red?"
    wait_for(lambda: len(shown()) == 1 and all(r > 50 and g == b == 0 for r, g, b in shown()))
    assert app.first_run.view()["lights"]["showing"] == "red"
    ask(app, OpenStep("camera"))  # who goes to another step has seen enough
    wait_for(lambda: len(shown()) > 1)
    assert app.first_run.view()["lights"]["showing"] == ""


def test_without_devices_their_commands_say_how_to_name_them(start, settings):
    bare = start(
        replace(settings, hall=HallSettings(port="none"), lights=LightSettings(driver="none"))
    )
    assert set(states(bare).values()) == {"not attached"}
    assert bare.first_run.is_finished
    for command, key in [
        (TakeBaseline(), "hall.port"),
        (MeasurePiece("pacman"), "hall.port"),
        (TryLights("red"), "lights.driver"),
    ]:
        with pytest.raises(DeviceError, match=key):
            ask(bare, command)


def test_a_table_with_only_a_camera_is_set_up_by_looking(start, settings):
    camera = CameraSettings(source="sim", fps=5, size=(648, 486))
    none = HallSettings(port="none")
    app = start(replace(settings, camera=camera, hall=none, lights=LightSettings(driver="none")))
    wait_for(lambda: steps(app)["camera"]["ready"])
    found = states(app)
    assert found["camera"] == "needs you"
    assert found["corners"] == "done", "there are markers"
    assert "by their colours" in steps(app)["pieces"]["text"]
    text = "The simulated camera gives pictures of 648 × 486 and sees the board by its markers."
    assert steps(app)["camera"]["text"] == text
    ask(app, MarkStep("camera", "done"))
    assert app.first_run.is_finished
    app.faults.start("black-picture")
    wait_for(lambda: states(app)["camera"] == "needs you")
    assert app.first_run.is_finished, "it was done; the list of devices tells of the trouble"


def test_the_terminal_leads_there_until_it_is_finished(app, capsys):
    play._say(app, app.where(), told=True, qr=None)
    said = capsys.readouterr().out
    assert f"Set the table up:      http://127.0.0.1:{app._port}/start" in said
    assert "Only this machine can open it" in said
    ask(app, MarkStep("all", "skipped"))
    play._say(app, app.where(), told=True, qr=None)
    assert "/start" not in capsys.readouterr().out


def test_the_doctor_says_what_the_page_says(app, tmp_path, capsys):
    port = app._port
    file = tmp_path / "companion.toml"
    file.write_text(f"web.port = {port}\nstore.path = '{tmp_path / 'other.db'}'\n")
    wait_for(lambda: steps(app)["sensors"]["ready"])
    assert main(["doctor", "--config", str(file), "--json"]) == 0
    told = {each["what"]: each for each in json.loads(capsys.readouterr().out)["findings"]}
    for finding in app.first_run.view()["findings"]:
        assert told[finding["what"]] == finding
    assert told["hall grid"]["text"] == steps(app)["sensors"]["text"]


def test_a_device_that_is_not_in_the_settings_is_told_with_its_key():
    assert "lights.driver = " in diagnosis.not_asked_for(diagnosis.LIGHTS, None).text
    assert "Switched off" in diagnosis.not_asked_for(diagnosis.GRID, "none").text
    assert diagnosis.lights(BOARD, "spi", "no answer").text == "No answer."
