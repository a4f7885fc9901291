"""``companion play`` with settings that cannot work: it ends with 2, and nothing restarts it."""

import socket
import sqlite3

import pytest

from companion.__main__ import main

WRONG = {
    "a board of another kind": 'board.profile = "mspacman"',
    "a faulty board": 'board.profile = "{folder}/faulty.toml"',
    "a folder for a board": 'board.profile = "{folder}"',
    "a game not for the table": 'game.name = "marbles"',
    "a piece twice": 'game.pieces = ["pacman", "pacman"]',
    "a level that there is not": 'game.seats = ["person", "99"]',
    "a folder for a journal": 'store.path = "{folder}"',
    "another database for a journal": 'store.path = "{folder}/other.db"',
    "a wrong focus": 'camera.focus = "near"',
}


@pytest.mark.parametrize("said", WRONG.values(), ids=WRONG)
def test_wrong_settings_end_it_with_2_and_one_line(said, tmp_path, capsys):
    (tmp_path / "faulty.toml").write_text("title = 3\n")
    with sqlite3.connect(tmp_path / "other.db") as db:
        db.execute("CREATE TABLE cheese (name TEXT)")
    db.close()
    file = tmp_path / "companion.toml"
    lines = [said.format(folder=tmp_path), 'web = { host = "127.0.0.1", port = 0 }']
    if "store" not in said:
        lines.append(f'store.path = "{tmp_path}/journal.db"')
    file.write_text("\n".join(lines))
    assert main(["play", "--config", str(file)]) == 2
    said_line = capsys.readouterr().err
    assert said_line.startswith("companion play: ")
    assert said_line.count("\n") == 1


def test_a_port_that_this_user_may_never_have_is_the_settings_fault(tmp_path, capsys, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    file = tmp_path / "companion.toml"
    file.write_text(f'web.port = 80\nstore.path = "{tmp_path}/journal.db"\n')
    assert main(["play", "--config", str(file)]) == 2
    assert "port 80 is not open to this user" in capsys.readouterr().err


def test_doctor_calls_a_faulty_board_wrong_settings_too(tmp_path, capsys):
    (tmp_path / "faulty.toml").write_text("title = 3\n")
    file = tmp_path / "companion.toml"
    file.write_text(f'board.profile = "{tmp_path}/faulty.toml"\n')
    assert main(["doctor", "--config", str(file)]) == 2
    assert "faulty.toml" in capsys.readouterr().err
