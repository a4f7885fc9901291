"""The games on disk: every move is there before anybody hears of it, whatever happens next.

A game is the list of its entries, in order (event sourcing): taking back adds an entry and removes
none. SQLite keeps a write-ahead log that is synced with every entry. One companion, and in it one
thread, owns a journal at a time.
"""

import contextlib
import errno
import fcntl
import io
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from companion.errors import JournalError, JournalPlaceError

#: Instead of a file: a journal that is gone when it is closed, and that nobody else can open.
IN_MEMORY = ":memory:"

VERSION = 1

_APPLICATION = 0x426F4372  # tells our files from other SQLite files
#: What SQLite says of a file that will never be a journal.
_WRONG_PLACE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)

_BUSY_SECONDS = 2.0
_LEVELS = "levels "
_FRESH = "it was left as it is, begin a fresh one with another store.path"
_INSERT = "INSERT INTO entry (game_id, kind, text, at) VALUES (?, ?, ?, ?)"
_SCHEMA = """
CREATE TABLE game (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  options TEXT NOT NULL,
  pieces TEXT NOT NULL,
  started TEXT NOT NULL
) STRICT;
CREATE TABLE entry (
  id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL REFERENCES game,
  kind TEXT NOT NULL CHECK (kind IN ('move', 'takeback', 'result', 'note')),
  text TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX entry_of_game ON entry (game_id, id);
"""


@dataclass(frozen=True)
class Entry:
    """One thing that happened in a game."""

    kind: str
    text: str
    at: datetime


@dataclass(frozen=True)
class StoredGame:
    """A game as the journal has it, its moves after all take-backs; no result while it runs."""

    id: int
    game: str
    options: Mapping[str, str]
    pieces: tuple[str, ...]
    started: datetime
    moves: tuple[str, ...]
    result: str
    reason: str
    entries: tuple[Entry, ...]

    @property
    def levels(self) -> Mapping[int, int]:
        """Return the levels of the seats that the companion plays."""
        notes = [entry.text for entry in self.entries if entry.kind == "note"]
        told = [text.removeprefix(_LEVELS) for text in notes if text.startswith(_LEVELS)]
        return {int(seat): level for seat, level in json.loads(told[-1]).items()} if told else {}

    @property
    def taken_back(self) -> tuple[tuple[str, ...], ...]:
        """Return the lines that were given up, each with all the moves that led to its end."""
        ends = (n for n, entry in enumerate(self.entries) if entry.kind == "takeback")
        return tuple(fold(self.entries[:end])[0] for end in ends)


def fold(entries: Iterable[Entry]) -> tuple[tuple[str, ...], str, str]:
    """Return the moves that stand, the result and its reason.

    A take-back removes the last move that stands, if any; it and any later move reopen the game.
    """
    moves: list[str] = []
    result = ""
    for entry in entries:
        if entry.kind == "move":
            moves.append(entry.text)
            result = ""
        elif entry.kind == "takeback":
            del moves[-1:]
            result = ""
        elif entry.kind == "result":
            result = entry.text
    score, _, reason = result.partition(" ")
    return tuple(moves), score, reason


