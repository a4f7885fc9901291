"""Corners of a board in a picture: which can be, and in pictures of other sizes."""

import math

import pytest

from companion.errors import CornersError
from companion.sensing.corners import Corners

GOOD = [[342, 780], [884, 804], [896, 273], [377, 251]]


def test_corners_of_a_board_seen_from_above_are_taken():
    corners = Corners.checked(GOOD, 1296, 972)
    assert corners.points[0] == (342.0, 780.0)
    assert corners == Corners.parse("342,780 884,804 896,273 377,251", 1296, 972)


def test_a_board_seen_from_another_side_is_taken_too():
    for turn in range(4):
        Corners.checked(GOOD[turn:] + GOOD[:turn], 1296, 972)


@pytest.mark.parametrize(
    ("points", "says"),
    [
        (None, "four corners"),
        ("abcd", "four corners"),
        (GOOD[:3], "four corners"),
        ([*GOOD[:3], [1, 2, 3]], "two numbers for corner a9"),
        ([*GOOD[:3], ["1", 2]], "two numbers for corner a9"),
        ([*GOOD[:3], [True, 2]], "two numbers for corner a9"),
        ([*GOOD[:3], [math.nan, 2]], "two numbers for corner a9"),
        ([*GOOD[:3], [math.inf, 2]], "two numbers for corner a9"),
        ([*GOOD[:3], [10**400, 2]], "two numbers for corner a9"),
        ([*GOOD[:3], [-1, 2]], "corner a9 inside the picture"),
        ([*GOOD[:3], [377, 972]], "corner a9 inside the picture"),
        ([*GOOD[:3], [890, 280]], "at least 146 pixels apart"),
        (GOOD[::-1], "wrong way round"),
        ([GOOD[0], GOOD[2], GOOD[1], GOOD[3]], "no dent"),
        ([*GOOD[:3], [640, 600]], "no dent"),
    ],
)
def test_corners_that_cannot_be_are_refused_in_a_sentence(points, says):
    with pytest.raises(CornersError, match=says):
        Corners.checked(points, 1296, 972)


@pytest.mark.parametrize("size", [("1296", 972), (1296.0, 972), (0, 972), (1296, 10**9)])
def test_a_size_that_cannot_be_is_refused(size):
    with pytest.raises(CornersError, match="whole pixels"):
        Corners.checked(GOOD, *size)


@pytest.mark.parametrize(
    "text", ["", "1,2", "342,780 884,804 896,273", "a,b c,d e,f g,h", "1 2 3 4"]
)
def test_text_that_is_no_corners_is_refused(text):
    with pytest.raises(CornersError, match="expected four corners like"):
        Corners.parse(text, 1296, 972)


def test_corners_grow_with_the_picture_but_not_into_another_shape():
    corners = Corners.checked(GOOD, 1296, 972)
    larger = corners.scaled(2592, 1944)
    assert larger is not None
    assert larger.points[0] == (684.5, 1560.5)
    assert corners.scaled(1280, 720) is None
