"""What lies in the holes of a later picture, and whether it is the same board."""

import numpy as np

from companion.sensing.teach.holes import find_holes
from companion.sensing.teach.lattice import through
from companion.sensing.teach.names import draw as overlay
from companion.sensing.teach.names import named
from companion.sensing.teach.things import moved, things
from tests.sensing.teach.drawn import BLUE, RED, SQUARE, VIEW, draw, flat_at, holes_at


def told(empty, picture):
    """Return what lies in which hole of the plan."""
    holes = find_holes(empty)
    shift = moved(holes, empty, picture)
    far = np.linalg.norm(holes.pixels[:, None] - holes_at(SQUARE)[None], axis=2)
    lying = things(holes, empty, picture, shift)
    return {int(far[thing.spot].argmin()): (thing.kind, thing.colour) for thing in lying}


def test_marbles_are_told_with_their_colours_and_no_others():
    set_up = draw(SQUARE, [(0, RED), (14, BLUE), (35, RED)], seed=2)
    expected = {0: ("marble", "red"), 14: ("marble", "blue"), 35: ("marble", "red")}
    assert told(draw(SQUARE), set_up) == expected


def test_nothing_lies_on_a_board_that_is_still_empty():
    assert told(draw(SQUARE), draw(SQUARE, seed=3)) == {}


def test_a_board_that_has_moved_a_little_is_followed():
    aside = np.array([[1, 0.01, 4.0], [-0.01, 1, -5.0], [0, 0, 1]]) @ VIEW
    empty, set_up = draw(SQUARE), draw(SQUARE, [(7, BLUE)], view=aside, seed=4)
    assert told(empty, set_up) == {7: ("marble", "blue")}
    holes = find_holes(empty)
    shift = moved(holes, empty, set_up)
    far = np.linalg.norm(
        through(shift, holes.pixels)[:, None] - holes_at(SQUARE, aside)[None], axis=2
    )
    assert far.min(1).max() < 4


def test_another_picture_is_not_the_same_board():
    empty = draw(SQUARE)
    assert moved(find_holes(empty), empty, np.full_like(empty, 90)) is None


def test_a_picture_of_another_size_is_not_taken():
    empty = draw(SQUARE)
    assert moved(find_holes(empty), empty, empty[:-2]) is None


def test_squares_are_named_from_the_bottom_left():
    holes = find_holes(draw(SQUARE))
    names = named(holes).names
    assert len(set(names)) == len(SQUARE)
    far = np.linalg.norm(holes.pixels[:, None] - holes_at(SQUARE)[None], axis=2)
    places = {name: SQUARE[n] for name, n in zip(names, far.argmin(1), strict=True)}
    assert places["a1"] == (0, 5)
    assert places["f1"] == (5, 5)
    assert places["b6"] == (1, 0)


def test_what_was_found_is_drawn_on_a_copy():
    picture = draw(SQUARE)
    holes = find_holes(picture)
    before = picture.copy()
    drawn = overlay(picture, holes, holes.pixels, named(holes), [])
    assert np.array_equal(picture, before)
    assert not np.array_equal(drawn, before)
    assert len(flat_at(SQUARE)) == len(holes.pixels)
