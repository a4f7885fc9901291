"""Mazes: drawn with letters, read, checked, drawn again."""

import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from companion.__main__ import main
from companion.errors import ProfileError
from companion.games.kit import Kit
from companion.games.marbles import data as marbles
from companion.games.marbles.kit import KITS as MARBLES
from companion.games.maze.data import KINDS, faults, load_maze, read_maze
from companion.games.maze.maze import Maze, draw_maze_text
from companion.games.maze.picture import read_picture, spot_name
from companion.games.maze.svg import draw_maze_svg
from companion.games.mspacman import data as mspacman
from companion.games.mspacman.kit import KITS as MSPACMAN

SMALL = """\
kind = "maze"
title = "Small"

[geometry]
board_mm = 100
pitch_mm = 20

[colours]
board = "#101014"
wall = "#2040e0"
dot = "#f0d848"
ring = "#ff8c1a"
arrow = "#f8f8f8"
table = "#8a6a4a"

[owners]
red = "#e01818"

[maze]
step = [4, 2]
picture = '''
o---O---R
|       |
o-------o---^
'''

[maze.legend]
o = { kind = "hole" }
O = { kind = "ringed" }
R = { kind = "home", owner = "red" }
"^" = { kind = "exit", marks = ["east"] }

[counts]
hole = 3
ringed = 1
home = 1
exit = 1

[provenance]
geometry = { confidence = "stand-in", source = "a test" }
colours = { confidence = "stand-in", source = "a test" }
owners = { confidence = "stand-in", source = "a test" }
maze = { confidence = "stand-in", source = "a test" }
counts = { confidence = "stand-in", source = "a test" }
"""


#: What makes it a maze without holes.
HERS = (
    ('o = { kind = "hole" }', 'o = { kind = "square" }'),
    ('O = { kind = "ringed" }', 'O = { kind = "power" }'),
    ("hole = 3", "square = 3"),
    ("ringed = 1", "power = 1"),
)


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    """Return a file with the small maze, some of its text changed."""
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def small(tmp_path: Path) -> Maze:
    return load_maze(written(tmp_path))


# -- pictures


def test_spots_are_named_from_the_bottom_left(small: Maze) -> None:
    assert list(small.spots) == ["a1", "c1", "d1", "a2", "b2", "c2"]
    assert spot_name((3, 11)) == "d12"


def test_paths_run_from_spot_to_spot_however_long(small: Maze) -> None:
    assert small.links["a1"] == ("a2", "c1")
    assert small.links["b2"] == ("a2", "c2")
    assert small.links["d1"] == ("c1",)


def test_the_legend_says_kind_owner_and_marks(small: Maze) -> None:
    assert (small.spots["c2"].kind, small.spots["c2"].owner) == ("home", "red")
    assert small.spots["d1"].marks == ("east",)
    assert small.of_kind("hole") == ("a1", "c1", "a2")
    assert small.owned("home", "red") == ("c2",)


def test_millimetres_count_from_the_middle(small: Maze) -> None:
    assert (small.spots["a1"].x_mm, small.spots["a1"].y_mm) == (-30, -10)
    assert (small.spots["d1"].x_mm, small.spots["c2"].y_mm) == (30, 10)


def test_walls_stand_where_no_path_comes_through(small: Maze) -> None:
    walls = set(small.walls)
    assert (-20.0, 0.0, 0.0, 0.0) in walls  # between b2 and the long path under it
    assert (-40.0, -20.0, -40.0, 20.0) in walls  # the whole west side
    assert not any(wall[0] == wall[2] == 40.0 for wall in walls)  # the exit is open to the east
    assert (-20.0, -20.0, -20.0, 0.0) not in walls  # the path goes from a1 to c1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o---o\n|\n    o", "a path from spot to spot, got | at line 2, column 1"),
        ("o-- o\n\no", "a path from spot to spot, got - at line 1, column 2"),
        ("o-o-o\n\no", "spots every 4 columns and 2 lines, got o at line 1, column 3"),
        ("o", "2 to 99 rows and 2 to 26 columns, got 1 and 1"),
        ("o" + "---o" * 30 + "\n\no", "2 to 99 rows and 2 to 26 columns, got 2 and 31"),
    ],
)
def test_a_wrong_stroke_is_told_with_its_place(text: str, expected: str) -> None:
    problems = [f"{wanted}, got {got}" for wanted, got in read_picture(text, (4, 2)).problems]
    assert expected in problems


# -- files


