"""From evidence to a plain statement."""

from bench.photos import to_position
from companion.board import FENCE, PELLET, patches
from companion.sensing.vision.decode import in_words, read_board
from tests.sensing.studio import BOARD

NOTHING: frozenset[str] = frozenset()


def _fence(slot: str, *values: float) -> dict[str, dict[str, float]]:
    return {patch: {FENCE: value} for patch, value in zip(patches(slot), values, strict=True)}


def test_each_piece_stands_on_one_square_and_no_two_on_the_same() -> None:
    evidence = {
        "a1": {"blinky": 7.0, "clyde": 7.5},
        "b2": {"clyde": 6.0},
        "c3": {"pinky": 1.5},
    }
    seen = read_board(BOARD, evidence, NOTHING)
    assert seen.pieces == {"blinky": "a1", "clyde": "b2"}
    assert seen.unsure == ("c3",)


def test_a_piece_that_can_be_nowhere_else_needs_less_to_be_believed() -> None:
    alone = {"c3": {"pinky": 2.0}}
    assert read_board(BOARD, alone, NOTHING).pieces == {"pinky": "c3"}
    beside = alone | {"d3": {"pinky": 0.5}}
    seen = read_board(BOARD, beside, NOTHING)
    assert (seen.pieces, seen.unsure) == ({}, ("c3",))
    under_a_hand = read_board(BOARD, alone, frozenset({"g7"}))
    assert (under_a_hand.pieces, under_a_hand.unsure) == ({}, ("c3",))


def test_a_piece_that_could_as_well_be_another_is_not_named() -> None:
    evidence = {"a1": {"blinky": 8.0, "clyde": 7.5}, "b2": {"inky": 8.0, "pinky": 4.0}}
    seen = read_board(BOARD, evidence, NOTHING)
    assert seen.pieces == {"inky": "b2"}
    assert seen.unsure == ("a1",)


def test_a_pellet_is_no_pawn_and_a_pawn_no_pellet() -> None:
    evidence = {
        "a1": {"clyde": 4.5, PELLET: 8.0},
        "b2": {"blinky": 7.9, PELLET: 4.0},
        "c3": {"pinky": 6.0, PELLET: 5.0},
    }
    seen = read_board(BOARD, evidence, NOTHING)
    assert (seen.pieces, seen.pellets) == ({"blinky": "b2"}, ("a1",))
    assert seen.unsure == ("c3",)


def test_a_fence_needs_all_its_patches() -> None:
    evidence = _fence("c3h", 4.0, 4.0, 4.0) | _fence("f6v", 4.0, 4.0, -1.0)
    seen = read_board(BOARD, evidence, NOTHING)
    assert seen.walls == ("c3h",)
    assert seen.unsure == ("f6v",)


def test_where_no_patch_is_seen_to_be_free_there_may_be_a_fence() -> None:
    evidence = _fence("c3h", 0.1, 0.7, 0.0) | _fence("f6v", 0.0, 0.0, -2.0)
    seen = read_board(BOARD, evidence, NOTHING)
    assert (seen.walls, seen.unsure) == ((), ("c3h",))


def test_fences_never_overlap() -> None:
    evidence = _fence("c3h", 4.0, 4.0, 4.0) | _fence("e3h", 4.0, 4.0, 4.0)
    seen = read_board(BOARD, evidence | {"d3x": {FENCE: 3.0}}, NOTHING)
    assert seen.walls == ("c3h", "e3h")


def test_covered_spots_are_listed_and_not_doubted() -> None:
    covered = frozenset({"e4", "e4n", "e4x"})
    seen = read_board(BOARD, {}, covered)
    assert "e4" in seen.covered
    assert "e4h" in seen.covered
    assert seen.unsure == ()


def test_a_statement_is_a_position_and_a_text() -> None:
    evidence = {"e1": {"pacman": 8.0}, "e5": {PELLET: 8.0}} | _fence("c3h", 4.0, 4.0, 4.0)
    seen = read_board(BOARD, evidence, NOTHING)
    assert to_position(seen) == {"e1": "pacman", "e5": PELLET, "c3h": FENCE}
    assert in_words(BOARD, seen).split("\n") == [
        "  Pac-Man on e1",
        "  pellets on e5",
        "  fences: c3h",
    ]
