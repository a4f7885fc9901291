"""Sensors that lie are found out and left out, and a piece that is slid leaves a trail."""

import random
from dataclasses import replace

import pytest

from companion.sensing.fusion import HALL_SECONDS
from companion.sensing.hall.session import HallState
from companion.sensing.hall.trust import NOISY_AFTER, STUCK_AFTER, Trust, health, in_words
from companion.sensing.hall.wire import Lifted, Put
from tests.sensing.lab import PAWNS, START, Lab, believed
from tests.sensing.studio import BOARD

E4 = BOARD.hall.channels["e4"]
CLYDE = BOARD.pieces["clyde"].magnet


class Faulty(Lab):
    """A room in which some channels read what a test says."""

    def __init__(self, *, camera: bool = True) -> None:
        super().__init__(camera=camera, hall=True)
        self.wrong: dict[int, int] = {}
        self.events: tuple[Lifted | Put, ...] = ()
        self.rng = random.Random(1)

    def scan(self) -> None:
        super().scan()
        assert self.hall
        if self.hall.state is None or not getattr(self, "wrong", None):
            return
        values = list(self.hall.state.values)
        for channel, value in self.wrong.items():
            values[channel] = value + self.rng.randrange(-5, 6)
        self.hall.state = replace(self.hall.state, values=tuple(values))

    def live(self, seconds: float):
        """Let time pass with pictures and scans; return the last reading."""
        reading = None
        for _ in range(round(seconds / (1.5 * HALL_SECONDS))):
            self.now += 1.5 * HALL_SECONDS
            self.scan()
            if self.camera:
                self.shoot()
            reading = self.senses.read() or reading
        return reading


def test_a_sensor_that_does_not_feel_the_piece_the_camera_sees_is_left_out():
    room = Faulty()
    room.studio.table.set_up({"e4": "pacman", "e9": "blinky"})
    room.wrong[E4] = BOARD.hall.rest
    first = room.live(0.3)
    assert first.evidence["e4"]["pacman"] < 4, "the two contradict each other"
    later = room.live(2.0)
    assert later.evidence["e4"]["pacman"] > 6, "the camera alone is believed there"
    text = room.devices()["hall grid"].text
    assert text == (
        "Sensors that are not believed: e4 (does not feel Pac-Man)."
        " Check their wires and the magnets."
    )

    room.wrong.clear()
    healed = room.live(0.5)
    assert healed.evidence["e4"]["pacman"] > 8
    assert room.devices()["hall grid"].state == "ok"


def test_a_sensor_that_feels_a_piece_standing_elsewhere_is_left_out():
    room = Faulty()
    room.wrong[E4] = BOARD.hall.rest + BOARD.pieces["pacman"].magnet
    reading = room.live(2.0)
    assert believed(reading.evidence) == PAWNS
    assert "e4 (feels Pac-Man who is not there)" in room.devices()["hall grid"].text


def test_a_sensor_that_felt_what_was_not_there_is_believed_again_when_it_feels_nothing():
    room = Faulty()
    room.wrong[E4] = BOARD.hall.rest + BOARD.pieces["pacman"].magnet
    room.live(2.0)
    assert room.devices()["hall grid"].state == "trouble"
    room.wrong.clear()
    room.live(0.6)
    assert room.devices()["hall grid"].state == "trouble", "it may come back at once"
    room.live(1.2)
    assert room.devices()["hall grid"].state == "ok"


def test_a_sensor_that_feels_no_piece_where_the_camera_sees_nothing_is_left_out():
    room = Faulty()
    room.wrong[E4] = BOARD.hall.rest - 700
    room.live(2.0)
    assert "e4 (feels what is no piece)" in room.devices()["hall grid"].text
    room.wrong.clear()
    room.live(2.0)
    assert room.devices()["hall grid"].state == "ok"


def test_an_old_scan_is_not_held_against_what_the_camera_sees_now():
    room = Faulty()
    room.live(0.5)
    room.studio.table.set_up({"e2": "pacman", "e9": "blinky"})
    for _ in range(15):  # the grid has stopped sending, and nobody has noticed yet
        room.now += 1.5 * HALL_SECONDS
        room.shoot()
        reading = room.senses.read()
    assert room.devices()["hall grid"].state == "ok"
    assert believed(reading.evidence) == {"e2": "pacman", "e9": "blinky"}, "it is not believed"
    room.senses.learn({"e2": "pacman", "e9": "blinky"}, told=True)
    room.live(0.5)
    assert room.devices()["hall grid"].state == "ok"


