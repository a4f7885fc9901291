"""Which settings of a backup are taken over: whatever names no path, command or address.

A backup may come from elsewhere, and what it says is then run, opened or listened on by a machine
that trusts its settings. So this machine keeps its own of those, and the owner is told the others.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from packing import ArchiveError

Settings = dict[str, Any]

#: These say what is run, where things are kept, who is let in, and whether the people at the table
#: are recorded: a machine's own affair.
OWN_KEYS = {"game.engine", "web.host", "web.names", "web.front", "web.pairing", "web.camera"}
OWN_SECTIONS = {"store", "record"}

#: A word or two; neither a path nor an address nor an option of a command.
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _+-]{0,39}", re.ASCII)
BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
SHOWN = 100


def parse(text: bytes, what: str) -> Settings:
    """Return what a TOML file says; ArchiveError when it says nothing."""
    try:
        return tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise ArchiveError(f"{what} cannot be read: {said:.100}") from error


def taken_over(own: Settings, kept: Settings) -> tuple[Settings, list[str]]:
    """Return the settings to go on with, and a line for each of the backup's that is left out."""
    result: Settings = {}
    left_out = []
    for section in [*kept, *(section for section in own if section not in kept)]:
        ours, theirs = _table(own.get(section)), _table(kept.get(section))
        table = {key: ours[key] for key in ours if not _may_come(section, key, ours[key])}
        for key, value in theirs.items():
            if _may_come(section, key, value):
                table[key] = value
            elif key not in ours or ours[key] != value:
                left_out.append(f"{section}.{key} = {_shown(value)}")
        if not isinstance(kept.get(section, {}), dict):
            left_out.append(f"{section} = {_shown(kept[section])}")
        if table or kept.get(section) == {}:
            result[section] = table
    return result, left_out


def write(settings: Settings, about: str) -> str:
    """Return settings as TOML, with a line about them at the top."""
    lines = [f"# {about}"]
    for section, table in settings.items():
        lines += ["", f"[{_key(section)}]"]
        lines += [f"{_key(key)} = {_value(value)}" for key, value in table.items()]
    text = "\n".join(lines) + "\n"
    if parse(text.encode(), "the settings") != settings:
        raise ArchiveError("the settings of this machine cannot be joined with the backup's")
    return text


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _may_come(section: str, key: str, value: object) -> bool:
    own = section in OWN_SECTIONS or f"{section}.{key}" in OWN_KEYS
    return not own and bool(BARE.fullmatch(section) and BARE.fullmatch(key)) and _is_plain(value)


def _is_plain(value: object) -> bool:
    if isinstance(value, str):
        return PLAIN.fullmatch(value) is not None
    if isinstance(value, list):
        return all(_is_plain(item) for item in value)
    if isinstance(value, dict):
        return all(BARE.fullmatch(key) and _is_plain(item) for key, item in value.items())
    return isinstance(value, bool | int) or (isinstance(value, float) and abs(value) < 1e9)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)


def _shown(value: object) -> str:
    """Return a value for a person's terminal, without anything that could move its cursor."""
    text = json.dumps(value, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
