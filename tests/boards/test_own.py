"""Boards of one's own: where they lie, who goes first, and what is said of those that fail."""

import json
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.boards import files, profile
from companion.errors import UnknownBoard

REFERENCE = (files.FOLDER / "reference.toml").read_text()


@pytest.fixture
def folders(tmp_path, monkeypatch):
    people, saved = tmp_path / "etc/boards", tmp_path / "var/boards"
    monkeypatch.setattr(files, "OWN_FOLDERS", (people, saved))
    return people, saved


def put(folder: Path, name: str, title: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.toml"
    file.write_text(REFERENCE.replace("Reference build, PAC-MAN theme", title))
    return file


def test_boards_of_both_folders_are_found_by_name(folders):
    people, saved = folders
    put(people, "kitchen", "The kitchen table")
    put(saved, "taught", "Taught by the page")
    assert profile.load("kitchen").title == "The kitchen table"
    assert profile.load("taught").title == "Taught by the page"
    assert {"kitchen", "taught", "reference"} <= set(profile.names())


def test_what_people_have_put_there_goes_before_what_was_saved(folders):
    people, saved = folders
    put(saved, "kitchen", "Saved")
    put(people, "kitchen", "By people")
    assert profile.load("kitchen").title == "By people"


def test_a_board_that_comes_along_is_never_replaced_and_the_list_says_so(folders, capsys):
    file = put(folders[0], "reference", "Mine")
    assert profile.load("reference").title == "Reference build, PAC-MAN theme"
    assert main(["boards"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{file}: not used, since another board is named 'reference'")


def test_the_list_says_where_a_board_is_from(folders, capsys):
    file = put(folders[0], "kitchen", "The kitchen table")
    assert main(["boards"]) == 0
    assert "kitchen: The kitchen table\n" in (out := capsys.readouterr().out)
    assert out.count("your own:") == 1
    assert f"  your own: {file}\n" in out
    assert main(["boards", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    where = {board["name"]: board["file"] for board in listed}
    assert where["kitchen"] == str(file)
    assert where["reference"] == str(files.FOLDER / "reference.toml")
    assert main(["boards", "check", "kitchen"]) == 0
    assert main(["boards", "draw", "kitchen"]) == 0


def test_a_faulty_one_is_told_beside_the_others(folders, capsys):
    folders[0].mkdir(parents=True)
    (folders[0] / "broken.toml").write_text("title = 3\n")
    put(folders[0], "kitchen", "The kitchen table")
    assert main(["boards"]) == 1
    said = capsys.readouterr()
    assert "kitchen: The kitchen table" in said.out
    assert said.err.startswith(f"{folders[0] / 'broken.toml'}: ")
    assert said.err.count("\n") == 1


def test_a_home_folder_is_not_for_a_service_and_it_is_said_where_to_put_it(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "HOMES", (tmp_path,))
    with pytest.raises(
        UnknownBoard,
        match=r"a service sees no home folder: copy it into /etc/companion/boards and name it 'my'",
    ):
        profile.load(tmp_path / "pi" / "my.toml")
    mine = put(tmp_path / "pi", "seen", "Seen all the same")
    assert profile.load(mine).title == "Seen all the same"
