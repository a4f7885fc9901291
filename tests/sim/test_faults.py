"""Things that break on the simulated table: each is named to the player, and heals."""

import random
from pathlib import Path

import numpy as np
import pytest

from companion.boards import profile
from companion.errors import DeviceError, OptionError
from companion.sensing.camera.frame import Frame
from companion.sensing.hall.link import HallLink
from companion.sim.faults import FAULTS, Faults, parse
from companion.sim.faults.line import LINE
from companion.sim.faults.pictures import PICTURES, FaultyCamera
from companion.sim.faults.sensors import SENSORS
from companion.sim.grid import SimGrid
from tests.sim.still import StillTable
from tests.waiting import wait_for

BOARD = profile.load("reference")
QUIET = [2048] * 81


def test_there_are_many_faults_and_each_is_described():
    assert len(FAULTS) >= 25
    assert all(fault.about and fault.device for fault in FAULTS.values())
    assert SENSORS.keys() | LINE.keys() | PICTURES.keys() <= FAULTS.keys()


@pytest.mark.parametrize(
    ("text", "spots"),
    [
        ("dead-sensor", ("e5",)),
        ("dead-sensor:a1", ("a1",)),
        ("open-row:3", tuple(f"{c}3" for c in "abcdefghi")),
        ("open-column:b", tuple(f"b{r}" for r in range(1, 10))),
        ("black-picture", ()),
    ],
)
def test_a_fault_is_named_with_its_place(text, spots):
    assert sorted(parse(text, BOARD).spots) == sorted(spots)


@pytest.mark.parametrize("text", ["fire", "dead-sensor:z9", "open-row:a", "black-picture:e5", ""])
def test_a_fault_that_there_is_not_is_refused(text):
    with pytest.raises(OptionError, match=r"expected|has no place"):
        parse(text, BOARD)


@pytest.mark.parametrize("name", list(SENSORS))
def test_a_sensor_fault_changes_only_its_own_sensors_and_ends(name):
    faults = Faults(BOARD, seed=1)
    field = [2048 + 40 * (n % 7) for n in range(81)]
    assert faults.values(list(field), 1.0) == field
    started = faults.start(name)
    changed: set[int] = set()
    for now in range(20):
        spoilt = faults.values(list(field), float(now))
        changed |= {n for n in range(81) if spoilt[n] != field[n]}
        assert all(0 <= value <= 4095 for value in spoilt)
    assert changed
    assert changed <= {BOARD.hall.channels[spot] for spot in started.spots}
    faults.end(name)
    assert faults.values(list(field), 1.0) == field


@pytest.fixture
def grid():
    grid = SimGrid(StillTable(BOARD, {"e5": "pacman"}), BOARD)
    yield grid
    grid.close()


@pytest.fixture
def link(grid):
    link = HallLink(grid.port, retry_seconds=0.05)
    wait_for(link.poll)
    yield link
    link.close()


@pytest.mark.parametrize("name", [*LINE, "closed-port", "brown-out"])
def test_a_fault_of_the_line_is_told_if_it_matters_and_heals(grid, link, name):
    grid.faults.start(name)
    if FAULTS[name].says:
        wait_for(lambda: FAULTS[name].says.lower() in link.status.text.lower(), 20)
    else:
        wait_for(
            lambda: link.bad_frames > 1 or name in ("doubled-frames", "lost-frames", "brown-out")
        )
        wait_for(link.poll, 20)
    grid.faults.end(name)
    wait_for(lambda: link.status.state == "ok" and link.poll() is not None, 20)


class Steady:
    """A camera that always has a picture."""

    def __init__(self) -> None:
        self.time = 0.0
        rng = np.random.default_rng(1)
        self.picture = rng.integers(40, 200, (96, 128, 3), np.uint8)

    def read(self) -> Frame:
        self.time += 0.1
        return Frame(self.time, self.picture + np.uint8(round(self.time * 10) % 7))

    def close(self) -> None:
        pass


def test_a_camera_fails_in_every_way_and_comes_back():
    active: set[str] = set()
    camera = FaultyCamera(Steady(), lambda: frozenset(active))
    for name in PICTURES:
        active = {name}
        frame = camera.read()
        assert frame is not None
        assert frame.picture.dtype == np.uint8
    active = {"camera-stalled"}
    assert camera.read() is None
    active = {"camera-gone"}
    with pytest.raises(DeviceError, match="plug it in"):
        camera.read()
    active = {"repeated-picture"}
    frames = [camera.read() for _ in range(3)]
    assert all(np.array_equal(frame.picture, frames[0].picture) for frame in frames)
    assert frames[0].time < frames[-1].time
    active = set()
    assert not np.array_equal(camera.read().picture, camera.read().picture)


def test_all_faults_at_once_keep_every_value_in_range():
    faults = Faults(BOARD, [parse(name, BOARD) for name in FAULTS], seed=2)
    rng = random.Random(3)
    for now in range(50):
        values = faults.values([rng.randrange(4096) for _ in range(81)], float(now))
        assert all(0 <= value <= 4095 for value in values)
        assert isinstance(faults.bytes(rng.randbytes(20)), bytes)


def test_the_manual_lists_every_fault():
    manual = (Path(__file__).parents[2] / "docs/touch.md").read_text()
    for name, fault in FAULTS.items():
        says = f"… {fault.says} … ({fault.device})" if fault.says else "nothing: play goes on"
        assert f"| `{name}` | {fault.about} | {says} |" in manual
