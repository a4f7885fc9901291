"""Reads TOML files key by key: every error is a sentence with the file, the key and what to do.

A :class:`Table` notes problems instead of raising, so that a check can list all of them at once;
what it returns for a wrong value only serves to continue reading. Profiles and settings use it.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Colour = tuple[int, int, int]

MOST = 10**9  #: no size, count or time in our files is larger

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
    except (ValueError, RecursionError) as error:  # numbers or nestings too long
        raise ValueError(f"{path}: expected TOML: {error}") from error


def _plain(error: str) -> str:
    where = re.search(r"\(at (.*)\)$", error)
    if where is None:
        return error[:1].lower() + error[1:]
    words = error[: where.start()].strip()
    return f"{where[1]}: {words[:1].lower() + words[1:]}"


def first_of(problems: Sequence[str]) -> str:
    """Return the first problem of a file, and how many more there are."""
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return problems[0] + more


class Table:
    """One table of a file: hands out its values by key and notes what is wrong with them."""

    def __init__(
        self, data: dict[str, Any], file: str, path: str = "", problems: list[str] | None = None
    ) -> None:
        self.file = file
        self.path = path
        self.problems: list[str] = [] if problems is None else problems
        self._data = data
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def reaches(self, path: str) -> bool:
        """Tell whether there is something under a path of keys such as ``geometry.board_mm``."""
        value: Any = self._data
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                return False
            value = value[key]
        return True

    def note(self, key: str, expected: str, got: object = _MISSING) -> None:
        """Note a problem: what was expected of a key, and what came."""
        self.problems.append(
            f"{self.file}: {self._where(key)}: expected {expected}, got {_show(got)}"
        )

    def known(self, *keys: str) -> None:
        """Note every key of the file that was neither asked for nor is among these."""
        allowed = sorted(self._asked.union(keys))
        for key in self._data:
            if key not in allowed:
                near = difflib.get_close_matches(key, allowed, n=1, cutoff=0.0)
                hint = f", the nearest known one is {near[0]!r}" if near else ""
                self.problems.append(f"{self.file}: {self._where(key)}: unknown key{hint}")

    def take(
        self,
        key: str,
        expected: str,
        fits: Callable[[Any], bool],
        default: Any = _MISSING,
        instead: Any = None,
    ) -> Any:
        """Return a value that fits, the default when there is none, ``instead`` of a wrong one."""
        self._asked.add(key)
        if key not in self._data and default is not _MISSING:
            return default
        value = self._data.get(key, _MISSING)
        if value is not _MISSING and fits(value):
            return value
        self.note(key, expected, value)
        return instead

    def number(
        self, key: str, default: Any = _MISSING, *, low: float | None = None, high: float = MOST
    ) -> float:
        """Return a number from ``low`` to ``high``; without ``low`` a positive one."""

        def fits(value: Any) -> bool:
            return (
                _is_number(value) and (value > 0 if low is None else value >= low) and value <= high
            )

        expected = "a positive number" if low is None else f"a number{_span(low, high)}"
        return float(self.take(key, expected, fits, default, 1.0))

    def whole(self, key: str, default: Any = _MISSING, *, low: int = 0, high: int = MOST) -> int:
        """Return a whole number from ``low`` to ``high``."""

        def fits(value: Any) -> bool:
            return type(value) is int and low <= value <= high

        value: int = self.take(key, f"a whole number{_span(low, high)}", fits, default, max(low, 1))
        return value

    def text(self, key: str, default: Any = _MISSING, *, choices: Sequence[str] = ()) -> str:
        """Return some text, one of the choices when there are any."""

        def fits(value: Any) -> bool:
            return isinstance(value, str) and bool(value) and (not choices or value in choices)

        expected = f"one of {', '.join(map(repr, choices))}" if choices else "some text"
        value: str = self.take(key, expected, fits, default, "")
        return value

    def flag(self, key: str, default: Any = _MISSING) -> bool:
        """Return true or false."""
        return bool(self.take(key, "true or false", lambda v: type(v) is bool, default, False))

    def colour(self, key: str, default: Any = _MISSING) -> Colour:
        """Return a colour, written as ``"#rrggbb"``, red first."""
        text = self.take(key, "a colour like '#ffd800'", _is_colour, default, "#000000")
        return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)

    def point(self, key: str) -> tuple[float, float]:
        """Return a place ``[x, y]`` in millimetres."""
        x, y = self.take(key, "two numbers [x, y]", _is_point, instead=(0, 0))
        return float(x), float(y)

    def array(self, key: str, expected: str) -> list[Any]:
        """Return a list, whatever it holds."""
        return list(self.take(key, expected, lambda value: isinstance(value, list), instead=[]))

    def table(self, key: str, default: Any = _MISSING) -> "Table":
        """Return the table under a key; of a missing one only its absence is noted."""
        data = self.take(key, "a table", lambda value: isinstance(value, dict), default)
        return Table(data or {}, self.file, self._where(key), [] if data is None else self.problems)

    def tables(self, key: str) -> list["Table"]:
        """Return the tables in the list under a key."""

        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(item, dict) for item in value)

        items = self.take(key, "a list of tables", fits, instead=[])
        where = self._where(key)
        return [Table(d, self.file, f"{where}[{i}]", self.problems) for i, d in enumerate(items)]

    def _where(self, key: str) -> str:
        plain = key if key.isprintable() else repr(key)
        return ".".join(part for part in (self.path, plain) if part)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST


def _is_colour(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value) is not None


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _span(low: float, high: float) -> str:
    return f" from {low:g} to {high:g}" if high < MOST else f" of {low:g} or more"


def _show(value: object) -> str:
    if value is _MISSING:
        return "nothing"
    if isinstance(value, dict):
        return "a table"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
