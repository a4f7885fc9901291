"""Backup and restore: what is kept, what comes back, and what is refused."""

import io
import sqlite3
import stat
import tarfile
from datetime import UTC, datetime

import pytest

from companion.store.journal import Journal

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def table(fresh):
    """A table with a game in its journal, calibration and settings; nothing is installed."""
    fresh.data.mkdir(parents=True)
    fresh.config.parent.mkdir(parents=True)
    fresh.config.write_text("[web]\nport = 8123\n")
    (fresh.data / "calibration.json").write_text('{"version": 1}')
    (fresh.data / "cookie.key").write_bytes(b"k" * 32)
    with Journal(fresh.data / "journal.db") as journal:
        journal.append_moves(journal.start("quoridor", {}, [], NOW), ["e2", "e8"], NOW)
    return fresh


def moves(table) -> tuple[str, ...]:
    with Journal(table.data / "journal.db") as journal:
        game = journal.current()
        assert game is not None
        return game.moves


def test_what_was_kept_comes_back_and_what_was_there_is_put_aside(table, tmp_path):
    file = tmp_path / "kept.tar.gz"
    done = table.run("backup.sh", file)
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with Journal(table.data / "journal.db") as journal:
        journal.append_moves(1, ["e3"], NOW)
    (table.data / "calibration.json").unlink()
    table.config.write_text("[web]\nport = 9000\n")
    done = table.run("restore.sh", file)
    assert done.returncode == 0, done.stderr
    assert moves(table) == ("e2", "e8")
    assert (table.data / "calibration.json").read_text() == '{"version": 1}'
    assert (table.data / "cookie.key").read_bytes() == b"k" * 32
    assert table.config.read_text() == "[web]\nport = 8123\n"
    aside = next(table.data.glob("before-restore-*"))
    assert {"journal.db", "companion.toml"} <= {path.name for path in aside.iterdir()}
    with Journal(aside / "journal.db") as journal:
        assert journal.current().moves == ("e2", "e8", "e3")


def test_a_journal_in_use_is_kept_whole_and_is_not_replaced(table, tmp_path):
    file = tmp_path / "kept.tar.gz"
    with Journal(table.data / "journal.db") as journal:
        journal.append_moves(1, ["e3"], NOW)  # in the write-ahead log, not yet in the file
        assert table.run("backup.sh", file).returncode == 0
        done = table.run("restore.sh", file)
        assert done.returncode == 1
        assert "journal.db is in use: stop the companion first" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        journal.append_moves(1, ["e7"], NOW)
    assert table.run("restore.sh", file).returncode == 0
    assert moves(table) == ("e2", "e8", "e3")


def test_a_backup_fills_a_fresh_machine(table, tmp_path):
    file = tmp_path / "kept.tar.gz"
    assert table.run("backup.sh", file).returncode == 0
    table.root = tmp_path / "another"
    done = table.run("restore.sh", file)
    assert done.returncode == 0, done.stderr
    assert moves(table) == ("e2", "e8")


def test_a_journal_that_the_settings_put_elsewhere_is_kept_too(table, tmp_path):
    table.config.write_text('[store]\npath = "/srv/games/journal.db"\n')
    elsewhere = table.root / "srv/games"
    elsewhere.parent.mkdir()
    table.data.rename(elsewhere)
    file = tmp_path / "kept.tar.gz"
    assert table.run("backup.sh", file).returncode == 0
    (elsewhere / "journal.db").unlink()
    assert table.run("restore.sh", file).returncode == 0
    with Journal(elsewhere / "journal.db") as journal:
        assert journal.current().moves == ("e2", "e8")


@pytest.mark.parametrize("elsewhere", [False, True])
def test_boards_of_ones_own_are_kept_from_both_folders(table, tmp_path, elsewhere):
    if elsewhere:
        table.config.write_text('[store]\npath = "/srv/games/journal.db"\n')
    boards = {
        table.root / "etc/companion/boards/kitchen.toml": 'title = "By people"\n',
        table.root / "var/lib/companion/boards/taught.toml": 'title = "Saved"\n',
    }
    for board, text in boards.items():
        board.parent.mkdir(parents=True, exist_ok=True)
        board.write_text(text)
    file = tmp_path / "kept.tar.gz"
    assert table.run("backup.sh", file).returncode == 0
    with tarfile.open(file) as kept:
        names = kept.getnames()
    assert [name for name in names if name.endswith(".toml")] == [
        "config/companion.toml",
        "boards/by-people/kitchen.toml",
        "boards/saved/taught.toml",
    ]
    first, second = boards
    first.unlink()
    second.write_text("another\n")
    done = table.run("restore.sh", file)
    assert done.returncode == 0, done.stderr
    for board, text in boards.items():
        assert board.read_text() == text
    asides = [*(table.root / "var/lib/companion").glob("before-restore-*/taught.toml")]
    asides += (table.root / "srv").rglob("before-restore-*/taught.toml")
    assert [path.read_text() for path in asides] == ["another\n"]


def archive(path, members: dict[str, bytes], *, link: str = "") -> None:
    with tarfile.open(path, "w:gz") as file:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
        if link:
            member = tarfile.TarInfo(link)
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            file.addfile(member)


def damaged_journal(tmp_path) -> bytes:
    path = tmp_path / "damaged.db"
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(20000));")
    db.close()
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    return bytes(content)


@pytest.mark.parametrize(
    ("members", "link", "sentence"),
    [
        ({"data/journal.db": b""}, "", "is no backup of the companion"),
        ({"companion-backup": b"2"}, "", "is no backup of the companion"),
        ({"companion-backup": b"1", "data/../../x": b""}, "", "none of the companion's"),
        ({"companion-backup": b"1", "/etc/passwd": b""}, "", "none of the companion's"),
        ({"companion-backup": b"1", "etc/passwd": b""}, "", "none of the companion's"),
        ({"companion-backup": b"1"}, "data/link", "none of the companion's"),
        ({"companion-backup": b"1", "data/journal.db": None}, "", "is damaged"),
    ],
)
def test_a_file_that_is_no_sound_backup_changes_nothing(table, tmp_path, members, link, sentence):
    file = tmp_path / "bad.tar.gz"
    filled = {
        name: damaged_journal(tmp_path) if content is None else content
        for name, content in members.items()
    }
    archive(file, filled, link=link)
    done = table.run("restore.sh", file)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert moves(table) == ("e2", "e8")
    assert not list(table.data.glob("before-restore-*"))


def test_half_a_backup_and_none_are_told(table, tmp_path):
    file = tmp_path / "kept.tar.gz"
    assert table.run("backup.sh", file).returncode == 0
    file.write_bytes(file.read_bytes()[:200])
    done = table.run("restore.sh", file)
    assert done.returncode == 1
    assert "is damaged or no backup" in done.stderr
    done = table.run("restore.sh", tmp_path / "nothing.tar.gz")
    assert done.returncode == 1
    assert "No such file" in done.stderr
