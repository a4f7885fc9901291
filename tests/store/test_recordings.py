"""Recordings on disk: whole or not there, bounded, private, and deleted when somebody says so."""

import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.errors import RecordingError
from companion.sensing.corners import Corners
from companion.store import recordings as module
from companion.store.recordings import (
    DECISIONS,
    Lines,
    Played,
    Recordings,
    corners_json,
    read_game,
    read_lines,
    write_json,
    write_whole,
)

KB = 1000


def at(minute: int) -> datetime:
    return datetime(2026, 5, 17, 20, minute, tzinfo=UTC)


@pytest.fixture
def recordings(tmp_path) -> Recordings:
    return Recordings.beside(tmp_path / "data" / "journal.db")


def kept(recordings: Recordings, minute: int, size: int = 10 * KB) -> Path:
    """Make a recording of about this size."""
    folder = recordings.begin("quoridor", minute, at(minute))
    write_json(folder / "game.json", {"game": "quoridor", "moves": ["e2", "e8"]})
    write_whole(folder / "frame_0000.jpg", b"." * size)
    return folder


def test_nobody_is_recorded_until_somebody_says_so(recordings):
    assert not recordings.are_wanted
    recordings.switch(on=True)
    assert recordings.are_wanted
    recordings.switch(on=False)
    recordings.switch(on=False)
    assert not recordings.are_wanted


def test_recordings_are_for_their_owner_alone(recordings):
    folder = kept(recordings, 1)
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o600"}
    assert oct(folder.stat().st_mode & 0o777) == oct(recordings.folder.stat().st_mode & 0o777)
    assert folder.stat().st_mode & 0o077 == 0


def test_they_are_listed_with_what_they_hold(recordings):
    kept(recordings, 7)
    kept(recordings, 3)
    assert [(each.name, each.game, each.moves, each.pictures) for each in recordings.all()] == [
        ("20260517T200300Z-quoridor-3", "quoridor", 2, 1),
        ("20260517T200700Z-quoridor-7", "quoridor", 2, 1),
    ]


def test_two_that_begin_in_the_same_second_have_folders_of_their_own(recordings):
    assert recordings.begin("pacman", 4, at(1)) != recordings.begin("pacman", 4, at(1))
    assert len(recordings.paths()) == 2


def test_the_oldest_games_go_first_when_there_is_too_much(recordings):
    paths = [kept(recordings, minute) for minute in range(5)]
    assert recordings.make_room(25 * KB, 0, paths[-1]) == ""
    assert recordings.paths() == paths[3:]


def test_the_game_that_is_played_is_never_deleted_for_room(recordings):
    old, current = kept(recordings, 1), kept(recordings, 2, size=40 * KB)
    why = recordings.make_room(25 * KB, 0, current)
    assert why.startswith("this game alone takes")
    assert recordings.paths() == [current]
    assert not old.exists()


def test_a_full_disk_is_left_alone(recordings, monkeypatch):
    paths = [kept(recordings, minute) for minute in range(3)]
    free = iter([10, 10, 30, 30, 30])
    usage = SimpleNamespace(disk_usage=lambda path: SimpleNamespace(free=next(free) * KB))
    monkeypatch.setattr(module, "shutil", usage)
    assert recordings.make_room(1000 * KB, 20 * KB) == ""
    assert recordings.paths() == paths[2:]
    free = iter([10] * 9)
    assert recordings.make_room(1000 * KB, 20 * KB) == "less than 0 MB are free on the disk"
    assert recordings.paths() == []


