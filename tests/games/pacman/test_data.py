"""A layout is either right in every key or refused with a sentence that names the spot."""

from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import ProfileError, UnknownBoard
from companion.games.pacman.data import FOLDER, load_layout, read_layout

USUAL = (FOLDER / "pacman.toml").read_text()


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert USUAL.count(old) >= 1
    file = tmp_path / "mine.toml"
    file.write_text(USUAL.replace(old, new, 1))
    return file


@pytest.mark.parametrize("name", ["pacman", "pacman-short", "pacman-even", "pacman-flank"])
def test_the_layouts_that_come_along_have_everything(name: str) -> None:
    layout = load_layout(name)
    assert layout.name == name
    assert layout.pacman == "e5"
    assert sorted(layout.ghosts.values()) == ["a5", "e1", "e9", "i5"]
    assert len(layout.pellets) == 4
    assert sorted(slot[2] for slot in layout.fences) == list("hhhvvv")
    assert set(layout.provenance) == {"pacman", "ghosts", "pellets", "fences"}
    assert layout.provenance["fences"].startswith("stand-in: ")
    assert len(layout.position()) == 15


SLOTS = '["a8h", "d3h", "e6h", "c4v", "f5v", "h1v"]'


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"a9", "i1"', '"e9", "i1"', "e9: expected one thing on a square, got blinky and a pellet"),
        ('inky = "i5"', 'inky = "e5"', "e5: expected one thing on a square, got pacman and inky"),
        ('"a9", "i1"', '"a1", "i1"', "a1: expected one thing on a square, got a pellet and a pell"),
        ('"c4v"', '"e6v"', "e6v: expected fences that do not cross, got e6h across it"),
        ('"d3h"', '"f6h"', "e6h: expected fences that do not overlap, got f6h along it"),
        ('"f5v"', '"c4v"', "c4v: expected one fence in a slot, got two"),
        (
            '"d3h", "e6h", "c4v", "f5v"',
            '"a1h", "e6h", "b1v", "f5v"',
            "a1: expected a way from e5 to the pellet, got none",
        ),
        (
            '"d3h", "e6h", "c4v", "f5v"',
            '"d5h", "d3h", "c4v", "e4v"',
            "a1: expected a way from e5 to the pellet, got none",
        ),
        ('"d3h"', '"c6v"', "fences.slots: expected 3 fences across, got ['a8h', 'e6h']"),
        ("upright = 3", "upright = 2", "fences.slots: expected 2 fences upright, got ['c4v', 'f5v"),
        ('"d3h"', '"i3h"', "fences.slots: expected a list of fences such as e3h or e3v, got 'i3h'"),
        ('pacman = "e5"', 'pacman = "e10"', "pacman: expected a square such as 'e5', got 'e10'"),
        ('"a9", "i1", ', '"a9", ', "pellets: expected 4 squares, got ['a1', 'a9', 'i9']"),
        ('"a9", "i1"', '9, "i1"', "pellets: expected a list of squares such as e5, got 9"),
        ('clyde = "e1"', "", "ghosts.clyde: expected a square such as 'e5', got nothing"),
        ("[ghosts]", "[ghosts]\nsue = 'e2'", "ghosts.sue: unknown key"),
        ("[provenance.ghosts]", "[provenance.ghost]", "provenance.ghosts: expected a table"),
        (
            'confidence = "report"',
            'confidence = "rumour"',
            "expected one of 'measured', 'rulebook'",
        ),
        ('kind = "layout"', 'kind = "maze"', "kind: expected one of 'layout', got 'maze'"),
        ("title", "titel", "titel: unknown key, the nearest known one is 'title'"),
    ],
)
def test_what_is_wrong_is_told_with_the_spot(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    file = changed(tmp_path, old, new)
    problems = read_layout(file)[1]
    assert any(problem in line for line in problems), problems
    assert all(line.startswith(f"{file}: ") for line in problems)
    with pytest.raises(ProfileError):
        load_layout(file)


def test_squares_that_nobody_can_reach_are_each_named(tmp_path: Path) -> None:
    slots = '["a8h", "e6h", "g8h", "h7v", "f5v", "h1v"]'
    file = changed(tmp_path, SLOTS, slots)
    assert read_layout(file)[1] == []
    closed = changed(tmp_path, SLOTS, '["a2h", "d3h", "e6h", "b1v", "f5v", "h1v"]')
    assert [line.split(": ")[1] for line in read_layout(closed)[1]] == ["a1", "b1", "a2", "b2"]


def test_the_numbers_of_fences_can_be_changed(tmp_path: Path) -> None:
    file = changed(
        tmp_path,
        f"across = 3\nupright = 3\nslots = {SLOTS}",
        "across = 1\nupright = 0\nslots = ['d3h']",
    )
    assert load_layout(file).fences == ("d3h",)


def test_a_file_that_is_not_there_or_no_toml_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnknownBoard, match="unknown layout 'moon': expected a name or a"):
        load_layout("moon")
    broken = tmp_path / "broken.toml"
    broken.write_text("kind = \n")
    with pytest.raises(ProfileError, match="expected TOML"):
        load_layout(broken)
    broken.write_text("")
    with pytest.raises(ProfileError, match=r"kind: expected .* \(and \d more\)"):
        load_layout(broken)


def test_layouts_are_listed_checked_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["boards"]) == 0
    out = capsys.readouterr().out
    assert "pacman: Quoridor PAC-MAN, special variant, stand-in fences" in out
    assert main(["boards", "check", "pacman", "pacman-short"]) == 0
    crossed = changed(tmp_path, '"c4v"', '"e6v"')
    assert main(["boards", "check", str(crossed)]) == 1
    assert "e6v: expected fences that do not cross" in capsys.readouterr().out
    assert main(["boards", "draw", "pacman"]) == 0
    assert "━" in capsys.readouterr().out
    assert main(["boards", "draw", "pacman", "--out", str(tmp_path / "b.svg")]) == 0
    assert (tmp_path / "b.svg").read_text().count("<title>") >= 9
