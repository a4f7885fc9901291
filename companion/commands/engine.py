"""``companion engine GAME``: UGI on standard input and output."""

import io
import sys
import time
from argparse import ArgumentParser, Namespace
from random import Random

from companion.games import GAMES, find_game
from companion.ugi import Engine, serve


def add_arguments(parser: ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    parser.add_argument("--seed", type=int, help="makes its choices between equal moves repeatable")


def run(args: Namespace) -> int:
    """Speak UGI until quit or the end of the input."""
    engine = Engine(find_game(args.game), time.monotonic, Random(args.seed))
    if isinstance(sys.stdin, io.TextIOWrapper):  # a stray byte is a bad line, not the end
        sys.stdin.reconfigure(errors="replace")
    serve(engine, sys.stdin, sys.stdout)
    return 0
