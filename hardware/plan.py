"""Reads plan.toml, and joins it with the board and the pins: all that the rest is made from."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.board import Board
from companion.boards import profile
from hardware import shopping, wiring
from hardware.circuit import Circuit
from hardware.magnets import Magnet, magnets
from hardware.power import Budget, budget

FILE = Path(__file__).with_name("plan.toml")
PROFILE = "reference"


@dataclass(frozen=True)
class Build:
    """The reference table: its board, plan, pins, circuit and figures."""

    board: Board
    plan: dict[str, Any]
    pins: dict[str, Any]
    budget: Budget
    circuit: Circuit
    magnets: list[Magnet]
    listed: dict[str, Any]
    bought: list[shopping.Line]


def read() -> dict[str, Any]:
    """Return the content of plan.toml."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def load(name: str = PROFILE) -> Build:
    """Return the build of a board's profile."""
    board, plan, pins = profile.load(name), read(), wiring.pins()
    power = budget(board, plan)
    circuit = wiring.table(board, pins, power.supply_ma)
    discs, listed = magnets(plan, board), shopping.read()
    bought = shopping.lines(listed, board, plan, circuit, power, discs)
    return Build(board, plan, pins, power, circuit, discs, listed, bought)
