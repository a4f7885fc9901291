"""``companion lights``: a test of the strip, and a map of one that nobody knows."""

import argparse
import signal
import sys
import time
from pathlib import Path

from companion import config
from companion.board import Board, Lights
from companion.boards import profile
from companion.boards.files import write
from companion.config import LightSettings
from companion.errors import CompanionError, ConfigError
from companion.lights.mapping import PLAIN_ORDER, Point, draw_lights, find_order, find_wire, to_toml
from companion.lights.names import frame_of
from companion.lights.palette import WHITE
from companion.lights.strip import SENDS_PER_SECOND, Colours, Strip
from companion.lights.trial import sweep
from companion.service.devices import open_strip
from companion.sim.strip import SimPixels

LIVES_MM = {"L1": (-29.0, -165.0), "L2": (0.0, -165.0), "L3": (29.0, -165.0)}
MOST_LIGHTS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("sweep", "map"),
        default="sweep",
        help="sweep: light everything once, by name (the default); "
        "map: find out which LED of an unknown strip faces what",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument(
        "--board", metavar="PROFILE", help="a board other than that of the settings"
    )
    parser.add_argument("--sim", action="store_true", help="a simulated strip, drawn as text")
    parser.add_argument(
        "--seconds", type=float, default=0.3, metavar="S", help="how long each step of a sweep is"
    )
    parser.add_argument(
        "--count", type=int, metavar="N", help="map: how many LEDs there are, else the profile's"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.toml", help="map: where it is written")


def run(options: argparse.Namespace) -> int:
    """Do what was asked, and leave the strip dark."""
    settings = config.load(options.config)
    board = profile.load(options.board or settings.board.profile)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as by Ctrl+C: dark
    try:
        if options.action == "sweep":
            return _sweep(options, settings.lights, board)
        return _map(options, settings.lights, board)
    finally:
        signal.signal(signal.SIGTERM, before)


class _Shown:
    """A strip that shows one frame after the other at once; a simulated one is drawn as text."""

    def __init__(self, settings: LightSettings, lights: Lights, sim: Board | None) -> None:
        self._sim = sim
        self._now = 0.0
        pixels = SimPixels(lights) if sim else None
        if sim:
            settings = LightSettings("sim", milliamps=settings.milliamps)
        strip = open_strip(settings, lights, pixels)
        if strip is None:
            raise ConfigError(
                "no lights are configured: set lights.driver, or try simulated ones with --sim"
            )
        self._strip: Strip = strip

    def show(self, colours: Colours) -> None:
        """Send a frame, whenever the last one was."""
        self._now += 2 / SENDS_PER_SECOND
        self._strip.show(colours, self._now)
        if self._sim:
            names = self._sim.lights.names
            lit = {name: colours[n] for name, n in names.items() if n < len(colours)}
            print(draw_lights(self._sim, lit))

    def off(self) -> None:
        """Turn everything dark."""
        self._strip.off()


def _sweep(options: argparse.Namespace, settings: LightSettings, board: Board) -> int:
    if not board.lights.count:
        raise CompanionError(f"the board {board.name} has no lights in its profile")
    strip = _Shown(settings, board.lights, board if options.sim else None)
    try:
        for text, lit in sweep(board):
            print(text, flush=True)
            strip.show(frame_of(board, lit))
            time.sleep(max(0.0, options.seconds))
    finally:
        strip.off()
    return 0


def _map(options: argparse.Namespace, settings: LightSettings, board: Board) -> int:
    count = board.lights.count if options.count is None else options.count
    if not 0 < count <= MOST_LIGHTS:
        raise CompanionError(f"expected --count from 1 to {MOST_LIGHTS}, got {count}")
    milliamps = settings.milliamps or board.lights.milliamps or 500
    plain = Lights(count, PLAIN_ORDER, milliamps, {}, {})
    strip = _Shown(settings, plain, board if options.sim else None)
    print("Answer N1 to N9, E…, S… or W… for a light of the frame, a square such as e5 for one")
    print("under it, L1 … for a life, - for one that faces nothing, S1..S9 for a run, back to")
    print("correct yourself.")
    try:
        order = find_order(lambda colour: strip.show((colour,) * count), _ask)
        wire = find_wire(count, lambda led: strip.show(_one(count, led)), _ask, print)
    finally:
        strip.off()
    lives = [name for name in wire if name[0] == "L"]
    text = to_toml(order, milliamps, wire, _side(board), {n: _life(n) for n in lives})
    if options.out is None:
        print(f"\n{text}", end="")
        return 0
    write(options.out, text.encode())
    print(f"Written to {options.out}: put it into your board's profile in place of its [lights].")
    return 0


def _one(count: int, led: int) -> Colours:
    return tuple(WHITE if number == led else (0, 0, 0) for number in range(count))


def _side(board: Board) -> float:
    """Return how far the lights of the frame are likely to lie from the middle."""
    known = [max(abs(x), abs(y)) for n, (x, y) in board.lights.at_mm.items() if n[0] in "NESW"]
    return max(known, default=(board.board_mm + board.frame_mm) / 4)


def _life(name: str) -> Point:
    """Return where a life is likely to be; people correct it in the file."""
    return LIVES_MM.get(name, (0.0, -165.0))


def _ask(question: str) -> str:
    """Return what somebody answers at the terminal."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise CompanionError("expected an answer, got the end of the input; nothing is written")
    return line.rstrip("\n")
