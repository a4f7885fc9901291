"""The buyer's lists: reads buy.toml, counts what is to be counted, and writes the tables."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.board import Board
from hardware.circuit import Circuit
from hardware.magnets import Magnet
from hardware.power import Budget

FILE = Path(__file__).with_name("buy.toml")
BUILDS = ("camera", "lights", "table")
PRICES = {1: "€", 2: "€€", 3: "€€€", 4: "€€€€"}
THIN_WIRE = "0.14 mm² (AWG 26)"


@dataclass(frozen=True)
class Line:
    """One line of a list."""

    name: str
    count: int
    build: str
    typical: str
    instead: str
    price: int
    wired: tuple[str, ...]


def read() -> dict[str, Any]:
    """Return the content of buy.toml."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def lines(
    listed: Mapping[str, Any],
    board: Board,
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
    words = {
        "supply": f"5 V {budget.supply_a:g} A",
        "strip_fuse": f"{strip.fuse_a:g} A",
        "grid_fuse": f"{grid.fuse_a:g} A",
        "strip_wire": f"{strip.mm2:g} mm² ({strip.awg})",
        "thin_wire": THIN_WIRE,
        "magnets": _discs(magnets),
    }
    return [
        Line(
            name=part["name"],
            count=counted[part["count"]] if isinstance(part["count"], str) else part["count"],
            build=part["build"],
            typical=part["typical"].format(**words),
            instead=part["instead"],
            price=part["price"],
            wired=tuple(part.get("wired", ())),
        )
        for part in listed["parts"]
    ]


def _discs(magnets: list[Magnet]) -> str:
    sizes = Counter(f"{m.diameter_mm:g} × {m.height_mm:g} mm {m.grade}" for m in magnets)
    return ", ".join(f"{count} of {size}" for size, count in sizes.items())


def missing(bought: list[Line], circuit: Circuit) -> list[str]:
    """Return what the circuit has and the lists have not, or not often enough."""
    needed = Counter(part.value for part in circuit.parts.values())
    found = []
    for value, count in needed.items():
        serving = [line for line in bought if any(value.startswith(w) for w in line.wired)]
        if value == "Raspberry Pi":
            serving = [line for line in bought if line.name.startswith(value)]
        if value == "100 nF":
            serving = [line for line in bought if "100 nF" in line.name]
        if sum(line.count for line in serving) < (1 if value == "WS2812B" else count):
            found.append(f"{count} × {value}")
    return found


def table(bought: list[Line], build: str) -> str:
    """Return what this build needs besides the one before it."""
    rows = ["| | what | typical | or | price |", "| ---: | --- | --- | --- | --- |"]
    rows += [
        f"| {line.count} | {line.name} | {line.typical} | {line.instead} | {PRICES[line.price]} |"
        for line in bought
        if line.build == build
    ]
    return "\n".join(rows)
