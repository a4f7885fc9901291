"""A profile is either right in every key or refused with a sentence that helps."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boards import profile
from companion.boards.files import FOLDER
from companion.errors import ProfileError

REFERENCE = (FOLDER / "reference.toml").read_text()


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert REFERENCE.count(old) >= 1
    file = tmp_path / "mine.toml"
    file.write_text(REFERENCE.replace(old, new, 1))
    return file


def test_every_profile_that_comes_along_is_fine():
    assert "reference" in profile.names()
    for name in profile.names():
        assert profile.check(FOLDER / f"{name}.toml") == []


def test_the_reference_build_has_the_sizes_of_its_drawing():
    board = profile.load("reference")
    assert (board.pitch_mm, board.field_mm) == (29, 255)
    assert board.at("a1") == (-116, -116)
    assert board.at("i9") == (116, 116)
    assert {m.id: (m.x_mm, m.y_mm) for m in board.markers} == {
        0: (-165, 165),
        1: (165, 165),
        2: (165, -165),
        3: (-165, -165),
    }


def test_lights_face_columns_and_rows_in_the_order_of_the_wire():
    board = profile.load("reference")
    lights = board.lights
    assert lights.count == 39
    assert sorted(lights.names.values()) == list(range(39))
    assert (lights.names["S1"], lights.names["N9"], lights.names["L3"]) == (0, 18, 38)
    assert lights.at_mm["N3"] == (board.at("c1")[0], 142)
    assert lights.at_mm["W7"] == (-142, board.at("a7")[1])


def test_a_light_can_lie_under_a_square_and_one_can_face_nothing(tmp_path):
    board = profile.load(changed(tmp_path, '"L1 L2 L3"', '"L1 L2 L3 - e6"'))
    assert board.lights.count == 41
    assert board.lights.names["e6"] == 40
    assert board.lights.at_mm["e6"] == board.at("e6")


def test_under_the_cells_every_square_has_a_light_and_no_side_is_needed():
    board = profile.load("under-cells")
    assert set(board.lights.names) == {*board.squares, "L1", "L2", "L3"}
    assert board.lights.at_mm["c7"] == board.at("c7")
    assert (board.lights.names["a1"], board.lights.names["i2"]) == (0, 9)


def test_every_square_has_a_channel_of_its_own():
    board = profile.load("reference")
    assert set(board.hall.channels) == set(board.squares)
    assert sorted(board.hall.channels.values()) == list(range(81))
    assert board.hall.channels["a1"] == 0
    assert board.hall.channels["i9"] == 80


def test_a_profile_is_found_by_path(tmp_path):
    file = changed(tmp_path, "Reference build", "Kitchen table")
    board = profile.load(file)
    assert (board.name, board.title) == ("mine", "Kitchen table, PAC-MAN theme")


def test_a_board_without_markers_lights_and_sensors_is_fine(tmp_path):
    text = REFERENCE[: REFERENCE.index("[markers]")] + REFERENCE[REFERENCE.index("[provenance]") :]
    kept = [line for line in text.splitlines() if line[:5] not in ("marke", "light", "hall ")]
    file = tmp_path / "bare.toml"
    file.write_text("\n".join(kept))
    board = profile.load(file)
    assert (board.markers, board.lights.count, board.hall.channels) == ((), 0, {})


def test_markers_may_lie_below_the_tops_of_the_cells(tmp_path):
    board = profile.load(changed(tmp_path, "size_mm = 30", "size_mm = 23\nplane_mm = -4.5"))
    assert {marker.z_mm for marker in board.markers} == {-4.5}
    assert {marker.z_mm for marker in profile.load("reference").markers} == {0.0}


def test_fences_may_have_several_colours_each_by_whose_they_are(tmp_path):
    several = 'colours = { blinky = "#d8302a", spare = "#e8c030" }'
    fence = profile.load(changed(tmp_path, 'colour = "#2040e0"', several)).fence
    assert fence.colours == {"blinky": (0xD8, 0x30, 0x2A), "spare": (0xE8, 0xC0, 0x30)}
    assert fence.colour == fence.colour_of("pinky") == fence.colours["blinky"]
    assert fence.colour_of("spare") == fence.colours["spare"]
    assert not fence.learned
    usual = profile.load("reference").fence
    assert (usual.colours, usual.colour_of("blinky")) == ({}, usual.colour)


def test_colours_that_are_left_out_are_learned(tmp_path):
    text = re.sub("(?m)^(colour|cell|groove|rim|frame|table) = .*\n", "", REFERENCE)
    file = tmp_path / "colourless.toml"
    file.write_text(text)
    board = profile.load(file)
    assert board.fence.learned
    assert all(piece.learned for piece in board.pieces.values())
    assert len({piece.colour for piece in board.pieces.values()}) == len(board.pieces)
    assert set(board.colours) == set(profile.load("reference").colours)
    assert not any(piece.learned for piece in profile.load("reference").pieces.values())


def test_the_board_on_plywood_is_described_as_its_builders_tell():
    board = profile.load("plywood")
    assert (board.cell_mm, board.groove_mm, board.field_mm) == (24, 6, 264)
    assert set(board.pieces) == {"red", "blue"}
    assert set(board.fence.colours) == {"red", "blue", "yellow"}
    assert board.marker_mm == 23
    assert {marker.id: (marker.x_mm, marker.y_mm) for marker in board.markers} == {
        0: (-119, 143.5),
        1: (119, 143.5),
        2: (119, -143.5),
        3: (-119, -143.5),
    }
    assert all(marker.z_mm < 0 for marker in board.markers)


WRONG = [
    (
        "cell_mm = 23",
        "cell_mm = 'wide'",
        "geometry.cell_mm: expected a positive number, got 'wide'",
    ),
    ("cell_mm = 23", "cell_mm = true", "geometry.cell_mm: expected a positive number, got true"),
    ("cell_mm = 23", "cell_mm = nan", "geometry.cell_mm: expected a positive number, got nan"),
    ("cell_mm = 23\n", "", "geometry.cell_mm: expected a positive number, got nothing"),
    ("cell_mm = 23", "cell_mn = 23", "cell_mn: unknown key, the nearest known one is 'cell_mm'"),
    ("[geometry]", "[geometri]", "geometri: unknown key, the nearest known one is 'geometry'"),
    ("columns = 9", "columns = 11", "geometry.columns: expected 9, got 11"),
    ("rows = 9", "rows = 9.0", "geometry.rows: expected a whole number of 0 or more, got 9.0"),
    ("title = ", "title = 5 #", "title: expected some text, got 5"),
    ('"#16161c"', '"black"', "colours.cell: expected a colour like '#ffd800', got 'black'"),
    ('rim = "#101014"', 'edge = "#101014"', "colours.edge: unknown key"),
    (
        "length_mm = 52",
        "length_mm = 60",
        "fence.length_mm: expected two cells and a groove, 52 ± 2",
    ),
    ("thickness_mm = 5", "thickness_mm = 7", "fence.thickness_mm: expected at most the groove's 6"),
    ("board_mm = 270", "board_mm = 250", "geometry.board_mm: expected at least the field's 255"),
    ("frame_mm = 370", "frame_mm = 260", "geometry.frame_mm: expected at least the board's 270"),
    ('shape = "ball"', 'shape = "cube"', "pieces.pacman.shape: expected one of 'ball', 'ghost'"),
    ("diameter_mm = 19", "diameter_mm = 24", "pieces.pacman.diameter_mm: expected at most"),
    ("magnet = ", "magnet = 99999 #", "pieces.pacman.magnet: expected a whole number from -4096"),
    ("magnet = ", "magnet = 2050 #", "pieces.pacman.magnet: expected -2048 to 2047, which the"),
    ("[-165, 165]", "[-180, 165]", "markers.at_mm[0].at: expected the whole marker on the frame"),
    ("[-165, 165]", "[-130, 100]", "markers.at_mm[0].at: expected a marker beside the field"),
    ("[165, 165]", "[-160, 160]", "markers.at_mm[1].at: expected 35 or more to marker 0, got 5"),
    ("[165, 165]", "[165]", "markers.at_mm[1].at: expected two numbers [x, y], got [165]"),
    ("id = 1,", "id = 0,", "markers.at_mm: expected every id once, got '0 2 times'"),
    ("id = 1,", "id = 50,", "markers.at_mm[1].id: expected a whole number from 0 to 49, got 50"),
    (
        "size_mm = 30",
        "plane_mm = -101",
        "markers.plane_mm: expected a number from -100 to 100, got",
    ),
    ("size_mm = 30", "plane_mm = 'low'", "markers.plane_mm: expected a number from -100 to 100"),
    (
        'colour = "#2040e0"',
        'colour = "#2040e0"\ncolours = { blinky = "#d8302a" }',
        "fence.colour: expected either colour or colours, got 'both'",
    ),
    (
        'colour = "#2040e0"',
        'colours = { "Mr X" = "#d8302a" }',
        "fence.colours.Mr X: expected a piece, or another name of lower-case letters, got 'Mr X'",
    ),
    (
        'colour = "#2040e0"',
        "colours = { blinky = 'red' }",
        "fence.colours.blinky: expected a colour like '#ffd800', got 'red'",
    ),
    ('colour = "#2040e0"', "colours = {}", "fence.colours: expected a colour for each piece's"),
    ('colour = "#2040e0"', "colours = 7", "fence.colours: expected a table, got 7"),
    ('colour = "#2040e0"', 'color = "#2040e0"', "fence.color: unknown key, the nearest known one"),
    ('"4x4_50"', '"6x6_50"', "markers.dictionary: expected one of '4x4_50', got '6x6_50'"),
    ('"GRB"', '"GRX"', "lights.order: expected one of"),
    ("S1 S2", "S1 S1", "lights.wire: expected every light once, got 'S1 again at 1'"),
    (
        "side_mm = 142\n",
        "",
        "lights.side_mm: expected a positive number, since there is a light S1, got nothing",
    ),
    ("S1 S2", "S1 X2", "lights.wire: expected N1, E1, S1, W1 …, a square,"),
    (
        "milliamps = 1500",
        "milliamps = 20",
        "lights.milliamps: expected at least the 39 that 39 dark",
    ),
    ("L1 = [-29, -165]", "L1 = [-29, -195]", "lights.at_mm.L1: expected a place on the frame"),
    ("L1 = [-29, -165]", "L9 = [-29, -165]", "lights.at_mm.L9: unknown key, the nearest known"),
    (
        "[0, 1, 2,",
        "[0, 0, 2,",
        "hall.channels: expected a channel of its own for b1, got '0 of a1'",
    ),
    ("[0, 1, 2,", "[0, 81, 2,", "hall.channels: expected a number from 0 to 80 for b1, got 81"),
    ("[0, 1, 2,", "[0, 2,", "hall.channels: expected 9 rows of 9 channel numbers"),
    ("rest = 2048", "rest = 5000", "hall.rest: expected a whole number from 0 to 4095, got 5000"),
    ('"rulebook"', '"hearsay"', "provenance.fence.confidence: expected one of 'measured'"),
    ("lights = { conf", "light = { conf", "provenance.lights: expected a table, got nothing"),
    ("pieces.blinky]", "piecez.blinky]", "piecez: unknown key, the nearest known one is 'pieces'"),
    ("pieces.inky]", "pieces.fence]", "pieces.fence: expected a name of lower-case letters, not"),
    (
        "pieces.inky]",
        'pieces."a\\nb"]',
        "pieces.'a\\nb': expected a name of lower-case letters, not",
    ),
    ("[pellet]", "pellet = 3\n[other]", "pellet"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), WRONG, ids=[new for _, new, _ in WRONG])
def test_a_wrong_profile_is_refused_with_file_key_and_expectation(tmp_path, old, new, sentence):
    file = changed(tmp_path, old, new)
    problems = profile.check(file)
    assert any(problem.startswith(f"{file}: ") and sentence in problem for problem in problems)
    with pytest.raises(ProfileError):
        profile.load(file)


def test_two_magnets_that_feel_alike_are_refused(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(re.sub("magnet = .*", "magnet = 1000", REFERENCE))
    assert any(
        "pieces.blinky.magnet: expected 120 or more apart from pacman's 1000, got 1000" in problem
        for problem in profile.check(file)
    )


def test_one_wrong_value_is_one_problem(tmp_path):
    assert len(profile.check(changed(tmp_path, "cell_mm = 23", "cell_mm = 'wide'"))) == 1


def test_a_check_names_all_problems_at_once(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(REFERENCE.replace("cell_mm = 23", "cell_mm = 0").replace("count = 20", ""))
    assert len(profile.check(file)) == 2
    with pytest.raises(ProfileError, match=r"cell_mm: .*\(and 1 more\)"):
        profile.load(file)


def test_broken_toml_names_file_and_line(tmp_path):
    file = changed(tmp_path, "columns = 9", "columns = = 9")
    (problem,) = profile.check(file)
    assert problem.startswith(f"{file}: expected TOML: line 8, column 11: ")


LITERALS = [
    *("0", "-1", "1e400", "nan", "''", "'x'", "'#ffffff'", "true", "1979-05-27", "= ="),
    *("[]", "[1]", "[[1, 2], [3]]", "[{}]", "{}", "{ a = 1 }"),
    "9" * 5000,
    "[" * 3000 + "]" * 3000,
]
VALUES = [m.span(1) for m in re.finditer(r"^\w+ = ([^\[{\n]+)$", REFERENCE, re.MULTILINE)]


@given(st.sampled_from(VALUES), st.sampled_from(LITERALS))
def test_any_value_anywhere_is_taken_or_refused_in_lines(tmp_path_factory, span, literal):
    file = tmp_path_factory.mktemp("any") / "mine.toml"
    file.write_text(REFERENCE[: span[0]] + literal + REFERENCE[span[1] :])
    problems = profile.check(file)
    assert all(problem.startswith(f"{file}: ") and "\n" not in problem for problem in problems)
    if problems:
        with pytest.raises(ProfileError):
            profile.load(file)
    else:
        profile.load(file)


@pytest.mark.parametrize("missing", ["nothing.toml", "folder.toml/", "latin1.toml"])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, missing):
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "latin1.toml").write_bytes('title = "Gr\u00fcn"'.encode("latin-1"))
    (problem,) = profile.check(tmp_path / missing)
    assert problem.startswith(str(tmp_path / missing))
    assert "\n" not in problem


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        ProfileError,
        match=r"unknown board 'refrence': expected .*'reference', 'under-cells' or a .toml",
    ):
        profile.load("refrence")


def test_the_manual_explains_every_key():
    manual = (FOLDER.parents[1] / "docs" / "boards.md").read_text()
    top = tomllib.loads(REFERENCE)
    pieces = top["pieces"].values()
    sections = [top, top["geometry"], top["colours"], top["fence"], top["markers"], top["hall"]]
    sections += [top["lights"], top["provenance"]["hall"], *pieces]
    for section in sections:
        for key, value in section.items():
            if not isinstance(value, dict):
                assert f"`{key}`" in manual, key
    for section in top:
        assert section == "title" or f"[{section}" in manual
