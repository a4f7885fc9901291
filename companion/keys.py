"""Reads TOML files key by key: every wrong one becomes a sentence that names file, key and cure.

A :class:`Table` notes problems instead of raising, so that a check can list all of them at once;
what it hands out for a wrong value only serves to go on reading. Profiles and settings use it.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

Colour = tuple[int, int, int]

_MISSING: Any = object()


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds; ValueError with one sentence when it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: expected UTF-8 text, got byte {error.start} that is none"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: expected TOML: {_plain(str(error))}") from error


def _plain(error: str) -> str:
    where = re.search(r"\(at (.*)\)$", error)
    if where is None:
        return error[:1].lower() + error[1:]
    words = error[: where.start()].strip()
    return f"{where[1]}: {words[:1].lower() + words[1:]}"


class Table:
    """One table of a file: hands out its values by key and notes what is wrong with them."""

    def __init__(self, data: object, file: str, path: str = "", problems: list[str] | None = None):
        self.file = file
        self.path = path
        self.problems: list[str] = [] if problems is None else problems
        self._asked: set[str] = set()
        if isinstance(data, dict):
            self._data: dict[str, Any] = data
        else:
            self._data = {}
            self.note("", "a table", data)

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def note(self, key: str, expected: str, got: object = _MISSING) -> None:
        """Note a problem: what was expected of a key, and what came."""
        where = ".".join(part for part in (self.path, key) if part)
        came = "nothing" if got is _MISSING else _show(got)
        self.problems.append(f"{self.file}: {where}: expected {expected}, got {came}")

    def known(self, *keys: str) -> None:
        """Note every key of the file that is neither asked for nor among these."""
        allowed = sorted(self._asked.union(keys))
        for key in self._data:
            if key not in allowed:
                where = ".".join(part for part in (self.path, key) if part)
                near = difflib.get_close_matches(key, allowed, n=1, cutoff=0.0)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                self.problems.append(f"{self.file}: {where}: unknown key{hint}")

    def get(self, key: str, expected: str, default: Any = _MISSING) -> Any:
        """Return the raw value; without one the default, which makes the key optional."""
        self._asked.add(key)
        if key in self._data:
            return self._data[key]
        if default is _MISSING:
            self.note(key, expected)
            return None
        return default

    def number(
        self, key: str, default: Any = _MISSING, *, low: float | None = None, high: float = 1e9
    ) -> float:
        """Return a number from ``low`` to ``high``; without ``low`` a positive one."""
        expected = "a positive number" if low is None else f"a number{_span(low, high)}"
        value = self.get(key, expected, default)
        if _is_number(value) and (value > 0 if low is None else low <= value) and value <= high:
            return float(value)
        if key in self._data:
            self.note(key, expected, value)
        return 1.0

    def whole(self, key: str, default: Any = _MISSING, *, low: int = 0, high: int = 10**9) -> int:
        """Return a whole number from ``low`` to ``high``."""
        expected = f"a whole number{_span(low, high)}"
        value = self.get(key, expected, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        if key in self._data:
            self.note(key, expected, value)
        return max(low, 1)

    def text(self, key: str, default: Any = _MISSING, *, choices: Sequence[str] = ()) -> str:
        """Return some text, one of the choices when there are any."""
        expected = f"one of {', '.join(map(repr, choices))}" if choices else "some text"
        value = self.get(key, expected, default)
        if isinstance(value, str) and value and (not choices or value in choices):
            return value
        if key in self._data:
            self.note(key, expected, value)
        return choices[0] if choices else ""

    def flag(self, key: str, default: Any = _MISSING) -> bool:
        """Return true or false."""
        value = self.get(key, "true or false", default)
        if isinstance(value, bool):
            return value
        if key in self._data:
            self.note(key, "true or false", value)
        return False

    def colour(self, key: str, default: Any = _MISSING) -> Colour:
        """Return a colour, written as ``"#rrggbb"``."""
        value = self.get(key, "a colour like '#ffd800'", default)
        if isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value):
            return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)
        if key in self._data:
            self.note(key, "a colour like '#ffd800'", value)
        return 0, 0, 0

    def point(self, key: str) -> tuple[float, float]:
        """Return a place ``[x, y]`` in millimetres."""
        value = self.get(key, "two numbers [x, y]")
        if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
            return float(value[0]), float(value[1])
        if key in self._data:
            self.note(key, "two numbers [x, y]", value)
        return 0.0, 0.0

    def array(self, key: str, expected: str) -> list[Any]:
        """Return a list, whatever it holds."""
        value = self.get(key, expected)
        if isinstance(value, list):
            return value
        if key in self._data:
            self.note(key, expected, value)
        return []

    def table(self, key: str, default: Any = _MISSING) -> "Table":
        """Return the table under a key."""
        value = self.get(key, "a table", default)
        path = ".".join(part for part in (self.path, key) if part)
        missing = value is None and key not in self._data
        return Table({} if missing else value, self.file, path, self.problems)

    def tables(self, key: str) -> list["Table"]:
        """Return the tables in the list under a key."""
        path = ".".join(part for part in (self.path, key) if part)
        items = self.array(key, "a list of tables")
        return [Table(d, self.file, f"{path}[{i}]", self.problems) for i, d in enumerate(items)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e9


def _span(low: float, high: float) -> str:
    return f" from {low:g} to {high:g}" if high < 1e9 else f" of {low:g} or more"


def _show(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 60 else text[:57] + "…"
