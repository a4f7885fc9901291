"""Keeps games, calibration, boards and settings in one file, and brings them back.

Standard library only. The journals are copied by SQLite itself, so that a copy made in the middle
of a move is whole. A backup is taken for a stranger's: what it holds goes to the folders of this
machine and nowhere else, with the rights of those to whom these belong, and only when all of it is
known to be sound.
"""

import argparse
import contextlib
import fcntl
import os
import pwd
import re
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # python -I leaves it out

import settings
from folder import Folder, Owner
from packing import MOST_BYTES, UNSEALED, ArchiveError, pack, unpack

USER = "companion"  # whose the data are
JOURNAL = "/var/lib/companion/journal.db"
STORE = ""  # stands for the folder of the journal, which the settings name
SETTINGS = "companion.toml"
ORIGINAL = "from-backup.toml"
ABOUT = "From a backup; what names a path, a command or an address is this machine's own."
ASIDE = "before-restore-"
BOARD = r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.toml"


@dataclass(frozen=True)
class Part:
    """Files of one folder: its name in the backup, where it is, which names, how large at most."""

    name: str
    where: str
    pattern: str
    most_bytes: int

    def has(self, file: str) -> bool:
        """Tell whether a name is one of its files'."""
        return re.fullmatch(self.pattern, file, re.ASCII) is not None

    @property
    def is_ours(self) -> bool:
        """Tell whether it belongs to the service, not to root."""
        return not self.where.startswith("etc/")


