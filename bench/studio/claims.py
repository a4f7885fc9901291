"""Who renders which picture: several processes may share a folder, and one that was ended in the
middle of a picture leaves it to the next."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

MOST_TRIES = 2  # after which a picture that ends the whole process is left out


@contextlib.contextmanager
def claim(path: Path) -> Iterator[bool]:
    """Tell whether a file is ours to make: it is not there, and no other process is at it."""
    if path.exists():
        yield False
        return
    note = path.with_name(f".{path.name}.claim")
    path.parent.mkdir(parents=True, exist_ok=True)
    tries = 0
    try:
        descriptor = os.open(note, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        process, tries = _read(note)
        if _lives(process) or tries >= MOST_TRIES:
            yield False
            return
        descriptor = os.open(note, os.O_WRONLY | os.O_TRUNC)
    with open(descriptor, "w") as file:
        file.write(f"{os.getpid()} {tries + 1}")
    try:
        yield not path.exists()
    finally:
        note.unlink(missing_ok=True)


def _read(note: Path) -> tuple[int, int]:
    try:
        process, tries = note.read_text().split()
        return int(process), int(tries)
    except (OSError, ValueError):  # it is being written, or was gone in between
        return os.getpid(), 0


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
