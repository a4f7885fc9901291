"""Magnets, currents, strips and lists agree with the board, the settings and the circuit."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from companion.boards import profile
from companion.config import LightSettings
from companion.lights.strip import limited, milliamps_of
from companion.sensing.magnet import SENSOR_DEPTH_MM, fall
from hardware import camera, magnets, parts, plan, power, rules, shopping, strips, wiring

BUILD = plan.load()
TOP = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["reference", "under-cells"])
def test_every_piece_has_a_magnet_that_reads_what_the_profile_says(name):
    board = profile.load(name)
    found = magnets.magnets(BUILD.plan, board)
    assert [magnet.piece for magnet in found] == list(board.pieces)
    for magnet in found:
        assert magnet.counts == pytest.approx(board.pieces[magnet.piece].magnet, rel=0.03)


def test_no_magnet_drives_a_sensor_out_of_its_straight_range():
    most = magnets.straight_counts(BUILD.plan, BUILD.board)
    assert max(abs(magnet.counts) for magnet in BUILD.magnets) < most
    assert max(abs(piece.magnet) for piece in BUILD.board.pieces.values()) < most


def test_the_layers_put_the_magnets_as_high_as_the_companion_takes_them_to_be():
    strong = [magnet for magnet in BUILD.magnets if magnet.height_mm == 3]
    assert len(strong) == 3
    for magnet in strong:
        assert magnets.gap_mm(BUILD.plan) + magnet.height_mm / 2 == SENSOR_DEPTH_MM
    stack = BUILD.plan["stack"]
    assert stack["cells"] == BUILD.board.groove_depth_mm
    assert stack["base"] == BUILD.plan["printed"]["base_mm"]


def upright_field(diameter, height, gap, aside):
    """Return the field under a disc magnet, summed over the poles of its two faces."""
    rings, turns = np.meshgrid((np.arange(60) + 0.5) / 60, np.arange(90) / 90 * 2 * np.pi)
    x, y = diameter / 2 * rings * np.cos(turns), diameter / 2 * rings * np.sin(turns)
    field = 0.0
    for sign, away in ((1, gap), (-1, gap + height)):
        distance = np.sqrt((x - aside) ** 2 + y**2 + away**2)
        field += sign * (rings * away / distance**3).sum() / rings.sum()
    return field


@pytest.mark.parametrize("aside", [2, 4, 6])
def test_a_disc_beside_the_middle_reads_no_less_than_the_companion_expects(aside):
    """A wide disc holds its field better than a point does: up to a tenth more at 6 mm."""
    gap = magnets.gap_mm(BUILD.plan)
    for disc in BUILD.magnets:
        middle = upright_field(disc.diameter_mm, disc.height_mm, gap, 0)
        share = upright_field(disc.diameter_mm, disc.height_mm, gap, aside) / middle
        assert -0.01 < share - float(fall(aside)) < 0.1


def test_the_field_on_the_axis_is_that_of_the_sum_over_the_poles():
    near = upright_field(10, 3, 10.5, 0) / upright_field(10, 3, 30, 0)
    by_formula = magnets.disc_millitesla(10, 3, 1.3, 10.5) / magnets.disc_millitesla(10, 3, 1.3, 30)
    assert near == pytest.approx(by_formula, rel=0.01)


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


def test_the_lists_have_all_parts_of_the_circuit():
    assert shopping.missing(BUILD.bought, BUILD.circuit) == []


def test_a_part_that_nobody_buys_is_found():
    short = [line for line in BUILD.bought if "multiplexers" not in line.name]
    assert shopping.missing(short, BUILD.circuit) == ["6 × CD74HC4067"]


def test_every_line_belongs_to_a_build_and_has_a_price():
    for line in BUILD.bought:
        assert line.build in shopping.BUILDS
        assert line.price in shopping.PRICES
        assert line.count > 0
        assert "{" not in line.typical
    assert list(BUILD.listed["builds"]) == list(shopping.BUILDS)


def test_the_sensor_is_the_one_in_the_circuit():
    values = {part.value for part in BUILD.circuit.parts.values()}
    assert BUILD.plan["sensor"]["name"] in values
    assert BUILD.plan["sensor"]["supply_volts"] == parts.LOGIC
    middle = BUILD.board.hall.full_scale / 2
    assert BUILD.board.hall.rest == pytest.approx(middle, abs=1), "it rests at half its supply"


def test_pins_toml_is_read_by_all():
    assert BUILD.pins == tomllib.loads((TOP / "hardware/pins.toml").read_text())