def test_a_piece_held_over_its_square_does_not_spoil_the_trust_in_a_sensor():
    room = Faulty()
    table = room.studio.table
    table.lift("pacman")
    table.carry("pacman", *BOARD.at("e4"))
    room.live(2.0)
    assert room.devices()["hall grid"].state == "ok"


def test_without_a_camera_the_game_finds_the_sensor_out():
    room = Faulty(camera=False)
    room.wrong[E4] = BOARD.hall.rest + CLYDE
    room.live(0.5)
    for _ in range(2):
        room.senses.learn(PAWNS)
        assert room.devices()["hall grid"].state == "ok", "once or twice may be chance"
    room.senses.learn(PAWNS)
    assert "e4 (does not feel what stands there)" in room.devices()["hall grid"].text
    assert "e4" not in room.live(0.5).evidence


def test_without_a_camera_a_sensor_that_drifts_is_named_and_believed_again_after():
    room = Faulty(camera=False)
    for tenth in range(60):
        room.wrong[E4] = BOARD.hall.rest + 6 * tenth
        room.live(0.1)
    assert "e4 (channel" in room.devices()["hall grid"].text
    assert "drifts" in room.devices()["hall grid"].text
    assert "e4" not in room.live(0.1).evidence
    room.wrong.clear()
    assert "e4" in room.live(3.0).evidence
    assert room.devices()["hall grid"].state == "ok"


def test_people_are_believed_at_once():
    room = Faulty(camera=False)
    room.wrong[E4] = BOARD.hall.rest + CLYDE
    room.live(0.5)
    room.senses.learn(PAWNS, told=True)
    assert "e4" not in room.live(0.5).evidence


def test_a_sensor_that_jumps_about_is_named():
    rng = random.Random(3)
    calm = [[2048 + rng.randrange(-6, 7) for _ in range(81)] for _ in range(NOISY_AFTER)]
    assert health(calm, BOARD) == {}
    wild = [[*scan[:E4], 2048 + rng.randrange(-600, 600), *scan[E4 + 1 :]] for scan in calm]
    assert list(health(wild, BOARD)) == ["e4"]
    assert "jumps" in health(wild, BOARD)["e4"]


def test_a_piece_that_is_moved_is_no_noise():
    rng = random.Random(3)
    scans = [[2048 + rng.randrange(-6, 7) for _ in range(81)] for _ in range(STUCK_AFTER)]
    for number in range(10):
        scans[20 + number][E4] += 150 * number  # it is slid over the sensor
    assert health(scans, BOARD) == {}


def test_a_grid_that_sends_fewer_channels_than_before_is_no_fault_of_the_companion():
    trust = Trust(BOARD)
    trust.note(1.0, [2048] * 81)
    trust.note(1.1, [2048] * 80)
    assert list(trust.ill) == ["i9"]


@pytest.mark.parametrize(
    ("squares", "text"),
    [
        (["c3"], "c3 (x)"),
        ([f"{c}3" for c in "abcdefghi"], "all of row 3"),
        ([f"b{r}" for r in range(1, 10)], "all of column b"),
        ([f"a{r}" for r in range(1, 7)], "a1 (x), a2 (x), a3 (x), a4 (x), 2 more"),
    ],
)
def test_ill_sensors_are_told_in_few_words(squares, text):
    assert in_words(dict.fromkeys(squares, "x"), BOARD) == f"Sensors that are not believed: {text}."


def test_a_piece_that_is_slid_leaves_a_trail_until_the_next_lesson():
    room = Lab(camera=False, hall=True)
    room.senses.read()
    room.senses.learn(START)
    channels = BOARD.hall.channels
    events = (
        Lifted(1, 0, channels["e1"], 2048),
        Put(2, 0, channels["e2"], 2500),
        Lifted(3, 0, channels["e2"], 2048),
        Put(4, 0, channels["e3"], 2500),
        Lifted(5, 0, channels["e3"], 2048),
        Put(6, 0, channels["e2"], 3900),
    )
    assert room.hall
    assert room.hall.state
    room.hall.state = HallState(room.now + 1, room.hall.state.values, None, events)
    room.now += 1
    assert room.senses.read().trails == {"pacman": ("e1", "e2", "e3", "e2")}
    room.senses.learn({"e2": "pacman", "e9": "blinky"})
    room.hall.state = replace(room.hall.state, time=room.now + 1, events=())
    room.now += 1
    assert room.senses.read().trails == {}