@pytest.mark.parametrize("file", [marbles.FILE, mspacman.FILE])
def test_the_mazes_that_come_along_are_fine(file: Path) -> None:
    maze, problems = read_maze(file)
    assert problems == []
    assert maze
    assert maze.provenance["maze"].startswith("stand-in")
    assert load_maze(file) == maze


def test_the_marble_board_has_its_holes_homes_and_exits() -> None:
    maze = load_maze(marbles.FILE)
    assert dict(maze.counts) == {"hole": 72, "ringed": 4, "home": 4, "exit": 4, "centre": 2}
    assert list(maze.owners) == ["yellow", "red", "green", "blue"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hole = 3", "hole = 4", "counts.hole: expected 4 in the picture, got 3"),
        ("hole = 3\n", "", "counts.hole: expected a whole number of 0 or more, got nothing"),
        (
            "home = 1\n",
            "home = 1\nhmoe = 1\n",
            "counts.hmoe: unknown key, the nearest known one is",
        ),
        ("O---R", "O---Q", "maze.picture: expected signs of the legend, got 'Q at c2'"),
        ('O = { kind = "ringed" }', 'O = { kind = "pit" }', "maze.legend.O.kind: expected one of"),
        ('owner = "red"', 'owner = "pink"', "maze.legend.R.owner: expected one of 'red'"),
        ("step = [4, 2]", "step = [1, 2]", "maze.step: expected [columns, lines]"),
        (
            "step = [4, 2]",
            "walls_mm = [[0, 0, 1]]",
            "maze.walls_mm: expected a list of [x, y, x, y]",
        ),
        (
            "step = [4, 2]",
            "walls_mm = [[-10, 0, -10, 30]]",
            "a2: expected an open path to b2, got the",
        ),
        ("board_mm = 100", "board_mm = 50", "d1: expected a place on the board, at most 25 mm"),
        ("[maze.legend]", "[maze.at_mm]\na1 = [-60, 0]\n[maze.legend]", "a1: expected a place on"),
        ("[maze.legend]", "[maze.at_mm]\nx9 = [0, 0]\n[maze.legend]", "maze.at_mm.x9: unknown key"),
        ('kind = "maze"', 'kind = "haze"', "kind: expected one of 'maze'"),
        ("pitch_mm = 20", "pitch_mm = 'far'", "geometry.pitch_mm: expected a positive number"),
        (
            'counts = { confidence = "stand-in", source = "a test" }',
            "",
            "provenance.counts: expected",
        ),
    ],
)
def test_what_is_wrong_is_told_with_key_or_spot(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    file = written(tmp_path, (old, new))
    _, problems = read_maze(file)
    assert any(message in problem for problem in problems), problems
    assert all(problem.startswith(str(file)) for problem in problems)
    with pytest.raises(ProfileError):
        load_maze(file)


def test_a_cut_that_leaves_every_spot_a_way_is_fine(tmp_path: Path) -> None:
    assert read_maze(written(tmp_path, ("o-------o", "o       o")))[1] == []


def test_a_spot_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, ("o-------o---^", "o       o---^"), ("O---R", "O   R"))
    with pytest.raises(ProfileError, match=r"c1: expected a way to a1, got none \(and 2 more\)"):
        load_maze(file)


def test_a_path_that_leads_one_way_only_is_named(small: Maze) -> None:
    links = dict(small.links) | {"c1": ("c2", "d1")}
    broken = replace(small, links=MappingProxyType(links))
    assert faults(broken) == ["a1: expected the path to c1 to lead back as well"]
    assert faults(small) == []


def test_a_maze_without_spots_is_no_maze(small: Maze) -> None:
    none: MappingProxyType[str, int] = MappingProxyType({})
    empty = replace(small, spots=MappingProxyType({}), links=MappingProxyType({}), counts=none)
    assert faults(empty) == ["maze.picture: expected spots, got none"]


def test_a_place_can_be_measured_and_dice_be_told(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        ("[maze.legend]", "[maze.at_mm]\na1 = [-31, -12.5]\n[maze.legend]"),
        ("[provenance]", '[chance]\nspinner = [1, 2]\ndie = ["F2"]\n\n[provenance]'),
        ("maze = {", 'chance = { confidence = "stand-in", source = "a test" }\nmaze = {'),
    )
    maze = load_maze(file)
    assert (maze.spots["a1"].x_mm, maze.spots["a1"].y_mm) == (-31, -12.5)
    assert dict(maze.chance) == {"spinner": ("1", "2"), "die": ("F2",)}


def test_files_that_are_none_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="no such file"):
        load_maze(tmp_path / "no.toml")


# -- drawings and the command


