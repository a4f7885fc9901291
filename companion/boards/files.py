"""What all kinds of board files share: how one is found and read, and where its facts are from."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from companion.errors import ProfileError, UnknownBoard
from companion.toml_table import Table, read_toml

FOLDER = Path(__file__).parent

#: Files of one's own: put there by people, and saved by the service, which writes nowhere else.
OWN_FOLDERS = (Path("/etc/companion/boards"), Path("/var/lib/companion/boards"))

HOMES = (Path("/home"), Path("/root"))

Value = TypeVar("Value")
Read = tuple[Value | None, list[str]]


def load_file(name_or_path: str | Path, what: str, read: Callable[[Path], Read[Value]]) -> Value:
    """Return what a file holds, given by name or path; ProfileError if it is wrong."""
    path = find_file(name_or_path)
    if path is None:
        raise UnknownBoard(f"unknown {what} {str(name_or_path)!r}: expected a name or a .toml file")
    return sound(*read(path))


def known_files() -> dict[str, Path]:
    """Return the files that go by a name: those that come along, those that people have put into
    their folder, and saved ones. Of two of the same name the first counts."""
    files: dict[str, Path] = {}
    for path in _all_files():
        files.setdefault(path.stem, path)
    return files


def hidden_files() -> list[Path]:
    """Return the files that do not count, because another one has their name."""
    files = known_files()
    return [path for path in _all_files() if files[path.stem] != path]


def find_file(name_or_path: str | Path) -> Path | None:
    """Return the file of a name or a path, None if it can be neither; UnknownBoard for one in a
    home folder that is not to be seen from here."""
    known = known_files().get(str(name_or_path))
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


def _all_files() -> list[Path]:
    return [path for folder in (FOLDER, *OWN_FOLDERS) for path in sorted(folder.glob("*.toml"))]


def sound(value: Value | None, problems: Sequence[str]) -> Value:
    """Return what was read; ProfileError with the first of its problems if there are any."""
    if value is None or problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise ProfileError(problems[0] + more)
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
    top: Table, sections: Sequence[str], confidences: Sequence[str]
) -> Mapping[str, str]:
    """Return where the facts of each section come from, and how sure they are."""
    table = top.table("provenance")
    facts = {}
    for section in sections:
        if section in top:
            fact = table.table(section)
            confidence = fact.text("confidence", choices=confidences)
            facts[section] = f"{confidence}: {fact.text('source')}"
            fact.known()
    table.known(*sections)
    return MappingProxyType(facts)
