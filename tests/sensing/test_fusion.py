"""Camera and hall grid together, alone, and one of them lost."""

import pytest

from companion.board import DeviceView, add_evidence
from companion.errors import DeviceError
from companion.sensing.camera.lookout import STALE_SECONDS
from companion.sensing.corners import Corners
from companion.sensing.fusion import HALL_SECONDS
from companion.sensing.hall.session import HallState
from companion.sensing.hall.trust import STUCK_AFTER
from tests.sensing.lab import BARE, PAWNS, START, Lab, believed
from tests.sensing.studio import BOARD


def test_the_camera_alone_sees_pawns_and_fences():
    room = Lab(camera=True, hall=False)
    assert dict(room.senses.read().evidence) == {}, "no picture yet"
    room.shoot()
    reading = room.senses.read()
    assert believed(reading.evidence) == PAWNS
    assert all(reading.evidence[patch]["fence"] > 0 for patch in ("c3n", "c3x", "d3n"))
    assert room.senses.read() is None, "a picture makes one reading"
    assert set(room.devices()) == {"camera"}
    assert room.devices()["camera"].state == "ok"


def test_the_hall_grid_alone_feels_pawns_and_is_silent_about_fences():
    room = Lab(camera=False, hall=True)
    reading = room.senses.read()
    assert believed(reading.evidence) == PAWNS
    assert not any(place[2:] for place in reading.evidence)
    assert reading.covered == frozenset()
    assert room.senses.read() is None, "not faster than its pace"
    room.now += 1.5 * HALL_SECONDS
    assert room.senses.read() is not None
    assert set(room.devices()) == {"hall grid"}
    room.senses.learn(START)  # nothing to learn from, and no harm
    assert room.senses.frame is None


def test_what_both_say_adds_up():
    seeing, feeling = Lab(camera=True, hall=False), Lab(camera=False, hall=True)
    both = Lab(camera=True, hall=True)
    assert both.camera
    seeing.shoot()
    assert seeing.camera
    assert seeing.camera.next
    both.camera.next = seeing.camera.next
    seen, felt = seeing.senses.read(), feeling.senses.read()
    together = both.senses.read()
    wanted = add_evidence((seen.evidence, felt.evidence))
    for spot in PAWNS:
        assert together.evidence[spot] == pytest.approx(dict(wanted[spot]))
    assert together.evidence["e1"]["pacman"] > seen.evidence["e1"]["pacman"]


def test_without_any_sensor_nothing_is_claimed():
    room = Lab(camera=False, hall=False)
    reading = room.senses.read()
    assert dict(reading.evidence) == {}
    assert room.senses.devices() == ()


def test_a_camera_that_stalls_is_reported_and_the_hall_grid_takes_over():
    room = Lab(camera=True, hall=True)
    room.shoot()
    assert room.senses.read() is not None
    room.now += STALE_SECONDS / 2
    assert room.senses.read() is None, "a late picture is still waited for"
    assert room.devices()["camera"].state == "ok"

    room.now += STALE_SECONDS
    room.studio.table.set_up({"e2": "pacman", "e9": "blinky", "c3h": "fence"})
    room.scan()
    assert room.devices()["camera"].state == "trouble"
    reading = room.senses.read()
    assert believed(reading.evidence) == {"e2": "pacman", "e9": "blinky"}
    assert not any(place[2:] for place in reading.evidence), "an old picture is not believed"
    room.senses.learn(START)  # an old picture teaches nothing

    room.shoot()
    reading = room.senses.read()
    assert room.devices()["camera"].state == "ok"
    assert reading.evidence["c3x"]["fence"] > 0


def test_nothing_is_learned_from_a_picture_of_another_position():
    room = Lab(camera=True, hall=True)
    for _ in range(2):
        room.shoot()  # still shows e9, while the game and the grid have it on e8 already
        room.senses.read()
        room.senses.learn({"e1": "pacman", "e8": "blinky", "c3h": "fence"})
        room.now += 0.1
    room.shoot()
    assert believed(room.senses.read().evidence) == PAWNS
    room.senses.learn(START)
    room.now += 0.1
    room.shoot()
    assert believed(room.senses.read().evidence) == PAWNS