#: All that a backup holds. The key of the phones' cookies is not in it: who has that gets in.
PARTS = (
    Part("config", "etc/companion", re.escape(SETTINGS), 64_000),
    Part("boards/by-people", "etc/companion/boards", BOARD, 256_000),
    Part("boards/saved", "var/lib/companion/boards", BOARD, 256_000),
    Part("data", STORE, r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.(db|json)", MOST_BYTES),
)
CONFIG, DATA = PARTS[0], PARTS[-1]

#: Was in unsealed backups, and is passed over.
COOKIE_KEY = "data/cookie.key"


@dataclass(frozen=True)
class Machine:
    """The companion below a root: where its things are by its own settings, and whose they are."""

    root: Path
    own: settings.Settings
    data: Path
    journal: str
    owner: Owner | None

    @classmethod
    def below(cls, root: Path) -> "Machine":
        """Look around below a root."""
        file = root / CONFIG.where / SETTINGS
        text = file.read_bytes() if file.exists() else b""
        own = settings.parse(text, str(file))
        store = own.get("store", {})
        path = store.get("path") if isinstance(store, dict) else None
        journal = Path(path if isinstance(path, str) and os.path.isabs(path) else JOURNAL)
        data = root / str(journal.parent).lstrip("/")
        return cls(root, own, data, journal.name, _owner(root, data))

    def path(self, part: Part) -> Path:
        """Return where a part is."""
        return self.data if part.where == STORE else self.root / part.where

    def folder(self, part: Part) -> Folder:
        """Return the folder of a part, made if it is missing."""
        owner = self.owner if part.is_ours else None
        if part is DATA or not part.is_ours:
            return Folder.at(self.path(part), owner)
        with contextlib.closing(Folder.at(self.path(part).parent, owner)) as parent:
            return parent.folder(self.path(part).name)


def _owner(root: Path, data: Path) -> Owner | None:
    """Return in whose name to touch the data; None when only in our own."""
    if os.geteuid() != 0:
        return None
    with contextlib.suppress(KeyError):
        if root == Path("/"):
            entry = pwd.getpwnam(USER)
            return entry.pw_uid, entry.pw_gid
    for folder in (root / JOURNAL.lstrip("/")).parent, data:
        if folder.is_dir() and (seen := folder.stat()).st_uid != 0:
            return seen.st_uid, seen.st_gid
    return None


def backup(machine: Machine, file: Path) -> list[str]:
    """Write everything of a machine that is worth keeping; the file is there whole or not.

    Return what the owner is to be told.
    """
    if not DATA.has(machine.journal):
        raise ArchiveError(
            f"the journal {machine.journal!r:.80} cannot be kept: expected a name of letters and"
            " digits that ends in .db; choose one with store.path"
        )
    content = pack({name: held for part in PARTS for name, held in _held(machine, part)})
    number, fresh = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    try:
        with open(number, "wb") as raw:
            raw.write(content)
            raw.flush()
            os.fsync(number)
        os.replace(fresh, file)
    except BaseException:
        os.unlink(fresh)
        raise
    return [
        f"{path} is not kept: expected a plain file, its name of letters, digits, - and _"
        for part in PARTS
        for path in sorted(machine.path(part).glob("*.toml"))
        if path.is_symlink() or (part.pattern == BOARD and not part.has(path.name))
    ]


def _held(machine: Machine, part: Part) -> Iterator[tuple[str, bytes]]:
    if not machine.path(part).is_dir():
        return
    with contextlib.closing(machine.folder(part)) as folder:
        for name in filter(part.has, folder.files()):
            if name.endswith(".db"):
                yield f"{part.name}/{name}", folder.database(name)
            else:
                yield f"{part.name}/{name}", folder.read(name, part.most_bytes)


@dataclass(frozen=True)
class Staged:
    """A file of a backup that waits in a folder of ours, under a name of ours, for its place."""

    part: Part
    name: str
    waiting: str


def stage(file: Path, folder: Folder) -> tuple[list[Staged], str]:
    """Unpack a backup into an empty folder and return what it holds, with its version.

    ArchiveError unless all of it is sound.
    """
    staged: list[Staged] = []

    def is_known(name: str, size: int) -> bool:
        part = _part_of(name)
        return name == COOKIE_KEY or (part is not None and size <= part.most_bytes)

    def put(name: str, chunks: Iterator[bytes]) -> None:
        if part := _part_of(name):
            staged.append(Staged(part, name.rpartition("/")[2], str(len(staged))))
            folder.write(staged[-1].waiting, chunks)

    try:
        with file.open("rb") as raw:
            version = unpack(raw, is_known, put)
    except ArchiveError as error:
        raise ArchiveError(f"{file} cannot be restored: {error}") from error
    for each in staged:
        if each.name.endswith(".db"):
            _check_journal(each.name, folder.read(each.waiting, MOST_BYTES))
    return staged, version


def _check_journal(name: str, content: bytes) -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        try:
            db.deserialize(content)
            db.execute("PRAGMA trusted_schema = OFF")
            said = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.Error as error:
            said = str(error)
    if said != "ok":
        why = " ".join(said.split())
        raise ArchiveError(f"the journal {name} in the backup is damaged ({why:.100})")


def _part_of(name: str) -> Part | None:
    folder, _, file = name.rpartition("/")
    return next((part for part in PARTS if part.name == folder and part.has(file)), None)


@contextlib.contextmanager
def _unpacked(machine: Machine, file: Path) -> Iterator[tuple[Folder, list[Staged], list[str]]]:
    """Unpack a backup into a folder that is ours alone; yield it, what is there, and notes."""
    parent = machine.data.parent
    while not parent.is_dir():
        parent = parent.parent
    with (
        tempfile.TemporaryDirectory(prefix=".restore-", dir=parent) as scratch,
        contextlib.closing(Folder.at(Path(scratch), None)) as held,
    ):
        staged, version = stage(file, held)
        left_out = _join_settings(machine, staged, held)
        yield held, staged, _notes(machine, left_out, version)


def check(machine: Machine, file: Path) -> list[str]:
    """See that a backup can be restored; ArchiveError when not. There is nothing to be told."""
    with _unpacked(machine, file):
        return []


def restore(machine: Machine, file: Path, now: datetime) -> list[str]:
    """Bring a backup back; what is there is put aside. Return what the owner is to be told.

    The companion must not run. Whatever goes wrong leaves everything as it was.
    """
    with (
        _unpacked(machine, file) as (held, staged, notes),
        contextlib.closing(machine.folder(DATA)) as data,
        _owned(data),
    ):
        _put_in_place(machine, staged, held, f"{ASIDE}{now:%Y%m%d-%H%M%S}")
        return notes


def _join_settings(machine: Machine, staged: list[Staged], held: Folder) -> list[str]:
    """Stage what may be taken over of the backup's settings; return what may not, line by line."""
    found = next((each for each in staged if each.part is CONFIG), None)
    if found is None:
        return []
    kept = settings.parse(held.read(found.waiting, CONFIG.most_bytes), "the settings in the backup")
    joined, left_out = settings.taken_over(machine.own, kept)
    if joined != kept:
        staged.remove(found)
        held.write("settings", [settings.write(joined, ABOUT).encode()])
        staged += [Staged(CONFIG, SETTINGS, "settings"), Staged(CONFIG, ORIGINAL, found.waiting)]
    return left_out


@contextlib.contextmanager
def _owned(data: Folder) -> Iterator[None]:
    """Hold every journal of a folder; ArchiveError when a companion that runs has one."""
    with contextlib.ExitStack() as stack:
        for name in data.files():
            if name.endswith(".lock"):
                lock = stack.enter_context(data.open(name))
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    journal = name.removesuffix(".lock")
                    raise ArchiveError(f"{journal} is in use: stop the companion first") from error
        yield


def _put_in_place(machine: Machine, staged: list[Staged], held: Folder, aside: str) -> None:
    """Put every part in its place; all of them or none."""
    with contextlib.ExitStack() as open_folders, contextlib.ExitStack() as undo:
        old_settings = machine.path(CONFIG) / SETTINGS
        before = old_settings.read_bytes() if old_settings.exists() else None
        for part in PARTS:
            new = {each.name: each.waiting for each in staged if each.part is part}
            if new or part is DATA:
                folder = machine.folder(part)
                open_folders.callback(folder.close)
                old = folder.new_folder(aside)
                open_folders.callback(old.close)
                undo.callback(folder.remove_folder, aside)
                _replace(part, new, held, folder, old, undo)
                if part is DATA and before is not None:
                    old.write(SETTINGS, [before])
        undo.pop_all()


def _replace(
    part: Part,
    new: dict[str, str],
    held: Folder,
    folder: Folder,
    old: Folder,
    undo: contextlib.ExitStack,
) -> None:
    """Put the files of a part aside and new ones in their place; each is there at any moment."""
    for name in folder.files():
        if name in new:
            folder.copy(name, old, name)
        # Games that the backup does not have, and what SQLite left beside a journal.
        elif part is DATA and part.has(name.removesuffix("-wal").removesuffix("-shm")):
            folder.move(name, old, name)
            undo.callback(old.move, name, folder, name)
    there = old.files()
    for name, waiting in new.items():
        fresh = f".{name}.new"
        folder.remove(fresh)
        undo.callback(folder.remove, fresh)
        held.copy(waiting, folder, fresh, 0o600 if part.is_ours else 0o644)
        folder.move(fresh, folder, name)
        if name in there:
            undo.callback(old.move, name, folder, name)
        else:
            undo.callback(folder.remove, name)
    old.sync()
    folder.sync()


def _notes(machine: Machine, left_out: list[str], version: str) -> list[str]:
    notes = [f"not taken over from the backup: {line}" for line in left_out]
    if left_out:
        where = machine.path(CONFIG)
        notes.append(
            f"put these into {where / SETTINGS} yourself if they are yours;"
            f" all settings of the backup are in {where / ORIGINAL}"
        )
    if version == UNSEALED:
        notes.append("this backup is an old one, without checksums: see that the games are well")
    return notes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; what goes wrong is one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("backup", "check", "restore"))
    parser.add_argument("file", type=Path, help="the file of the backup")
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the companion is")
    options = parser.parse_args(arguments)
    try:
        machine = Machine.below(options.root)
        if options.what == "backup":
            notes = backup(machine, options.file.absolute())
        elif options.what == "check":
            notes = check(machine, options.file)
        else:
            notes = restore(machine, options.file, datetime.now())
    except ArchiveError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or options.file}: {error.strerror or error}", file=sys.stderr)
        return 1
    for note in notes:
        print(note)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was begun is undone
    sys.exit(main())
