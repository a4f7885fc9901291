"""Magnets, currents, strips and lists agree with the board, the settings and the circuit."""

import tomllib
from pathlib import Path

import pytest

from companion.boards import profile
from companion.config import LightSettings
from companion.lights.strip import limited, milliamps_of
from hardware import camera, magnets, parts, plan, power, rules, strips, wiring

BUILD = plan.load()
TOP = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["reference", "under-cells"])
def test_every_piece_has_a_magnet_that_reads_what_the_profile_says(name):
    board = profile.load(name)
    found = magnets.magnets(BUILD.plan, board)
    assert [magnet.piece for magnet in found] == list(board.pieces)
    for magnet in found:
        assert magnet.counts == pytest.approx(board.pieces[magnet.piece].magnet, rel=0.03)


def test_the_layers_are_those_of_the_board():
    stack = BUILD.plan["stack"]
    assert stack["cells"] == BUILD.board.groove_depth_mm
    assert stack["base"] == BUILD.plan["printed"]["base_mm"]


def test_the_limit_of_the_strip_is_what_the_companion_keeps():
    budget, lights = BUILD.budget, BUILD.board.lights
    white = [(255, 255, 255)] * lights.count
    assert budget.full_ma == pytest.approx(milliamps_of(white))
    kept = limited(white, 1.0, lights.milliamps)
    assert milliamps_of(kept) <= budget.limit_ma == lights.milliamps
    assert budget.half_ma == pytest.approx(milliamps_of(white) / 2 + budget.dark_ma / 2, abs=1)
    assert LightSettings().brightness == 0.5, "the table says so"


@pytest.mark.parametrize("name", ["reference", "under-cells"])
def test_supply_fuses_and_wires_are_enough(name):
    board = profile.load(name)
    budget = power.budget(board, BUILD.plan)
    circuit = wiring.table(board, BUILD.pins, budget.supply_ma)
    drawn = rules.loads(circuit)["SUPPLY.+"]
    assert drawn == pytest.approx(sum(run.milliamps for run in budget.runs))
    assert budget.supply_ma >= power.RESERVE * drawn
    carries = {mm2: amps for mm2, _, amps in power.WIRES}
    for run in budget.runs:
        assert run.milliamps < run.fuse_a * 1000 <= carries[run.mm2] * 1000
        assert run.drop_volts <= power.DROP_VOLTS
    assert sum(run.fuse_a for run in budget.runs) <= budget.supply_a


def test_currents_beyond_all_wires_and_supplies_are_refused():
    with pytest.raises(ValueError, match="A of fuse"):
        power.run("sun", 50_000, 1000)
    with pytest.raises(ValueError, match="mm² can carry"):
        power.run("far", 4000, 100_000)


def test_the_regulator_stays_cool():
    """A TO-220 with a clip-on heat sink has about 25 kelvin a watt."""
    watts = (5.0 - parts.LOGIC) * BUILD.budget.sensors_ma / 1000
    assert 25 + 25 * watts < 70


def test_the_strip_has_every_light_once_in_the_order_of_the_wire():
    names = [name for piece in strips.pieces(BUILD.board) for name in piece.names]
    assert names == sorted(BUILD.board.lights.names, key=BUILD.board.lights.names.__getitem__)
    assert [piece.first for piece in strips.pieces(BUILD.board)] == [0, 9, 18, 27, 36]


@pytest.mark.parametrize("per_metre", [60, 144])
def test_a_ready_made_strip_makes_a_sound_profile(per_metre, tmp_path):
    text = (TOP / "companion/boards/reference.toml").read_text()
    start, end = text.index("[lights]"), text.index("# Channel numbers")
    section = (TOP / f"hardware/lights-{per_metre}.toml").read_text()
    own = tmp_path / "own.toml"
    own.write_text(text[:start] + section + "\n" + text[end:])
    assert profile.check(own) == []
    board = profile.load(own)
    assert set(board.lights.names) == set(BUILD.board.lights.names)
    assert board.lights.at_mm == BUILD.board.lights.at_mm
    assert board.lights.count == sum(strips.ready(BUILD.board, per_metre).counts)


def test_a_ready_made_strip_faces_its_rows():
    for per_metre in (60, 144):
        strip = strips.ready(BUILD.board, per_metre)
        assert strip.worst_mm < BUILD.board.cell_mm / 2
    with pytest.raises(ValueError, match="LEDs closer than 29 mm"):
        strips.ready(BUILD.board, 30)


def test_the_camera_stands_where_the_companion_can_use_it():
    for height in BUILD.plan["camera"]["heights_mm"]:
        assert 430 <= height <= 560
        assert camera.tilt_deg(BUILD.board, BUILD.plan, height) <= 25
        across, up = camera.view_deg(BUILD.board, BUILD.plan, height)
        assert 0 < up < across < 66


def test_the_sensor_is_the_one_in_the_circuit():
    values = {part.value for part in BUILD.circuit.parts.values()}
    assert BUILD.plan["sensor"]["name"] in values
    assert BUILD.plan["sensor"]["supply_volts"] == parts.LOGIC
    middle = BUILD.board.hall.full_scale / 2
    assert BUILD.board.hall.rest == pytest.approx(middle, abs=1), "it rests at half its supply"


def test_pins_toml_is_read_by_all():
    assert BUILD.pins == tomllib.loads((TOP / "hardware/pins.toml").read_text())
