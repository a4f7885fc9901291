"""The tests known to pass only at the second try: tests/flaky.toml, held against what there is.

As a program it prints a line for each test that it is given, known or new; any Python does.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("flaky.toml")


@dataclass(frozen=True)
class Flaky:
    """A test, the day it was seen to be flaky, and why it is, as far as known."""

    test: str
    seen: date
    reason: str


def read(text: str) -> list[Flaky]:
    """Return what a list holds; ValueError when an entry is not complete."""
    return [_entry(said) for said in tomllib.loads(text).get("flaky", [])]


def _entry(said: dict[str, object]) -> Flaky:
    test, seen, reason = said.get("test"), said.get("seen"), said.get("reason")
    if not isinstance(test, str) or not isinstance(reason, str) or not reason.strip():
        raise ValueError(f"expected a test and a reason in words, got {said}")
    try:
        day = seen if type(seen) is date else date.fromisoformat(str(seen))
    except ValueError as error:
        raise ValueError(f"{test}: expected a date such as 2026-11-18, got {seen!r}") from error
    return Flaky(test, day, reason)


def problems(listed: Sequence[Flaky]) -> Iterator[str]:
    """Yield what is wrong with a list: tests that there are not, and tests that are there twice."""
    tests = [_function(entry.test) for entry in listed]
    for test in dict.fromkeys(tests):
        if not _exists(test):
            yield f"{test}: there is no such test"
        if tests.count(test) > 1:
            yield f"{test} is listed twice: mend it"


def _function(test: str) -> str:
    """Return a test without its parameters."""
    return test.partition("[")[0]


def _exists(test: str) -> bool:
    file, *names = test.split("::")
    if not names or not (ROOT / file).is_file():
        return False
    body: Sequence[ast.stmt] = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    for name in names:
        found = [
            node
            for node in body
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
        ]
        if not found:
            return False
        body = found[0].body
    return isinstance(found[0], ast.FunctionDef)


def told(name: str, listed: Sequence[Flaky]) -> str:
    """Return what is known of a test; where it ran may stand behind its name, in brackets."""
    test = name.rpartition(" (")[0] or name
    for entry in listed:
        if entry.test in (test, _function(test)):
            return f"{name}, known since {entry.seen}: {entry.reason}"
    return f"{name}, new: add to tests/flaky.toml"


if __name__ == "__main__":
    known = read(LIST.read_text(encoding="utf-8"))
    for given in sys.argv[1:]:
        print(f"passed only at the second try: {told(given, known)}")