def test_to_forget_deletes_recordings_and_nothing_else(recordings, tmp_path):
    kept(recordings, 1)
    kept(recordings, 2)
    recordings.switch(on=True)
    other = tmp_path / "photos"
    other.mkdir()
    (other / "mine.jpg").write_bytes(b"mine")
    (recordings.folder / "20260517T200900Z-quoridor-9").symlink_to(other)
    (recordings.folder / "holiday").mkdir()
    assert recordings.forget(["20260517T200100Z-quoridor-1"]) == 1
    assert recordings.forget() == 1
    assert recordings.forget() == 0
    assert (other / "mine.jpg").exists()
    assert sorted(path.name for path in recordings.folder.iterdir()) == [
        "20260517T200900Z-quoridor-9",
        "holiday",
        "on",
    ]


@pytest.mark.parametrize("name", ["../journal.db", "..", "/etc", "", "x" * 500, "on", "a\nb"])
def test_no_other_name_is_deleted(recordings, name):
    kept(recordings, 1)
    with pytest.raises(RecordingError, match="no recording") as told:
        recordings.forget([name])
    assert "\n" not in str(told.value)
    assert len(recordings.paths()) == 1


def test_a_folder_that_cannot_be_is_told_in_a_sentence(tmp_path):
    (tmp_path / "recordings").write_text("in the way")
    recordings = Recordings.beside(tmp_path / "journal.db")
    for do in (lambda: recordings.switch(on=True), recordings.paths, recordings.try_writing):
        with pytest.raises(RecordingError, match=r"recordings: (file exists|not a directory)$"):
            do()


def test_a_file_is_whole_or_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    write_json(path, {"moves": ["e2"]})

    def cut(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(OSError, match="No space"):
        write_json(path, {"moves": ["e2", "e8"]})
    assert json.loads(path.read_text()) == {"moves": ["e2"]}


def test_lines_are_on_disk_after_a_sync_and_a_torn_one_is_left_out(tmp_path):
    path = tmp_path / DECISIONS
    lines = Lines(path)
    lines.add({"time": 1.0})
    lines.sync()
    assert read_lines(path) == [{"time": 1.0}]  # as another program reads it
    lines.add({"time": 2.0, "verdict": "waiting"})
    lines.close()
    path.write_bytes(path.read_bytes()[:-4])
    assert read_lines(path) == [{"time": 1.0}]
    path.write_bytes(b"{}\nnonsense\n")
    with pytest.raises(RecordingError, match="expected JSON in line 2"):
        read_lines(path)


def test_a_folder_says_which_game_it_holds(tmp_path):
    assert read_game(tmp_path) is None
    corners = Corners(((10.0, 90.0), (90.0, 90.0), (90.0, 10.0), (10.0, 10.0)), 100, 100)
    told = {
        "game": "pacman",
        "options": {"lives": "2"},
        "board": "reference",
        "corners": corners_json(corners),
        "moves_before": ["e4-f4"],
        "moves": ["Ce2"],
    }
    write_json(tmp_path / "game.json", told)
    played = Played("pacman", {"lives": "2"}, "reference", ("e4-f4",), ("Ce2",), corners)
    assert read_game(tmp_path) == played
    shutil.copy(Path(module.__file__), tmp_path / "board.toml")
    assert read_game(tmp_path).board == str(tmp_path / "board.toml")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is damaged: expected JSON"),
        ("[" * 100_000, "is damaged: expected JSON"),
        ("[]", "expected an object with the name of a game"),
        ('{"game": 3}', "expected an object with the name of a game"),
        ('{"game": "quoridor", "moves_before": 4}', "expected a list of moves as moves_before"),
        ('{"game": "quoridor", "moves": [["e2"]]}', "expected a list of moves as moves"),
        ('{"game": "quoridor", "options": ["x"]}', "expected options as names and texts"),
        ('{"game": "quoridor", "corners": [1]}', "expected the picture's size"),
        (" " * 2_000_000, "is too large"),
    ],
)
def test_a_game_that_cannot_be_is_told_in_a_sentence(tmp_path, text, why):
    (tmp_path / "game.json").write_text(text)
    with pytest.raises(RecordingError, match=why) as told:
        read_game(tmp_path)
    assert "\n" not in str(told.value)
