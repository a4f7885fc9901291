"""A printed maze board is the board of the rules: rasterised, every spot, path, wall and marker is
where the game has it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from companion.boards.paper import Press
from companion.commands.boards import marker_bits
from companion.games.marbles import data as marbles
from companion.games.marbles import sheets as marbles_sheets
from companion.games.marbles.field import make_field
from companion.games.maze.data import load_maze
from companion.games.maze.maze import Maze
from companion.games.mspacman import data as mspacman
from companion.games.mspacman import sheets as mspacman_sheets
from companion.games.mspacman.field import field_of
from tests.printed import Sheet, sheets

BOARDS = {
    "marbles": (load_maze(marbles.FILE), marbles_sheets.PRINTS),
    "mspacman": (load_maze(mspacman.FILE), mspacman_sheets.PRINTS),
}
CASES = [(name, paper) for name in BOARDS for paper in ("a4", "letter")]
CLOSE_MM = 0.2


@cache
def printed(name: str, paper: str) -> list[Sheet]:
    maze, prints = BOARDS[name]
    return sheets(prints.pdf(maze, Press(paper, marker_bits), "board"))


def spots_on(sheet: Sheet, maze: Maze) -> dict[str, tuple[float, float]]:
    """Return where the spots are that are whole on a sheet: of the outlines around the place that
    is left below and left of a name, the middle of the outermost."""
    shapes = sheet.shapes(0.35 * maze.pitch_mm, 0.65 * maze.pitch_mm)
    found = {}
    for word, x, y in sheet.words:
        if word not in maze.spots:
            continue
        near = [
            shape
            for shape in shapes
            if -0.45 * maze.pitch_mm < shape[0] - x < 0
            and -0.55 * maze.pitch_mm < shape[1] - y < 0
            and abs(shape[2] - shape[3]) < 0.5
        ]
        if near:
            found[word] = max(near, key=lambda shape: shape[2])[:2]
    return found


def middle_of(sheet: Sheet, maze: Maze) -> np.ndarray | None:
    """Return where the board's middle is, in millimetres of a sheet."""
    found = spots_on(sheet, maze)
    if not found:
        return None
    places = [
        np.subtract(at, (maze.spots[name].x_mm, maze.spots[name].y_mm))
        for name, at in found.items()
    ]
    return np.median(places, axis=0)


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_every_spot_is_where_the_profile_has_it_and_no_other(name, paper):
    maze = BOARDS[name][0]
    seen = {}
    for sheet in printed(name, paper)[1:]:
        middle = middle_of(sheet, maze)
        for spot, at in spots_on(sheet, maze).items():
            place = (maze.spots[spot].x_mm, maze.spots[spot].y_mm)
            assert np.subtract(at, middle) == pytest.approx(place, abs=CLOSE_MM), spot
            seen[spot] = place
    assert set(seen) == set(maze.spots)
    field = make_field(maze) if name == "marbles" else field_of(maze)
    assert set(seen) - set(maze.of_kind("exit")) == set(field.names) - set(maze.of_kind("exit"))


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_the_markers_are_in_the_corners_where_the_profile_has_them(name, paper):
    maze = BOARDS[name][0]
    found = {}
    for sheet in printed(name, paper)[1:]:
        middle = middle_of(sheet, maze)
        for id, corners in sheet.markers().items():
            sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
            assert sides == pytest.approx([maze.marker_mm] * 4, abs=CLOSE_MM)
            assert corners[0][0] < corners[1][0]
            assert corners[1][1] > corners[2][1]  # upright
            found[id] = corners.mean(axis=0) - middle
    assert set(found) == {marker.id for marker in maze.markers} == {0, 1, 2, 3}
    for marker in maze.markers:
        assert found[marker.id] == pytest.approx((marker.x_mm, marker.y_mm), abs=CLOSE_MM)


