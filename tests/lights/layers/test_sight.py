"""The line of sight, for any position that play can reach: as the rules have it, nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Spot, column_row, square
from companion.games.pacman.rules import Pacman
from companion.lights.layers.sight import line, sight
from companion.lights.view import View
from tests.lights.views import BOARD, CELLS, choices, lit, names, of_pacman, pacman_start, snapshot

GHOSTS = ("blinky", "pinky", "inky", "clyde")


def seen(ghosts: dict[str, str], sights: dict[str, tuple[Spot, ...]], to_act: int = 0):
    """Return a snapshot of Pac-Man on e3 and ghosts on their squares."""
    position = {"e3": "pacman"} | {spot: ghost for ghost, spot in ghosts.items()}
    movers = tuple(ghosts) if to_act else ("pacman",)
    moves = tuple(choice for thing in movers for choice in choices("a1", thing=thing))
    return snapshot(game="pacman", to_act=to_act, position=position, sight=sights, choices=moves)


def only_sight(view, time=0.5, board=BOARD):
    return sight({}, View(view, board, time))


COLUMN = seen({"inky": "e6"}, {"inky": ("e5", "e4")})
ROW = seen({"pinky": "b3"}, {"pinky": ("c3", "d3")})


def test_around_the_frame_a_line_is_its_ends_and_the_squares_between():
    shown = only_sight(COLUMN)
    assert set(shown) == names("N5 S5", "W4 W5 E4 E5")
    assert sum(shown["N5"]) > sum(shown["W4"]) > 0
    assert set(only_sight(ROW)) == names("W3 E3", "N3 N4 S3 S4")


def test_under_the_squares_a_line_is_the_squares_between():
    assert set(only_sight(COLUMN, board=CELLS)) == {"e4", "e5"}
    assert set(only_sight(ROW, board=CELLS)) == {"c3", "d3"}


def test_a_line_has_the_colour_of_its_ghost():
    red, green, blue = only_sight(COLUMN)["N5"]
    want = BOARD.pieces["inky"].colour
    assert (red, green, blue) == tuple(round(0.9 * part) for part in want)


def test_a_ghost_right_beside_pacman_shines_where_it_stands():
    view = seen({"clyde": "e4"}, {"clyde": ()})
    assert set(only_sight(view, board=CELLS)) == {"e4"}
    assert set(only_sight(view)) == names("N5 S5 W4 E4")


def test_a_line_is_steady_on_pacmans_turn_and_pulses_on_that_of_the_ghosts():
    steady = {only_sight(COLUMN, tick / 10)["N5"] for tick in range(10)}
    assert len(steady) == 1
    hunting = seen({"inky": "e6"}, {"inky": ("e5", "e4")}, to_act=1)
    levels = [sum(only_sight(hunting, tick / 10)["N5"]) for tick in range(11)]
    assert max(levels) > 2 * min(levels)
    assert levels[0] == levels[10]


def test_a_ghost_that_has_moved_pulses_no_more():
    hunting = seen({"inky": "e6"}, {"inky": ("e5", "e4")}, to_act=1)
    after = replace(hunting, choices=choices("a2", thing="blinky"))
    assert len({only_sight(after, tick / 10)["N5"] for tick in range(10)}) == 1


def test_ghosts_on_the_same_lights_take_turns():
    view = seen({"inky": "e6", "blinky": "e1"}, {"inky": ("e5", "e4"), "blinky": ("e2",)}, to_act=1)
    first, second = only_sight(view, 0.5), only_sight(view, 1.5)
    assert first["N5"] != second["N5"]
    assert first["W5"] == second["W5"]  # the squares between belong to one of them
    assert first["W2"] == second["W2"]


def test_without_anybody_in_sight_nothing_is_lit():
    assert only_sight(seen({"inky": "a1"}, {})) == {}


def test_a_caught_pacman_is_seen_by_nobody():
    view = snapshot(position={"e3": "blinky"}, sight={"blinky": ()})
    assert only_sight(view) == {}


def walk(moves: list[int]) -> Pacman:
    """Return the state after as many moves, each chosen by a number."""
    state = pacman_start()
    for number in moves:
        legal = state.legal_moves()
        if not legal:
            break
        state = state.play(legal[number % len(legal)])
    return state


def between(ghost: Spot, pacman: Spot, fences: set[Spot]) -> list[Spot] | None:
    """Return the squares between two, None if they are not in line or a fence is across.

    Worked out from the fences alone: two squares above each other are parted by a horizontal
    fence named after the lower of them or its western neighbour, and likewise across.
    """
    (gc, gr), (pc, pr) = column_row(ghost), column_row(pacman)
    if gc == pc and gr != pr:
        low, high = sorted((gr, pr))
        west = [square(gc - 1, row) + "h" for row in range(low, high)] if gc else []
        cut = {square(gc, row) + "h" for row in range(low, high)} | set(west)
        return None if cut & fences else [square(gc, row) for row in range(low + 1, high)]
    if gr == pr and gc != pc:
        low, high = sorted((gc, pc))
        south = [square(column, gr - 1) + "v" for column in range(low, high)] if gr else []
        cut = {square(column, gr) + "v" for column in range(low, high)} | set(south)
        return None if cut & fences else [square(column, gr) for column in range(low + 1, high)]
    return None


@pytest.mark.parametrize("board", [BOARD, CELLS], ids=["frame", "cells"])
@given(moves=st.lists(st.integers(0, 999), max_size=60))
def test_in_any_position_of_a_game_the_lit_lines_are_those_of_the_rules(board, moves):
    state = walk(moves)
    position = state.position()
    where = {thing: spot for spot, thing in position.items() if len(spot) == 2}
    fences = {spot for spot, thing in position.items() if thing == "fence"}
    expected: set[str] = set()
    if "pacman" in where:
        for ghost in GHOSTS:
            if ghost not in where:
                continue
            squares = between(where[ghost], where["pacman"], fences)
            if squares is None:
                continue
            marked = squares or [where[ghost]]
            if board is CELLS:
                expected |= set(marked)
                continue
            upright = where[ghost][0] == where["pacman"][0]
            for spot in (*marked, where[ghost]):
                column, row = column_row(spot)
                if spot in marked:
                    expected |= set(_ends(column, row, not upright))
                expected |= set(_ends(column, row, upright))
    assert set(only_sight(of_pacman(state), board=board)) == expected


def _ends(column: int, row: int, upright: bool) -> tuple[str, str]:
    return (f"N{column + 1}", f"S{column + 1}") if upright else (f"W{row + 1}", f"E{row + 1}")


def test_the_line_of_sight_is_in_the_whole_scene():
    shown = lit(COLUMN)
    assert shown["N5"] == only_sight(COLUMN)["N5"]
    assert set(line(BOARD, "e6", "e3", ("e5", "e4"))) <= set(shown)