class Journal:
    """An open journal file. Each call that writes returns only when the disk has it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = _own(self.path)
        try:
            with self._telling():
                self._db = _open(self.path)
        except BaseException:
            self._lock.close()
            raise

    def start(
        self,
        game: str,
        options: Mapping[str, str],
        pieces: Sequence[str],
        at: datetime,
        levels: Mapping[int, int] | None = None,
    ) -> int:
        """Begin a game and return its number; a game that was running is put away.

        ``levels`` are those of the seats that the companion plays.
        """
        row = (game, json.dumps(dict(options)), json.dumps(list(pieces)), _stamp(at))
        with self._telling():
            cursor = self._db.execute(
                "INSERT INTO game (game, options, pieces, started) VALUES (?, ?, ?, ?)", row
            )
        assert cursor.lastrowid is not None
        if levels:
            self.set_levels(cursor.lastrowid, levels, at)
        return cursor.lastrowid

    def set_levels(self, game_id: int, levels: Mapping[int, int], at: datetime) -> None:
        """Note which seats the companion plays from now on, and how well."""
        text = _LEVELS + json.dumps({str(seat): level for seat, level in levels.items()})
        self.append(game_id, "note", text, at)

    def append(self, game_id: int, kind: str, text: str, at: datetime) -> None:
        """Add what happened: a move, a takeback, a result or a note."""
        with self._telling():
            self._db.execute(_INSERT, (game_id, kind, text, _stamp(at)))

    def append_moves(self, game_id: int, moves: Sequence[str], at: datetime) -> None:
        """Add several moves that were made at once: all of them are kept, or none."""
        with self._telling():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for move in moves:
                    self._db.execute(_INSERT, (game_id, "move", move, _stamp(at)))
                self._db.execute("COMMIT")
            except sqlite3.Error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def finish(self, game_id: int, result: str, reason: str, at: datetime) -> None:
        """Add how the game ended, ``1-0`` for instance, and why."""
        self.append(game_id, "result", f"{result} {reason}", at)

    def current(self) -> StoredGame | None:
        """Return the game that was begun last, None when it is over or there is none."""
        with self._telling():
            newest = self._db.execute("SELECT max(id) FROM game").fetchone()[0]
        game = None if newest is None else self.record(newest)
        return game if game is not None and not game.result else None

    def games(self, most: int = 100) -> list[StoredGame]:
        """Return the last games, the newest first."""
        with self._telling():
            ids = [
                id
                for (id,) in self._db.execute(
                    "SELECT id FROM game ORDER BY id DESC LIMIT ?", (most,)
                )
            ]
        return [game for game in map(self.record, ids) if game is not None]

    def record(self, game_id: int) -> StoredGame | None:
        """Return one game with everything that happened in it, None when there is no such game."""
        with self._telling():
            row = self._db.execute(
                "SELECT game, options, pieces, started FROM game WHERE id = ?", (game_id,)
            ).fetchone()
            entries = tuple(
                Entry(kind, text, datetime.fromisoformat(at))
                for kind, text, at in self._db.execute(
                    "SELECT kind, text, at FROM entry WHERE game_id = ? ORDER BY id", (game_id,)
                )
            )
        if row is None:
            return None
        game, options, pieces, started = row
        moves, result, reason = fold(entries)
        return StoredGame(
            game_id,
            game,
            json.loads(options),
            tuple(json.loads(pieces)),
            datetime.fromisoformat(started),
            moves,
            result,
            reason,
            entries,
        )

    def close(self) -> None:
        """Release the file; calling it twice is fine."""
        self._db.close()
        self._lock.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            kind = JournalPlaceError if code in _WRONG_PLACE else JournalError
            raise kind(f"the journal {self.path} {_cure(error)}") from error


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def _own(path: Path) -> TextIO:
    """Return the open lock file beside the journal: whoever holds it owns the journal.

    The system releases it when the process ends, however it ends.
    """
    if str(path) == IN_MEMORY:
        return io.StringIO()
    lock = Path(f"{path}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("a+")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise (JournalError if full else JournalPlaceError)(
            f"the journal {path} cannot be opened ({reason}): choose another file with store.path"
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise JournalError(
            f"the journal {path} is in use: stop the other companion, or give this one"
            " a file of its own with store.path"
        ) from error
    return file


def _open(path: Path) -> sqlite3.Connection:
    # Opened in one thread and used in another, but never in two at a time.
    db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _prepare(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    application, version = _pragma(db, "application_id"), _pragma(db, "user_version")
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and application != _APPLICATION:
        raise JournalPlaceError(
            f"{path} is no journal but another database: choose another store.path"
        )
    if version > VERSION:
        raise JournalError(
            f"the journal {path} was written by a newer companion (version {version}, this one"
            f" knows {VERSION}): update the companion"
        )
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    if not tables:
        db.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA application_id = {_APPLICATION};"
            f" PRAGMA user_version = {VERSION}; COMMIT;"
        )


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _cure(error: sqlite3.Error) -> str:
    """Return what is wrong with the file and what to do, as the end of a sentence."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return {
        sqlite3.SQLITE_BUSY: "is locked by another program: close that program",
        sqlite3.SQLITE_LOCKED: "is locked by another program: close that program",
        sqlite3.SQLITE_READONLY: "may not be written: make file and folder writable",
        sqlite3.SQLITE_PERM: "may not be written: make file and folder writable",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened: choose another file with store.path",
        sqlite3.SQLITE_FULL: "does not fit on the disk any more: make room",
        sqlite3.SQLITE_IOERR: f"cannot be written to the disk ({error}): check the disk",
        sqlite3.SQLITE_NOTADB: f"is damaged or no journal ({error}): {_FRESH}",
        sqlite3.SQLITE_CORRUPT: f"is damaged ({error}): {_FRESH}",
        sqlite3.SQLITE_CONSTRAINT: f"refuses an entry that does not belong ({error})",
    }.get(code, f"cannot be used ({error})")