def steps_of(name: str, maze: Maze) -> set[frozenset[str]]:
    """Return the pairs of spots that one step joins by the rules, off and on again left out."""
    if name == "marbles":
        field = make_field(maze)
        pairs = {
            frozenset((field.names[spot], field.names[step.to]))
            for spot, steps in enumerate(field.steps)
            for step in steps
            if step.out < 0
        }
        doors = {field.names[step.to] for step in field.doors}
        centre = {field.names[spot] for spot in field.centre}
        pairs |= {frozenset(p) for p in _linked(maze) if p[0] in centre and p[1] in doors}
        return pairs | {frozenset(p) for p in _linked(maze) if p[0] in field.exits}
    field = field_of(maze)
    exits = set(maze.of_kind("exit"))
    return {
        frozenset((field.names[spot], field.names[other]))
        for spot, others in enumerate(field.near)
        for other in others
        if not {field.names[spot], field.names[other]} <= exits
    }


def _linked(maze: Maze) -> list[tuple[str, str]]:
    return [(one, other) for one, others in maze.links.items() for other in others]


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_a_way_is_open_where_the_rules_have_a_step_and_walled_where_they_have_none(name, paper):
    maze = BOARDS[name][0]
    steps = steps_of(name, maze)
    gone, tried = set(), 0
    for sheet in printed(name, paper)[1:]:
        middle = middle_of(sheet, maze)
        for one in set(spots_on(sheet, maze)) - set(maze.of_kind("exit")):
            spot = np.array((maze.spots[one].x_mm, maze.spots[one].y_mm))
            for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                here = spot + middle + np.multiply(way, maze.pitch_mm / 2)
                if not sheet.shows(*(here + np.multiply(way, maze.pitch_mm / 4))):
                    continue
                walled = sheet.at(*here, 1.6).min() < 60
                opens = {pair for pair in steps if one in pair and leads(maze, one, pair, way)}
                assert walled != bool(opens), f"{one} towards {way}"
                gone |= opens
                tried += 1
                if opens:
                    assert dots_along(sheet, spot + middle, way, maze.pitch_mm) >= 2
    assert gone == steps
    assert tried >= 0.95 * 4 * (len(maze.spots) - 4)  # all but some at the edges of sheets


def leads(maze: Maze, one: str, pair: frozenset[str], way: tuple[int, int]) -> bool:
    """Tell whether a step from a spot goes this way."""
    (other,) = pair - {one}
    across = maze.spots[other].x_mm - maze.spots[one].x_mm
    up = maze.spots[other].y_mm - maze.spots[one].y_mm
    return tuple(np.sign((round(across), round(up)))) == way


def dots_along(sheet: Sheet, start: np.ndarray, way: tuple[int, int], pitch_mm: float) -> int:
    """Return how many dots of a path lie between a spot and the next."""
    places = [start + np.multiply(way, share * pitch_mm) for share in np.linspace(0.33, 0.67, 40)]
    dark = np.array([sheet.at(*place).min() < 200 for place in places])
    return np.count_nonzero(np.diff(dark.astype(int)) == 1)


@pytest.mark.parametrize(("name", "paper"), CASES)
def test_every_sheet_has_a_ruler_and_says_what_it_is(name, paper):
    for sheet in printed(name, paper):
        assert sheet.ruler_mm() == pytest.approx(100, abs=0.4)
        assert f"Profile {name}, scale 1:1" in sheet.text
        assert "Stand-in layout" in sheet.text


def test_a_measured_board_is_not_called_a_stand_in():
    maze, prints = BOARDS["marbles"]
    own = replace(maze, provenance={"maze": "measured: on the board itself"})
    sheet = sheets(prints.pdf(own, Press("a3", marker_bits), "board"))[0]
    assert "Stand-in" not in sheet.text


def test_the_board_is_as_large_as_the_profile_says_however_many_sheets_it_takes():
    maze = replace(BOARDS["marbles"][0], links={}, spots={}, walls=(), markers=(), board_mm=150.0)
    legend, board = sheets(BOARDS["marbles"][1].pdf(maze, Press("a4", marker_bits), "board"))
    (shape,) = {tuple(np.round(s, 1)) for s in board.shapes(149, 151.5)[:1]}
    assert shape[2:] == pytest.approx((150.0, 150.0), abs=0.5)
    assert "1 sheet" in legend.text
