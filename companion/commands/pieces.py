"""``companion calibrate --pieces``: show the hall grid an empty board, then each piece once."""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing

from companion.board import Board, Piece, Thing
from companion.boards import profile
from companion.commands import running
from companion.config import Settings
from companion.errors import ConfigError, DeviceError
from companion.lights.names import facing, frame_of
from companion.sensing.hall.link import HallLink
from companion.sensing.hall.measure import LEAST_SCANS, Shown, doubt
from companion.sensing.hall.touch import Touch
from companion.service.devices import open_strip
from companion.setup.calibration import Calibration
from companion.sim.grid import SimGrid
from companion.sim.table import SimTable

WAIT_SECONDS = 5.0
PAUSE_SECONDS = 0.02
SHOWN_ON = "e5"


def run(options: argparse.Namespace, settings: Settings) -> int:
    """Measure and keep; return 1 when no piece was measured."""
    board = profile.load(settings.board.profile)
    simulate = options.sim or not settings.names_hardware
    kept = Calibration.beside(settings.store.path, simulated=simulate)
    if not simulate and running.ask(settings, "/healthz", "devices"):
        raise ConfigError(
            "the companion is running: show it the pieces on"
            f" http://localhost:{settings.web.port}/start, or stop it first"
        )
    if options.forget:
        kept.keep_magnets({})
        print("The measured magnets are forgotten, the profile's count.")
        return 0
    with ExitStack() as stack:
        port, show = _table(simulate, settings, board, stack)
        touch = Touch(board, stack.enter_context(closing(HallLink(port))))
        found = show_all(board, touch, show)
    if found:
        kept.keep_magnets({name: shown.counts for name, shown in found.items()})
    if options.json:
        measured = {name: {"on": s.spot, "counts": s.counts} for name, s in found.items()}
        print(json.dumps({"magnets": measured, "kept": str(kept.path) if found else None}))
    elif found:
        print(f"Kept in {kept.path}. A companion that starts now goes by it.")
    return 0 if found else 1


def show_all(
    board: Board, touch: Touch, show: Callable[[Piece | None], bool]
) -> dict[Thing, Shown]:
    """Have the empty board and each piece shown; return what was measured of those shown.

    ``show`` has a person put this piece, or nothing, on the board, and tells whether they did.
    """
    _gather(touch)
    _rest(touch, show)
    found: dict[Thing, Shown] = {}
    for piece in board.pieces.values():
        while piece.magnet and show(piece):
            try:
                _gather(touch)
                found[piece.name] = shown = touch.measure()
            except DeviceError as error:
                _say(f"  That did not work: {error}.")
                continue
            said = f"  {piece.title} reads {shown.counts:+d} on {shown.spot}."
            _say(f"{said} {doubt(shown, piece, board)}".rstrip())
            break
    return found


def _rest(touch: Touch, show: Callable[[Piece | None], bool]) -> None:
    """Have the rest values measured; who is asked a second time is sure that the board is empty."""
    sure = False
    while show(None):
        _gather(touch)
        try:
            touch.take_baseline(sure=sure)
        except DeviceError as error:
            _say(f"  Not yet: {error}.")
            sure = True
            continue
        _feel(touch, lambda: touch.baseline != "measuring")
        if touch.baseline != "done":
            _say("  The hall grid did not measure its rest values; the old ones count.")
        return


def _gather(touch: Touch) -> None:
    """Take in some fresh scans; DeviceError when none come."""
    before = touch.noted
    _feel(touch, lambda: touch.noted >= before + 2 * LEAST_SCANS)
    if touch.noted == before:
        raise DeviceError("the hall grid does not answer: plug it in, and stop a running companion")


def _feel(touch: Touch, enough: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not enough() and time.monotonic() < deadline:
        touch.feel()
        time.sleep(PAUSE_SECONDS)


def _table(
    simulate: bool, settings: Settings, board: Board, stack: ExitStack
) -> tuple[str | None, Callable[[Piece | None], bool]]:
    """Return the port to open, and who shows the pieces: a person, or the simulated table."""
    port = settings.hall.port
    if not simulate:
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
        strip.show(
            frame_of(board, dict.fromkeys(lights, piece.colour) if piece else {}), time.monotonic()
        )
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
