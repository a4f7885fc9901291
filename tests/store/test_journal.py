"""The journal keeps every move it was given, whatever happens to the process or the disk."""

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import JournalError
from companion.store.journal import IN_MEMORY, Entry, Journal, fold

APPENDER = """
import sys
from datetime import UTC, datetime
from companion.store.journal import Journal
now = datetime.now(UTC)
journal = Journal(sys.argv[1])
game = journal.current()
number = game.id if game else journal.start("quoridor", {}, ["pacman", "blinky"], now)
count = len(game.moves) if game else 0
while True:
    journal.append(number, "move", f"m{count}", now)
    sys.stdout.write(f"{count}\\n")
    sys.stdout.flush()
    count += 1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "down" / "journal.db"


def at(second: int) -> datetime:
    return datetime(2026, 5, 17, 20, tzinfo=UTC) + timedelta(seconds=second)


def started(journal: Journal) -> int:
    return journal.start("quoridor", {"pawnBehind": "on"}, ["pacman", "blinky"], at(100))


def test_an_empty_journal_has_no_game(path):
    with Journal(path) as journal:
        assert journal.current() is None
        assert journal.games() == []
        assert journal.record(1) is None


def test_a_game_goes_on_where_it_was(path):
    with Journal(path) as journal:
        number = started(journal)
        journal.append(number, "move", "e2", at(101))
        journal.append(number, "move", "e8", at(102))
    with Journal(path) as journal:
        game = journal.current()
    assert game is not None
    assert (game.id, game.game, game.moves) == (number, "quoridor", ("e2", "e8"))
    assert game.options == {"pawnBehind": "on"}
    assert game.pieces == ("pacman", "blinky")


def test_a_journal_in_memory_touches_no_disk_and_is_gone_in_the_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Journal(IN_MEMORY) as journal, Journal(IN_MEMORY) as other:
        journal.append(started(journal), "move", "e2", at(101))
        assert journal.current().moves == ("e2",)
        assert other.current() is None
    assert list(tmp_path.iterdir()) == []


def test_a_finished_game_is_not_resumed_but_kept(path):
    with Journal(path) as journal:
        number = started(journal)
        journal.append(number, "move", "e9", at(101))
        journal.finish(number, "1-0", "Pac-Man reached the far side", at(102))
        assert journal.current() is None
        (game,) = journal.games()
    assert (game.result, game.reason) == ("1-0", "Pac-Man reached the far side")
    assert game.entries[0] == Entry("move", "e9", at(101))


def test_taking_back_a_won_game_reopens_it(path):
    with Journal(path) as journal:
        number = started(journal)
        journal.append(number, "move", "e9", at(101))
        journal.finish(number, "1-0", "won", at(102))
        journal.append(number, "takeback", "", at(103))
        game = journal.current()
    assert game is not None
    assert game.moves == ()


def test_a_new_game_puts_the_running_one_away(path):
    with Journal(path) as journal:
        started(journal)
        second = started(journal)
        game = journal.current()
        assert game is not None
        assert game.id == second
        journal.finish(second, "1/2", "agreed", at(1))
        assert journal.current() is None
        assert [game.id for game in journal.games()] == [second, second - 1]
        assert [game.id for game in journal.games(1)] == [second]


def test_times_come_back_as_they_were_in_any_zone(path):
    there = datetime(2026, 5, 17, 22, 0, 1, tzinfo=timezone(timedelta(hours=2)))
    with Journal(path) as journal:
        number = started(journal)
        journal.append(number, "move", "e2", there)
        game = journal.record(number)
    assert game is not None
    assert game.started == at(100)
    assert game.entries[0].at == there == at(1)


def test_moves_made_at_once_are_kept_together_or_not_at_all(path):
    with Journal(path) as journal:
        number = started(journal)
        journal.append_moves(number, ["e2", "e8"], at(1))
        with pytest.raises(JournalError):
            journal.append_moves(number, ["e3", None], at(2))  # type: ignore[list-item]
        journal.append(number, "move", "d2", at(3))
        game = journal.current()
    assert game is not None
    assert game.moves == ("e2", "e8", "d2")


def test_an_entry_that_does_not_belong_is_refused(path):
    with Journal(path) as journal:
        with pytest.raises(JournalError, match="does not belong"):
            journal.append(99, "move", "e2", at(0))
        with pytest.raises(JournalError, match="does not belong"):
            journal.append(started(journal), "mvoe", "e2", at(0))


def test_lines_that_were_given_up_are_kept(path):
    with Journal(path) as journal:
        number = started(journal)
        for kind, text in (("move", "e2"), ("move", "e8"), ("takeback", "e8"), ("move", "d9")):
            journal.append(number, kind, text, at(101))
        game = journal.current()
    assert game.moves == ("e2", "d9")
    assert game.taken_back == (("e2", "e8"),)


actions = st.lists(st.sampled_from(["move", "takeback", "note", "result"]))


@given(actions)
def test_moves_that_stand_are_those_not_taken_back(kinds):
    entries = [Entry(kind, f"{kind}{n}", at(n)) for n, kind in enumerate(kinds)]
    stands: list[str] = []
    for entry in entries:
        if entry.kind == "move":
            stands = [*stands, entry.text]
        elif entry.kind == "takeback":
            stands = stands[:-1]
    moves, result, _ = fold(entries)
    assert moves == tuple(stands)
    told = [entry for entry in entries if entry.kind != "note"]
    assert result == (told[-1].text if told and told[-1].kind == "result" else "")


@given(actions)
def test_a_move_and_its_takeback_leave_the_moves_as_they_were(kinds):
    entries = [Entry(kind, str(n), at(n)) for n, kind in enumerate(kinds)]
    undone = [*entries, Entry("move", "e2", at(0)), Entry("takeback", "", at(0))]
    assert fold(undone)[0] == fold(entries)[0]


def test_no_reported_move_is_lost_by_a_kill(path):
    """The child is killed without warning, five times; what it reported must be there."""
    for round in range(5):
        child = subprocess.Popen(
            [sys.executable, "-c", APPENDER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        with child, child.stdout:
            reported = [child.stdout.readline() for _ in range(7 + 5 * round)]
            child.kill()
            reported += child.stdout.readlines()
        with Journal(path) as journal:
            game = journal.current()
        assert game is not None
        assert len(game.moves) > int(reported[-1])
        assert game.moves == tuple(f"m{number}" for number in range(len(game.moves)))


def test_one_companion_owns_a_journal_until_it_dies(path):
    child = subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child, child.stdout:
        child.stdout.readline()
        with pytest.raises(JournalError, match="is in use: stop the other companion"):
            Journal(path)
        child.stdout.readline()
        child.kill()
        child.stdout.read()
    with Journal(path) as journal:
        assert journal.current() is not None


def test_a_damaged_file_is_refused_and_left_as_it_is(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0" + b"scribble" * 2000)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"is damaged.* it was left as it is"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_page_that_was_overwritten_is_noticed(path):
    with Journal(path) as journal:
        number = started(journal)
        journal._db.execute("BEGIN")
        for n in range(2000):
            journal._db.execute(
                "INSERT INTO entry VALUES (NULL, ?, 'note', 'x', ?)", (number, str(n))
            )
        journal._db.execute("COMMIT")
    content = bytearray(path.read_bytes())
    content[4 * 4096 : 6 * 4096] = os.urandom(2 * 4096)
    path.write_bytes(content)
    with pytest.raises(JournalError, match="is damaged"):
        Journal(path)


def test_a_newer_journal_asks_for_an_update(path):
    Journal(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 7")
    other.close()
    with pytest.raises(JournalError, match=r"newer companion .* update the companion"):
        Journal(path)


def test_another_database_is_not_touched(path):
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    other.close()
    with pytest.raises(JournalError, match="no journal but another database"):
        Journal(path)


def test_a_locked_journal_says_who_must_let_go(path, monkeypatch):
    monkeypatch.setattr("companion.store.journal._BUSY_SECONDS", 0.01)
    with Journal(path) as journal:
        number = started(journal)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked by another program"):
            journal.append(number, "move", "e2", at(0))
        other.execute("ROLLBACK")
        other.close()
        journal.append(number, "move", "e2", at(0))


def test_a_full_disk_is_said_and_loses_nothing(path):
    with Journal(path) as journal:
        number = started(journal)
        journal.append(number, "move", "e2", at(0))
        journal._db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(JournalError, match="does not fit on the disk any more: make room"):
            journal.append(number, "note", "x" * 10_000, at(0))
        journal._db.execute("PRAGMA max_page_count = 100000")
        journal.append(number, "move", "e8", at(0))
        game = journal.current()
    assert game is not None
    assert game.moves == ("e2", "e8")


def test_a_journal_that_may_not_be_written_says_so(path):
    with Journal(path) as journal:
        number = started(journal)
        journal._db.execute("PRAGMA query_only = ON")
        with pytest.raises(JournalError, match="may not be written"):
            journal.append(number, "move", "e2", at(0))


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"cannot be opened \(.*\): choose another"):
        Journal(tmp_path / "file" / "journal.db")


def test_a_folder_in_place_of_the_file_is_said(path):
    path.mkdir(parents=True)
    with pytest.raises(
        JournalError, match=r"cannot be opened: choose another file with store\.path"
    ):
        Journal(path)


def test_moves_are_synced_to_the_disk(path):
    with Journal(path) as journal:
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert journal._db.execute("PRAGMA foreign_keys").fetchone() == (1,)
