"""What all kinds of board files share: how one is found and read, and where its facts are from."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from companion.errors import ProfileError, UnknownBoard
from companion.keys import Table, read_toml

FOLDER = Path(__file__).parent

Value = TypeVar("Value")
Read = tuple[Value | None, list[str]]


def load_file(name_or_path: str | Path, what: str, read: Callable[[Path], Read[Value]]) -> Value:
    """Return what a file holds, given by name or path; ProfileError if it is wrong."""
    known = FOLDER / f"{name_or_path}.toml"
    path = known if known.exists() else Path(name_or_path)
    if path.suffix != ".toml" and not path.exists():
        raise UnknownBoard(f"unknown {what} {str(name_or_path)!r}: expected a name or a .toml file")
    return sound(*read(path))


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
