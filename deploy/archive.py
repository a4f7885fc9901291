"""Keeps games, calibration and settings in one file, and brings them back; standard library only.

The journals are copied by SQLite itself, so that a copy made in the middle of a move is whole.
"""

import argparse
import contextlib
import fcntl
import io
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath

MARK = "companion-backup"  # the first file of every backup, with its version
VERSION = "1"
CONFIG = "config/companion.toml"
DATA = "data"
BOARDS = {"boards/by-people": "etc/companion/boards", "boards/saved": "var/lib/companion/boards"}
ASIDE = "before-restore-"
LEFT_OUT = (".lock", "-wal", "-shm", ".new")
MOST_BYTES = 2_000_000_000


class ArchiveError(Exception):
    """What went wrong, in a sentence."""


def config_of(root: Path) -> Path:
    """Return the settings below a root."""
    return root / "etc/companion/companion.toml"


def data_of(root: Path, settings: str) -> Path:
    """Return the data folder below a root: the one that the settings name, else the usual."""
    try:
        path = tomllib.loads(settings).get("store", {}).get("path")
    except (ValueError, AttributeError) as error:
        raise ArchiveError(f"the settings cannot be read: {error}") from error
    folder = Path(path).parent if isinstance(path, str) and os.path.isabs(path) else None
    return root / str(folder or "var/lib/companion").lstrip("/")


def backup(root: Path, file: Path) -> None:
    """Write everything below a root that is worth keeping; the file is there whole or not."""
    config = config_of(root)
    settings = config.read_text(encoding="utf-8") if config.exists() else ""
    data = data_of(root, settings)
    fresh = file.with_name(f".{file.name}.new")
    try:
        with (
            open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw,
            tempfile.TemporaryDirectory(dir=file.parent) as scratch,
        ):
            with tarfile.open(fileobj=raw, mode="w:gz") as archive:
                _add(archive, MARK, VERSION.encode())
                if settings:
                    _add(archive, CONFIG, settings.encode())
                for name, folder in BOARDS.items():
                    for path in sorted((root / folder).glob("*.toml")):
                        if path.is_file() and not path.is_symlink():
                            archive.add(path, f"{name}/{path.name}", recursive=False)
                for path in _worth_keeping(data):
                    name = f"{DATA}/{path.relative_to(data).as_posix()}"
                    archive.add(_whole(path, Path(scratch)), name, recursive=False)
            raw.flush()
            os.fsync(raw.fileno())
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o600
    archive.addfile(member, io.BytesIO(content))


def _worth_keeping(data: Path) -> Iterator[Path]:
    for path in sorted(data.rglob("*")):
        parts = path.relative_to(data).parts
        if parts[0].startswith((ASIDE, ".")) or path.name.endswith(LEFT_OUT):
            continue
        if parts[0] == "boards":  # which are kept by themselves
            continue
        if path.is_file() and not path.is_symlink():
            yield path


def _whole(path: Path, scratch: Path) -> Path:
    """Return a file as it is to be kept: of a database, a copy that SQLite has made."""
    if path.suffix != ".db":
        return path
    copy = scratch / "copy.db"
    copy.unlink(missing_ok=True)
    with (
        contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as old,
        contextlib.closing(sqlite3.connect(copy)) as new,
    ):
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
    return copy


