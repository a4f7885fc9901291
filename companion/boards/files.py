"""What all kinds of board files share: how one is found, read and written, and where its facts are
from.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from companion.board import COLUMNS, ROWS, Spot
from companion.errors import CompanionError, ProfileError, UnknownBoard
from companion.toml_table import Table, first_of, read_toml

#: The profiles of grids that come along; what a game is played on lies in the game's folder.
FOLDER = Path(__file__).parent

#: Files of one's own: put there by people, and saved by the service, which writes nowhere else.
OWN_FOLDERS = (Path("/etc/companion/boards"), Path("/var/lib/companion/boards"))

#: The squares of the 9×9 board.
SQUARES = frozenset(column + row for column in COLUMNS for row in ROWS)

HOMES = (Path("/home"), Path("/root"))

Value = TypeVar("Value")
Read = tuple[Value | None, list[str]]


def load_file(
    name_or_path: str | Path, what: str, read: Callable[[Path], Read[Value]], folder: Path
) -> Value:
    """Return what a file holds, given by name or path; ProfileError if it is wrong.

    Those that come along by a name lie in ``folder``.
    """
    path = find_file(name_or_path, folder)
    if path is None:
        raise UnknownBoard(f"unknown {what} {str(name_or_path)!r}: expected a name or a .toml file")
    return sound(*read(path))


def known_files(*folders: Path) -> dict[str, Path]:
    """Return the files that go by a name: those that come along in these folders, those that
    people have put into their own, and saved ones. Of two of the same name the first counts."""
    files: dict[str, Path] = {}
    for path in _all_files(folders):
        files.setdefault(path.stem, path)
    return files


def hidden_files(*folders: Path) -> list[Path]:
    """Return the files that do not count, because another one has their name."""
    files = known_files(*folders)
    return [path for path in _all_files(folders) if files[path.stem] != path]


def find_file(name_or_path: str | Path, folder: Path = FOLDER) -> Path | None:
    """Return the file of a name or a path, None if it can be neither; UnknownBoard for one in a
    home folder that this user cannot read."""
    known = known_files(folder).get(str(name_or_path))
    if known is not None:
        return known
    path = Path(name_or_path).expanduser()
    if path.suffix != ".toml" and not path.exists():
        return None
    if any(path.is_relative_to(home) for home in HOMES) and not os.access(path, os.R_OK):
        raise UnknownBoard(
            f"{path}: no such file, or not to be read by this user; a service sees no home folder:"
            f" copy it into {OWN_FOLDERS[0]} and name it {path.stem!r}"
        )
    return path


def own_file(name_or_path: str | Path) -> Path | None:
    """Return the file of a grid that is one's own, None of one that comes along."""
    path = find_file(name_or_path)
    return path if path is not None and path.parent != FOLDER else None


def _all_files(folders: Sequence[Path]) -> list[Path]:
    return [path for folder in (*folders, *OWN_FOLDERS) for path in sorted(folder.glob("*.toml"))]


def sound(value: Value | None, problems: Sequence[str]) -> Value:
    """Return what was read; ProfileError with the first of its problems if there are any."""
    if value is None or problems:
        raise ProfileError(first_of(problems))
    return value


def read_file(
    path: Path,
    make: Callable[[str, Table], Value],
    faults: Callable[[Value], Sequence[str]] = lambda _: (),
) -> Read[Value]:
    """Return what a file holds and everything that is wrong with it, a sentence each."""
    try:
        top = Table(read_toml(path), str(path))
    except ValueError as error:
        return None, [str(error)]
    value = make(path.stem, top)
    if not top.problems:  # a law is told broken only when the file is sound
        top.problems.extend(f"{top.file}: {fault}" for fault in faults(value))
    return value, top.problems


def read_provenance(
    top: Table, sections: Sequence[str], confidences: Sequence[str], keys: bool = False
) -> Mapping[str, str]:
    """Return where the facts of each section come from, and how sure they are; with ``keys`` a
    single one of a section may be from elsewhere, such as ``geometry.board_mm``."""
    table = top.table("provenance")
    single = [key for key in table if keys and "." in key]
    for key in single:
        if key.split(".")[0] not in sections or not top.reaches(key):
            table.note(key, "a section of this file and a key in it", key)
    facts = {}
    for section in (*(section for section in sections if section in top), *single):
        fact = table.table(section)
        confidence = fact.text("confidence", choices=confidences)
        facts[section] = f"{confidence}: {fact.text('source')}"
        fact.known()
    table.known(*sections, *single)
    return MappingProxyType(facts)


def write(target: Path, data: bytes) -> None:
    """Write a file; raise a CompanionError that says why it cannot be."""
    try:
        target.write_bytes(data)
    except OSError as error:
        raise CompanionError(f"{target}: cannot be written: {error.strerror}") from error


def read_square(table: Table, key: str) -> Spot:
    """Return a square of the 9×9 board."""
    spot: Spot = table.take(
        key,
        "a square such as 'e5'",
        lambda value: isinstance(value, str) and value in SQUARES,
        instead="e5",
    )
    return spot


def described(value: Any, **facts: Any) -> dict[str, Any]:
    """Return the facts of a file for its listing: its name and title, these, and at last where
    they come from and how many are how sure."""
    confidence = Counter(fact.split(":")[0] for fact in value.provenance.values())
    sources = {"confidence": dict(confidence), "provenance": dict(value.provenance)}
    return {"name": value.name, "title": value.title, **facts, **sources}
