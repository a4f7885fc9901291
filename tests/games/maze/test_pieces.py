"""What is printed beside the boards: dice, spinner, pawns and discs, counted and measured."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from companion.boards.paper import Press
from companion.commands.boards import marker_bits
from companion.errors import CompanionError
from companion.games.maze.maze import Maze
from companion.games.maze.pieces import BOX_HEIGHT_SHARE, BOX_SHARE, DIE_MM, DISC_SHARE
from companion.games.mspacman.field import field_of
from tests.games.maze.test_sheets import BOARDS
from tests.printed import MM, Sheet, sheets


def printed(name: str, only: str, maze: Maze | None = None, paper: str = "a4") -> list[Sheet]:
    own, prints = BOARDS[name]
    return sheets(prints.pdf(maze or own, Press(paper, marker_bits), only))


def places(sheet: Sheet, low_mm: float, high_mm: float) -> list[tuple[float, float]]:
    """Return the middles of all that has such a size, each once."""
    found: list[tuple[float, float]] = []
    for x, y, *_ in sheet.shapes(low_mm, high_mm):
        if all(abs(x - a) + abs(y - b) > 0.5 for a, b in found):
            found.append((x, y))
    return found


def nets(sheet: Sheet, side: float, height: float) -> list[tuple[float, float]]:
    """Return the size of each net that is as large as one of such a box, its tabs included."""
    wide, high = side + 2 * max(height, 5), 2 * side + 2 * height + 5
    return [
        (w - 0.3, h - 0.25)  # the lines' own width
        for _, _, w, h in sheet.shapes(min(wide, high) - 2, max(wide, high) + 2)
        if abs(w - wide) < 2 and abs(h - high) < 2
    ]


@pytest.mark.parametrize(("name", "pips", "words"), [("marbles", 42, []), ("mspacman", 19, ["F2"])])
def test_dice_have_the_faces_of_the_rules(name, pips, words):
    (sheet,) = printed(name, "dice")
    dark = [at for at in places(sheet, 3.0, 3.6) if sheet.at(*at, 1.0).max() < 60]
    assert len(dark) == pips
    assert [word for word, *_ in sheet.words if word in words] == words
    assert sheet.ruler_mm() == pytest.approx(100, abs=0.4)


def test_dice_are_cubes_of_their_size():
    (sheet,) = printed("marbles", "dice")
    found = nets(sheet, DIE_MM, DIE_MM)
    assert len(found) >= 2
    for size in found:
        assert size == pytest.approx((3 * DIE_MM, 4 * DIE_MM + 5), abs=0.2)


def test_the_spinner_shows_what_the_profile_has():
    (sheet,) = printed("mspacman", "dice")
    numbers = [word for word, _, y in sheet.words if word.isdigit() and y > 40]  # not the ruler's
    assert sorted(numbers) == [str(n) for n in field_of(BOARDS["mspacman"][0]).spinner]
    assert places(sheet, 89.5, 91)


def test_a_die_that_is_no_cube_becomes_a_spinner():
    maze = BOARDS["mspacman"][0]
    own = replace(
        maze, chance=MappingProxyType({"spinner": ("1", "2"), "die": ("1", "2", "F2", "4")})
    )
    (sheet,) = printed("mspacman", "dice", own)
    assert len(places(sheet, 89.5, 91)) == 2
    assert sheet.text.count("F2") == 1


@pytest.mark.parametrize(("name", "count"), [("marbles", 6), ("mspacman", 5)])
def test_pawns_fit_their_profile(name, count):
    maze = BOARDS[name][0]
    (sheet,) = printed(name, "pieces")
    side, height = BOX_SHARE * maze.pawn_mm, BOX_HEIGHT_SHARE * maze.pawn_mm
    found = nets(sheet, side, height)
    assert len(found) >= count
    for size in found:
        assert size == pytest.approx((side + 2 * height, 2 * side + 2 * height + 5), abs=0.2)


def test_each_ghost_has_a_strong_side_and_a_weak_one():
    (sheet,) = printed("mspacman", "pieces")
    for ghost in field_of(BOARDS["mspacman"][0]).ghosts:
        assert sheet.text.count(f"{ghost.title}, weak") == 1
        assert sheet.text.count(ghost.title) == 4  # on two walls and on both sides
        red, green, blue = BOARDS["mspacman"][0].owners[ghost.colour]
        rows, columns = np.nonzero((sheet.colours == (blue, green, red)).all(axis=2))
        for painted in (rows, columns):  # one body has the colour, the weak one is white
            assert 5 < np.ptp(painted) * MM < 0.8 * BOX_SHARE * 25


@pytest.mark.parametrize(
    ("name", "part", "counts"), [("marbles", "marbles", 76), ("mspacman", "dots", 68)]
)
def test_there_is_a_disc_for_each_marble_and_each_dot(name, part, counts):
    maze = BOARDS[name][0]
    for paper in ("a4", "letter"):
        (sheet,) = printed(name, part, paper=paper)
        size = DISC_SHARE * maze.pitch_mm
        assert len(places(sheet, size - 0.3, size + 0.6)) == counts


def test_more_pawns_than_a_sheet_holds_take_another():
    maze = replace(BOARDS["marbles"][0], pawn_mm=50.0)
    assert len(printed("marbles", "pieces", maze)) > 1


@pytest.mark.parametrize(
    ("part", "change", "told"),
    [
        ("board", {"pitch_mm": 400.0}, "expected parts that fit on a4: take larger paper"),
        ("board", {"board_mm": 90_000.0}, "expected at most 64 sheets of a4, got 90001 by 90001"),
        ("pieces", {"pawn_mm": 150.0}, "expected pawns that fit on a4, got 150 mm"),
        ("marbles", {"pitch_mm": 90.0}, "marbles that fit on one sheet of a4, got 76 of them"),
    ],
)
def test_what_no_paper_has_room_for_is_one_sentence(part, change, told):
    with pytest.raises(CompanionError, match=told):
        printed("marbles", part, replace(BOARDS["marbles"][0], **change))
