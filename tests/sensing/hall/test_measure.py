"""Showing a piece to the grid: one piece, alone, at rest; anything else is told."""

import pytest

from companion.boards import profile
from companion.errors import DeviceError
from companion.sensing.hall.measure import LEAST_SCANS, check_empty, doubt, measure, offsets
from companion.sim.grid import Field
from tests.sim.still import StillTable

BOARD = profile.load("reference")


def scans(position, number=LEAST_SCANS, seed=1):
    field = Field(BOARD, seed)
    still = field.still(StillTable(BOARD, position).scene().bodies)
    return [field.noisy(still) for _ in range(number)]


@pytest.mark.parametrize("piece", list(BOARD.pieces))
def test_a_piece_alone_on_any_square_is_measured(piece):
    shown = measure(scans({"c7": piece}), BOARD, None)
    assert shown.spot == "c7"
    assert shown.counts == pytest.approx(BOARD.pieces[piece].magnet, rel=0.1)


def test_rest_values_are_taken_off():
    rest = scans({}, 1)[0]
    bare = measure(scans({"e5": "clyde"}), BOARD, rest).counts
    assert bare == pytest.approx(BOARD.pieces["clyde"].magnet, rel=0.1)


def test_an_empty_board_is_told():
    with pytest.raises(DeviceError, match="no magnet is felt"):
        measure(scans({}), BOARD, None)


def test_two_pieces_are_told_by_their_squares():
    with pytest.raises(DeviceError, match="felt on a1 and i9"):
        measure(scans({"i9": "pacman", "a1": "blinky"}), BOARD, None)


def test_a_piece_still_in_motion_is_told():
    moving = scans({"e5": "pacman"})
    for number, values in enumerate(moving):
        values[BOARD.hall.channels["e5"]] -= 100 * number
    with pytest.raises(DeviceError, match="take your hand away"):
        measure(moving, BOARD, None)


def test_too_few_scans_are_told():
    with pytest.raises(DeviceError, match="try again"):
        measure(scans({"e5": "pacman"}, 3), BOARD, None)


def test_a_grid_without_a_working_sensor_is_told():
    with pytest.raises(DeviceError, match="check its cables"):
        measure([[0] * 81] * LEAST_SCANS, BOARD, None)


def test_an_empty_board_is_empty_and_pieces_are_named():
    check_empty(scans({}, 1)[0], BOARD, None)
    with pytest.raises(DeviceError, match="felt on a1, i9: take everything off the board"):
        check_empty(scans({"i9": "pacman", "a1": "blinky"}, 1)[0], BOARD, None)


def test_a_broken_sensor_is_no_piece():
    values = scans({}, 1)[0]
    values[BOARD.hall.channels["e5"]] = 0
    check_empty(values, BOARD, None)


def test_offsets_are_counted_from_rest():
    away = offsets(scans({"e5": "pacman"}, 1)[0], BOARD, scans({}, 1)[0])
    assert away["e5"] == pytest.approx(BOARD.pieces["pacman"].magnet, rel=0.1)
    assert abs(away["a9"]) < 50


def test_a_piece_like_itself_is_not_doubted():
    for piece in BOARD.pieces.values():
        assert doubt(measure(scans({"c7": piece.name}), BOARD, None), piece, BOARD) == ""