def unpack(file: Path, folder: Path) -> None:
    """Unpack a backup into an empty folder; ArchiveError unless all of it is sound."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            first = archive.next()
            held = archive.extractfile(first) if first and first.name == MARK else None
            if held is None or held.read(20).decode(errors="replace") != VERSION:
                raise ArchiveError(f"{file} is no backup of the companion")
            while (member := archive.next()) is not None:
                _unpack_one(archive, member, folder)
    except (tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ArchiveError(f"{file} is damaged or no backup of the companion") from error
    for path in folder.rglob("*.db"):
        _check(path)


def _unpack_one(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    name = PurePosixPath(member.name)
    board = name.suffix == ".toml" and name.parent.as_posix() in BOARDS
    known = member.name == CONFIG or name.parts[0] == DATA or board
    plain = member.isreg() and member.size <= MOST_BYTES and ".." not in name.parts
    if not known or not plain or name.is_absolute():
        raise ArchiveError(f"the backup holds {member.name!r}, which is none of the companion's")
    held = archive.extractfile(member)
    assert held is not None
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as to:
        shutil.copyfileobj(held, to)


def _check(path: Path) -> None:
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        why = " ".join(found.split())
        raise ArchiveError(f"the journal {path.name} in the backup is damaged ({why})")


def restore(root: Path, file: Path, now: datetime) -> None:
    """Bring a backup back below a root; what is there is put aside. The companion must not run."""
    config = config_of(root)
    with tempfile.TemporaryDirectory(dir=_existing(root / "var/lib/companion")) as scratch:
        held = Path(scratch)
        unpack(file, held)
        kept = held / CONFIG
        settings = kept.read_text(encoding="utf-8") if kept.exists() else ""
        data = data_of(root, settings)
        data.mkdir(parents=True, exist_ok=True)
        with _owned(data):
            aside = data / f"{ASIDE}{now:%Y%m%d-%H%M%S}"
            _put_aside(data, aside)
            for path in sorted((held / DATA).rglob("*")):
                if path.is_file():
                    _bring(path, data / path.relative_to(held / DATA), data)
        for name, folder in BOARDS.items():
            for path in sorted((held / name).glob("*.toml")):
                _bring_board(path, root / folder / path.name, aside)
        if settings:
            if config.exists():
                shutil.copy2(config, aside / config.name)
            config.parent.mkdir(parents=True, exist_ok=True)
            fresh = config.with_suffix(".new")
            shutil.copyfile(kept, fresh)
            fresh.chmod(0o644)
            fresh.replace(config)


def _existing(folder: Path) -> Path:
    while not folder.is_dir():
        folder = folder.parent
    return folder


@contextlib.contextmanager
def _owned(data: Path) -> Iterator[None]:
    """Hold every journal of a folder; ArchiveError when a companion that runs has one."""
    with contextlib.ExitStack() as stack:
        for lock in data.glob("*.lock"):
            file = stack.enter_context(lock.open("a"))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise ArchiveError(f"{lock.stem} is in use: stop the companion first") from error
        yield


def _put_aside(data: Path, aside: Path) -> None:
    aside.mkdir(mode=0o700, exist_ok=True)
    _give(aside, data)
    for path in sorted(data.iterdir()):
        if path.is_file() and not path.name.endswith(".lock"):
            path.rename(aside / path.name)


def _bring(path: Path, to: Path, data: Path) -> None:
    """Copy a file to its place, for the owner of the data folder alone."""
    to.parent.mkdir(parents=True, exist_ok=True)
    fresh = to.with_name(f"{to.name}.new")
    shutil.copyfile(path, fresh)
    fresh.chmod(0o600)
    _give(fresh, data)
    _give(to.parent, data)
    fresh.replace(to)


def _bring_board(path: Path, to: Path, aside: Path) -> None:
    """Copy a board to the folder it was in, to be read by all; one that is there is put aside."""
    to.parent.mkdir(parents=True, exist_ok=True)
    if to.exists():
        shutil.copy2(to, aside / to.name)
    fresh = to.with_suffix(".new")
    shutil.copyfile(path, fresh)
    fresh.chmod(0o644)
    _give(fresh, to.parent)
    fresh.replace(to)


def _give(path: Path, data: Path) -> None:
    """Make the owner of the data folder the owner of something in it, as far as we may."""
    if os.geteuid() == 0:
        owner = data.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def main() -> int:
    """Run; what goes wrong is one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("backup", "check", "restore"))
    parser.add_argument("file", type=Path, help="the file of the backup")
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the companion is")
    options = parser.parse_args()
    try:
        if options.what == "backup":
            backup(options.root, options.file.absolute())
        elif options.what == "restore":
            restore(options.root, options.file, datetime.now())
        else:
            with tempfile.TemporaryDirectory() as scratch:
                unpack(options.file, Path(scratch))
    except ArchiveError as error:
        print(error, file=sys.stderr)
        return 1
    except (OSError, sqlite3.Error) as error:
        print(f"{options.file}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
