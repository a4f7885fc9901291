"""Turn, counters, lives, pellets, the last move and thinking, each by itself."""

import pytest

from companion.board import Change
from companion.lights.names import faded
from tests.lights.views import BOARD, CELLS, COLOURS, lit, names, of_pacman, pacman_start, snapshot

PACMAN = BOARD.pieces["pacman"].colour


@pytest.mark.parametrize(
    ("seats", "seat", "side"),
    [(2, 0, "S"), (2, 1, "N"), (4, 0, "S"), (4, 1, "W"), (4, 2, "N"), (4, 3, "E")],
)
def test_the_side_of_the_seat_to_act_glows_in_its_colour(seats, seat, side):
    shown = lit(snapshot(seats, to_act=seat))
    assert set(shown) == {f"{side}{n}" for n in range(1, 10)}
    assert set(shown.values()) == {faded(COLOURS[seat], 0.25)}


def test_without_a_frame_the_squares_at_the_edge_stand_for_the_side():
    assert set(lit(snapshot(to_act=1), board=CELLS)) == {f"{c}9" for c in "abcdefghi"}
    assert set(lit(snapshot(4, to_act=1), board=CELLS)) == {f"a{n}" for n in range(1, 10)}


def test_fences_left_are_lights_along_each_side_from_its_players_left():
    shown = lit(snapshot(to_act=None, tallies={"fences": (5, 1)}))
    assert set(shown) == names("S1 S2 S3 S4 S5", "N9")
    assert shown["S1"] == faded(COLOURS[0], 0.1)
    assert shown["N9"] == faded(COLOURS[1], 0.1)


def test_who_has_no_fence_left_has_no_light_but_still_a_turn():
    assert lit(snapshot(to_act=None, tallies={"fences": (0, 0)})) == {}
    shown = lit(snapshot(to_act=0, tallies={"fences": (0, 0)}))
    assert set(shown.values()) == {faded(COLOURS[0], 0.08)}
    assert len(shown) == 9


def test_the_seat_to_act_shows_its_fences_too():
    shown = lit(snapshot(to_act=0, tallies={"fences": (5, 10)}))
    bright = {name for name in shown if shown[name] == faded(COLOURS[0], 0.25)}
    assert bright == names("S1 S2 S3 S4 S5")


def test_four_players_count_from_five_fences():
    shown = lit(snapshot(4, to_act=None, tallies={"fences": (5, 0, 0, 0)}))
    assert len(shown) == 9


def test_lives_are_as_many_lights():
    for lives, lights in ((3, "L1 L2 L3"), (2, "L1 L2"), (1, "L1"), (0, "")):
        shown = lit(snapshot(to_act=None, tallies={"lives": (lives, 0)}))
        assert set(shown) == names(lights)
        assert set(shown.values()) <= {faded(PACMAN, 0.5)}


def test_pellets_left_are_counted_on_pacmans_side():
    position = {"a1": "pellet", "a9": "pellet", "i1": "pellet", "e5": "pacman"}
    view = snapshot(to_act=None, position=position, tallies={"pellets": (1, 0)})
    assert len(lit(view)) == 7  # three of four, of nine lights
    assert set(lit(view)) == {f"S{n}" for n in range(1, 8)}


def test_every_pellet_has_a_light_where_there_is_one_under_its_square():
    start = pacman_start()
    shown = lit(of_pacman(start), board=CELLS)
    pellets = {spot for spot, thing in start.position().items() if thing == "pellet"}
    assert len(pellets) > 1
    assert pellets <= set(shown)


def test_the_last_move_shows_column_and_row():
    shown = lit(snapshot(to_act=None, last_changes=(Change("pacman", "e1", "e2"),)))
    assert set(shown) == names("N5 S5 W2 E2")
    assert set(shown.values()) == {faded(PACMAN, 0.6)}


def test_the_last_fence_shows_the_squares_it_touches():
    shown = lit(snapshot(to_act=None, last_changes=(Change("fence", None, "e3v"),)))
    assert set(shown) == names("N5 N6 S5 S6 W3 W4 E3 E4")
    assert set(shown.values()) == {faded(BOARD.fence.colour, 0.6)}


def test_under_the_squares_the_last_move_is_where_it_went():
    view = snapshot(to_act=None, last_changes=(Change("pacman", "e1", "e2"),))
    assert set(lit(view, board=CELLS)) == {"e2"}


def test_a_thing_taken_off_the_board_leaves_no_trace():
    assert lit(snapshot(to_act=None, last_changes=(Change("pellet", "c3", None),))) == {}


def test_while_the_companion_thinks_a_light_goes_to_and_fro():
    view = snapshot(to_act=1, thinking=True)

    def brightest(time: float) -> str:
        shown = lit(view, time)
        return max(shown, key=lambda name: sum(shown[name]))

    assert brightest(0.0) == brightest(3.0) == "N9"
    assert brightest(1.5) == "N1"
    assert brightest(0.75) == "N5"


def test_where_both_are_counted_pacman_shows_pellets_and_the_ghosts_their_fences():
    position = {"a1": "pellet", "e5": "pacman"}
    tallies = {"fences": (10, 10), "pellets": (1, 0)}
    shown = lit(snapshot(to_act=None, position=position, tallies=tallies))
    assert len([name for name in shown if name[0] == "S"]) == 5
    assert len([name for name in shown if name[0] == "N"]) == 9
