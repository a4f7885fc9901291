"""What the hall grid says of the board: pieces, emptiness, and what it must keep silent about."""

import random
from dataclasses import replace

import numpy as np
import pytest

from companion.board import Hall, square
from companion.boards import profile
from companion.sensing.hall.evidence import MOST, fall, feel
from companion.sensing.hall.trust import STUCK_AFTER, health
from companion.sim.grid import Field
from tests.sim.still import StillTable

BOARD = profile.load("reference")
PIECES = tuple(BOARD.pieces)


def scan(table, seed=1):
    field = Field(BOARD, seed)
    return field.noisy(field.still(table.scene().bodies))


def believed(evidence):
    """Return what each square most likely holds, squares held empty left out."""
    best = {
        spot: max(things.items(), key=lambda item: item[1]) for spot, things in evidence.items()
    }
    return {spot: thing for spot, (thing, value) in best.items() if value > 0}


def test_an_empty_board_is_empty():
    evidence = feel(scan(StillTable(BOARD)), BOARD)
    assert set(evidence) == set(BOARD.squares)
    assert all(value == -MOST for things in evidence.values() for value in things.values())


@pytest.mark.parametrize("piece", PIECES)
def test_each_piece_is_recognised_on_each_square(piece):
    for number, spot in enumerate(BOARD.squares):
        for dx, dy in ((0, 0), (2, 2), (-2, 2), (2, -2), (-2, -2), (2, 0), (0, -2)):
            table = StillTable(BOARD)
            table.put(piece, spot, dx, dy)
            evidence = feel(scan(table, number), BOARD)
            assert believed(evidence) == {spot: piece}, (dx, dy)
            others = [evidence[spot][other] for other in PIECES if other != piece]
            assert evidence[spot][piece] > 6
            assert evidence[spot][piece] - max(others) > 2
            rest = (value for s in BOARD.squares if s != spot for value in evidence[s].values())
            assert max(rest) < -5


def test_all_pieces_side_by_side_are_told_apart_and_bleed_makes_no_ghosts():
    rng = random.Random(7)
    for number in range(300):
        column, row = rng.randrange(7), rng.randrange(7)
        near = [square(column + c, row + r) for c in range(3) for r in range(3)]
        table = StillTable(BOARD)
        position = dict(zip(rng.sample(near, 5), rng.sample(PIECES, 5), strict=True))
        for spot, piece in position.items():
            table.put(piece, spot, rng.uniform(-2, 2), rng.uniform(-2, 2))
        evidence = feel(scan(table, number), BOARD)
        assert believed(evidence) == position
        empty = set(BOARD.squares) - set(position)
        assert max(value for spot in empty for value in evidence[spot].values()) < -5


def test_a_piece_in_the_air_is_nowhere():
    table = StillTable(BOARD)
    table.put("pacman", "e5", z=30)
    assert believed(feel(scan(table), BOARD)) == {}


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_between_two_squares_is_on_neither(piece):
    table = StillTable(BOARD)
    table.put(piece, "e5", dx=BOARD.pitch_mm / 2)
    assert believed(feel(scan(table), BOARD)) == {}


def test_polarity_alone_rules_a_piece_out():
    table = StillTable(BOARD, {"e5": "pacman"})
    things = feel(scan(table), BOARD)["e5"]
    assert things["pacman"] - things["blinky"] > 6


def test_nothing_leans_further_than_allowed_whatever_the_value():
    for value in range(0, 4096, 3):
        for things in feel([value] * 81, BOARD).values():
            assert all(-MOST <= leaning <= MOST for leaning in things.values())


def test_nothing_is_said_of_fences_pellets_and_pieces_without_magnets():
    pieces = {**BOARD.pieces, "clyde": replace(BOARD.pieces["clyde"], magnet=0)}
    evidence = feel([2048] * 81, replace(BOARD, pieces=pieces))
    assert set(evidence) <= set(BOARD.squares)
    assert {thing for things in evidence.values() for thing in things} == set(PIECES) - {"clyde"}


def test_measured_rest_values_replace_the_nominal_one():
    values = [2048] * 81
    values[BOARD.hall.channels["a1"]] += BOARD.pieces["clyde"].magnet  # it always reads like that
    assert believed(feel(values, BOARD)) == {"a1": "clyde"}
    assert believed(feel(values, BOARD, rest=values)) == {}


@pytest.mark.parametrize("value", [0, 3, 4093, 4095, 65535])
def test_a_value_out_of_range_says_nothing(value):
    values = [2048] * 81
    values[BOARD.hall.channels["c3"]] = value
    evidence = feel(values, BOARD)
    assert "c3" not in evidence
    assert len(evidence) == 80


def test_dead_squares_say_nothing():
    assert "d4" not in feel([2048] * 81, BOARD, dead={"d4"})


def test_a_board_without_sensors_and_a_scan_too_short_say_nothing():
    assert feel([2048] * 81, replace(BOARD, hall=Hall({}, 0, 0, 0.0))) == {}
    assert feel([], BOARD) == {}


def test_health_names_stuck_and_broken_channels():
    field = Field(BOARD, 5)
    still = field.still(StillTable(BOARD, {"e1": "pacman"}).scene().bodies)
    history = [field.noisy(still) for _ in range(STUCK_AFTER + 10)]
    assert health(history, BOARD) == {}
    for values in history:
        values[BOARD.hall.channels["b2"]] = 2048
        values[BOARD.hall.channels["g7"]] = 4095
    assert health(history, BOARD) == {
        "b2": "channel 10 is stuck at 2048",
        "g7": "channel 60 reads 4095, the end of its range: check its wires",
    }
    assert set(health(history[:20], BOARD)) == {"g7"}
    assert health([], BOARD) == {}


def test_health_names_channels_that_do_not_come():
    faults = health([[2048] * 80], BOARD)
    assert faults == {"i9": "channel 80 is not among the 80 that came"}


def test_the_field_falls_with_the_cube_of_height_and_turns_beside_the_magnet():
    assert fall(0.0) == pytest.approx(1.0)
    assert fall(0.0, 12.0) == pytest.approx(1 / 8)
    assert np.all(np.diff(fall(np.linspace(0, 15, 50))) < 0)
    assert -0.03 < fall(BOARD.pitch_mm) < 0
