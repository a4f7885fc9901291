"""Set-ups of the advanced variant as files: what is read, and what is refused and how."""

from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import ProfileError, UnknownBoard
from companion.games.advanced.data import FOLDER, draw_chambers, load_chambers, read_chambers

GOOD = (FOLDER / "pacman-advanced.toml").read_text()


def problems(tmp_path: Path, old: str, new: str) -> list[str]:
    """Return what is wrong with the shipped file after a change, without the file's name."""
    assert GOOD.count(old) >= 1
    file = tmp_path / "changed.toml"
    file.write_text(GOOD.replace(old, new, 1))
    return [problem.removeprefix(f"{file}: ") for problem in read_chambers(file)[1]]


def test_the_shipped_set_up_says_that_it_is_a_stand_in() -> None:
    setup = load_chambers("pacman-advanced")
    assert [chamber.name for chamber in setup.chambers] == ["d4", "e4", "d5", "e5", "pinwheel"]
    assert setup.pellets == ("a1", "a9", "i1", "i9")
    assert {fact.split(":")[0] for fact in setup.provenance.values()} == {"stand-in"}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('kind = "chambers"', 'kind = "room"', "kind: expected one of 'chambers', got 'room'"),
        ('"a1", "a9"', '"a1"', "pellets: expected a list of 4 squares such as 'a1', got"),
        ('"a1", "a9"', '"a1", "a0"', "pellets: expected a list of 4 squares such as 'a1', got"),
        ('"a1", "a9"', '"a1", "e9"', "e9: expected one thing on a square, got a respawn square"),
        ('"a1", "a9"', '"a1", "a1"', "a1: expected one thing on a square, got a pellet and a"),
        ('"a1", "a9"', '"a1", "d4"', "d4: expected one thing on a square, got a pellet and pinky"),
        ('"d3h", "d5h"', '"d3h", "d9h"', "fences: expected a list of 4 fences such as 'd3h', got"),
        ('"d3h", "d5h"', '"d3h", "d3v"', "d3v: expected fences that do not cross or overlap, got"),
        ('"d3h", "d5h"', '"d3h", "d3h"', "d3h: expected fences that do not lie in one slot, got"),
        ('blinky = "d5"', 'blinky = "e4"', "e4: expected one thing on a square, got blinky and"),
        ('blinky = "d5"', 'blinky = "z5"', "blinky: expected a square such as 'e5', got 'z5'"),
        ('blinky = "d5"', 'blinki = "d5"', "unknown key, the nearest known one is 'blinky'"),
        ('name = "e4"', 'name = "d4"', "chambers: expected each name once, got 'd4' twice"),
        ("[provenance.pellets]", "[provenance.pelets]", "the nearest known one is 'pellets'"),
        ('confidence = "stand-in"', 'confidence = "sure"', "confidence: expected one of"),
        (
            'fences = ["d3h", "d5h", "c4v", "e4v"]',
            'fences = ["a1h", "b1v", "c4v", "e4v"]',
            "a1: expected a way there from a5, got none",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert any(problem in each for each in problems(tmp_path, old, new))


def test_a_file_without_chambers_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "none.toml"
    file.write_text(GOOD.split("# A block goes")[0] + "chambers = []\n")
    assert any("at least one chamber" in each for each in read_chambers(file)[1])
    with pytest.raises(ProfileError, match="more"):
        load_chambers(file)


def test_a_file_that_is_not_there_or_no_toml_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnknownBoard, match="unknown set-up 'nowhere'"):
        load_chambers("nowhere")
    file = tmp_path / "bad.toml"
    file.write_text("kind =")
    assert len(read_chambers(file)[1]) == 1


def test_every_chamber_is_drawn() -> None:
    drawing = draw_chambers(load_chambers("pacman-advanced"))
    assert drawing.count("┌") == 5
    assert "pinwheel" in drawing


def test_boards_lists_checks_and_draws_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards"]) == 0
    assert "chambers d4, e4, d5, e5, pinwheel" in capsys.readouterr().out
    assert main(["boards", "check", "pacman-advanced"]) == 0
    assert main(["boards", "draw", "pacman-advanced"]) == 0
    assert main(["boards", "--json"]) == 0
    assert '"chambers": {"d4": {"fences": ["d3h"' in capsys.readouterr().out
