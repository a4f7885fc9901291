"""``companion boards`` from the outside: what it prints and how it exits."""

import json
import re
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.boards import profile
from companion.boards.files import FOLDER
from tests.printed import texts

GAMES = FOLDER.parent / "games"


def test_the_list_names_title_size_and_sources(capsys):
    assert main(["boards"]) == 0
    out = capsys.readouterr().out
    assert "\nreference: Reference build" in out
    assert "field 255 mm" in out
    assert "reference design" in out


def test_the_list_is_json_for_programs(capsys):
    assert main(["boards", "--json"]) == 0
    boards = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [board["name"] for board in boards if board["kind"] == "grid"] == profile.names()
    assert [b["name"] for b in boards if b["kind"] == "maze"] == ["marbles", "mspacman"]
    sources = {board["name"]: set(board["provenance"]) for board in boards}
    assert sources["reference"] >= {"geometry", "hall", "lights"}


def test_every_file_that_comes_along_is_listed_by_its_kind(capsys):
    assert main(["boards", "--json"]) == 0
    boards = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    listed = {Path(board["file"]): board["kind"] for board in boards}
    shipped = [*FOLDER.glob("*.toml"), *GAMES.glob("*/*.toml")]
    assert {file: profile.kind_of(file) for file in shipped} == listed


@pytest.mark.parametrize("spelt", [["list"], ["list", "--json"], ["--json", "list"]])
def test_the_list_can_be_asked_for_by_its_name(spelt, capsys):
    assert main(["boards", *(["--json"] if "--json" in spelt else [])]) == 0
    plain = capsys.readouterr().out
    assert main(["boards", *spelt]) == 0
    assert capsys.readouterr().out == plain


def test_good_files_are_ok(capsys):
    assert main(["boards", "check", "reference", str(FOLDER / "reference.toml")]) == 0
    assert [line.rpartition(": ")[2] for line in capsys.readouterr().out.splitlines()] == ["ok"] * 2


def test_each_problem_is_a_line_and_the_answer_is_no(capsys, tmp_path):
    file = tmp_path / "x.toml"
    file.write_text("[geometry]\ncell_mm = 'wide'\n")
    assert main(["boards", "check", "reference", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "reference: ok"
    assert f"{file}: geometry.cell_mm: expected a positive number, got 'wide'" in lines


def test_a_drawing_is_printed_or_written(capsys, tmp_path):
    assert main(["boards", "draw", "reference"]) == 0
    assert "9 |" in capsys.readouterr().out
    assert main(["boards", "draw", "reference", "--out", str(tmp_path / "b.svg")]) == 0
    assert (tmp_path / "b.svg").read_text().startswith("<svg")


def test_what_cannot_be_drawn_is_one_sentence(capsys, tmp_path):
    assert main(["boards", "draw", "nope"]) == 2
    assert main(["boards", "draw", "reference", "--out", str(tmp_path / "no" / "b.svg")]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2
    assert errors[0].startswith("companion boards: unknown board 'nope'")
    assert "cannot be written" in errors[1]


@pytest.mark.parametrize(
    ("board", "old", "new", "told"),
    [
        ("marbles", "ringed = 4", "ringed = 5", "ringed"),
        ("mspacman", "power = 4", "power = 5", "power"),
    ],
)
def test_a_maze_with_a_wrong_number_of_spots_is_refused(board, old, new, told, tmp_path, capsys):
    text = (GAMES / board / f"{board}.toml").read_text()
    assert old in text
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace(old, new))
    assert main(["boards", "check", str(broken)]) == 1
    assert told in capsys.readouterr().out


def test_a_maze_that_breaks_the_laws_of_its_game_is_refused(tmp_path, capsys):
    text = (GAMES / "mspacman" / "mspacman.toml").read_text()
    broken = tmp_path / "broken.toml"
    broken.write_text(
        text.replace('b = { kind = "square", owner = "blue" }', 'b = { kind = "square" }')
    )
    assert main(["boards", "check", str(broken)]) == 1
    assert "expected a colour for every square" in capsys.readouterr().out


PRINTED = {
    "reference": ("markers", "template"),
    "marbles": ("board", "pieces", "dice", "marbles"),
    "mspacman": ("board", "pieces", "dice", "dots"),
    "cards": ("fronts", "backs"),
    "pacman": ("card", "tokens"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_everything_that_is_printed_has_its_parts(name, tmp_path, capsys):
    out = tmp_path / "out.pdf"
    for part in PRINTED[name]:
        assert main(["boards", "print", name, "--only", part, "--out", str(out)]) == 0
        assert out.read_bytes().startswith(b"%PDF-1.4")
    assert "print it at 100 %" in capsys.readouterr().out


def test_the_help_of_print_lists_what_can_be_printed(capsys):
    with pytest.raises(SystemExit) as end:
        main(["boards", "print", "--help"])
    assert end.value.code == 0
    told = capsys.readouterr().out
    for name, parts in PRINTED.items():
        assert re.search(rf"^  {name} +[a-z]", told, re.MULTILINE)
        assert f"--only {', '.join(parts)}" in told


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (
            ["marbles", "--only", "dots"],
            2,
            "has 'board', 'pieces', 'dice', 'marbles' to print, got",
        ),
        (["pacman-advanced"], 1, "there is nothing to print of a file of this kind"),
        (["nowhere"], 2, "unknown board 'nowhere': expected "),
        (["plywood", "--only", "cards"], 2, "has 'markers', 'template' to print, got 'cards'"),
        (["gigamic-mini", "--only", "markers"], 1, "has no markers in its profile"),
    ],
)
def test_what_cannot_be_printed_is_one_sentence(arguments, code, told, tmp_path, capsys):
    out = tmp_path / "out.pdf"
    assert main(["boards", "print", *arguments, "--out", str(out)]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
    assert not out.exists()


def test_a_maze_that_its_game_cannot_be_played_on_is_not_printed(tmp_path, capsys):
    own = tmp_path / "own.toml"
    text = (GAMES / "mspacman" / "mspacman.toml").read_text()
    own.write_text(text.replace('die = ["1", "F2"', 'die = ["1", "F9"'))
    assert main(["boards", "print", str(own), "--out", str(tmp_path / "x.pdf")]) == 2
    assert "the die shows numbers" in capsys.readouterr().err


def test_a_maze_of_ones_own_is_printed_with_its_own_name_and_sizes(tmp_path):
    own = tmp_path / "table.toml"
    text = (GAMES / "marbles" / "marbles.toml").read_text()
    own.write_text(text.replace('title = "Marble game, stand-in maze"', 'title = "Ünser (2) — Ω"'))
    out = tmp_path / "x.pdf"
    assert main(["boards", "print", str(own), "--paper", "a3", "--out", str(out)]) == 0
    assert "Profile table, scale 1:1, board 480 mm" in texts(out.read_bytes())[1]
