"""The magnets leave each other alone, and each piece reads like no other."""

import copy
import math
import runpy

import numpy as np
import pytest

from companion.boards import profile
from companion.sensing.hall import evidence, firmware
from companion.sensing.hall.evidence import fall
from hardware import magnetrules, magnets, plan, pull

BUILD = plan.load()
BOARD, PLAN = BUILD.board, BUILD.plan

OLD = {
    "pacman": (10, 3, "N45", "south"),
    "blinky": (10, 3, "N45", "north"),
    "pinky": (8, 2, "N38", "south"),
    "inky": (6, 3, "N45", "north"),
    "clyde": (5, 2, "N35", "south"),
}
SMALL = {
    "pacman": (6, 2, "N35", "south"),
    "blinky": (6, 2, "N35", "north"),
    "pinky": (4, 2, "N35", "south"),
    "inky": (4, 2, "N35", "north"),
    "clyde": (3, 2, "N35", "south"),
}


def with_discs(discs, **stack):
    """Return a plan with other magnets, and perhaps other layers."""
    other = copy.deepcopy(PLAN)
    names = ("diameter_mm", "height_mm", "grade", "down")
    for piece, values in discs.items():
        other["magnets"][piece] = dict(zip(names, values, strict=True))
    other["stack"].update(stack)
    return other


def wrong(other):
    return magnetrules.faults(magnets.magnets(other, BOARD), BOARD, other)


def disc(piece="pacman", plan_of=PLAN):
    return next(d for d in magnets.magnets(plan_of, BOARD) if d.piece == piece)


def test_the_magnets_keep_every_rule():
    assert magnetrules.faults(BUILD.magnets, BOARD, PLAN) == []


def test_the_magnets_that_the_table_had_are_refused_for_their_pull_and_their_field():
    found = wrong(with_discs(OLD))
    said = "pacman and blinky, 29 mm apart, pull each other with 30.1 mN"
    assert any(fault.startswith(said) for fault in found)
    assert any(fault.startswith("pacman and blinky, 41 mm apart") for fault in found)
    assert any(fault.startswith("pacman and pinky, 29 mm apart, push") for fault in found)
    assert any("pacman's magnet gives up to 25.1 mT" in fault for fault in found)


def test_small_magnets_nearer_to_the_sensor_are_refused_because_pieces_off_the_middle_change():
    """They pull less, but within 6 mm they lose three quarters of their field."""
    found = wrong(with_discs(SMALL, base=1.0))
    assert not any("pull" in fault or "mT" in fault for fault in found)
    assert any(fault.startswith("pacman, 6 mm off the middle, may read") for fault in found)
    assert any(fault.startswith("pinky, 6 mm off the middle, may read") for fault in found)
    assert any("less than the 63 that stand out" in fault for fault in found)


def test_two_pieces_with_one_magnet_are_refused():
    found = wrong(with_discs({"clyde": (4, 1.5, "N35", "south")}))
    assert sum("may read" in fault for fault in found) == 1


def test_lighter_pieces_and_smoother_boards_are_refused():
    for key, value in (("filled", 0.3), ("friction", 0.1)):
        other = copy.deepcopy(PLAN)
        other["weight"][key] = value
        assert any("friction holds" in fault for fault in wrong(other))


@pytest.mark.parametrize("apart", [29.0, 41.0, 100.0])
def test_the_force_is_that_of_dipoles_from_afar_and_more_nearby(apart):
    one, other = disc("pinky"), disc("blinky")
    force, point = (f(one, other, apart) for f in (pull.force_millinewton, pull.dipole_millinewton))
    assert force < 0, "opposite poles side by side attract each other"
    assert force / point == pytest.approx(1, abs=90 / apart**2)
    assert force / point > 1, "wide discs are nearer to each other than their middles"