def test_the_text_shows_paths_spots_and_things(small: Maze) -> None:
    text = draw_maze_text(small, {"a1": "white", "c2": "pacred"}, {"white": "●"})
    assert text.splitlines()[1] == " 2  o───O───P"
    assert text.splitlines()[3] == " 1  ●───────o───→"


def test_the_svg_has_every_spot_wall_and_thing(small: Maze) -> None:
    svg = draw_maze_svg(small, {"a1": "white", "c2": "pacred"})
    assert set(re.findall(r'id="spot-(\w+)"', svg)) == set(small.spots)
    assert svg.count("#2040e0") == len(small.walls)
    assert "<title>pacred</title>" in svg


def test_every_kind_can_be_drawn(small: Maze) -> None:
    for kind in KINDS:
        spots = {name: replace(spot, kind=kind) for name, spot in small.spots.items()}
        drawn = replace(small, spots=MappingProxyType(spots))
        assert draw_maze_svg(drawn)
        assert draw_maze_text(drawn)


def test_the_command_lists_checks_and_draws_mazes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["boards"]) == 0
    assert "72 hole, 4 ringed" in capsys.readouterr().out
    assert main(["boards", "check", "marbles"]) == 0
    assert main(["boards", "draw", "marbles", "--out", str(tmp_path / "m.svg")]) == 0
    assert (tmp_path / "m.svg").read_text().startswith("<svg")
    capsys.readouterr()
    file = written(tmp_path, ("hole = 3", "hole = 4"))
    assert main(["boards", "check", str(file)]) == 1
    assert "counts.hole: expected 4" in capsys.readouterr().out
    strange = written(tmp_path, ('kind = "maze"', 'kind = "haze"'))
    assert main(["boards", "check", str(strange)]) == 1
    told = capsys.readouterr().out
    assert "kind: expected one of 'grid', " in told
    assert "'maze'" in told


def test_the_game_that_a_maze_fits_says_what_it_lacks_and_no_other_does(tmp_path: Path) -> None:
    (marble,), (lady,) = (kits[0].data for kits in (MARBLES, MSPACMAN))
    assert marble.name == lady.name == "maze"
    small = written(tmp_path)
    assert marble.check(small) == [f"{small}: small: owners: expected 4 colours, got 1"]
    assert lady.check(small) == []
    plain = written(tmp_path, *HERS)
    assert marble.check(plain) == []
    assert lady.check(plain) == [
        f"{plain}: a1: expected a colour for every square and ghost space (MS-1)"
    ]
    broken = written(tmp_path, ("hole = 3", "hole = 4"))
    assert marble.check(broken) == lady.check(broken) != []


@pytest.mark.parametrize(("kits", "file"), [(MARBLES, marbles.FILE), (MSPACMAN, mspacman.FILE)])
def test_a_kind_tells_the_facts_of_a_maze(kits: tuple[Kit, ...], file: Path) -> None:
    (kind,) = kits[0].data
    maze = kind.load(file)
    facts = kind.facts(maze)
    assert kind.check(file) == []
    assert facts["name"] == file.stem
    assert sum(facts["spots"].values()) == len(maze.spots)
    sections = {"geometry", "colours", "owners", "maze", "counts", "markers"}
    assert set(facts["provenance"]) == sections | ({"chance"} if facts["chance"] else set())
    assert (facts["markers"], facts["pawn_mm"]) == (4, 25)
    assert sum(facts["confidence"].values()) == len(facts["provenance"])
    assert kind.size(maze).startswith(f"maze of {len(maze.spots)} spots")
    assert kind.text(maze) == draw_maze_text(maze)


def test_markers_lie_whole_on_the_board_and_on_no_spot(tmp_path: Path) -> None:
    text = marbles.FILE.read_text()
    own = tmp_path / "own.toml"
    own.write_text(text.replace("at = [-219, 219]", "at = [-225, 219]"))
    (told,) = read_maze(own)[1]
    assert "markers.at_mm[0].at: expected the whole marker and 5 mm of white on the board" in told
    own.write_text(text.replace("at = [-219, 219]", "at = [-200, 200]"))
    (told,) = read_maze(own)[1]
    assert "expected a place 32.5 mm or more from b12, got [-200, 200]" in told
    own.write_text(text.replace("id = 1", "id = 0"))
    assert any("every id once" in told for told in read_maze(own)[1])


def test_a_maze_without_markers_has_none_and_room_for_pieces() -> None:
    maze = load_maze(marbles.FILE)
    bare = replace(maze, markers=(), pawn_mm=0)
    assert draw_maze_svg(bare).count("#000000") == 0
    assert draw_maze_svg(maze).count('fill="#000000"') == 4
