"""Set-ups of the advanced variant as data: reads pellets and chambers, and checks all of it.

``docs/boards.md`` explains the format (``kind = "chambers"``). A set-up that breaks a law of the
game is refused with the spot named.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board import FENCE, PELLET, Position, Spot
from companion.boards.files import described, load_file, read_file, read_provenance, read_square
from companion.games.advanced.ground import RESPAWN, ground
from companion.games.advanced.setup import NAMES, Chamber, Setup
from companion.games.bits import BIT, FIT, SLOT_BIT, slot_mask, slot_names
from companion.games.drawing import draw
from companion.games.kit import DataKind
from companion.toml_table import Table

#: The files that come along.
FOLDER = Path(__file__).parent

SECTIONS = ("pellets", "chambers")
CONFIDENCES = ("measured", "rulebook", "report", "stand-in")

PELLETS = 4  # AV-2
FENCES = 4  # AV-5


def load_chambers(name_or_path: str | Path) -> Setup:
    """Return the set-up in a file, given by name or path; ProfileError if it is wrong."""
    return load_file(name_or_path, "set-up", read_chambers, FOLDER)


def read_chambers(path: Path) -> tuple[Setup | None, list[str]]:
    """Return the set-up in a file and everything that is wrong with it, a sentence each."""
    return read_file(path, _setup, faults)


def draw_chambers(setup: Setup) -> str:
    """Return a picture of each chamber on its board, in lines of text."""
    return "".join(
        f"{chamber.name}\n{draw(_position(setup, chamber))}\n\n" for chamber in setup.chambers
    )


def _position(setup: Setup, chamber: Chamber) -> Position:
    return {
        **dict.fromkeys(setup.pellets, PELLET),
        **{square: ghost for ghost, square in chamber.ghosts.items()},
        **dict.fromkeys(chamber.fences, FENCE),
    }


def _size(setup: Setup) -> str:
    names = ", ".join(chamber.name for chamber in setup.chambers)
    return f"set-up: pellets {' '.join(setup.pellets)}; chambers {names}"


def _facts(setup: Setup) -> dict[str, Any]:
    return described(
        setup,
        pellets=list(setup.pellets),
        chambers={
            chamber.name: {"fences": list(chamber.fences), "ghosts": dict(chamber.ghosts)}
            for chamber in setup.chambers
        },
    )


CHAMBERS = DataKind(
    "chambers", load_chambers, lambda path: read_chambers(path)[1], _facts, _size, draw_chambers
)


# -- the laws of every set-up


def faults(setup: Setup) -> list[str]:
    """Return what cannot be in a set-up, a sentence each that names the spot."""
    found = [*_names(setup)]
    for chamber in setup.chambers:
        found += [
            f"chamber {chamber.name}: {fault}"
            for part in (_crowded(setup, chamber), _colliding(chamber), _cut_off(setup, chamber))
            for fault in part
        ]
    return list(dict.fromkeys(found))


def _names(setup: Setup) -> Iterator[str]:
    names = [chamber.name for chamber in setup.chambers]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"chambers: expected each name once, got {name!r} twice"


def _crowded(setup: Setup, chamber: Chamber) -> Iterator[str]:
    """Yield the squares on which two things stand or Pac-Man could not come in."""
    standing = dict.fromkeys(RESPAWN, "a respawn square")
    for thing, spot in [*(("a pellet", spot) for spot in setup.pellets), *chamber.ghosts.items()]:
        if spot in standing:
            yield f"{spot}: expected one thing on a square, got {standing[spot]} and {thing}"
        standing.setdefault(spot, thing)


def _colliding(chamber: Chamber) -> Iterator[str]:
    """Yield the fences that cross or overlap."""
    placed = 0
    for slot in chamber.fences:
        bit = SLOT_BIT[slot]
        for other in slot_names(placed & ~FIT[bit].keeps):
            how = "cross or overlap" if other != slot else "lie in one slot"
            yield f"{slot}: expected fences that do not {how}, got {other} there"
        placed |= bit


def _cut_off(setup: Setup, chamber: Chamber) -> Iterator[str]:
    """Yield the pellets that no way leads to."""
    reached = ground(slot_mask(chamber.fences)).reach(BIT[RESPAWN[0]])
    for spot in (*RESPAWN, *setup.pellets):
        if not BIT[spot] & reached:
            yield f"{spot}: expected a way there from {RESPAWN[0]}, got none"


# -- reading


def _setup(name: str, top: Table) -> Setup:
    top.text("kind", choices=("chambers",))
    setup = Setup(
        name=name,
        title=top.text("title"),
        pellets=_spots(top, "pellets", f"a list of {PELLETS} squares such as 'a1'", BIT, PELLETS),
        chambers=tuple(_chamber(table) for table in top.tables("chambers")),
        provenance=read_provenance(top, SECTIONS, CONFIDENCES),
    )
    top.known(*SECTIONS, "provenance")
    if "chambers" in top and not setup.chambers:
        top.note("chambers", "at least one chamber", [])
    return setup


def _chamber(table: Table) -> Chamber:
    ghosts = table.table("ghosts")
    expected = f"a list of {FENCES} fences such as 'd3h'"
    chamber = Chamber(
        table.text("name"),
        MappingProxyType({name: read_square(ghosts, name) for name in NAMES}),
        _spots(table, "fences", expected, SLOT_BIT, FENCES),
    )
    ghosts.known()
    table.known()
    return chamber


def _spots(
    table: Table, key: str, expected: str, known: Mapping[Spot, int], count: int
) -> tuple[Spot, ...]:
    items = table.array(key, expected)
    for item in items:
        if not isinstance(item, str) or item not in known:
            table.note(key, expected, item)
            return ()
    if key in table and len(items) != count:
        table.note(key, expected, items)
    return tuple(items)
