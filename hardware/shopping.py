"""The buyer's lists: reads buy.toml, counts what is to be counted, adds up, writes the tables."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from companion.board import Board
from hardware import screws
from hardware.circuit import Circuit
from hardware.magnets import Magnet
from hardware.power import Budget

FILE = Path(__file__).with_name("buy.toml")
BUILDS = ("camera", "lights", "table")
THIN_WIRE = "0.14 mm² (AWG 26)"


@dataclass(frozen=True)
class Line:
    """One line of a list; ``screw`` is the kind of screw that it is, if it is one."""

    name: str
    count: int
    build: str
    typical: str
    instead: str
    euros: int
    wired: tuple[str, ...]
    screw: str

    def serves(self, value: str) -> bool:
        """Tell whether this is bought for parts of this value in the circuit."""
        return any(fnmatchcase(value, pattern) for pattern in self.wired)


def read() -> dict[str, Any]:
    """Return the content of buy.toml."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def lines(
    listed: Mapping[str, Any],
    board: Board,
    plan: dict[str, Any],
    circuit: Circuit,
    budget: Budget,
    magnets: list[Magnet],
) -> list[Line]:
    """Return all lines, counted and with the figures of this board."""
    values = Counter(part.value for part in circuit.parts.values())
    counted = {
        "leds": board.lights.count,
        "sensors": len(board.hall.channels),
        "multiplexers": values["CD74HC4067"],
        "small_capacitors_lights": 1,
        "small_capacitors": values["100 nF"] - 1,
    }
    strip, grid = budget.runs
    lives = plan["printed"]["lives_mm"]
    words = {
        "supply": f"5 V {budget.supply_a:g} A",
        "strip_fuse": f"{strip.fuse_a:g} A",
        "grid_fuse": f"{grid.fuse_a:g} A",
        "strip_wire": f"{strip.mm2:g} mm² ({strip.awg})",
        "thin_wire": THIN_WIRE,
        "magnets": _discs(magnets),
        "diffuser": f"{plan['printed']['diffuser_mm']:g}",
        "around": f"{4 * board.board_mm + lives:g}",
    }
    holding = screws.counts(board, plan)
    return [
        Line(
            name=part["name"],
            count=_count(part, counted, holding),
            build=part["build"],
            typical=part["typical"].format(**words),
            instead=part["instead"],
            euros=part["euros"],
            wired=tuple(part.get("wired", ())),
            screw=part["count"]["screws"] if isinstance(part["count"], dict) else "",
        )
        for part in listed["parts"]
    ]


def _count(
    part: Mapping[str, Any], counted: Mapping[str, int], holding: Counter[tuple[str, str]]
) -> int:
    count = part["count"]
    if isinstance(count, dict):
        return holding[part["build"], count["screws"]]
    return counted[count] if isinstance(count, str) else int(count)


def _discs(magnets: list[Magnet]) -> str:
    sizes = Counter(f"{m.diameter_mm:g} × {m.height_mm:g} mm {m.grade}" for m in magnets)
    return ", ".join(f"{count} of {size}" for size, count in sizes.items())


def missing(bought: list[Line], circuit: Circuit) -> list[str]:
    """Return what the circuit has and the lists have not, or not often enough."""
    needed = Counter(part.value for part in circuit.parts.values())
    needed["WS2812B"] = min(needed["WS2812B"], 1)  # the strip is one part of the circuit
    found = []
    for value, count in needed.items():
        serving = [line for line in bought if line.serves(value)]
        there = sum(line.count for line in serving)
        for line in serving:  # some of it is for other parts
            there -= sum(n for other, n in needed.items() if other != value and line.serves(other))
        if there < count:
            found.append(f"{count} × {value}")
    return found


def missing_screws(bought: list[Line], board: Board, plan: dict[str, Any]) -> list[str]:
    """Return the screws of the table that the lists have not, or not often enough."""
    listed = Counter[tuple[str, str]]()
    for line in bought:
        listed[line.build, line.screw] += line.count
    needed = screws.counts(board, plan)
    return [
        f"{count} × {kind} for the build {build!r}, {listed[build, kind]} listed"
        for (build, kind), count in needed.items()
        if listed[build, kind] < count
    ]


def euros(bought: list[Line], build: str) -> tuple[int, int]:
    """Return what a build costs besides the one before it, and with all before it."""
    before = BUILDS[: BUILDS.index(build) + 1]
    own = sum(line.euros for line in bought if line.build == build)
    return own, sum(line.euros for line in bought if line.build in before)


def table(bought: list[Line], build: str) -> str:
    """Return what this build needs besides the one before it, and what that costs."""
    rows = ["| | what | typical | or | price |", "| ---: | --- | --- | --- | ---: |"]
    rows += [
        f"| {line.count} | {line.name} | {line.typical} | {line.instead} | {line.euros} € |"
        for line in bought
        if line.build == build
    ]
    own, whole = euros(bought, build)
    with_all = "" if own == whole else f"with the lists before it {whole} €"
    rows.append(f"| | **together** | | {with_all} | **{own} €** |")
    return "\n".join(rows)