def test_picture_that_took_too_long_shows_the_past():
    room = Lab(camera=True, hall=True)
    room.shoot()
    room.now += 2 * STALE_SECONDS
    room.scan()
    reading = room.senses.read()
    assert not any(place[2:] for place in reading.evidence), "only the grid speaks"
    room.shoot()
    assert room.senses.read().evidence["c3x"]["fence"] > 0


def test_why_there_is_no_picture_is_told():
    room = Lab(camera=True, hall=False)
    assert room.camera
    text = "The camera gives no pictures: is it plugged in, and does nothing else use it?"
    assert room.devices()["camera"] == DeviceView("camera", "trouble", text)
    room.camera.trouble = "the camera 9 cannot be opened"
    assert room.devices()["camera"].text == "The camera 9 cannot be opened."


def test_a_picture_without_the_board_is_trouble_and_the_hall_grid_is_believed():
    room = Lab(camera=True, hall=True)
    assert room.camera
    room.show(BARE)
    reading = room.senses.read()
    assert believed(reading.evidence) == PAWNS
    view = room.devices()["camera"]
    assert view.state == "trouble"
    assert view.text == (
        "No board in view: expected 4 markers on its frame, saw none;"
        " turn the camera so that the whole board with its frame is in the picture."
    )


GIVEN = Corners.checked([[300, 800], [950, 810], [930, 200], [320, 190]], 1296, 972)
OTHER = Corners.checked([[310, 790], [940, 800], [920, 210], [330, 200]], 1296, 972)


def test_a_board_without_markers_is_looked_for_by_the_corners_that_were_kept():
    room = Lab(camera=True, hall=False, corners=GIVEN)
    room.show(BARE)
    room.senses.read()
    assert room.senses.lookout.corners == GIVEN
    assert room.senses.outline["given"]
    assert room.senses.outline["corners"] == [list(point) for point in GIVEN.points]


def test_corners_can_be_given_and_taken_away_while_it_runs():
    room = Lab(camera=True, hall=False)
    room.show(BARE)
    room.senses.read()
    assert not room.senses.outline["given"]
    for corners in (OTHER, None):
        room.senses.use_corners(corners)
        assert room.senses.lookout.corners == corners
        assert room.senses.outline["given"] == (corners is not None)


def test_corners_without_a_camera_are_refused():
    with pytest.raises(DeviceError, match="there is no camera"):
        Lab(camera=False, hall=True).senses.use_corners(GIVEN)


def test_a_silent_hall_grid_says_nothing_and_its_link_is_quoted():
    room = Lab(camera=False, hall=True)
    assert room.hall
    room.hall.state = None
    room.hall.status = DeviceView("hall grid", "trouble", "No hall grid found. Plug the Pico in.")
    assert dict(room.senses.read().evidence) == {}
    assert room.devices()["hall grid"] is room.hall.status


def test_a_sensor_that_is_stuck_is_named_and_not_believed():
    room = Lab(camera=False, hall=True)
    assert room.hall
    stuck = BOARD.hall.channels["e1"]
    for _ in range(STUCK_AFTER + 1):
        room.now += 1.5 * HALL_SECONDS
        room.scan()
        assert room.hall.state
        values = list(room.hall.state.values)
        values[stuck] = 2000
        room.hall.state = HallState(room.now, tuple(values))
        reading = room.senses.read()
    assert not reading.evidence.get("e1")
    view = room.devices()["hall grid"]
    assert view.state == "trouble"
    assert "e1" in view.text


def test_closing_lets_go_of_both():
    room = Lab(camera=True, hall=True)
    assert room.camera
    assert room.hall
    room.senses.close()
    assert (room.camera.closed, room.hall.closed) == (1, 1)