def test_the_force_is_the_change_of_the_energy_of_one_disc_in_the_field_of_the_other():
    """Another way to the same force: current loops in the field of the other's two faces."""
    one, other = disc("pinky"), disc("clyde")

    def energy(apart):
        total, steps = 0.0, 6
        for layer in (np.arange(steps) + 0.5) / steps * other.height_mm:
            for x, y in pull._face(other):
                away = math.hypot(apart + x, y)
                total += field(one, layer, away)
        return -total / steps / len(pull._face(other)) * pull.moment(other)

    def field(source, height, away):
        """Return the upright field beside a disc, from its faces at 0 and its height."""
        charge = pull.moment(source) / (source.height_mm * 1e-3)
        total = 0.0
        for sign, z in ((-1, 0.0), (1, source.height_mm)):
            x, y = pull._face(source).T
            far = np.sqrt((x - away) ** 2 + y**2 + (height - z) ** 2)
            total += sign * ((height - z) / far**3).mean()
        return pull.MU0 / (4 * math.pi) * charge * total * 1e6

    step = 0.05
    slope = (energy(29 + step) - energy(29 - step)) / (2 * step * 1e-3)
    assert -slope * 1000 == pytest.approx(pull.force_millinewton(one, other, 29.0), rel=0.01)


def test_finer_points_on_the_faces_change_the_force_by_less_than_a_thousandth(monkeypatch):
    one, other = disc("pinky"), disc("blinky")
    usual = pull.force_millinewton(one, other, 29.0)
    monkeypatch.setattr(pull, "RINGS", 24)
    monkeypatch.setattr(pull, "TURNS", 48)
    assert pull.force_millinewton(one, other, 29.0) == pytest.approx(usual, rel=1e-3)


def test_a_piece_weighs_what_its_print_and_its_magnet_weigh():
    weight = PLAN["weight"]
    ball = 4 / 3 * math.pi * 9.5**3 / 1000 * weight["filled"] * weight["plastic_g_cm3"]
    assert pull.grams(disc(), PLAN) == pytest.approx(ball, rel=0.1), "Pac-Man is nearly a ball"
    held = pull.holds_millinewton(disc(), PLAN)
    assert held == pytest.approx(weight["friction"] * 9.81 * pull.grams(disc(), PLAN))


@pytest.mark.parametrize("aside", [2, 4, 6])
def test_discs_beside_the_middle_read_what_the_companion_expects(aside):
    """It takes all of them for a point: narrow ones read a little less, wide ones more."""
    off = [
        magnets.share_aside(d, magnets.gap_mm(PLAN), aside) - float(fall(aside))
        for d in BUILD.magnets
    ]
    assert min(off) > -0.03
    assert max(off) < 0.07
    assert abs(sum(off)) / len(off) < 0.02


def test_the_field_on_the_axis_is_that_of_the_sum_over_the_poles():
    one = disc("pinky")
    near, far = (magnets._upright(one, gap, 0.0) for gap in (10.5, 30.0))
    size = (one.diameter_mm, one.height_mm, one.tesla)
    by_formula = magnets.disc_millitesla(*size, 10.5) / magnets.disc_millitesla(*size, 30.0)
    assert near / far == pytest.approx(by_formula, rel=0.002)


@pytest.mark.parametrize("name", ["reference", "under-cells"])
def test_the_grids_own_threshold_is_below_every_piece_and_above_what_bleeds_over(name):
    pieces = profile.load(name).pieces.values()
    weakest = min(abs(piece.magnet) for piece in pieces)
    alike = [sum(max(sign * p.magnet, 0) for p in pieces) for sign in (1, -1)]
    bleed = max(alike) * abs(float(fall(BOARD.pitch_mm)))
    grid = runpy.run_path(str(firmware.folder() / "filter.py"))
    assert weakest * float(fall(evidence.FURTHEST_MM)) > grid["PUT_COUNTS"]
    assert bleed < grid["LIFT_COUNTS"] < grid["PUT_COUNTS"]
    assert bleed + 3 * BOARD.hall.noise + evidence.DRIFT < grid["PUT_COUNTS"]


def test_pieces_up_to_five_millimetres_off_the_middle_are_read_right():
    """Real discs, not the point that the companion takes them for; seeds nobody looked at."""
    rng = np.random.default_rng(20261118)
    gap, read = magnets.gap_mm(PLAN), {}
    middle = BOARD.hall.channels["e5"]
    for number in range(1000):
        one = BUILD.magnets[number % 5]
        aside = 5 * math.sqrt(rng.random())
        counts = one.counts * magnets.share_aside(one, gap, aside) * rng.normal(1, 0.03)
        values = [BOARD.hall.rest] * 81
        values[middle] += round(counts + rng.normal(0, 8) + rng.normal(0, BOARD.hall.noise))
        felt = evidence.feel(values, BOARD)["e5"]
        best = max(felt, key=felt.__getitem__)
        read[best == one.piece and felt[best] > 0] = read.get(best == one.piece, 0) + 1
    assert read[True] >= 995, read
