"""``companion record``: switches recording on and off, lists the recordings, deletes them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.store.recordings import Recordings, write_json, write_whole


@pytest.fixture
def recordings(tmp_path: Path) -> Recordings:
    return Recordings(tmp_path / "recordings")


def kept(recordings: Recordings, number: int) -> str:
    folder = recordings.begin("pacman", number, datetime(2026, 5, 17, 20, number, tzinfo=UTC))
    write_json(folder / "game.json", {"game": "pacman", "moves": ["e4-f4"]})
    write_whole(folder / "frame_0000.jpg", b"." * 250_000)
    return folder.name


def record(folder: Path, *options: str) -> int:
    return main(["record", "--data", str(folder), *options])


def test_it_has_games_recorded_and_says_what_that_means(recordings, tmp_path, capsys):
    assert record(tmp_path) == 0
    assert recordings.are_wanted
    said = capsys.readouterr().out
    assert f"in {recordings.folder}, 500 MB at most" in said
    assert "It stays on this machine." in said
    assert record(tmp_path, "--stop") == 0
    assert not recordings.are_wanted
    assert "not recorded any more" in capsys.readouterr().out


def test_it_says_when_the_settings_go_on_recording(tmp_path, capsys):
    settings = tmp_path / "companion.toml"
    settings.write_text("record.on = true\n")
    assert record(tmp_path, "--stop", "--config", str(settings)) == 0
    assert capsys.readouterr().out == (
        "Games are still recorded: record.on is true in the settings.\n"
    )


def test_it_lists_what_there_is(recordings, tmp_path, capsys):
    assert record(tmp_path, "--list") == 0
    where = recordings.folder
    assert capsys.readouterr().out == f"No recordings in {where}. Games are not recorded.\n"
    first, _ = kept(recordings, 1), kept(recordings, 2)
    recordings.switch(on=True)
    assert record(tmp_path, "--list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{first}: one move, one picture, 0.3 MB"
    assert lines[-1] == f"2 recordings in {where}, 0.5 MB. Games are recorded."
    assert record(tmp_path, "--list", "--json") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["game"], each["moves"], each["pictures"]) for each in told] == [
        ("pacman", 1, 1)
    ] * 2
    assert told[0]["folder"] == str(where / first)


def test_it_forgets_one_recording_or_all(recordings, tmp_path, capsys):
    names = [kept(recordings, number) for number in (1, 2, 3)]
    assert record(tmp_path, "--forget", names[1]) == 0
    assert [path.name for path in recordings.paths()] == [names[0], names[2]]
    assert record(tmp_path, "--forget") == 0
    assert record(tmp_path, "--forget") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Deleted one recording.",
        "Deleted 2 recordings.",
        "There was nothing to delete.",
    ]


def test_what_cannot_be_done_is_one_line(recordings, tmp_path, capsys):
    assert record(tmp_path, "--forget", "../journal.db") == 1
    assert capsys.readouterr().err == (
        f"companion record: no recording '../journal.db' in {recordings.folder}\n"
    )
    recordings.folder.write_text("in the way")
    assert record(tmp_path) == 1
    assert capsys.readouterr().err == f"companion record: {recordings.folder}: file exists\n"
    with pytest.raises(SystemExit):
        record(tmp_path, "--stop", "--list")
    assert capsys.readouterr().err.count("\n") == 1
