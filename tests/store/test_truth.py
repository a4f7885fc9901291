"""The truth of a picture: what everybody agreed on, in the format of the photographs."""

from companion.board import FENCE, PELLET, patches
from companion.boards import profile
from companion.store.truth import truth_of

BOARD = profile.load("reference")
CORNERS = [(10.0, 90.0), (90.123456, 90.0), (90.0, 10.0), (10.0, 10.0)]
POSITION = {"e1": "pacman", "e9": "blinky", "e3h": FENCE, "c4v": FENCE, "a1": PELLET}


def test_it_tells_the_position_that_was_agreed_on():
    truth = truth_of(BOARD, POSITION, CORNERS, ())
    assert truth["pieces"] == {"pacman": "e1", "blinky": "e9"}
    assert (truth["walls"], truth["pellets"]) == (["c4v", "e3h"], ["a1"])
    assert truth["board_corners_px"][1] == [90.12, 90.0]
    assert truth["sizes"]["field_mm"] == 255.0
    assert truth["disturbance"] == truth["occluded_squares"] == []


def test_what_was_covered_counts_as_hidden():
    covered = {"d4", *patches("e3h")[:2]}
    truth = truth_of(BOARD, POSITION, CORNERS, covered)
    assert truth["occluded_squares"] == ["d4"]
    assert truth["occlusion_fraction"] == {"d4": 1.0}
    assert truth["occluded_walls"] == ["e3h"]
    assert truth["slot_occlusion_fraction"]["e3h"] == 0.67
    assert truth["disturbance"] == ["covered"]
