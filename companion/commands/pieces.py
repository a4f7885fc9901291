"""``companion calibrate --pieces``: show the hall grid an empty board, then each piece once."""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Protocol

from companion.board import Board, Piece, Thing
from companion.boards import profile
from companion.config import Settings
from companion.errors import ConfigError, DeviceError
from companion.fittings import open_strip
from companion.lights.paint import BLACK, facing
from companion.sensing.link import HallLink
from companion.sensing.session import HallState
from companion.sensing.showing import LEAST_SCANS, Shown, measure
from companion.sim.grid import SimGrid
from companion.sim.table import SimTable
from companion.store.calibration import Calibration

WAIT_SECONDS = 5.0
PAUSE_SECONDS = 0.02
SHOWN_ON = "e5"


class Grid(Protocol):
    """What is needed of the link to the hall grid."""

    def poll(self) -> HallState | None:
        """Return the newest values."""

    def take_baseline(self) -> None:
        """Have the grid measure its rest values."""


def run(options: argparse.Namespace, settings: Settings) -> int:
    """Measure and keep; return 1 when no piece was measured."""
    board = profile.load(settings.board.profile)
    kept = Calibration.beside(settings.store.path)
    if options.forget:
        kept.keep_magnets({})
        print("The measured magnets are forgotten, the profile's count.")
        return 0
    with ExitStack() as stack:
        port, show = _table(options, settings, board, stack)
        link = stack.enter_context(closing(HallLink(port)))
        found = show_all(board, link, show)
    if found:
        kept.keep_magnets({name: shown.counts for name, shown in found.items()})
    if options.json:
        measured = {name: {"on": s.spot, "counts": s.counts} for name, s in found.items()}
        print(json.dumps({"magnets": measured, "kept": str(kept.path) if found else None}))
    elif found:
        print(f"Kept in {kept.path}. A companion that starts now goes by it.")
    return 0 if found else 1


def show_all(board: Board, link: Grid, show: Callable[[Piece | None], bool]) -> dict[Thing, Shown]:
    """Have the empty board and each piece shown; return what was measured of those shown.

    ``show`` has a person put this piece, or nothing, on the board, and tells whether they did.
    """
    _settled(link)
    if show(None):
        before = _settled(link).rest
        link.take_baseline()
        _wait(lambda: (state := link.poll()) is not None and state.rest not in (None, before))
    found: dict[Thing, Shown] = {}
    for piece in board.pieces.values():
        while piece.magnet and show(piece):
            try:
                found[piece.name] = shown = _measured(board, link)
            except DeviceError as error:
                _say(f"  That did not work: {error}.")
                continue
            _say(f"  {piece.title} reads {shown.counts:+d} on {shown.spot}.")
            break
    return found


def _measured(board: Board, link: Grid) -> Shown:
    scans: list[tuple[int, ...]] = []
    last = _settled(link)
    deadline = time.monotonic() + WAIT_SECONDS
    while len(scans) < 2 * LEAST_SCANS and time.monotonic() < deadline:
        state = link.poll()
        if state is not None and state.time > last.time:
            scans.append(state.values)
            last = state
        time.sleep(PAUSE_SECONDS)
    return measure(scans, board, last.rest)


def _settled(link: Grid) -> HallState:
    """Return values of the grid as soon as there are any."""
    _wait(lambda: link.poll() is not None)
    state = link.poll()
    if state is None:
        raise DeviceError("the hall grid does not answer: plug it in, and stop a running companion")
    return state


def _wait(come: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not come() and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)


def _table(
    options: argparse.Namespace, settings: Settings, board: Board, stack: ExitStack
) -> tuple[str | None, Callable[[Piece | None], bool]]:
    """Return the port to open, and who shows the pieces: a person, or the simulated table."""
    port = settings.hall.port
    if not (options.sim or not settings.names_hardware):
        if port in (None, "none"):
            raise ConfigError(
                "no hall grid is configured: set hall.port, or try the simulated one with --sim"
            )
        return (None if port == "auto" else port), _pointing(settings, board, stack)
    table = SimTable(board, random.Random(1))
    grid = stack.enter_context(closing(SimGrid(table, board)))

    def show(piece: Piece | None) -> bool:
        table.set_up({SHOWN_ON: piece.name} if piece else {})
        time.sleep(5 * PAUSE_SECONDS)  # a scan or two
        return True

    return grid.port, show


def _pointing(settings: Settings, board: Board, stack: ExitStack) -> Callable[[Piece | None], bool]:
    """Return who asks for the pieces; lights, where there are any, show where one may be put."""
    try:
        strip = open_strip(settings.lights, board.lights, None)
    except DeviceError as error:
        _say(f"  Without lights: {error}.")
        return _ask
    if strip is None:
        return _ask
    stack.callback(strip.off)

    def ask(piece: Piece | None) -> bool:
        lights = facing(board, SHOWN_ON) if piece else []
        colour = piece.colour if piece else BLACK
        numbers = {board.lights.names[name] for name in lights}
        frame = [colour if n in numbers else BLACK for n in range(board.lights.count)]
        strip.show(frame, time.monotonic())
        return _ask(piece)

    return ask


def _ask(piece: Piece | None) -> bool:
    what = f"Put {piece.title}, alone, on any square" if piece else "Take everything off the board"
    _say(f"{what}, take your hand away, and press Enter (s and Enter to skip): ", end="")
    line = sys.stdin.readline()
    if not line:
        raise ConfigError("there is nobody to press Enter: run this command in a terminal")
    return line.strip().lower() != "s"


def _say(text: str, end: str = "\n") -> None:
    """Tell the person; what a program reads goes to standard output, this does not."""
    print(text, end=end, file=sys.stderr, flush=True)
