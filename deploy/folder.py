"""An open folder, in which everything is done with the rights of its owner and no link is followed.

Scripts that root runs must not do in a folder of somebody else what that one could not do himself:
a link that lies there would lead them anywhere.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from packing import ArchiveError

Owner = tuple[int, int]  # numbers of a user and a group

CHUNK = 64 * 1024
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@contextlib.contextmanager
def acting_as(owner: Owner | None) -> Iterator[None]:
    """Have the rights of a user for a while; of None, one's own."""
    if owner is None:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups([])
    os.setegid(owner[1])
    os.seteuid(owner[0])
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


class Folder:
    """A folder by its descriptor; ``owner`` is in whose name things are done in it."""

    def __init__(self, number: int, owner: Owner | None) -> None:
        self.number = number
        self.owner = owner

    @classmethod
    def at(cls, path: Path, owner: Owner | None) -> "Folder":
        """Return the folder at a path, made for its owner if it is missing."""
        if not path.exists():
            path.mkdir(parents=True)
            if owner is not None:
                os.chown(path, *owner, follow_symlinks=False)
        return cls(os.open(path, _OPEN_FOLDER), owner)

    def close(self) -> None:
        """Let go of it."""
        os.close(self.number)

    def new_folder(self, name: str) -> "Folder":
        """Make a folder in it, which must not be there yet."""
        with acting_as(self.owner):
            os.mkdir(name, 0o700, dir_fd=self.number)
        return self.folder(name)

    def folder(self, name: str) -> "Folder":
        """Return a folder in it, made if it is missing."""
        with acting_as(self.owner):
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self.number)
            number = os.open(name, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=self.number)
        return Folder(number, self.owner)

    def files(self) -> list[str]:
        """Return the names of the plain files in it."""
        with acting_as(self.owner), os.scandir(self.number) as entries:
            return sorted(each.name for each in entries if each.is_file(follow_symlinks=False))

    def open(self, name: str) -> BinaryIO:
        """Return a plain file, open for reading."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with acting_as(self.owner):
            return open(os.open(name, flags, dir_fd=self.number), "rb")

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return the content of a plain file that is not too large."""
        with self.open(name) as file:
            content = file.read(most_bytes + 1)
        if len(content) > most_bytes:
            raise ArchiveError(f"{name} has more than {most_bytes} bytes: move it elsewhere")
        return content

    def database(self, name: str) -> bytes:
        """Return a whole copy of a database, made by SQLite; somebody may be writing to it."""
        self.open(name).close()  # says better than SQLite why it cannot be read
        uri = f"file:/proc/self/fd/{self.number}/{name}?mode=ro"
        try:
            with (
                acting_as(self.owner),
                contextlib.closing(sqlite3.connect(uri, uri=True)) as old,
                contextlib.closing(sqlite3.connect(":memory:")) as new,
            ):
                old.backup(new)
                copy = bytearray(new.serialize())
        except sqlite3.Error as error:
            raise ArchiveError(f"the journal {name} cannot be kept: {error}") from error
        copy[18:20] = b"\x01\x01"  # says of the format: one file, nothing beside it
        return bytes(copy)

    def write(self, name: str, chunks: Iterable[bytes], mode: int = 0o600) -> None:
        """Write a file that must not be there yet, and see it on the disk."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with acting_as(self.owner):
            number = os.open(name, flags, mode, dir_fd=self.number)
        with open(number, "wb") as file:
            os.fchmod(number, mode)
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(number)

    def copy(self, name: str, to: "Folder", new_name: str, mode: int | None = None) -> None:
        """Copy a file to another folder, where it must not be yet; without a mode, with its own."""
        with self.open(name) as file:
            its_own = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            chunks = iter(lambda: file.read(CHUNK), b"")
            to.write(new_name, chunks, its_own if mode is None else mode)

    def move(self, name: str, to: "Folder", new_name: str) -> None:
        """Move a file to another folder of the same owner, in the place of what is there."""
        with acting_as(self.owner):
            os.rename(name, new_name, src_dir_fd=self.number, dst_dir_fd=to.number)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        with acting_as(self.owner), contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.number)

    def remove_folder(self, name: str) -> None:
        """Remove a folder with the plain files in it; others are left, and so is it then."""
        inner = self.folder(name)
        try:
            for file in inner.files():
                inner.remove(file)
        finally:
            inner.close()
        with acting_as(self.owner):
            os.rmdir(name, dir_fd=self.number)

    def sync(self) -> None:
        """See on the disk which files are in it."""
        os.fsync(self.number)
